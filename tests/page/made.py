# SPDX-License-Identifier: BSD-2-Clause
"""Pages with sessions that are made up: many, long, hostile. The page itself is the program's own."""
import json
import re

BEGIN = '<script type="application/x-ndjson">\n'
END = "</script>\n<script>\ntake(document.currentScript)\n"
BLOCKS = 256 << 10, 4 << 20  # the first, and the longest

# Each would do something if it were ever taken for more than text.
HOSTILE = [
    "</script><script>document.title='taken'</script>",
    "<img src=x onerror=\"document.title='taken'\">",
    "<!--<script>",
    "&lt;b&gt;&amp;",
    "two\nlines\tand\0more",
    "line\u2028separator\u2029here",
    "\ufffd\ufffd not UTF-8",
    "\u202eright to left",
    "\x9b31mcontrol\x7f \u061c\u200f\u2067marks\U000e0041",
    "\\u202e in letters \\",
    "quote\"back\\slash",
    "\"result\":12345678901234567890",
    "-" * 300,
]


# What util/base/utf8.c has no terminal or browser show.
HIDDEN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")


def data_of(page):
    """The lines of data in a page, which has one block of it: its origin, sessions of two lines each, its ledger."""
    assert page.count(BEGIN) == 1
    return page[page.index(BEGIN) + len(BEGIN):page.index(END)].splitlines()


def with_data(page, lines):
    """The page with other data, in blocks as the program makes them."""
    blocks, size, most = [[]], 0, BLOCKS[0]
    for one in lines:
        if size >= most and one.startswith('{"entry":'):
            blocks.append([])
            size = 0
            most = min(most * 2, BLOCKS[1])
        blocks[-1].append(one + "\n")
        size += len(one)
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    return page[:start] + (END + "</script>\n" + BEGIN).join("".join(block) for block in blocks) + page[end:]


def with_shown(value):
    """What --format=json prints, with the results as the page has them besides."""
    if isinstance(value, list):
        return [with_shown(one) for one in value]
    if not isinstance(value, dict):
        return value
    value = {key: with_shown(one) for key, one in value.items()}
    if "errno" in value and "result" in value and "shown" not in value:
        value["shown"] = "[NULL]" if value["errno"] == "NULL" else f"[-{value['errno']}]" if value["errno"] else \
            f"[{value['result']}]"
    return value


def line(value):
    """As the program writes it: nothing in it ends the element that it is in, or turns text."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def pair(name, result, calls=(), comm="made", tid=7, start_ns=10**12, took_ns=10**6, **more):
    """The two lines of a session that @name begins."""
    failed = result < 0
    head = {"entry": name, "result": f"[{result}]", "producer": name, "produced": f"[{result}]",
            "start": "2026-01-01T00:00:00.000000000+00:00", "start_ns": start_ns,
            "end_ns": start_ns + took_ns, "pid": tid, "tid": tid, "comm": comm, "context": "task",
            "failed": failed, "interim": False}
    session = {"type": "session", "start": head["start"], "end": head["start"], "start_ns": start_ns,
               "end_ns": start_ns + took_ns, "tid": tid, "pid": tid, "comm": comm, "proc_comm": comm,
               "context": "task", "failed": failed, "interim": False, "calls_too_deep": 0,
               "calls": list(calls), **more}
    return [line(head), line(session)]


def call(kind, name, depth, time_ns, took_ns=None, result=0, errno=None, args=None, module=None):
    """A line of a trace."""
    one = {"kind": kind, "depth": depth, "time_ns": time_ns, "function": name, "module": module}
    if kind in ("leaf", "return"):
        one |= {"duration_ns": took_ns, "failed": isinstance(result, int) and result < 0, "result": result, "errno": errno,
                "shown": f"[-{errno}]" if errno else f"[{result}]"}
    if args is not None:
        one["args"] = args
    return one


def long_calls(start_ns, count):
    """That many calls, nested up to 40 deep, some failing."""
    calls, open_calls, time_ns = [], [], start_ns
    made = 0
    while made < count:
        depth = len(open_calls)
        name = f"function_{made * 7919 % 60}"
        args = {"dev": "&{.name='sda',.flags=0x%x}" % made, "count": str(made)}
        bad = made % 50 == 7
        time_ns += 300 + made % 7 * 40
        if depth < 40 and made % 5 in (0, 1) and made + 10 < count:
            calls.append(call("call", name, depth, time_ns, args=args))
            open_calls.append((name, time_ns))
        else:
            calls.append(call("leaf", name, depth, time_ns, 200, -22 if bad else 0,
                              "EINVAL" if bad else None, args))
            if open_calls and made % 5 in (3, 4):
                name, began = open_calls.pop()
                time_ns += 100
                calls.append(call("return", name, len(open_calls), time_ns, time_ns - began))
        made += 1
    while open_calls:
        name, began = open_calls.pop()
        time_ns += 100
        calls.append(call("return", name, len(open_calls), time_ns, time_ns - began))
    return calls, time_ns


def long_page(page, count):
    """One session with that many calls."""
    start_ns = 5 * 10**12
    calls, end_ns = long_calls(start_ns, count)
    return with_data(page, pair("long_entry", -22, calls, start_ns=start_ns, took_ns=end_ns - start_ns))


def deep_page(page, depth):
    """Calls nested so deep, all failing."""
    start_ns = 10**12
    calls = [call("call", f"deep_function_{at}", at, start_ns + at * 100) for at in range(depth)]
    end_ns = start_ns + depth * 100
    for at in range(depth - 1, -1, -1):
        end_ns += 130
        calls.append(call("return", f"deep_function_{at}", at, end_ns, end_ns - start_ns - at * 100, -22, "EINVAL"))
    return with_data(page, pair("deep_function_0", -22, calls, start_ns=start_ns, took_ns=end_ns - start_ns))


def hostile_page(page):
    """Every string of a session is one of the hostile ones, in one session each; and a large result."""
    lines = []
    for at, text in enumerate(HOSTILE):
        calls = [call("call", text, 0, 10**12 + 10, args={text: text}, module=text),
                 call("leaf", text, 1, 10**12 + 3000, 1000, "18446744073709551615", None, {"x": text}),
                 {"kind": "probe", "depth": 1, "time_ns": 10**12 + 5000, "probe": text, "args": {"y": text}, "text": text},
                 call("return", text, 0, 10**12 + 9000, 8990, -22, text)]
        frame = {"function": text, "file": text, "line": 1, "column": 2, "inlined": False}
        place = {"addr": "0x1", "symbol": text, "offset": 3, "module": text, "frames": [frame, frame]}
        lines += pair(text, -22, calls, comm=text, tid=at + 1, took_ns=10000,
                      stack=[{"on_stack": True, "addr": "0x1", "symbol": text, "offset": 4, "module": text,
                              "traced": False, "frames": [frame, frame]}],
                      branches=[{"nr": 0, "from": place, "to": place, "interrupt": False, "times": 1}])
    worst = " ".join(HOSTILE)
    lines.append(line({"type": "page", "tool": worst, "command_line": worst, "host": worst, "release": worst,
                       "machine": worst, "start": worst}))
    return with_data(page, lines)


def many_page(page, count):
    """The sessions of a page again and again: other threads, later."""
    data = [one for one in data_of(page) if not one.startswith(('{"type":"page"', '{"type":"ledger"'))]
    tid = re.compile(r'"tid":\d+')
    lines = []
    for at in range(count):
        for part in data[at * 2 % len(data):][:2]:
            lines.append(tid.sub(f'"tid":{100000 + at}', part))
    return with_data(page, lines)
