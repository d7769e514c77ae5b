# SPDX-License-Identifier: MIT
"""The studio in a real browser: starts the program and Chromium, and has what
the tests of this folder share.

    python3 test_NAME.py PROGRAM ROOT [unittest options]

Exit code 77, and one line, where there is no browser: ctest skips the test.
"""
import atexit
import base64
import json
import math
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SKIP = 77
FLAGS = """--headless=new --no-sandbox --enable-unsafe-swiftshader
    --use-angle=swiftshader --autoplay-policy=no-user-gesture-required
    --force-device-scale-factor=1 --disable-background-networking --no-first-run
    --disable-dev-shm-usage --mute-audio""".split()


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIP)


try:
    from selenium import webdriver
    from selenium.common.exceptions import JavascriptException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    skip("no selenium for this Python (package python3-selenium)")

CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")
if not CHROMIUM or not CHROMEDRIVER:
    skip("no browser (packages chromium and chromium-driver)")

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
# Kept addresses are those of the test, not of the user.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="sandbell-state-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], True)

BAR = """local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 } }
local metal = sb.material("test metal", {
  base = "aluminium",
  alpha = 30,
  beta = 1e-8,
})
local level = sb.param("level", { min = 0, max = 10, default = 3 })
sb.body("bar", {
  shape = sb.bar { length = 0.4, width = 0.06, thickness = 0.012, radiation = "quick" },
  material = metal,
})
"""


