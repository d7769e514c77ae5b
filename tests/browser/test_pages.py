# SPDX-License-Identifier: MIT
"""Two pages stay equal; who may not connect is refused; the gallery opens
scenes."""
import base64
import http.client
import os
import re
import shutil
import socket
import tempfile
import unittest

from studio import Page, Program, ROOT, StudioTest, main


class Pages(StudioTest):
    def test_two_pages_stay_equal(self):
        other = Page(self.program.url)
        try:
            self.page.js("studio.inspector.params.get('level').take(6.25, true)")
            other.until("return studio.store.scene.params[0].value === 6.25", "the param is equal")
            self.assertEqual(other.js("return studio.inspector.params.get('level').value"), 6.25)
            other.js("document.querySelector('[aria-label=\"Solo mode 3\"]').click()")
            self.page.until("return studio.store.isSolo(3)", "solo is equal")
            pressed = "return document.querySelector('[aria-label=\"Solo mode 3\"]').getAttribute('aria-pressed')"
            self.assertEqual(self.page.js(pressed), "true")
            self.page.js("studio.modes.clear()")
            other.until("return !studio.store.isSolo(3)", "solo is cleared in both")
            self.page.js("studio.bar.act('pause')")
            other.until("return studio.bar.paused", "both are paused")
            self.page.js("studio.bar.act('play')")
            other.until("return !studio.bar.paused", "both play")
        finally:
            other.close()

    def handshake(self, host=None, origin="same", token=None):
        """First line of the answer to a WebSocket handshake."""
        host = host or f"127.0.0.1:{self.program.port}"
        origin = f"http://{host}" if origin == "same" else origin
        lines = ["GET /api/v1/socket HTTP/1.1", f"Host: {host}", "Upgrade: websocket",
                 "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                 f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
                 f"Sec-WebSocket-Protocol: sandbell.v1, token.{token or self.program.token}"]
        if origin:
            lines.append(f"Origin: {origin}")
        with socket.create_connection(("127.0.0.1", self.program.port), 10) as link:
            link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            try:
                return link.recv(200).split(b"\r\n")[0].decode()
            except ConnectionError:
                return "closed"

    def test_handshakes(self):
        self.assertIn(" 101 ", self.handshake())
        self.assertIn(" 101 ", self.handshake(origin=None))
        self.assertIn(" 101 ", self.handshake(host="localhost:9"))
        for refused in (self.handshake(origin="http://example.org"),
                        self.handshake(origin="https://127.0.0.1"),
                        self.handshake(origin="null"),
                        self.handshake(token="0" * 64),
                        self.handshake(token="00"),
                        self.handshake(host="example.org"),
                        self.handshake(host="127.0.0.1.example.org")):
            self.assertNotIn(" 101", refused)

    def get(self, path, **headers):
        link = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=10)
        link.request("GET", path, headers=headers)
        answer = link.getresponse()
        answer.read()
        link.close()
        return answer.status

    def test_files_need_the_token(self):
        good = f"Bearer {self.program.token}"
        self.assertEqual(self.get("/api/v1/scene", Authorization=good), 200)
        self.assertEqual(self.get("/api/v1/scene"), 401)
        self.assertEqual(self.get("/api/v1/scene", Authorization="Bearer " + "0" * 64), 401)
        self.assertEqual(self.get("/api/v1/scene", Authorization=good, Host="example.org"), 403)
        self.assertEqual(self.get("/api/v1/scene", Authorization=good, Origin="http://example.org"), 403)
        self.assertNotEqual(self.get("/page/../protocol.md"), 200)
        self.assertNotEqual(self.get("/page/%2e%2e/protocol.md"), 200)

    def test_page_without_a_token_says_so(self):
        page = Page(f"http://127.0.0.1:{self.program.port}/", wait=False)
        try:
            page.until("return !document.getElementById('banner').hidden", "the banner comes")
            self.assertIn("token", page.find("#banner-text").text)
        finally:
            page.close()

    def test_page_comes_back_to_a_program_that_stalled(self):
        self.page.js("studio.transport.socket.close()")
        self.page.until("return document.getElementById('live').className.includes('off')", "it is noticed")
        self.page.until("return document.getElementById('live').className.includes('on')", "it is back")
        self.assertTrue(self.page.strike_at([0, 0.006, 0]))


LOOK = """return [document.documentElement.dataset.scheme, document.querySelector('[data-var="--left"]').getAttribute('aria-valuenow'),
    document.querySelector('.lower [role=tabpanel]:not([hidden])').id]"""


