# SPDX-License-Identifier: MIT
"""What is done in the page: numbers are taken as typed, sliders are wide enough
to be set, values go into the file, and every act can be undone and done again."""
import json
import os

from studio import StudioTest, main

SCENE = """local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 } }
-- sb.material("metal", { alpha = 1 }) is only a comment
local metal = sb.material("metal", {
  base = "aluminium", -- alpha = 4
  alpha = 30,
  beta = 2 * 1e-8,
})
sb.param("level", { min = 0, max = 1e7, default = 3 })
sb.body("bar", {
  shape = sb.bar { length = 0.4, width = 0.06, thickness = 0.012 },
  material = metal,
})
sb.body("inline", { shape = sb.bar { length = 0.3, width = 0.03, thickness = 0.005 }, position = { 0, 0, 0.2 },
  material = sb.material("own", { base = "steel", alpha = 2, beta = 1e-8 }) })
sb.body("named", { shape = sb.bar { length = 0.2, width = 0.03, thickness = 0.005 }, position = { 0, 0, 0.4 },
  material = "glass" })
for i = 1, 1 do
  sb.body("loop" .. i, { shape = sb.bar { length = 0.2, width = 0.03, thickness = 0.005 }, position = { 0, 0, 0.5 },
    material = "oak" })
end
"""
ALPHA = "studio.store.body.material.alpha"


