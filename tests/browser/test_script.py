# SPDX-License-Identifier: MIT
"""The script: a broken save changes nothing but a banner, fixing clears it; the
file on disk is the truth; the console is the prompt."""
import json
import os

from studio import BAR, StudioTest, main

# It rings for some seconds.
SCENE = BAR.replace("alpha = 30", "alpha = 2")


class Script(StudioTest):
    scene = SCENE

    def setUp(self):
        self.page.tab("script")
        self.write(SCENE)
        self.page.until("return studio.script.editor && studio.script.editor.text.length > 100 "
                        "&& !studio.script.edited", "the script is shown")
        self.page.until(f"return studio.script.editor.text === {json.dumps(SCENE)}", "the file is read")

    def write(self, text):
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(self.path + ".new", self.path)

    def on_disk(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def type_over(self, old, new):
        """Edit as somebody who types: in the editor, not in the page's state."""
        self.page.js("const cm = studio.script.editor.cm; const at = cm.getValue().indexOf(arguments[0]);"
                     "const from = cm.posFromIndex(at), to = cm.posFromIndex(at + arguments[0].length);"
                     "cm.focus(); cm.replaceRange(arguments[1], from, to, '+input')", old, new)

    def save(self):
        self.page.js("studio.script.editor.cm.focus()")
        self.page.key("s", "KeyS", "", modifiers=2)

    def test_broken_save_shows_the_banner_and_the_sound_goes_on(self):
        self.page.strike_at([-0.19, 0.006, 0])
        self.page.until("return Math.max(0, ...studio.modes.energy) > 0", "the strike is seen")
        self.type_over("alpha = 2", "alpa = 2")
        self.save()
        self.page.until("return !document.getElementById('banner').hidden", "the banner comes")
        text = self.page.find("#banner-text").text
        self.assertIn("alpa", text)
        self.assertIn("scene.lua:3: ", text)
        first = sum(self.page.js("window.before = studio.modes.energy; return [...window.before]"))
        self.page.until("return studio.modes.energy !== window.before", "newer energies come")
        second = sum(self.page.energies())
        self.assertGreater(second, 0)
        self.assertLess(second, first)
        marked = self.page.js("return document.querySelectorAll('.error-text').length")
        self.assertEqual(marked, 1)
        self.type_over("alpa = 2", "alpha = 2")
        self.save()
        self.page.until("return document.getElementById('banner').hidden", "the banner goes")
        self.assertEqual(self.page.js("return document.querySelectorAll('.error-text').length"), 0)

    def test_save_retunes(self):
        before = self.page.js("return studio.store.modes[0].t60")
        self.type_over("alpha = 2", "alpha = 40")
        self.save()
        self.page.until(f"return studio.store.modes[0].t60 < {before} / 3", "the modes are retuned")
        self.assertIn("alpha = 40", self.on_disk())
        self.page.until("return /retuned/.test(studio.script.state.textContent)", "it is said what was retuned")

    def test_save_is_undone(self):
        self.type_over("alpha = 2", "alpha = 41")
        self.page.js("studio.history.clear()")
        self.save()
        self.page.until("return studio.history.done.length === 1", "it is saved")
        self.assertEqual(self.on_disk(), SCENE.replace("alpha = 2", "alpha = 41"))
        for way, alpha in (("back", 2), ("forward", 41), ("back", 2)):
            self.page.wait_for(f"await studio.history.{way}()")
            self.assertEqual(self.on_disk(), SCENE.replace("alpha = 2", f"alpha = {alpha}"))
            self.page.until(f"return studio.script.editor.text.includes('alpha = {alpha},') && !studio.script.edited", "it is shown")

    def test_not_saved_is_said_until_it_is(self):
        self.type_over("alpha = 2", "alpha = 43")
        for action in ("reload", "reset"):
            reloaded = self.page.wait_for("const done = new Promise(resolve => studio.store.on('reloaded', resolve));"
                                          "studio.bar.act(arguments[0]); return await done", action)
            self.assertEqual(self.page.js("return studio.script.state.textContent"), f"not saved; {reloaded}")
        self.save()
        self.page.until("return !studio.script.edited && !/not saved/.test(studio.script.state.textContent)", "it is saved")

    def test_change_by_another_editor_appears(self):
        self.write(SCENE.replace("0.012", "0.013"))
        self.page.until("return studio.script.editor.text.includes('0.013')", "the change appears")

    def test_file_that_is_gone_and_back(self):
        os.rename(self.path, self.path + ".away")
        self.page.until("return !document.getElementById('banner').hidden && document.getElementById('banner-text')"
                        ".textContent.includes('is gone')", "it is said")
        os.rename(self.path + ".away", self.path)
        self.page.until("return document.getElementById('banner').hidden", "it is no longer said")

    def test_stale_save_asks(self):
        self.type_over("alpha = 2", "alpha = 7")
        self.write(SCENE.replace("0.012", "0.014"))
        self.page.until("return studio.script.state.textContent.includes('on disk')", "the change is noticed")
        self.save()
        self.page.until("return document.getElementById('ask').open", "it asks")
        self.assertIn("0.014", self.on_disk())
        self.page.js("[...document.querySelectorAll('#ask button')]"
                     ".find(b => b.textContent === 'Read the file').click()")
        self.page.until("return studio.script.editor.text.includes('0.014') && !studio.script.edited",
                        "the file is read")

    def test_completion_and_hover_know_the_api(self):
        offers = self.page.js("return studio.script.editor.reference.complete('local b = sb.ba').list.map(o => o.text)")
        self.assertIn("bar", offers)
        fields = self.page.js("return studio.script.editor.reference.complete('sb.bar { le').list.map(o => o.text)")
        self.assertIn("length", fields)
        told = self.page.js("return studio.script.editor.reference.explain('x = sb.bar { }', 6, '')")
        self.assertIn("bar", told["call"])

    def test_console_is_the_prompt(self):
        self.page.tab("console")
        self.page.js("document.getElementById('console-input').value = '1 + 41'")
        self.page.js("document.getElementById('console-input').focus()")
        self.page.key("Enter", text="\r")
        self.page.until("return studio.terminal.out.textContent.includes('42')", "the answer comes")

    def test_write_to_file_changes_one_literal(self):
        # The save of the test before may still be loading, which sets params back.
        self.page.until("const { value } = studio.store.scene.params[0];"
                        "if (value !== 7.5) studio.inspector.params.get('level').take(7.5, true);"
                        "return value === 7.5", "the param is set")
        self.page.js("studio.inspector.writeParam('level')")
        self.page.until_here(lambda: self.on_disk() != SCENE, "the file is written")
        self.assertEqual(self.on_disk(), SCENE.replace("default = 3", "default = 7.5"))


main()