class Program:
    """`sandbell studio SCENE`, without a sound card and without a browser."""

    def __init__(self, scene, *options, cwd=None):
        self.process = subprocess.Popen(
            [PROGRAM, "studio", *([scene] if scene else []), "--no-open", "--print-url",
             *options],
            cwd=cwd,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL)
        self.lines = []
        self.url = None
        self.found = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()
        self.found.wait(60)
        if not self.url:
            self.stop()
            raise RuntimeError("no address printed: " + "".join(self.lines))

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            match = re.search(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]+)", line)
            if match:
                self.url = match.group(0)
                self.port = int(match.group(1))
                self.token = match.group(2)
                self.found.set()
        self.found.set()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Page:
    """A page of the studio in a Chromium of its own."""

    def __init__(self, url, width=1280, height=800, scheme="dark", wait=True, draw="fast"):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
        try:
            self.open(url, width, height, scheme, wait, draw)
        except Exception:
            self.close()
            raise

    def open(self, url, width, height, scheme, wait, draw):
        self.resize(width, height)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.get(url.replace("/#", f"/?draw={draw}#"))
        if wait:
            self.until("return !!window.studio && !!studio.view && "
                       "studio.view.bodies.things.size > 0 && studio.store.modes.length > 0",
                       "the scene is shown", 60)

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def js(self, script, *args):
        return self.driver.execute_script(script, *args)

    def wait_for(self, script, *args, seconds=60):
        """The value of a promise."""
        self.driver.set_script_timeout(seconds)
        value, failed = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            f"(async () => {{ {script} }})().then(v => done([v, null]), e => done([null, e.message]));", *args)
        if failed is not None:
            raise AssertionError(f"{failed}: {script}")
        return value

    def until(self, script, what, seconds=20):
        """The first value of the script that is true and not an empty list; the page
        looks in each of its frames. A test waits for what it needs, never for a time."""
        end = time.time() + seconds
        while True:
            try:
                value = self.wait_for(f"""
                    const end = performance.now() + 1000 * arguments[0];
                    for (;;) {{
                        const value = (() => {{
                            {script}
                        }})();
                        if (value && value.length !== 0 || performance.now() > end)
                            return value;
                        await new Promise(requestAnimationFrame);
                    }}""", end - time.time(), seconds=seconds + 60)
                break
            except JavascriptException as failed:  # the page was loaded anew
                if "unload" not in failed.msg or time.time() > end:
                    raise
        if not value:
            raise AssertionError(f"not within {seconds} s: {what}; log: {self.log()}")
        return value

    def until_here(self, check, what, seconds=20):
        """The same of what the page does not have: check() is called whenever the
        program has answered once more."""
        end = time.time() + seconds
        while not (value := check()):
            if time.time() > end:
                raise AssertionError(f"not within {seconds} s: {what}; log: {self.log()}")
            self.settle()
        return value

    def frames(self, count=3):
        """Until the page has been laid out and drawn this many times."""
        self.wait_for("for (let i = 0; i < arguments[0]; i++) await new Promise(requestAnimationFrame)", count)

    def settle(self):
        """Until the program has answered what the page has sent, and that is shown."""
        self.frames()
        self.wait_for("await studio.transport.request('ping', { t: 0 })")
        self.frames()

    def play(self, seconds):
        """Until so much has been played, in time of the scene."""
        end = self.js("return studio.bar.time") + seconds
        self.until(f"return studio.bar.time > {end}", f"{seconds} s have been played", 20 + 5 * seconds)

    def log(self):
        return [f"{e['level']} {e['message']}" for e in self.driver.get_log("browser")]

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def click(self, css):
        self.js("document.querySelector(arguments[0]).scrollIntoView({block: 'nearest'})", css)
        self.find(css).click()

    def tab(self, name):
        self.js("document.getElementById('tab-' + arguments[0]).click()", name)

    def mouse(self, kind, x, y, button="none", buttons=0, modifiers=0):
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": button, "buttons": buttons,
            "clickCount": 1 if kind != "mouseMoved" else 0, "modifiers": modifiers})

    def click_at(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, "left", 1)
        self.mouse("mouseReleased", x, y, "left")

    def drag(self, points, modifiers=0):
        (x, y), rest = points[0], points[1:]
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, "left", 1, modifiers)
        for x, y in rest:
            self.mouse("mouseMoved", x, y, "left", 1, modifiers)
            self.frames(2)
        self.mouse("mouseReleased", x, y, "left", 0, modifiers)

    def key(self, key, code=None, text=None, modifiers=0):
        event = {"key": key, "code": code or key, "modifiers": modifiers,
                 "windowsVirtualKeyCode": KEY_CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)}
        if text is not None or len(key) == 1:
            event["text"] = text if text is not None else key
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def pixel_of(self, local):
        """Where a local point of the selected body is on the page."""
        at = self.js("return studio.view.pageOf(studio.store.selected, arguments[0])", local)
        return at["x"], at["y"]

    def pixel_near(self, local, reach=2, weights=(1, 1, 1)):
        """The whole pixel whose point is nearest: a click has no half pixels.
        The weights say how much each axis matters."""
        return self.js("""
            const [local, reach, weights, id] = [...arguments, studio.store.selected];
            const at = studio.view.pageOf(id, local);
            const box = studio.view.stage.canvas.getBoundingClientRect();
            let best = [1e9, 0, 0];
            for (let dx = -reach; dx <= reach; dx++)
                for (let dy = -reach; dy <= reach; dy++) {
                    const [x, y] = [Math.round(at.x) + dx, Math.round(at.y) + dy];
                    const hit = studio.view.pointer.hitAt(x - box.left, y - box.top, id);
                    const far = hit ? Math.hypot(...hit.local.toArray().map((v, i) => weights[i] * (v - local[i]))) : 1e9;
                    if (far < best[0])
                        best = [far, x, y];
                }
            return best.slice(1);""", local, reach, weights)

    def quiet(self):
        """Wait until nothing rings."""
        self.until("const e = studio.modes.energy; return e.length && Math.max(...e) < 1e-11",
                   "the body is quiet")

    def strike_at(self, local, **near):
        """Click there; what the program says about the strike."""
        self.js("window.strikes = window.strikes || [];"
                "if (!window.listens) { window.listens = true;"
                " studio.store.on('struck', s => strikes.push(s)); } strikes.length = 0;")
        self.click_at(*self.pixel_near(local, **near))
        self.until("return strikes.length > 0", "the strike is answered")
        return self.js("return strikes[strikes.length - 1]")

    def energies(self):
        return self.js("return [...studio.modes.energy]")

    def recent(self, seconds):
        """The last seconds that were played: rate, number of the first frame, one
        channel from -1 to 1."""
        told = self.wait_for("const r = await studio.transport.request('recent', { seconds: arguments[0], whole: true });"
                             "const b = new Uint8Array(await studio.transport.getBytes('sound.wav'));"
                             "let t = ''; for (let i = 0; i < b.length; i += 30000)"
                             " t += String.fromCharCode(...b.subarray(i, i + 30000));"
                             "return { ...r, bytes: btoa(t) }", seconds)
        data = base64.b64decode(told["bytes"])[44:]
        both = [int.from_bytes(data[i:i + 3], "little", signed=True) for i in range(0, len(data), 3)]
        return told["rate"], told["first"], [(l + r) / 2 / 8388607 for l, r in zip(both[::2], both[1::2])]

    def sound(self, seconds):
        rate, _, sound = self.recent(seconds)
        return rate, sound

    def sound_from(self, start, seconds):
        """From a time of the scene on, as soon as all of it has come."""
        self.until(f"return studio.bar.time > {start + seconds} + 0.1", "the sound has come")
        rate, first, sound = self.recent(min(30, self.js("return studio.bar.time") - start + 1))
        skip = max(0, round(start * rate) - int(first))
        return rate, sound[skip:skip + int(seconds * rate)]

    def close(self):
        self.driver.quit()


