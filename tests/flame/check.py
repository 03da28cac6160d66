# SPDX-License-Identifier: BSD-2-Clause
"""
Whether output for other programs has the form that they read.

check.py chrome FILE    the Trace Event Format, as Perfetto, speedscope and chrome://tracing take it
check.py folded FILE    folded stacks, as flame graph programs take them

Says what is wrong, a line each, and what there is: "# ...". Exit status: 0 right, 1 wrong.
"""
import json
import re
import sys
from decimal import Decimal

COLOUR_NAMES = {"terrible", "bad", "good", "grey"}


def is_id(value):
    """Of a process or thread."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**32


def check_time(event, key, wrong):
    """Microseconds, not negative, and to the nanosecond in what importers keep: a double."""
    value = event.get(key)
    if not isinstance(value, (int, Decimal)) or isinstance(value, bool) or value < 0:
        wrong.append(f"{key} is no time: {event}")
        return Decimal(0)
    if round(float(value) * 1000) != value * 1000:
        wrong.append(f"{key} loses nanoseconds as a double: {event}")
    return Decimal(value)


def check_nesting(thread, calls, wrong):
    """Of complete events of a thread: one ends before another begins, or within it."""
    deepest, open_calls = 0, []
    for start, end, name in sorted(calls, key=lambda call: (call[0], -call[1])):
        while open_calls and open_calls[-1][1] <= start and not (start == end == open_calls[-1][1]):
            open_calls.pop()
        if open_calls and end > open_calls[-1][1]:
            wrong.append(f"{name} at {start} ends {end - open_calls[-1][1]} us after {open_calls[-1][2]},"
                         f" in which it began (thread {thread})")
        open_calls.append((start, end, name))
        deepest = max(deepest, len(open_calls))
    return deepest


def check_chrome(text):
    """Lists of what is wrong and of what there is."""
    wrong, threads, names = [], {}, {}
    phases = {}
    try:
        events = json.loads(text, parse_float=Decimal)
    except ValueError as error:
        return [f"no JSON: {error}"], ""
    if not isinstance(events, list):
        return ["no array of events"], ""
    for event in events:
        if not isinstance(event, dict):
            wrong.append(f"no event: {event}")
            continue
        phase = event.get("ph")
        phases[phase] = phases.get(phase, 0) + 1
        thread = (event.get("pid"), event.get("tid"))
        if not is_id(thread[0]) or not is_id(thread[1]):
            wrong.append(f"no ids of a process and a thread: {event}")
        if not isinstance(event.get("name"), str) or not event["name"]:
            wrong.append(f"no name: {event}")
        if not isinstance(event.get("args", {}), dict):
            wrong.append(f"args is no object: {event}")
        if phase == "M" and event.get("name") == "time_base":
            if thread != (0, 0) or not isinstance(event["args"].get("epoch_ns"), int):
                wrong.append(f"no base of times: {event}")
            continue
        if phase == "M":
            if event.get("name") not in ("process_name", "thread_name"):
                wrong.append(f"tells what is not known: {event}")
            if not event.get("args", {}).get("name"):
                wrong.append(f"names nothing: {event}")
            named = names.setdefault(thread, {})
            if event.get("args", {}).get("name") == named.get(event["name"]):
                wrong.append(f"named twice: {event}")
            named[event["name"]] = event.get("args", {}).get("name")
            continue
        if phase not in ("X", "i"):
            wrong.append(f"a phase that is not written: {event}")
            continue
        if event.get("cat") not in ("task", "softirq", "hardirq", "nmi"):
            wrong.append(f"no category: {event}")
        if set(names.get(thread, {})) != {"process_name", "thread_name"}:
            wrong.append(f"its process and thread have no names before it: {event}")
        start = check_time(event, "ts", wrong)
        if phase == "i":
            if event.get("s") not in ("g", "p", "t") or "dur" in event:
                wrong.append(f"no instant: {event}")
            continue
        if event.get("cname", "terrible") not in COLOUR_NAMES:
            wrong.append(f"no colour: {event}")
        if event.get("cname") != ("terrible" if event.get("args", {}).get("failed") else None):
            wrong.append(f"not in the colour of its result: {event}")
        took = check_time(event, "dur", wrong)
        threads.setdefault(thread, []).append((start, start + took, event.get("name")))
    deepest = max((check_nesting(thread, calls, wrong) for thread, calls in threads.items()), default=0)
    return wrong, f"{phases.get('X', 0)} calls {phases.get('i', 0)} instants {len(names)} threads {deepest} deep"


def check_folded(text):
    """The same of folded stacks."""
    wrong, seen, total, deepest = [], set(), 0, 0
    if text and not text.endswith("\n"):
        wrong.append("no end of the last line")
    lines = text.split("\n")[:-1]
    for line in lines:
        # As flamegraph.pl takes it apart: the last word is the number.
        match = re.fullmatch(r"(.+) (\d+)", line)
        if not match:
            wrong.append(f"no stack and a number: {line!r}")
            continue
        frames = match[1].split(";")
        if any(not frame or re.search(r"[\x00-\x1f\x7f]", frame) for frame in frames):
            wrong.append(f"a frame without a name: {line!r}")
        if int(match[2]) == 0 or match[2].startswith("0"):
            wrong.append(f"no weight: {line!r}")
        if match[1] in seen:
            wrong.append(f"the same stack twice: {line!r}")
        seen.add(match[1])
        total += int(match[2])
        deepest = max(deepest, len(frames))
    if lines != sorted(lines, key=lambda line: line.rpartition(" ")[0].encode("utf-8", "surrogateescape")):
        wrong.append("not in order")
    return wrong, f"{len(lines)} stacks {total} in all {deepest} deep"


def main():
    """See above."""
    form, path = sys.argv[1:]
    with open(path, encoding="utf-8", errors="surrogateescape" if form == "folded" else "strict") as file:
        wrong, found = {"chrome": check_chrome, "folded": check_folded}[form](file.read())
    for line in wrong:
        print("wrong: " + line[:300])
    print("# " + found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