class Restart(StudioTest):
    def test_page_survives_a_restart(self):
        asks = "const e = new Event('beforeunload', { cancelable: true }); dispatchEvent(e); return e.defaultPrevented"
        self.page.tab("script")
        self.page.until("return studio.script.editor && studio.script.editor.text.length > 100", "the script is shown")
        self.assertFalse(self.page.js(asks))
        self.page.js("const cm = studio.script.editor.cm; cm.replaceRange('-- more\\n', { line: 0, ch: 0 }, null, '+input')")
        self.page.until("return studio.script.edited", "it is edited")
        self.assertTrue(self.page.js(asks))
        self.page.js("document.getElementById('scheme').click()")
        self.page.js("document.querySelector('[data-var=\"--left\"]').focus()")
        self.page.key("ArrowLeft")
        kept = self.page.js(LOOK)
        url = self.program.url
        self.program.stop()
        self.page.until("return !document.getElementById('banner').hidden && /started again/.test("
                        "document.getElementById('banner-text').textContent)", "it is said that the program is gone")
        type(self).program = Program(self.path)
        self.assertEqual(self.program.url, url)
        self.page.until("return document.getElementById('live').className.includes('on')"
                        " && document.getElementById('banner').hidden", "it is back")
        self.page.js("studio.script.save()")
        self.page.until("return !studio.script.edited", "it is saved")
        with open(self.path, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("-- more\nlocal sb"))
        self.assertTrue(self.page.strike_at([0, 0.006, 0]))
        self.assertFalse(self.page.js(asks))
        self.page.driver.refresh()
        self.page.until("return window.studio && studio.store.modes.length", "it is loaded anew")
        self.assertEqual(self.page.js(LOOK), kept)
        self.assertEqual(kept, ["light", "55", "p-script"])


class Waterfall(unittest.TestCase):
    def imports(self, path, found):
        with open(os.path.join(ROOT, "bindings/studio/page", path), encoding="utf-8") as file:
            for name in re.findall(r"(?:from|import|import\() ?'(\.[^']+)'", file.read()):
                name = os.path.normpath(os.path.join(os.path.dirname(path), name))
                if name not in found and name != "editor.js":  # after the first picture
                    found.add(name)
                    self.imports(name, found)
        return found

    def test_every_module_is_named_in_the_page(self):
        """One that is not is found only when the one that imports it has come."""
        with open(os.path.join(ROOT, "bindings/studio/page/index.html"), encoding="utf-8") as file:
            named = set(re.findall(r'modulepreload" href="/page/([^"]+)"', file.read()))
        self.assertEqual(named, self.imports("main.js", set()))


