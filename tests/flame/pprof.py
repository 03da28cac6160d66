#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""
Reads a profile of pprof (profile.proto, gzip) with nothing but the wire format, and checks it: unknown
fields, ids and strings that do not exist, values that are missing.

pprof.py FILE           what there is: "# 3 samples 3 failures 852159 ns", build ids, labels
pprof.py folded FILE    its stacks as `retsnoop report --format=folded` prints them

Exit status: 0 right, 1 wrong ("wrong: ...").
"""
import gzip
import sys

NUMBER, STRING, MESSAGE, NUMBERS = range(4)
TYPE = {1: ("type", STRING), 2: ("unit", STRING)}
LABEL = {1: ("key", STRING), 2: ("str", STRING), 3: ("num", NUMBER), 4: ("num_unit", STRING)}
SAMPLE = {1: ("location_id", NUMBERS), 2: ("value", NUMBERS), 3: ("label", MESSAGE, LABEL)}
MAPPING = {1: ("id", NUMBER), 2: ("memory_start", NUMBER), 3: ("memory_limit", NUMBER),
           4: ("file_offset", NUMBER), 5: ("filename", STRING), 6: ("build_id", STRING),
           7: ("has_functions", NUMBER), 8: ("has_filenames", NUMBER),
           9: ("has_line_numbers", NUMBER), 10: ("has_inline_frames", NUMBER)}
LINE = {1: ("function_id", NUMBER), 2: ("line", NUMBER)}
LOCATION = {1: ("id", NUMBER), 2: ("mapping_id", NUMBER), 3: ("address", NUMBER),
            4: ("line", MESSAGE, LINE), 5: ("is_folded", NUMBER)}
FUNCTION = {1: ("id", NUMBER), 2: ("name", STRING), 3: ("system_name", STRING),
            4: ("filename", STRING), 5: ("start_line", NUMBER)}
PROFILE = {1: ("sample_type", MESSAGE, TYPE), 2: ("sample", MESSAGE, SAMPLE),
           3: ("mapping", MESSAGE, MAPPING), 4: ("location", MESSAGE, LOCATION),
           5: ("function", MESSAGE, FUNCTION), 9: ("time_nanos", NUMBER),
           10: ("duration_nanos", NUMBER), 11: ("period_type", MESSAGE, TYPE),
           12: ("period", NUMBER), 13: ("comment", STRING), 14: ("default_sample_type", STRING)}


class Wrong(Exception):
    """What is wrong with a profile."""


def varint(data, at):
    """A number, and where it ends."""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Wrong("a number that is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def fields(data):
    """Numbers of fields with numbers or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            if at + value > len(data):
                raise Wrong("bytes that are cut off")
            value, at = data[at:at + value], at + value
        elif key & 7:
            raise Wrong(f"wire type {key & 7}")
        yield key >> 3, value


def message(data, known, strings):
    """As a dictionary; repeated ones are lists."""
    result = {entry[0]: [] if entry[1] in (MESSAGE, NUMBERS) else "" if entry[1] == STRING else 0
              for entry in known.values()}
    for number, value in fields(data):
        if known is PROFILE and number == 6:
            continue
        if number not in known:
            raise Wrong(f"field {number}")
        name, kind, *inner = known[number]
        if isinstance(value, bytes) != (kind in (MESSAGE, NUMBERS)):
            raise Wrong(f"{name} of another type")
        if kind == MESSAGE:
            result[name].append(message(value, inner[0], strings))
        elif kind == NUMBERS:
            at = 0
            while at < len(value):
                one, at = varint(value, at)
                result[name].append(one)
        elif kind == STRING:
            if value >= len(strings):
                raise Wrong(f"{name}: no string {value}")
            result[name] = strings[value]
        else:
            result[name] = value
    return result


def by_id(items, what):
    """Ids are not 0, and each is there once."""
    found = {item["id"]: item for item in items}
    if len(found) != len(items) or 0 in found:
        raise Wrong(f"ids of {what}")
    return found


def read(path):
    """A profile whose parts fit together."""
    with gzip.open(path) as file:
        data = file.read()
    strings = [value.decode() for number, value in fields(data) if number == 6]
    if not strings or strings[0] or len(set(strings)) != len(strings):
        raise Wrong("the string table")
    profile = message(data, PROFILE, strings)
    mappings = by_id(profile["mapping"], "mappings")
    functions = by_id(profile["function"], "functions")
    locations = by_id(profile["location"], "locations")
    types = [(one["type"], one["unit"]) for one in profile["sample_type"]]
    if types != [("failures", "count"), ("latency", "nanoseconds")]:
        raise Wrong(f"sample types: {types}")
    for location in locations.values():
        if location["mapping_id"] not in mappings or not location["line"]:
            raise Wrong(f"location {location}")
        for line in location["line"]:
            if line["function_id"] not in functions:
                raise Wrong(f"location {location}")
            line["function"] = functions[line["function_id"]]
    for sample in profile["sample"]:
        if len(sample["value"]) != 2 or not set(sample["location_id"]) <= set(locations):
            raise Wrong(f"sample {sample}")
        sample["stack"] = [locations[id] for id in sample["location_id"]]
        sample["labels"] = {label["key"]: label["str"] for label in sample["label"]}
        if len(sample["labels"]) != len(sample["label"]):
            raise Wrong(f"labels {sample['label']}")
    return profile


def folded(profile):
    """From the outermost frame inwards; lines of a location are its inlined calls, innermost first."""
    counts = {}
    for sample in profile["sample"]:
        frames = [sample["labels"]["comm"]]
        for location in reversed(sample["stack"]):
            names = [line["function"]["name"] for line in reversed(location["line"])]
            frames += names[:1] + [name + "_[i]" for name in names[1:]]
        key = ";".join(frames)
        counts[key] = counts.get(key, 0) + sample["value"][0]
    for key in sorted(counts):
        print(f"{key} {counts[key]}")


def main():
    """See above."""
    try:
        profile = read(sys.argv[-1])
    except (Wrong, OSError, EOFError, UnicodeDecodeError) as error:
        print(f"wrong: {error}")
        return 1
    if sys.argv[1] == "folded":
        folded(profile)
        return 0
    values = [sum(column) for column in zip(*(sample["value"] for sample in profile["sample"]))]
    print(f"# {len(profile['sample'])} samples {values[0]} failures {values[1]} ns")
    for mapping in profile["mapping"]:
        print(f"# mapping {mapping['filename']} {mapping['build_id'] or '-'}")
    for sample in profile["sample"]:
        print("# sample", " ".join(f"{key}={value}" for key, value in sorted(sample["labels"].items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