class Acts(StudioTest):
    scene = SCENE

    def setUp(self):
        self.page.resize(1440, 900)
        self.page.tab("inspector")
        self.write(SCENE)
        self.select("bar")
        self.until_material("alpha", 30)
        self.page.js("""
            studio.history.clear();
            if (!window.said) {
                const place = document.getElementById('notice');
                new MutationObserver(() => said.push(place.textContent)).observe(place, { childList: true });
            }
            window.said = [];""")

    def write(self, text):
        if self.on_disk() != text:
            with open(self.path + ".new", "w", encoding="utf-8") as file:
                file.write(text)
            os.rename(self.path + ".new", self.path)
        # Whatever was being loaded: a reset loads this text, and is the last.
        before = self.page.js("return studio.store.origin")
        self.page.wait_for("await studio.transport.request('transport', { action: 'reset' })")
        self.page.until(f"return studio.store.origin > {before}", "the scene starts again")

    def on_disk(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def until_disk(self, text):
        self.page.until_here(lambda: self.on_disk() == text, f"the file is: {text}")

    def select(self, name):
        self.page.js("studio.store.select([...studio.store.bodies.values()].find(b => b.name === arguments[0]).id)", name)

    def until_material(self, field, value):
        """The program has it, and the page shows it."""
        self.page.until(f"""
            if (!window.asking) {{
                window.asking = true;
                studio.transport.getJson('scene').then(s => {{
                    window.asking = false;
                    window.known = s.scene.bodies.find(b => b.id === studio.store.selected)?.material.{field};
                }});
            }}
            return Math.abs(window.known / {value} - 1) < 1e-9 &&
                Math.abs(studio.inspector.material.get('{field}').value / {value} - 1) < 1e-9""",
                        f"{field} is {value}")

    def type_into(self, field, text):
        self.page.js(f"const f = studio.inspector.{field}.field; f.focus(); f.value = ''")
        self.page.driver.execute_cdp_cmd("Input.insertText", {"text": text})
        self.page.key("Enter", text="\r")

    def undo(self):
        self.page.js("document.activeElement.blur()")
        self.page.key("z", "KeyZ", "", modifiers=2)

    def redo(self):
        self.page.js("document.activeElement.blur()")
        self.page.key("y", "KeyY", "", modifiers=2)

    def notice(self):
        """All that was said at the foot of the page in this test."""
        return self.page.js("return said.join('\\n')")

    # --- into the file

    def test_material_of_the_script_is_written(self):
        self.type_into("material.get('alpha')", "12.3456789")
        self.until_material("alpha", 12.3456789)
        self.page.wait_for("await studio.inspector.writeMaterial('alpha')")
        self.until_disk(SCENE.replace("alpha = 30", "alpha = 12.3456789"))
        self.assertIn("scene.lua:6: 30 is now 12.3456789", self.notice())
        self.undo()
        self.until_disk(SCENE)
        self.redo()
        self.until_disk(SCENE.replace("alpha = 30", "alpha = 12.3456789"))

    def test_field_that_is_not_there_is_added(self):
        self.type_into("material.get('density')", "2711.5")
        self.page.wait_for("await studio.inspector.writeMaterial('density')")
        self.until_disk(SCENE.replace('"metal", {\n  base', '"metal", {\n  density = 2711.5,\n  base'))
        self.until_material("density", 2711.5)

    def test_table_in_one_line_is_written(self):
        self.select("inline")
        self.type_into("material.get('beta')", "3e-7")
        self.page.wait_for("await studio.inspector.writeMaterial('beta')")
        self.until_disk(SCENE.replace("alpha = 2, beta = 1e-8", "alpha = 2, beta = 3e-7"))

    def test_what_cannot_be_written_is_said(self):
        self.page.wait_for("await studio.inspector.writeMaterial('beta')")
        self.assertIn('scene.lua:7: beta of "metal" is "2 * 1e-8", not a plain number', self.notice())
        self.select("loop1")
        self.page.wait_for("await studio.inspector.writeMaterial('alpha')")
        self.assertIn('"oak" is a material of the library', self.notice())
        self.assertEqual(self.on_disk(), SCENE)

    def test_material_of_the_library_becomes_the_bodys_own(self):
        self.select("named")
        self.type_into("material.get('alpha')", "7.25")
        self.page.wait_for("await studio.inspector.writeMaterial('alpha')")
        own = SCENE.replace('"glass"', 'sb.material("named glass", { base = "glass", alpha = 7.25 })')
        self.until_disk(own)
        self.page.until("return studio.store.body.material.script_name === 'named glass'", "it is loaded")
        self.until_material("alpha", 7.25)
        # It is a material of the script now.
        self.type_into("material.get('density')", "2600")
        self.page.wait_for("await studio.inspector.writeMaterial('density')")
        self.until_disk(own.replace('{ base = "glass"', '{ density = 2600, base = "glass"'))
        self.undo()
        self.until_disk(own)
        self.undo()
        self.until_disk(SCENE)

    def test_two_writes_at_once_are_undone_in_turn(self):
        self.page.wait_for("""
            for (const value of [11, 12]) {
                studio.store.body.material.alpha = value;
                await studio.inspector.writeMaterial('alpha');
            }""")
        self.until_disk(SCENE.replace("alpha = 30", "alpha = 12"))
        self.undo()
        self.until_disk(SCENE.replace("alpha = 30", "alpha = 11"))
        self.undo()
        self.until_disk(SCENE)

    def test_value_set_while_the_script_is_loaded_is_kept(self):
        loaded = self.page.wait_for("""
            const i = studio.inspector;
            const loaded = new Promise(resolve => studio.transport.on('reload.ok', resolve));
            studio.store.body.material.alpha = 11;
            await i.writeMaterial('alpha');
            i.params.get('level').take(77, true);
            i.material.get('density').take(3100, true);
            return (await loaded).type""")
        self.assertEqual(loaded, "reload.ok")
        self.until_material("alpha", 11)
        self.until_material("density", 3100)
        self.page.until("return studio.store.scene.params[0].value === 77", "the param is what was set last")

    # --- numbers and sliders

    def test_number_is_taken_as_typed(self):
        self.type_into("params.get('level')", "1234567")
        self.page.until("return studio.store.scene.params[0].value === 1234567", "the param is what was typed")
        self.page.wait_for("await studio.inspector.writeParam('level')")
        self.until_disk(SCENE.replace("default = 3", "default = 1234567"))
        # A param keeps its value unless its default has changed: this one must
        # be loaded before the next test writes the old one.
        self.page.until("return studio.store.scene.params[0].default === 1234567", "it is the default")

    def show_all(self):
        """All that has sliders, beside the tabs and tools."""
        self.page.js("if (document.getElementById('listen').getAttribute('aria-pressed') !== 'true')"
                     " document.getElementById('listen').click();"
                     "if (!studio.store.shown.size) studio.store.showMode(1)")
        self.page.until("return !document.getElementById('delay').hidden", "the bar has all its parts")
        self.page.tab("texture")
        self.page.js("if (!studio.store.body.texture) studio.paint.makeButton.click()")
        self.page.until("return studio.paint.channels.size > 0 && !studio.paint.box.hidden", "there is a texture")

    def show_no_more(self):
        self.page.js("studio.store.showMode(0); document.getElementById('listen').click(); studio.view.pointer.setTool('strike');"
                     "studio.paint.ask('texture.remove')")
        self.page.until("return !studio.store.body.texture", "the texture is gone")

    def test_sliders_are_wide(self):
        self.show_all()
        seen = {}
        for width, height in ((1440, 900), (1280, 800), (1920, 1080)):
            self.page.resize(width, height)
            self.page.until(f"return innerWidth === {width}", "the page is resized")
            for name in ("tools", "Script and more", "Modes and settings"):
                count = self.page.js("window.set = document.getElementById(arguments[0]) || document.querySelector"
                                     "(`[aria-label='${arguments[0]}']`); return set.children.length", name)
                for i in range(count):
                    self.page.js("if (!set.children[arguments[0]].hidden) set.children[arguments[0]].click()", i)
                    for slider, wide in self.page.js("""
                            return [...document.querySelectorAll('input[type=range]')].filter(r => r.checkVisibility())
                                .map(r => [r.id, r.getBoundingClientRect().width])"""):
                        seen[slider] = wide
                        self.assertGreaterEqual(wide, 120, f"{slider} at {width} x {height}")
                    if name == "tools" and self.page.js("return studio.view.pointer.tool") == "scrape":
                        self.assertIn("scrape-tip", seen)
            # What is wider wraps: nothing is cut off. The bar has one line.
            self.assertLess(self.page.js("return document.querySelector('.bar').offsetHeight"), 50)
            self.assertLessEqual(self.page.js("return document.documentElement.scrollWidth"), width)
            self.assertEqual(self.page.js("""
                return [...document.querySelectorAll('.bar, .overlay, .paint-side, #p-modes .row')]
                    .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(e => e.id || e.className)"""), [])
        self.assertLessEqual({"master", "gain", "mode-limit", "scrape-load", "scrape-tip", "shape-speed", "shape-size"}, set(seen))
        self.assertEqual(len(seen), 7 + 5 + 4 + 1 + 4 + 1 + 2)  # material, striker, params, quality, merge, brush
        self.show_no_more()

    def place_of(self, slider):
        """The middle of its knob."""
        return self.page.js(f"const s = {slider}, r = s.range; r.scrollIntoView({{block: 'center'}});"
                            "const b = r.getBoundingClientRect(), part = (s.toStep(s.value) - r.min) / (r.max - r.min);"
                            "return [b.left + 7 + part * (b.width - 14), b.top + b.height / 2]")

    def double_click(self, x, y):
        self.page.mouse("mouseMoved", x, y)
        for clicks in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                self.page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                    "type": kind, "x": x, "y": y, "button": "left", "clickCount": clicks})

    def test_all_sliders_are_fine_with_shift_have_a_default_and_undo(self):
        self.show_all()
        self.page.js("studio.view.pointer.setTool('scrape')")
        self.page.tab("modes")
        count = self.page.js("return studio.store.modes.length")
        default = self.page.js("return studio.bar.gain.value")
        for slider, default in (("bar.gain", default), ("audio.gain", 0), ("modes.limit", count), ("view.load", 1),
                                ("view.tip", 5e-4), ("view.speed", 1.5), ("view.size", 0.4)):
            with self.subTest(slider=slider):
                slider = f"studio.{slider}"
                value = f"return {slider}.toStep({slider}.value)"
                self.assertAlmostEqual(self.page.js(value), self.page.js(f"return {slider}.toStep({default})"))
                acts = self.page.js("return studio.history.done.length")
                step = f"const s = {slider}; return s.toStep(s.value) / (s.range.max - s.range.min)"
                way = 30 if "speed" in slider else -30  # there is room
                moved = []
                for modifiers in (0, 8):
                    before = self.page.js(step)
                    x, y = self.place_of(slider)
                    self.page.drag([(x, y), (x + way / 2, y), (x + way, y)], modifiers=modifiers)
                    moved.append(self.page.js(step) - before)
                self.assertNotEqual(moved[1], 0)
                self.assertAlmostEqual(moved[0] / moved[1], 10, delta=3 if "limit" in slider else 1)
                self.double_click(*self.place_of(slider))
                self.page.until(f"return Math.abs({slider}.toStep({slider}.value) - {slider}.toStep({default})) < 1e-9", "it has its default")
                self.assertEqual(self.page.js("return studio.history.done.length"), acts + 3)
                self.undo()
                self.page.until(f"return Math.abs({slider}.toStep({slider}.value) - {slider}.toStep({default})) > 1e-9", "it is undone")
                self.redo()
                self.page.until(f"return Math.abs({slider}.toStep({slider}.value) - {slider}.toStep({default})) < 1e-9", "it is done again")
        for i, (key, default) in enumerate((("size", 0.08), ("value", 1))):  # of the brush
            self.page.js("window.brush = document.querySelectorAll('.paint-side .slider')[arguments[0]]; brush.querySelector('[type=range]').focus()", i)
            self.page.key("ArrowLeft")
            self.assertLess(self.page.js(f"return studio.paint.{key}"), default)
            self.page.js("brush.querySelector('[type=range]').dispatchEvent(new MouseEvent('dblclick'))")
            self.assertEqual(self.page.js(f"return studio.paint.{key}"), default)
        self.show_no_more()

    def test_shift_is_fine_and_double_click_the_default(self):
        step = "const s = studio.inspector.material.get('alpha'); return s.toStep(s.value)"
        moved = []
        for modifiers in (0, 8):
            before = self.page.js(step)
            x, y = self.place_of("studio.inspector.material.get('alpha')")
            self.page.drag([(x, y), (x - 10, y), (x - 20, y)], modifiers=modifiers)
            moved.append(before - self.page.js(step))
        self.assertAlmostEqual(moved[0] / moved[1], 10, delta=1)
        self.double_click(*self.place_of("studio.inspector.material.get('alpha')"))
        self.until_material("alpha", 30)

    def test_reset_sets_the_clock_to_0(self):
        self.page.until("return parseFloat(document.getElementById('clock').textContent) > 1.5", "time goes on")
        self.page.click("#reset")
        self.page.until("return parseFloat(document.getElementById('clock').textContent) < 1", "the clock is at 0 again")

    def test_bodies_that_go_on_touching_have_one_mark(self):
        count = self.page.js("""
            const { marks } = studio.view, mine = () => marks.owners.filter(o => /^test/.test(o)).length;
            for (let i = 0; i < 30; i++) marks.flash([0.001 * i, 0, 0], 1, 'test a');
            const one = mine();
            for (let i = 0; i < 3; i++) marks.flash([0.1 * i, 0, 0], 1, `test ${i}`);
            return [one, mine()];""")
        self.assertEqual(count, [1, 4])

    # --- undo

    def test_slider_of_one_body_is_undone_while_another_is_selected(self):
        x, y = self.place_of("studio.inspector.material.get('alpha')")
        self.page.drag([(x, y), (x - 20, y), (x - 60, y)])
        moved = self.page.js(f"return {ALPHA}")
        self.assertLess(moved, 20)
        self.until_material("alpha", moved)
        self.select("inline")
        self.undo()
        self.page.until("return studio.history.undone.length === 1 && !studio.history.done.length", "one drag is one act")
        self.assertEqual(self.page.js(f"return {ALPHA}"), 2)
        self.select("bar")
        self.until_material("alpha", 30)
        self.redo()
        self.until_material("alpha", moved)

    def test_several_acts_are_undone_in_turn(self):
        gain = self.page.js("return studio.store.scene.quality.gain")
        self.page.js("""
            const s = studio, i = s.inspector;
            i.material.get('alpha').take(40, true);
            i.material.get('density').take(3000, true);
            i.params.get('level').take(5, true);
            document.querySelector('[aria-label="Material of the striker"]').value = 'oak';
            document.querySelector('[aria-label="Material of the striker"]').dispatchEvent(new Event('change'));
            [...document.querySelectorAll('.slider')].find(e => e.textContent.startsWith('speed')).querySelector('button').click();
            s.quality.sliders.budget.take(0.4, true);
            s.modes.toggle(2, 'mute');
            s.modes.limit.take(3, true);
            s.bar.gain.take(-20, true);""")
        self.page.until("""
            const { settings, scene, selected, striker, body } = studio.store;
            return settings.mute.length === 1 && settings.limit[selected] === 3 && Math.abs(scene.quality.gain - 0.1) < 1e-6
                && scene.quality.budget === 0.4 && scene.params[0].value === 5 && striker.material === 'oak'""", "all is done")
        self.until_material("alpha", 40)
        self.until_material("density", 3000)
        count = self.page.js("return studio.history.done.length")
        for _ in range(count):
            self.undo()
        self.page.until(f"""
            const {{ settings, scene, selected, striker }} = studio.store;
            return !settings.mute.length && !settings.limit[selected] && Math.abs(scene.quality.gain / {gain} - 1) < 1e-9
                && scene.quality.budget !== 0.4 && scene.params[0].value === 3 && striker.material === ''
                && !studio.history.done.length""", "all is undone")
        self.until_material("alpha", 30)
        self.until_material("density", 2700)
        for _ in range(count):
            self.redo()
        self.until_material("density", 3000)
        self.until_material("alpha", 40)

    def choose(self, css, key, value):
        self.page.js("const e = document.querySelector(arguments[0]); e[arguments[1]] = arguments[2];"
                     "e.dispatchEvent(new Event('change'))", css, key, value)

    def test_choices_are_undone(self):
        self.show_all()
        self.page.js("studio.store.showMode(0); studio.history.clear()")
        other = self.page.js("return String([...studio.store.bodies.values()].find(b => b.name === 'inline').id)")
        lines = "return studio.view.bodies.focusMaterial.uniforms.shapeLines.value > 0"
        for css, key, value, state, before, after in (
                ("#shape-lines", "checked", False, lines, True, False),
                ("#colour", "value", "contact", "return studio.view.marks.keep", False, True),
                ("#colour", "value", "mode", "return studio.store.shown.size", 0, 1),
                (".paint-side [type=checkbox]", "checked", True, "return studio.paint.smooth", False, True),
                (".paint-side input:not([inputmode])", "value", "2-3", "return studio.paint.group.join()", "0", "1,2"),
                ("#scrape-kind", "value", "roll", "return studio.actions.kind", "slide", "roll"),
                ("#body", "value", other, "return studio.store.body.name", "bar", "inline")):
            with self.subTest(css=css, value=value):
                self.page.until(f"return (() => {{ {state} }})() === {json.dumps(before)}", "as it was")
                was = self.page.js("return document.querySelector(arguments[0])[arguments[1]]", css, key)
                self.choose(css, key, value)
                self.page.until(f"return (() => {{ {state} }})() === {json.dumps(after)}", "it is done")
                self.undo()
                self.page.until(f"return (() => {{ {state} }})() === {json.dumps(before)}", "it is undone")
                self.assertEqual(self.page.js("return document.querySelector(arguments[0])[arguments[1]]", css, key), was)
                self.redo()
                self.page.until(f"return (() => {{ {state} }})() === {json.dumps(after)}", "it is done again")
                self.undo()
                self.page.wait_for("await studio.history.running")
        self.page.until("return studio.store.body.name === 'bar'", "the body")
        self.show_no_more()

    def test_number_key_is_one_act(self):
        self.page.tab("modes")
        self.page.js("studio.modes.toggle(3, 'mute'); studio.history.clear(); document.activeElement.blur()")
        self.page.key("2", "Digit2")
        self.page.until("return studio.store.isSolo(2) && !studio.store.isMute(3)", "only the second mode")
        self.assertEqual(self.page.js("return studio.history.done.length"), 1)
        self.undo()
        settings = "const s = (await studio.transport.getJson('scene')).scene.settings; return [s.solo.length, s.mute.map(m => m[1]).join()]"
        self.page.wait_for("await studio.history.running")
        self.assertEqual(self.page.wait_for(settings), [0, "3"])
        self.page.js("studio.modes.clear()")

    def test_gain_of_0_is_undone_to_0(self):
        self.addCleanup(self.page.wait_for, "await studio.transport.request('quality.set', { gain: arguments[0] })",
                        self.page.js("return studio.store.scene.quality.gain"))
        self.page.wait_for("await studio.transport.request('quality.set', { gain: 0 })")
        self.page.until("return studio.store.scene.quality.gain === 0", "nothing is heard")
        self.page.js("studio.bar.gain.take(-20, true)")
        self.page.until("return Math.abs(studio.store.scene.quality.gain - 0.1) < 1e-6", "it is heard")
        self.undo()
        self.page.until("return studio.store.scene.quality.gain === 0", "nothing is heard again")

    def test_taken_material_is_undone(self):
        before = self.page.js("return studio.store.body.material.youngs_modulus")
        self.page.js("const n = studio.inspector.named; n.value = 'oak'; n.onchange || n.dispatchEvent(new Event('change'))")
        self.page.until("return studio.store.body.material.name === 'oak'", "it is of oak")
        self.undo()
        self.until_material("youngs_modulus", before)
        self.assertEqual(self.page.js("return studio.store.body.material.name"), "metal")

    def test_paint_and_saved_picture_are_undone(self):
        self.page.tab("texture")
        picture = os.path.join(self.folder, "bar_1.png")
        with open(picture, "wb") as file:
            file.write(b"before")
        self.page.js("studio.paint.makeButton.click()")
        there = "return studio.paint.atlas && !studio.paint.box.hidden && [...(studio.paint.channels.get(0)?.slice(0, 1) ?? [])]"
        self.page.until(there, "there is a texture")
        self.page.settle()  # the scene may be told anew, and the texture read again
        before = self.page.until(there, "there is still a texture")[0]
        self.page.js("studio.paint.value = 1; studio.paint.fill()")
        self.assertEqual(self.page.js("return studio.paint.channels.get(0)[0]"), 65535)
        self.page.wait_for("await studio.paint.saveThere()")
        with open(picture, "rb") as file:
            saved = file.read()
        self.assertNotEqual(saved, b"before")
        for way, expected, bytes_ in ((self.undo, 65535, b"before"), (self.undo, before, b"before"),
                                      (self.redo, 65535, b"before"), (self.redo, 65535, saved)):
            way()
            self.page.wait_for("await studio.history.running")
            self.page.until(f"return studio.paint.channels.get(0)?.[0] === {expected}", "the stroke")
            with open(picture, "rb") as file:
                self.assertEqual(file.read(), bytes_)
        for _ in range(3):
            self.undo()
        self.page.until("return !studio.store.body.texture", "the texture is gone again")


main()
