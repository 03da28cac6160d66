# SPDX-License-Identifier: BSD-2-Clause
"""Uses pages of sessions in a browser as somebody would: keys and clicks, and looks at what is there."""
import json
import os
import subprocess
import sys
import tempfile
import time

import browser
import made

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORDINGS = TOP + "/tests/golden/recordings/"


class Check:
    """Counts what is as it should be, and says what is not."""

    def __init__(self, tab, work, program):
        self.tab, self.work, self.program = tab, work, program
        self.passed = self.failed = 0
        self.page = ""

    def say(self, good, name, seen=""):
        """One check."""
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"not ok - {self.page}: {name}: {str(seen)[:400]}")

    def report(self, name, *options):
        """The path of a page of a golden recording."""
        path = f"{self.work}/{name}.html"
        if os.path.exists(path):
            os.remove(path)  # nothing is overwritten
        subprocess.run([self.program, "report", "-q", "-sn", "-i", RECORDINGS + name + ".data",
                        "--format=html", "-o", path, *options], stderr=subprocess.DEVNULL, check=False)
        return path

    def make(self, name, text):
        """The path of a page with this text."""
        path = f"{self.work}/{name}.html"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def open(self, path, fragment=""):
        """Show a page, which asks for nothing but itself and does not complain."""
        self.page = os.path.basename(path)
        self.tab.open("file://" + path + fragment)
        asked = self.tab.requests()
        self.say(asked == ["file://" + path], "nothing is fetched", asked)

    def quiet(self):
        """After all that was done with it."""
        self.say(not self.tab.complaints(), "the page has no errors", self.tab.complaints())

    # What can be seen.
    def text(self, selector):
        """The text of an element that is shown; None of one that is not."""
        return self.tab.run(f"(() => {{ const node = document.querySelector({json.dumps(selector)});"
                            "return node && node.offsetParent !== null ? node.innerText : null; })()")

    def rows(self, box):
        """Texts of rows."""
        return self.tab.run(f"[...document.querySelectorAll('#{box} .row')].map((row) => row.innerText)")

    def names(self):
        """Calls in the tree."""
        return self.tab.run("[...document.querySelectorAll('#tree .name')].map((one) => one.innerText.replace(/^[▸▾◎]/, ''))")

    def count(self):
        """Sessions in the list, as the page says it."""
        return int(self.text("#count").split()[0].replace(",", ""))

    def focus(self):
        """Which element has it."""
        return self.tab.run("document.activeElement.id")

    def chart(self):
        """The chart as it is drawn."""
        self.tab.settle()
        return self.tab.run("document.getElementById('flame').toDataURL()")

    def colour(self, selector, what="color"):
        """Of an element: [red, green, blue]."""
        return self.tab.run("getComputedStyle(document.querySelector(%s)).%s.match(/\\d+/g).slice(0, 3).map(Number)"
                            % (json.dumps(selector), what))

    def search(self, text):
        """Type it instead of what is there."""
        self.tab.key("Escape", "/")
        self.tab.run("document.activeElement.select()")
        if text:
            self.tab.type(text)
        else:
            self.tab.run("document.execCommand('delete')")
        self.tab.key("Enter")


