# SPDX-License-Identifier: BSD-2-Clause
"""A headless Chromium, driven through its debugging pipe: pages, keys, the mouse, and pictures."""
import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds; a machine may be busy

KEYS = {
    "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, None), "Tab": ("Tab", 9, None),
    "ArrowLeft": ("ArrowLeft", 37, None), "ArrowUp": ("ArrowUp", 38, None),
    "ArrowRight": ("ArrowRight", 39, None), "ArrowDown": ("ArrowDown", 40, None),
    "PageUp": ("PageUp", 33, None), "PageDown": ("PageDown", 34, None),
    "End": ("End", 35, None), "Home": ("Home", 36, None),
}


class Trouble(Exception):
    """The browser does not do what it is told."""


def program():
    """The path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One browser with one page. Nothing of the user's, and nothing left behind."""

    def __init__(self, path, width=1500, height=950):
        self.work = tempfile.mkdtemp(prefix="retsnoop-page.")
        self.ids = itertools.count(1)
        self.pending = b""
        self.events = []
        self.session = None
        to_browser, self.to = os.pipe()
        self.of, from_browser = os.pipe()
        # It reads commands from 3 and writes to 4; these ends may have those very numbers now.
        ends = [os.dup(fd) for fd in (to_browser, from_browser)]
        while min(ends) < 5:
            ends = [os.dup(fd) for fd in ends]

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        with open(self.work + "/log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-first-run", "--hide-scrollbars", "--force-color-profile=srgb",
                 "--disable-background-networking", "--disable-component-update",
                 "--user-data-dir=" + self.work + "/profile", "--remote-debugging-pipe", "about:blank"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, close_fds=True,
                pass_fds=(3, 4, *ends), preexec_fn=place, env={**os.environ, "TZ": "UTC", "HOME": self.work,
                     "XDG_CONFIG_HOME": self.work, "XDG_CACHE_HOME": self.work})
        for fd in (to_browser, from_browser, *ends):
            os.close(fd)
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(domain + ".enable")
        self.size(width, height)

    def close(self):
        """End it, and remove what it wrote."""
        try:
            self.session = None
            self.send("Browser.close")
            self.process.wait(10)
        except (Trouble, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        for fd in (self.to, self.of):
            os.close(fd)
        shutil.rmtree(self.work, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def log(self):
        """What it said on standard error."""
        with open(self.work + "/log", encoding="utf-8", errors="replace") as log:
            return log.read()

    def receive(self, deadline):
        """The next message."""
        while b"\0" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.of], [], [], left)[0]:
                raise Trouble(f"no answer in {PATIENCE} s; it said: {self.log()[-500:]}")
            data = os.read(self.of, 1 << 20)
            if not data:
                raise Trouble("it has gone; it said: " + self.log()[-500:])
            self.pending += data
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **params):
        """A command, and its result."""
        number = next(self.ids)
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise Trouble(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, url):
        """Load a page; everything it asks for and complains of goes to events."""
        self.events.clear()
        self.send("Page.navigate", url="about:blank")
        self.wait("location.href == 'about:blank'")
        self.events.clear()
        self.send("Page.navigate", url=url)
        self.wait("location.href != 'about:blank' && document.readyState == 'complete'")
        self.settle()

    def requests(self):
        """Addresses asked for since the page was opened."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        """Exceptions and what else went to the console."""
        told = [event["params"]["exceptionDetails"] for event in self.events
                if event["method"] == "Runtime.exceptionThrown"]
        told = [one.get("exception", {}).get("description", one["text"]) for one in told]
        return told + [event["params"]["entry"]["text"] for event in self.events
                       if event["method"] == "Log.entryAdded"]

    def run(self, script):
        """The value of a script, which may be a promise."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Trouble(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def wait(self, condition):
        """Until a script is true."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if self.run(condition):
                    return
            except Trouble as trouble:
                if "context" not in str(trouble):  # of the page that is being left
                    raise
            if time.monotonic() > deadline:
                raise Trouble("not so: " + condition)
            time.sleep(0.02)

    def settle(self):
        """Until what was done is drawn."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def size(self, width, height):
        """Of the window."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        """"dark" or "light": what the user's system prefers."""
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": name}])

    def key(self, *names, shift=False):
        """Press keys, one after the other."""
        for name in names:
            key, code, text = KEYS.get(name) or (name, ord(name.upper()) if name.isalnum() else 0, name)
            what = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
            self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown",
                      **({"text": text} if text else {}), **what)
            self.send("Input.dispatchKeyEvent", type="keyUp", **what)
        self.settle()

    def type(self, text):
        """Type a text where the focus is."""
        self.send("Input.insertText", text=text)
        self.settle()

    def place(self, selector, x=None, y=None):
        """Coordinates of an element's middle, or of a point in it."""
        box = self.run(f"(() => {{ const node = document.querySelector({json.dumps(selector)});"
                       "node.scrollIntoViewIfNeeded && node.scrollIntoViewIfNeeded();"
                       "const box = node.getBoundingClientRect();"
                       "return [box.left, box.top, box.width, box.height]; })()")
        return (box[0] + (box[2] / 2 if x is None else x), box[1] + (box[3] / 2 if y is None else y))

    def mouse(self, kind, where, **more):
        """One event of the mouse."""
        self.send("Input.dispatchMouseEvent", type=kind, x=where[0], y=where[1], **more)

    def click(self, selector, x=None, y=None, times=1):
        """Click into the middle of an element, or at a point in it."""
        where = self.place(selector, x, y)
        for count in range(1, times + 1):
            self.mouse("mousePressed", where, button="left", clickCount=count)
            self.mouse("mouseReleased", where, button="left", clickCount=count)
        self.settle()

    def drag(self, start, end):
        """From one point to another with the button down."""
        self.mouse("mousePressed", start, button="left", clickCount=1)
        for part in (0.3, 0.7, 1):
            self.mouse("mouseMoved", [start[i] + (end[i] - start[i]) * part for i in (0, 1)],
                       button="left", buttons=1)
        self.mouse("mouseReleased", end, button="left", clickCount=1)
        self.settle()

    def wheel(self, selector, by, x=None, y=None):
        """Turn the wheel over an element."""
        self.mouse("mouseWheel", self.place(selector, x, y), deltaX=0, deltaY=by)
        self.settle()

    def picture(self, path):
        """What the window shows, as a PNG file."""
        self.settle()
        data = self.send("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
