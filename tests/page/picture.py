# SPDX-License-Identifier: BSD-2-Clause
"""
Pictures for the documentation.

picture.py page PAGE PNG WIDTH HEIGHT [KEY...]      a page of sessions, after these keys
picture.py terminal TEXT PNG COLUMNS                what a terminal shows of a text with colours
"""
import html
import os
import re
import sys
import tempfile

import browser

# As terminals have them with a light text on dark paper.
COLOURS = {30: "#4b5263", 31: "#f0717a", 32: "#98c379", 33: "#e5c07b", 34: "#6cb0f5", 35: "#c88be0",
           36: "#56c2cc", 37: "#d7dae0", 90: "#8a919e", 91: "#ff8a92", 92: "#b5e08f", 93: "#f5d68f",
           94: "#8cc4ff", 95: "#dba6f0", 96: "#7fdde6", 97: "#ffffff"}
LOOKS = {1: "font-weight:bold", 2: "opacity:.62", 3: "font-style:italic", 4: "text-decoration:underline"}
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #ffffff00; }}
pre {{ margin: 0; display: inline-block; padding: 12px 16px; background: #1b1d23; color: #d7dae0; border-radius: 6px;
	font: 13px/1.42 "DejaVu Sans Mono", monospace; width: {columns}ch; overflow: hidden; }}
</style><pre>{text}</pre>"""


def as_html(text):
    """What a terminal makes of SGR sequences."""
    out, looks = [], {}
    for part in re.split(r"(\033\[[0-9;]*m)", text):
        match = re.fullmatch(r"\033\[([0-9;]*)m", part)
        if not match:
            style = ";".join(looks.values())
            out.append(f'<span style="{style}">{html.escape(part)}</span>' if style and part else html.escape(part))
            continue
        for code in [int(code or 0) for code in match[1].split(";")]:
            if code == 0:
                looks = {}
            elif code in COLOURS:
                looks["colour"] = "color:" + COLOURS[code]
            elif code in LOOKS:
                looks[code] = LOOKS[code]
            elif code == 39:
                looks.pop("colour", None)
            elif code == 22:
                looks.pop(1, None)
                looks.pop(2, None)
    return "".join(out)


def main():
    """See above."""
    what, source, picture, *more = sys.argv[1:]
    with browser.Browser(browser.program()) as tab:
        if what == "page":
            tab.size(int(more[0]), int(more[1]))
            tab.open("file://" + os.path.abspath(source))
            tab.key(*more[2:])
            tab.picture(picture)
            return
        with open(source, encoding="utf-8") as file, tempfile.NamedTemporaryFile("w", suffix=".html") as page:
            page.write(TERMINAL.format(columns=more[0], text=as_html(file.read().rstrip("\n"))))
            page.flush()
            tab.open("file://" + page.name)
            tab.size(*tab.run("(() => { const box = document.querySelector('pre').getBoundingClientRect();"
                              "return [Math.ceil(box.width), Math.ceil(box.height)]; })()"))
            tab.picture(picture)


if __name__ == "__main__":
    main()