def contrast(one, other):
    """How well one colour reads on another, as WCAG counts it."""
    def light(colour):
        parts = [part / 255 for part in colour]
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def a_list(check):
    """Of three sessions, which failed."""
    tab = check.tab
    check.open(check.report("6.12-trace"))
    check.say(check.count() == 3 and len(check.rows("list")) == 3, "lists the sessions", check.rows("list"))
    check.say("[-EEXIST] filename_create" in check.rows("list")[0], "with what failed", check.rows("list"))
    check.say("do_mkdirat [-EEXIST]" in check.text("#title"), "shows the first", check.text("#title"))
    check.say(" 763.026us" in check.text("#title"), "takes as long in the title as in the tree", check.text("#title"))
    check.say(check.focus() == "list", "keys go to the list", check.focus())
    tab.key("ArrowDown")
    check.say("__sys_bpf [-E2BIG]" in check.text("#title"), "the arrow goes to the next", check.text("#title"))
    tab.key("End")
    check.say("__sys_bpf [-EINVAL]" in check.text("#title"), "End to the last", check.text("#title"))
    tab.key("ArrowDown", "n")
    check.say("[-EINVAL]" in check.text("#title"), "and there is none behind it", check.text("#title"))
    tab.key("p", "Home")
    check.say("[-EEXIST]" in check.text("#title"), "Home is the first", check.text("#title"))
    tab.click("#list .row:nth-child(2)")
    check.say("[-E2BIG]" in check.text("#title"), "so does a click", check.text("#title"))

    check.search("no such text anywhere")
    check.say(check.count() == 0 and check.text("#empty") == "No session matches."
              and check.text("#part-tree") is None, "says that nothing matches", check.text("#parts"))
    tab.key("x", "+", "0", "ArrowDown", "Enter")
    check.say(check.text("#part-tree") is None, "and keys do nothing then", check.text("#parts"))
    check.search("ARRAY_map_alloc_check")
    check.say(check.count() == 1 and "array_map_alloc_check" in check.names(),
              "search finds a function, in any case", check.names())
    hit = tab.run("[...document.querySelectorAll('#tree .hit .name')].map((one) => one.innerText)")
    check.say(hit == ["array_map_alloc_check"], "and marks it in the tree", hit)
    check.search("-einval map_create")
    check.say(check.count() == 1, "all words have to be there", check.count())
    check.search("-einval filename_create")
    check.say(check.count() == 0, "of one session", check.count())
    for word in ("depth", "duration_ns", "session", "leaf", "errno"):
        check.search(word)
        check.say(check.count() == 0, f"how the data is written is not found: {word}", check.count())
    check.search("")
    check.say(check.count() == 3, "nothing to search for is all", check.count())
    tab.key("/")
    check.say(check.focus() == "search", "/ goes to the search", check.focus())
    tab.type("?x/")
    check.say(tab.run("document.getElementById('search').value") == "?x/", "where keys are text")
    tab.key("Escape")
    check.say(check.focus() == "list", "and Escape back", check.focus())
    check.quiet()


def overview(check):
    """Where and when, the order of sessions, and errors by producer."""
    tab = check.tab
    check.open(check.report("6.12-trace"))
    origin = check.text("#origin") or ""
    check.say("2026-11-21 19:40:47 +00:00" in origin and "Linux 6.12" in origin and "retsnoop " in origin,
              "the heading says when and on which kernel", origin)
    check.say("retsnoop record " in (check.text("#origin code") or ""), "and by which command", origin)

    def order():
        return [row.split("[")[1].split("]")[0] for row in check.rows("list")]

    check.say(order() == ["-EEXIST", "-E2BIG", "-EINVAL"], "sessions come by time", order())
    tab.key("n", "s")
    check.say(order() == ["-EEXIST", "-E2BIG", "-EINVAL"] and tab.run("document.getElementById('sort').value") == "duration",
              "s sorts by duration", order())
    tab.key("s")
    check.say(order() == ["-E2BIG", "-EEXIST", "-EINVAL"], "and by producer", order())
    check.say("[-E2BIG]" in check.text("#title"), "the session stays", check.text("#title"))
    tab.run("(() => { const sort = document.getElementById('sort'); sort.value = 'time'; sort.dispatchEvent(new Event('change')); })()")
    check.say(order() == ["-EEXIST", "-E2BIG", "-EINVAL"], "the menu does the same", order())

    tab.key("Escape", "o")
    rows = tab.run("[...document.querySelectorAll('#producers tr')].map((row) => row.innerText.replace(/\\s+/g, ' ').trim())")
    check.say(rows == ["Producer Returned Sessions", "array_map_alloc_check [-E2BIG] 1 show", "filename_create [-EEXIST] 1 show",
                       "map_create [-EINVAL] 1 show"], "o counts errors by producer", rows)
    tab.key("n")
    check.say("[-E2BIG]" in check.text("#title"), "keys do nothing else then", check.text("#title"))
    tab.click("#producers tr:nth-child(4) button")
    check.say(check.count() == 1 and "[-EINVAL]" in check.text("#title"), "a row shows its sessions", check.text("#title"))
    check.say("map_create" in (check.text("#only") or "") and check.focus() == "list", "which the page says", check.text("#only"))
    tab.click("#only")
    check.say(check.count() == 3 and check.text("#only") is None, "a click shows all again", check.count())
    tab.click("#overview")
    tab.key("Escape")
    check.say(not tab.run("document.getElementById('producers').open"), "Escape closes the list")
    page = read(check.report("6.12-trace"))
    check.open(check.make("sorted", made.with_data(page, made.pair("short", -2, took_ns=1000) + made.pair("fine", 0, took_ns=2000)
                                                   + made.pair("long", -2, took_ns=5000) + made.pair("short", -2, took_ns=1000))))
    check.say(check.text("#origin") is None, "no heading where nothing is known", check.text("#origin"))
    tab.key("s")
    check.say([row.split()[1] for row in check.rows("list")] == ["long", "fine", "short", "short"], "the longest come first",
              check.rows("list"))
    tab.key("o")
    rows = tab.run("[...document.querySelectorAll('#producers tr')].map((row) => row.innerText.replace(/\\s+/g, ' ').trim())")
    check.say(rows[1:] == ["short [-2] 2 show", "long [-2] 1 show"], "most errors come first, and successes are none", rows)
    tab.key("Escape")
    check.quiet()