class NoScene(StudioTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sandbell-browser-")
        cls.program = Program(None, cwd=cls.folder)
        cls.page = Page(cls.program.url, wait=False)

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.program.stop()
        shutil.rmtree(cls.folder, ignore_errors=True)


class Unsaved(NoScene):
    def answer(self, word):
        self.page.until("return document.getElementById('ask').open", "it asks")
        self.assertEqual(self.page.js("return [...document.querySelectorAll('#ask button')].map(b => b.textContent)"),
                         ["Save", "Discard", "Keep editing"])
        self.page.js("[...document.querySelectorAll('#ask button')].find(b => b.textContent === arguments[0]).click()", word)
        self.page.until("return !document.getElementById('ask').open", "it is answered")

    def open_and_type(self, name):
        self.page.wait_for("await studio.store.open('scripts/' + arguments[0])", name)
        self.page.until("return studio.store.scene && studio.store.scene.file.endsWith('scripts/' + arguments[0])"
                        " && studio.script.owner === studio.store.scene.file && studio.script.saved === studio.script.editor?.text"
                        .replace("arguments[0]", f"'{name}'"), "the scene is open", 60)
        self.page.js("studio.script.editor.cm.replaceRange('-- unsaved\\n', { line: 0, ch: 0 }, null, '+input')")

    def test_unsaved_text_is_asked_for_before_another_scene_is_opened(self):
        self.page.until("return window.studio && studio.transport.open && document.getElementById('live').classList.contains('on')", "live")
        self.page.tab("script")
        for leave in ("studio.gallery.open('scripts/hello.lua')", "studio.gallery.open('scripts/lessons/02_ratios.lua')",
                      "document.querySelectorAll('.lesson-head button')[1].click()", "document.getElementById('work-cancel').onclick()"):
            self.open_and_type("lessons/01_one_mode.lua")
            self.page.until("return studio.lesson.text?.name === '01_one_mode'", "the lesson")
            self.page.js("window.sent = []; if (!window.asked) { window.asked = studio.transport.request;"
                         " studio.transport.request = function (type, fields) { sent.push(type); return asked.call(this, type, fields); }; }")
            self.page.js(leave)
            self.answer("Keep editing")
            self.page.wait_for("await studio.transport.request('ping', { t: 1 })")
            self.assertEqual(self.page.js("return [sent.includes('open'), studio.script.edited, studio.script.state.textContent,"
                                          " document.getElementById('save').disabled, studio.script.editor.text.startsWith('-- unsaved')]"),
                             [False, True, "not saved", False, True], leave)
            self.assertTrue(self.page.js("return studio.store.scene.file.endsWith('01_one_mode.lua')"))
            self.page.js(leave)
            self.answer("Discard")
            self.page.until("return !studio.store.scene || !studio.store.scene.file.endsWith('01_one_mode.lua')", "it is left", 60)
            self.assertFalse(self.page.js("return studio.script.edited"))
        self.open_and_type("lessons/01_one_mode.lua")
        self.page.js("studio.gallery.open('scripts/hello.lua')")
        self.answer("Save")
        self.page.until("return studio.store.scene && studio.store.scene.file.endsWith('hello.lua')", "the other scene", 60)
        with open(os.path.join(self.folder, "01_one_mode.lua"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("-- unsaved\n"))
        self.page.until("return document.getElementById('banner-text').textContent.includes('01_one_mode.lua')"
                        " && !document.getElementById('banner').hidden", "where it was saved is said")
        self.page.js("document.getElementById('banner-close').click()")

    def test_another_page_opens_a_scene(self):
        """Nobody was asked here: the text can still be had."""
        self.page.until("return window.studio && document.getElementById('live').classList.contains('on')", "live")
        self.open_and_type("hello.lua")
        self.page.js("studio.transport.request('open', { file: 'scripts/lessons/01_one_mode.lua' })")  # not by this page's controls
        self.page.until("return document.getElementById('ask').open", "it asks", 60)
        self.page.js("[...document.querySelectorAll('#ask button')].find(b => b.textContent === 'Keep editing').click()")
        self.page.until("return !document.getElementById('ask').open", "it is answered")
        self.assertEqual(self.page.js("return [studio.script.edited, studio.script.state.textContent, studio.script.editor.text.slice(0, 10)]"),
                         [True, "not saved", "-- unsaved"])
        self.page.js("window.given = []; const make = URL.createObjectURL; URL.createObjectURL = b => { given.push(b); return make.call(URL, b); };"
                     "studio.script.save()")
        self.page.until("return document.getElementById('ask').open", "it asks again")
        self.page.js("[...document.querySelectorAll('#ask button')].find(b => b.textContent === 'Download').click()")
        self.page.until("return given.length && !studio.script.edited && studio.script.file === '01_one_mode.lua'", "it is given")
        self.assertTrue(self.page.wait_for("return await given[0].text()").startswith("-- unsaved\n"))


class Gallery(NoScene):
    def test_gallery_opens_a_scene(self):
        count = self.page.until("return document.querySelectorAll('#gallery .card').length", "the gallery is shown")
        self.assertGreater(count, 20)
        broken = self.page.js("return [...document.querySelectorAll('#gallery img')].slice(0, 6)"
                              ".filter(i => i.complete && !i.naturalWidth).length")
        self.assertEqual(broken, 0)
        self.page.js("[...document.querySelectorAll('#gallery .card')]"
                     ".find(c => /hello/.test(c.textContent)).click()")
        self.page.until("return studio.store.modes.length > 0 && !document.getElementById('gallery').open",
                        "the scene is open", 60)
        self.assertEqual(self.page.find("#scene-name").text, "hello.lua")
        self.assertTrue(self.page.js("return studio.store.body.name === 'bar'"))
        self.page.settle()
        self.assertEqual([line for line in self.page.log() if "SEVERE" in line], [])
        self.edit_makes_a_copy()

    def edit_makes_a_copy(self):
        shipped = os.path.join(ROOT, "scripts/hello.lua")
        with open(shipped, encoding="utf-8") as file:
            before = file.read()
        self.page.tab("script")
        self.page.until("return studio.script.editor && studio.script.editor.text.length > 100", "the script is shown")
        for name in ("hello.lua", "hello_2.lua"):
            self.page.js("const cm = studio.script.editor.cm; cm.replaceRange('-- mine\\n', { line: 0, ch: 0 }, null, '+input');"
                         "studio.script.save()")
            copy = os.path.realpath(os.path.join(self.folder, name))
            self.page.until(f"return studio.store.scene && studio.store.scene.file === '{copy}' && !studio.script.edited"
                            " && studio.script.editor.text.startsWith('-- mine')", "the copy is open")
            with open(copy, encoding="utf-8") as file:
                self.assertEqual(file.read(), "-- mine\n" + before)
            # It is said until it is closed, or the scene is left; a load does not end it.
            said = "return !document.getElementById('banner').hidden && document.getElementById('banner-text').textContent"
            self.assertIn(f"Saved as a copy, {copy}", self.page.until(said, "it is said that there is a copy"))
            self.assertEqual(self.page.js("return document.getElementById('scene-name').title"), copy)
            self.page.wait_for("const done = new Promise(resolve => studio.store.on('reloaded', resolve)); studio.bar.act('reload'); await done")
            self.assertIn(copy, self.page.js(said))
            if name == "hello.lua":
                self.page.js("document.getElementById('banner-close').click()")
                self.assertFalse(self.page.js(said))
            self.page.js("studio.gallery.open('scripts/hello.lua')")  # and once more: nothing is overwritten
            self.page.until("return studio.store.scene && studio.store.scene.file.endsWith('scripts/hello.lua')"
                            " && studio.script.editor.text.startsWith('--') && !studio.script.editor.text.startsWith('-- mine')",
                            "the scene that came with the program is open")
            self.page.until("return document.getElementById('banner').hidden", "it is no longer said")
        with open(shipped, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)


main()