class Client:
    """A page without a browser: one socket, requests and their replies, and
    the sound with the time at which it came."""

    def __init__(self, program, subscribe=()):
        host = f"127.0.0.1:{program.port}"
        self.link = socket.create_connection(("127.0.0.1", program.port), 20)
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.link.sendall("\r\n".join((
            "GET /api/v1/socket HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(),
            f"Sec-WebSocket-Protocol: sandbell.v1, token.{program.token}", "", "")).encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.link.recv(4096)
        self.bytes = self.bytes.split(b"\r\n\r\n", 1)[1]
        self.next = 1
        self.sounds = []  # time of arrival, first frame, rate, samples of one channel
        self.got = 0
        self.time = 0.0  # of the scene; for those who subscribe to stats
        self.ask("hello", protocol=1, subscribe=list(subscribe), window=200)

    def take(self, count):
        while len(self.bytes) < count:
            more = self.link.recv(65536)
            if not more:
                raise ConnectionError("the program has closed the socket")
            self.bytes += more
        part, self.bytes = self.bytes[:count], self.bytes[count:]
        return part

    def say(self, kind, **fields):
        text = json.dumps({"type": kind, **fields}).encode()
        self.link.sendall(struct.pack(">BBH", 0x81, 0xfe, len(text)) + bytes(4) + text)

    def hear(self):
        """The next message, if it is text; records of sound are kept."""
        kind, size = self.take(2)
        if size & 127 == 126:
            size = struct.unpack(">H", self.take(2))[0]
        elif size & 127 == 127:
            size = struct.unpack(">Q", self.take(8))[0]
        content, now = self.take(size), time.time()
        if kind & 15 == 1:
            message = json.loads(content)
            if message["type"] == "stats":
                self.time = message["time"]
            return message
        self.got += 1
        self.say("ack", n=self.got)
        while len(content) >= 16:
            end = 16 + 16 * struct.unpack_from("<H", content, 2)[0]
            if content[0] == 5:
                frames, _, rate, first = struct.unpack_from("<HHIQ", content, 16)
                self.sounds.append((now, first, rate, struct.unpack_from(f"<{2 * frames}h", content, 32)[::2]))
            content = content[end:]
        return None

    def ask(self, kind, **fields):
        number, self.next = self.next, self.next + 1
        self.say(kind, id=number, **fields)
        while True:
            message = self.hear()
            if message and message.get("id") == number:
                return message

    def play(self, seconds):
        """Until so much has been played, in time of the scene."""
        begun = None
        while begun is None or self.time <= begun + seconds:
            message = self.hear()
            if begun is None and message and message["type"] == "stats":
                begun = self.time

    def close(self):
        self.link.close()


KEY_CODES = {"Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38,
             "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Home": 36, "End": 35}


def level_at(sound, rate, hz, start, seconds):
    """dB of a frequency in a piece of sound (Hann window)."""
    first, n = int(start * rate), int(seconds * rate)
    re_, im, total = 0.0, 0.0, 0.0
    for i in range(n):
        w = 0.5 - 0.5 * math.cos(2 * math.pi * i / n)
        x = sound[first + i] * w
        phase = 2 * math.pi * hz * i / rate
        re_ += x * math.cos(phase)
        im -= x * math.sin(phase)
        total += w
    return 20 * math.log10(2 * math.hypot(re_, im) / total + 1e-12)


class StudioTest(unittest.TestCase):
    """Starts the program with `scene` (a text) in a folder of its own."""
    scene = BAR
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sandbell-browser-")
        cls.prepare()
        cls.path = os.path.join(cls.folder, "scene.lua")
        with open(cls.path, "w", encoding="utf-8") as file:
            file.write(cls.scene)
        cls.program = Program(cls.path, *cls.options)
        try:
            cls.page = Page(cls.program.url)
        except Exception:
            cls.program.stop()
            print("".join(cls.program.lines))
            raise

    @classmethod
    def prepare(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.program.stop()
        shutil.rmtree(cls.folder, ignore_errors=True)


def main():
    del sys.argv[1:3]
    unittest.main(verbosity=2)