def tree(check):
    """Of one session: folding, choosing, with keys alone."""
    tab = check.tab
    check.open(check.report("6.12-trace"), "#2")
    check.say("#2 __sys_bpf [-E2BIG]" in check.text("#title"), "the address names a session", check.text("#title"))
    whole = check.names()
    check.say(whole == ["__sys_bpf", "map_create", "array_map_alloc_check"], "shows the calls", whole)
    bad = tab.run("[...document.querySelectorAll('#tree .name.bad')].length")
    check.say(bad == 3, "errors stand out", bad)
    tab.key("Enter")
    check.say(check.focus() == "tree", "Enter goes to the calls", check.focus())
    tab.key("Home", "ArrowLeft")
    check.say(check.names() == whole[:1], "the left arrow folds a call", check.names())
    tab.key("ArrowRight")
    check.say(check.names() == whole, "the right one unfolds it", check.names())
    tab.key("ArrowRight", "ArrowRight")
    check.say(check.text("#about").startswith("array_map_alloc_check [-E2BIG]"), "and goes in", check.text("#about"))
    tab.key("ArrowLeft", "ArrowLeft")
    check.say(check.names() == whole[:2], "the left one goes out and folds", check.names())
    tab.click("#fold")
    check.say(check.names() == whole[:1], "a button folds all", check.names())
    tab.click("#errors")
    check.say(check.names() == whole, "one unfolds to the errors", check.names())
    tab.click("#tree .twist")
    check.say(check.names() == whole[:1], "the triangle folds", check.names())
    tab.click("#unfold")
    check.say(check.names() == whole, "a button unfolds all", check.names())
    tab.key("x")
    first = check.text("#about")
    tab.key("x")
    check.say("[-E2BIG]" in first and check.text("#about") != first, "x goes from one failing call to the next", first)
    tab.run("(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('#tree .name'));"
            "getSelection().removeAllRanges(); getSelection().addRange(range); })()")
    tab.run("document.querySelector('#tree .row:nth-child(3)').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    check.say("__sys_bpf" in tab.run("String(getSelection())"), "marked text stays marked", tab.run("String(getSelection())"))
    tab.run("getSelection().removeAllRanges()")
    # The address follows, and is followed.
    tab.key("p")
    tab.wait("location.hash == '#1'")
    tab.run("location.hash = '#3'")
    tab.wait("document.getElementById('title').innerText.includes('[-EINVAL]')")
    check.search("-eexist")
    tab.run("location.hash = '#2'")
    tab.wait("document.getElementById('title').innerText.includes('[-E2BIG]')")
    check.say(check.count() == 3, "an address is found whatever was searched for", check.count())
    for odd in ("#0", "#4", "#x", "#1.5", "#%3Cimg%3E", "#-1"):
        tab.run(f"location.hash = '{odd}'")
        tab.settle()
    check.say("[-E2BIG]" in check.text("#title"), "one of no session changes nothing", check.text("#title"))
    check.quiet()


def chart(check):
    """Zoom and move, with the mouse and without."""
    tab = check.tab
    check.open(check.report("6.12-trace"), "#2")
    whole = check.chart()
    tab.key("+")
    near = check.chart()
    check.say(near != whole, "plus zooms in")
    tab.run("document.getElementById('flame').focus()")
    tab.key("ArrowRight")
    check.say(check.chart() != near, "the arrow moves")
    tab.key("ArrowLeft")
    tab.key("-", "-")
    check.say(check.chart() == whole, "minus zooms out, and no further than all of it")
    tab.wheel("#flame", -300, 80, 30)
    near = check.chart()
    check.say(near != whole, "the wheel zooms in")
    where = tab.place("#flame", 300, 30)
    tab.drag(where, (where[0] - 60, where[1]))
    check.say(check.chart() != near, "dragging moves")
    tab.key("0")
    check.say(check.chart() == whole, "zero shows all again")
    tab.click("#flame", 20, 27)
    check.say(check.text("#about").startswith("__sys_bpf [-E2BIG]"), "a click chooses a call", check.text("#about"))
    chosen = check.chart()
    check.say(chosen != whole, "which is framed")
    tab.key("x")
    tab.run("document.getElementById('tree').focus()")
    tab.key("End", "Enter")
    check.say(check.chart() != chosen, "Enter zooms to a call")
    tab.click("#whole")
    tab.mouse("mouseMoved", tab.place("#flame", 20, 27))
    tab.settle()
    check.say((check.text("#tip") or tab.run("document.getElementById('tip').innerText")).startswith("__sys_bpf"),
              "what is under the mouse is told", check.text("#tip"))
    check.say(tab.run("!document.getElementById('tip').hidden"), "beside it")
    tab.mouse("mouseMoved", tab.place("#title"))
    tab.settle()
    check.say(tab.run("document.getElementById('tip').hidden"), "and only there")
    check.quiet()


def looks(check):
    """Light and dark, wide and narrow, help."""
    tab = check.tab
    for scheme in ("light", "dark"):
        tab.scheme(scheme)
        check.open(check.report("6.12-trace"))
        paper = check.colour("body", "backgroundColor")
        check.say((sum(paper) > 380) == (scheme == "light"), f"{scheme} where that is liked", paper)
        for selector in ("#title b", "#title .dim", "#tree .name.bad", "#about .dim", "#tree .number"):
            ratio = contrast(check.colour(selector), paper)
            check.say(ratio >= 4.5, f"{selector} can be read when it is {scheme}", ratio)
        ratio = contrast(check.colour("#list .row.on .dim"), check.colour("#list .row.on", "backgroundColor"))
        check.say(ratio >= 4.5, f"the chosen session can be read when it is {scheme}", ratio)
    bright = check.chart()
    tab.scheme("light")
    tab.wait("document.documentElement.dataset.theme == 'light'")
    check.say(sum(check.colour("body", "backgroundColor")) > 380 and check.chart() != bright,
              "it follows when the liking changes")
    tab.key("t")
    tab.scheme("dark")
    tab.scheme("light")
    check.say(sum(check.colour("body", "backgroundColor")) < 380, "but not when the user chose with t")
    tab.click("#theme")
    check.say(sum(check.colour("body", "backgroundColor")) > 380, "the button changes it, too")
    tab.key("?")
    check.say(tab.run("document.getElementById('help').open"), "? tells the keys")
    tab.key("n", "Escape")
    check.say(not tab.run("document.getElementById('help').open") and "[-EEXIST]" in check.text("#title"),
              "Escape closes that")
    tab.run("document.getElementById('search').focus()")
    seen = []
    for _ in range(16):
        tab.key("Tab")
        seen.append(check.focus())
    check.say({"failing", "theme", "keys", "list", "flame", "tree", "fold"} <= set(seen), "Tab goes everywhere", seen)
    for width in (1500, 800, 400):
        tab.size(width, 700)
        tab.settle()
        wide = tab.run("document.documentElement.scrollWidth")
        check.say(wide <= width and check.text("#tree") is not None, f"fits {width} columns of pixels", wide)
    tab.size(1500, 950)
    check.quiet()


def kinds(check):
    """Pages of all that is recorded."""
    tab = check.tab
    check.open(check.report("6.12-trace"))
    check.say("3 sessions shown, nothing missed" in (check.text("#ledger") or ""), "the ledger is at the foot",
              check.text("#ledger"))
    check.say(not tab.run("document.querySelector('#ledger.lost')"), "in no colour")
    check.open(check.report("6.12-stack"))
    check.say("filename_create" in (check.text("#stack") or "") and "[-EEXIST]" in check.text("#stack"),
              "the stack is shown", check.text("#stack"))
    check.say(check.text("#part-tree") is None and check.text("#part-flame") is None, "and no calls")
    tab.key("x", "+", "0", "Enter", "ArrowDown")
    check.quiet()
    check.open(check.report("6.12-args"))
    check.say("mode=0700" in check.text("#tree"), "arguments are shown", check.text("#tree"))
    check.search("lookup_flags=2")
    check.say(check.count() == 1, "and found")
    tab.key("x")
    check.say("mode = 0700" in check.text("#about"), "each by itself", check.text("#about"))
    check.quiet()
    for name in ("6.12-probes", "5.10-probes"):
        check.open(check.report(name))
        lost = "hits were skipped" in (check.text("#ledger.lost") or "")
        check.say(lost == (name == "6.12-probes"), "the ledger stands out when something is missing",
                  check.text("#ledger"))
        check.say("kprobe:filename_create" in check.names() and "tp:kmem:kmem_cache_free" in check.names(),
                  "points are shown", check.names())
        check.say("call_site=do_mkdirat+0x" in check.text("#tree") or name == "5.10-probes", "with addresses as symbols",
                  check.text("#tree"))
        tab.key("x", "Enter", "End")
        check.say("tp:kmem:kmem_cache_free" in check.text("#about") and "ptr = 0x" in check.text("#about"),
                  "with their values", check.text("#about"))
        check.quiet()
    check.open(check.report("6.12-branches"))
    check.say("There are no branches" in (check.text("#branches") or ""), "says why there are no branches",
              check.text("#branches"))
    check.say("; --" in (check.text("#branches") or ""), "and what helps", check.text("#branches"))
    tab.key("n")
    check.quiet()
    check.open(check.report("6.12-trace", "-x", "ENOENT"))
    check.say(check.count() == 0 and "There are no sessions" in check.text("#empty"), "a page without sessions",
              check.text("#parts"))
    tab.key("n", "x", "ArrowDown", "End", "Enter", "+", "t")
    check.quiet()


def units(check):
    """Durations as text has them."""
    page = read(check.report("6.12-branches"))
    check.open(f"{check.work}/6.12-branches.html")
    check.say(check.text("#title").split("\n")[0].endswith(" 7.84ms"), "a duration has the unit that fits", check.text("#title"))
    times = {999999: "999.999us", 1000000: "1.00ms", 1005000: "1.01ms", 13349999: "13.3ms", 99950000: "100ms",
             999499999: "999ms", 999500000: "1.00s", 61234567890: "61.2s", 1234567890123: "1235s"}
    lines = [line for ns in times for line in made.pair("call", -1, took_ns=ns)]
    check.open(check.make("units", made.with_data(page, made.data_of(page)[:1] + lines)))
    shown = [row.split()[-1] if row.split()[-1][-1] == "s" else row for row in check.rows("list")]
    check.say(all(any(time in row for row in check.rows("list")) for time in times.values()), "with three digits", shown)
    check.open(check.report("6.12-branches", "--time-unit=us"))
    check.say("7843.177us" in check.text("#title"), "microseconds on request", check.text("#title"))


def places(check):
    """Source lines and branches, as the golden texts have them."""
    page = read(check.report("6.12-trace"))
    golden = TOP + "/tests/golden/"
    head = made.data_of(page)[1:2]
    stack = json.loads(read(golden + "stack/lines.json").splitlines()[0])
    taken = json.loads(read(golden + "why/taken.json"))
    branches = json.loads(read(golden + "lbr/interrupt.json").splitlines()[0])
    lines = []
    for session in stack, branches, {**branches, **taken}:
        lines += head + [made.line(made.with_shown(session))]
    check.open(check.make("places", made.with_data(page, lines)))
    check.say("(arch/x86/entry/entry_64.S:" in check.text("#stack"), "source lines are shown", check.text("#stack"))
    check.say(". " in check.text("#stack"), "and functions that were inlined", check.text("#stack"))
    check.tab.key("n")
    text = check.text("#branches") or ""
    check.say("(kernel/bpf/syscall.c:1377:9)" in text and "interrupt" in text and "→" in text, "branches are shown", text)
    check.tab.key("n")
    text = check.text("#why") or ""
    check.say("array_map_alloc_check returned -EINVAL" in text and "branch taken at kernel/bpf/arraymap.c:4" in text,
              "why it failed is said", text)
    check.say("→ kernel/bpf/arraymap.c:7 (line 6 not reached)" in text, "and where the branch led", text)
    check.search("kernel/bpf/arraymap.c:53")
    check.say(check.count() == 2, "a source line is found", check.count())
    check.quiet()


def hostile(check):
    """Nothing in the data is more than text."""
    tab = check.tab
    page = read(check.report("6.12-trace"))
    title = tab.run("document.title")
    check.open(check.make("hostile", made.hostile_page(page)))
    check.say(check.count() == len(made.HOSTILE), "lists all sessions", check.count())
    for text in made.HOSTILE:
        tab.key("x", "Enter", "End", "Home")
        shown = tab.run("document.getElementById('title').textContent")
        plain = made.HIDDEN.sub("\ufffd", text)
        check.say(plain in shown, f"the name is shown as it is: {text[:40]!r}", shown)
        check.say(tab.run("document.documentElement.scrollWidth") <= 1500, "and nothing is wider than the page")
        tab.key("n")
    check.say(tab.run("document.title") == title and tab.run("document.images.length + document.scripts.length") == 1,
              "and it does nothing", tab.run("document.title"))
    tab.key("Escape", "Home")
    check.say("[18446744073709551615]" in check.text("#tree"), "large results keep their digits", check.text("#tree"))
    check.search("<img src=x")
    check.say(check.count() == 1, "and can be searched for", check.count())
    check.quiet()


def large(check):
    """2,000 calls, 10,000 sessions: no more in the document than can be seen, and nobody waits."""
    tab = check.tab
    page = read(check.report("6.12-trace"))
    check.open(check.make("long", made.long_page(page, 2000)))
    check.say(10 < len(check.rows("tree")) < 100, "draws the calls that can be seen", len(check.rows("tree")))
    tab.key("Enter", "End")
    check.say("count = 1999" in check.text("#about"), "and goes to the last", check.text("#about"))
    tab.click("#errors")
    check.say(all("function_" in row for row in check.rows("tree")), "to the errors", check.rows("tree")[:5])
    tab.key("+", "+", "+", "x", "x")
    check.say("[-EINVAL]" in check.text("#about"), "zoomed to an error", check.text("#about"))
    check.quiet()
    tab.size(600, 800)
    check.open(check.make("deep", made.deep_page(page, 256)))
    tab.key("Enter", "End")
    room = tab.run("(() => { const name = document.querySelector('#tree .row.on .name');"
                   "return name.clientWidth - parseFloat(name.style.paddingLeft); })()")
    check.say(check.text("#about").startswith("deep_function_255") and room > 100, "names have room 256 deep", room)
    seen = tab.run("(() => { const box = document.getElementById('chart'); return [box.scrollTop, box.clientHeight, box.scrollHeight]; })()")
    check.say(seen[1] < 400 and seen[0] + seen[1] > seen[2] - 20, "a deep chart scrolls to what is chosen", seen)
    tab.size(1500, 950)
    check.quiet()
    path = check.make("many", made.many_page(page, 10000))
    began = time.monotonic()
    check.open(path, "#9876")
    opened = time.monotonic() - began
    check.say(check.count() == 10000 and "TID/PID 109875/" in check.text("#title"), "10,000 sessions", check.text("#title"))
    check.say(len(check.rows("list")) < 100, "draws the sessions that can be seen", len(check.rows("list")))
    times = tab.run("""(async () => {
        const $ = (id) => document.getElementById(id), times = { step: 0, search: 0, wheel: 0 };
        const timed = (what, act) => {
            const began = performance.now();
            act();
            document.body.offsetHeight;
            times[what] = Math.max(times[what], performance.now() - began);
        };
        const key = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        const search = (text) => { $('search').value = text; $('search').dispatchEvent(new Event('input')); };
        $('list').focus();
        timed('first', () => 0);
        times.first = 0;
        timed('first', () => search('array'));
        for (const text of ['e', '-einval', 'map_create 101', '109876', ''])
            timed('search', () => search(text));
        for (let i = 0; i < 50; i++)
            timed('step', () => key(i % 2 ? 'ArrowDown' : 'PageDown'));
        for (let i = 0; i < 20; i++)
            timed('wheel', () => { $('list').scrollTop = i * 19000; });
        return times;
    })()""")
    print(f"# 10,000 sessions: shown after {opened * 1000:.0f} ms; at most a first search took {times['first']:.0f} ms,"
          f" another {times['search']:.0f} ms, a step {times['step']:.0f} ms")
    # Bounds that a busy machine keeps, and that work in the square of the sessions would not.
    check.say(opened < 60, "is shown", opened)
    check.say(times["first"] < 20000 and times["search"] < 5000, "searching does not keep one waiting", times)
    check.say(times["step"] < 2000 and times["wheel"] < 2000, "neither does a step", times)
    check.search("109876")
    check.say(check.count() == 1, "one of them is found", check.count())
    check.quiet()


def blocks(check):
    """Data in several blocks: the page is there from the first on."""
    tab = check.tab
    page = read(check.report("6.12-trace"))
    text = made.many_page(page, 2000)
    check.say(text.count(made.BEGIN) > 2, "many sessions are in blocks", text.count(made.BEGIN))
    half = text[:text.rindex(made.BEGIN)]
    check.open(check.make("half", half))
    count = check.count()
    check.say(0 < count < 2000, "what is there of a page that was cut is shown", count)
    check.say("TID/PID" in check.text("#title"), "its first session, too", check.text("#title"))
    check.quiet()
    # Stopped before the last block, the way a reader meets it while more comes.
    check.open(check.make("coming", half + "<script>window.seen = [document.getElementById('count').textContent, "
                          "document.getElementById('title').textContent.length > 0];"
                          "document.getElementById('search').value = '1017';"
                          "document.getElementById('search').dispatchEvent(new Event('input'));</script>\n"
                          + text[text.rindex(made.BEGIN):]))
    seen = tab.run("window.seen")
    check.say(seen[0].endswith(" sessions so far") and seen[1], "while more is coming, it says so and shows the first", seen)
    check.say("so far" not in check.text("#count") and "of 2,000 sessions" in check.text("#count"),
              "the search goes on in what comes", check.text("#count"))
    check.quiet()


def read(path):
    """The text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    """check.py PROGRAM"""
    path = browser.program()
    with tempfile.TemporaryDirectory(prefix="retsnoop-pages.") as work, browser.Browser(path) as tab:
        check = Check(tab, work, sys.argv[1])
        for part in (a_list, overview, tree, chart, looks, kinds, units, places, hostile, blocks, large):
            try:
                part(check)
            except (browser.Trouble, AttributeError, IndexError, TypeError, OSError, ValueError) as trouble:
                check.say(False, f"{part.__name__} goes on to its end", repr(trouble))
    print(f"page: {check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
