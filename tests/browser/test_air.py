# SPDX-License-Identifier: MIT
"""What the air does, in the page: the room panel, what shortens T60, and the
pattern of a mode round its body."""
from studio import StudioTest, level_at, main

SCENE = """local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 } }
-- sb.room { size = { 9, 9, 9 } } is only a comment
sb.body("plate", {
  shape = sb.plate { width = 0.4, depth = 0.3, thickness = 0.002, max_hz = 1500 },
  material = "steel",
})
sb.body("dull", {
  shape = sb.bar { length = 0.3, width = 0.03, thickness = 0.01, radiation = "quick" }, position = { 0, 0, 0.3 },
  material = sb.material("dull", { base = "aluminium", alpha = 200 }),
})
"""
VOLUME, SURFACE = 6 * 3 * 8, 2 * (6 * 3 + 6 * 8 + 3 * 8)
BOX = "#p-room fieldset:nth-of-type(1) legend input"
FREE = "#p-room fieldset:nth-of-type(2) legend input"


class Air(StudioTest):
    scene = SCENE

    def select(self, name):
        self.page.js("studio.store.select([...studio.store.bodies.values()].find(b => b.name === arguments[0]).id)", name)
        self.page.until(f"return studio.store.body.name === '{name}' && studio.store.modes.length > 0", f"{name} is selected")

    def on_disk(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def choose(self, label, value):
        self.page.js("const f = document.querySelector(`[aria-label=\"${arguments[0]}\"]`);"
                     "f.value = arguments[1]; f.dispatchEvent(new Event('change', { bubbles: true }))", label, value)

    def until_t60(self, octave, seconds):
        """The program has it, and the page shows and says it."""
        self.page.until(f"return Math.abs(studio.room.room.t60[{octave}] / {seconds} - 1) < 0.01", f"T60 is {seconds} s")
        self.page.until("const t = studio.room.room.t60; return studio.room.canvas.getAttribute('aria-label')"
                        f".includes(String(Number(t[{octave}].toPrecision(3))) + ' s at')", "it is said")

    def pixels(self, canvas, colour):
        """How many pixels have a colour of the page, nearly."""
        return self.page.js("""
            const c = document.getElementById(arguments[0]);
            const probe = document.createElement('canvas').getContext('2d');
            probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[1]);
            probe.fillRect(0, 0, 1, 1);
            const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
            const all = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            let count = 0;
            for (let i = 0; i < all.length; i += 4)
                count += all[i + 3] > 200 && Math.hypot(all[i] - r, all[i + 1] - g, all[i + 2] - b) < 30;
            return count;""", canvas, colour)

    # --- the room

    def test_room(self):
        page = self.page
        page.tab("room")
        page.js("studio.history.clear()")
        self.assertIn("no room", page.find("#room-t60").get_attribute("aria-label"))
        # A box: Sabine's law of the walls that the panel chooses.
        page.click(BOX)
        page.until("return studio.room.room.size[0] === 6", "there is a box")
        self.choose("Formula of T60", "sabine")
        self.choose("Material of all walls", "wood")
        self.until_t60(0, 0.161 * VOLUME / (SURFACE * 0.15))
        self.assertIn("0.15", page.js("return document.querySelector('.walls tbody tr:nth-child(2)').textContent"))
        self.choose("Material of the wall floor", "carpet")
        area = 0.15 * (SURFACE - 48) + 0.02 * 48
        self.until_t60(0, 0.161 * VOLUME / area)
        self.assertEqual(page.js("return document.querySelector('[aria-label=\"Material of all walls\"]').selectedOptions[0].textContent"), "…")
        self.assertGreater(self.pixels("room-t60", "accent"), 7 * 10)
        # A slider, moved by keys, and taken back.
        page.js("studio.room.size[1].range.focus()")
        page.key("PageUp")
        page.until("return studio.room.room.size[1] > 3.5", "the height has changed")
        page.settle()
        for _ in range(2):
            page.js("document.getElementById('undo').click()")
        page.until("return studio.room.room.size[1] === 3 && studio.room.room.walls.floor.material === 'wood'", "both are undone")
        self.until_t60(0, 0.161 * VOLUME / (SURFACE * 0.15))
        # Into the file, and back.
        page.wait_for("await studio.room.write()")
        written = SCENE + """
sb.room { size = { 6, 3, 8 }, position = { 0, -1.2, 0 },
  walls = { "wood" }, decay = "sabine", response = "" }
"""
        self.page.until_here(lambda: self.on_disk() == written, f"the file is {written}")
        page.until("return studio.room.room.walls.floor.material === 'wood' && studio.room.room.size[0] === 6", "it is loaded")
        # Off: what was in the file is replaced.
        page.click(BOX)
        page.until("return studio.room.room.size[0] === 0", "the box is off")
        page.wait_for("await studio.room.write()")
        off = SCENE + '\nsb.room { size = { 0, 0, 0 }, response = "" }\n'
        self.page.until_here(lambda: self.on_disk() == off, f"the file is {off}")
        for _ in range(3):
            page.js("document.getElementById('undo').click()")
        self.page.until_here(lambda: self.on_disk() == SCENE, "the file is as it was")

    def test_reverb_is_heard(self):
        page = self.page
        page.tab("room")
        self.select("dull")
        hz = page.js("return studio.store.modes[0].hz")

        def tail():
            t = self.page.strike_at([0.14, 0.005, 0])["t"]
            rate, sound = page.sound_from(t, 0.8)
            return level_at(sound, rate, hz, 0.6, 0.15)
        dry = tail()
        page.click(FREE)
        page.until("return studio.room.room.t60.every(t => t === 1.5)", "there is a reverb")
        page.js("const s = studio.room.reverb.t60; s.take(3, true)")
        page.until("return studio.room.room.t60.every(t => t === 3)", "it rings for 3 s")
        page.js("studio.room.reverb.level.take(10, true)")
        page.until("return studio.room.room.reverb.level === 10", "it is louder")
        page.settle()
        self.assertGreater(tail(), dry + 30)
        page.click(FREE)
        page.until("return studio.room.room.t60[3] === 0", "it is off")

    # --- T60

    def test_t60_shows_what_the_air_takes(self):
        page = self.page
        page.tab("inspector")
        self.select("plate")
        page.until("return studio.inspector.curve.canvas.getAttribute('aria-label').includes('air')", "the air is said")
        rows = page.wait_for("return (await studio.transport.getJson(`bodies/${studio.store.selected}/modes`)).rows")
        for row in rows:
            self.assertGreater(row[6], 0)
            self.assertLess(row[6], row[2])
        page.settle()
        self.assertGreater(self.pixels("t60", "good"), 5)
        # In words, at the pointer and in the table: rates add up.
        text = page.js("""
            const c = studio.inspector.curve;
            c.point(c.plot.px(studio.store.modes[2].hz));
            return c.canvas.title;""")
        self.assertIn("Mode 3,", text)
        both, material, air = (float(text.split(w)[1].split()[0]) for w in ("T60 ", "material ", "air "))
        self.assertAlmostEqual(1 / both, 1 / material + 1 / air, delta=0.02 / both)
        self.assertAlmostEqual(both, rows[2][1], delta=0.01 * both)
        self.assertEqual(text.split(": ", 1)[1], page.js("return document.querySelector('#modes-table tbody tr:nth-child(3) td:nth-of-type(5)').title"))
        # Without that loss there is none to draw, and this is said.
        self.select("dull")
        page.until("return studio.inspector.curve.canvas.getAttribute('aria-label').includes('No loss by radiation')", "none is said")
        page.settle()
        self.assertEqual(self.pixels("t60", "good"), 0)


    # --- the pattern of a mode

    def field(self, *direction):
        """The far field of the shown mode in a direction of the body."""
        return complex(*self.page.wait_for(
            "const m = await import('/page/view/balloon.js'); return m.patternAt(studio.view.balloon.pattern, arguments[0])", direction))

    def test_sound_round_a_body(self):
        page = self.page
        self.select("plate")
        page.js("studio.history.clear(); studio.store.showMode(2)")
        page.until("return !document.getElementById('shape-controls').hidden", "the shape is shown")
        self.assertFalse(page.js("return studio.view.balloon.mesh.visible && studio.view.balloon.on"))
        page.click("#shape-sound")
        page.until("return studio.view.balloon.pattern?.order > 0", "its pattern is there")
        page.settle()
        rows = page.wait_for("return (await studio.transport.getJson(`bodies/${studio.store.selected}/modes`)).rows")
        # A sheet: silent in its plane, opposite in sign behind; its power is what the mode radiates.
        most = page.js("return Math.sqrt(studio.view.balloon.pattern.coefs.reduce((s, [a, b]) => s + a * a + b * b, studio.view.balloon.pattern.rest))")
        self.assertAlmostEqual(most / rows[1][4], 1, 2)
        side = 0.48 ** 0.5
        for x, z in ((1, 0), (0, 1), (0.6, 0.8)):
            self.assertLess(abs(self.field(x, 0, z)), 0.02 * most)
            front, back = self.field(x * side, 0.52 ** 0.5, z * side), self.field(x * side, -(0.52 ** 0.5), z * side)
            self.assertLess(abs(front + back), 0.02 * most)
        # It is drawn round the body: as far as it is loud.
        far = page.js("""
            const { mesh } = studio.view.balloon, p = mesh.geometry.attributes.position.array;
            if (!mesh.visible || mesh.parent !== studio.view.bodies.focus)
                return 0;
            let far = 0;
            for (let i = 0; i < p.length; i += 3)
                far = Math.max(far, Math.hypot(p[i], p[i + 1], p[i + 2]));
            return far;""")
        self.assertAlmostEqual(far, 0.6 * 0.4, 2)
        self.assertIn("dB above its mean", page.find("#shape-sound-text").text)
        # Undone and done again; and a body without a pattern says so.
        page.js("document.getElementById('undo').click()")
        page.until("return !studio.view.balloon.mesh.visible && !document.getElementById('shape-sound').checked", "it is undone")
        page.js("document.getElementById('redo').click()")
        page.until("return studio.view.balloon.mesh.visible", "it is done again")
        self.select("dull")
        page.js("studio.store.showMode(1)")
        page.until("return document.getElementById('shape-sound-text').textContent.startsWith('No pattern')", "it says so")
        self.assertFalse(page.js("return studio.view.balloon.mesh.visible"))
        page.click("#shape-sound")
        self.assertEqual(page.find("#shape-sound-text").text, "")
        page.js("studio.store.showMode(0)")

    def test_harmonics_have_a_mean_square_of_one(self):
        """Y_lm of orders to 8 by the midpoint rule: orthogonal, of mean square 1."""
        worst = self.page.wait_for("""
            const { harmonics } = await import('/page/view/balloon.js');
            const N = 24, count = 81, sum = new Float64Array(count * count);
            for (let i = 0; i < N; i++)
                for (let j = 0; j < 2 * N; j++) {
                    const a = Math.PI * (i + 0.5) / N, b = Math.PI * (j + 0.5) / N, s = Math.sin(a);
                    const w = 0.5 * (Math.cos(Math.PI * i / N) - Math.cos(Math.PI * (i + 1) / N)) / (2 * N);
                    const y = harmonics(8, [s * Math.cos(b), s * Math.sin(b), Math.cos(a)]);
                    for (let p = 0; p < count; p++)
                        for (let q = 0; q < count; q++)
                            sum[p * count + q] += w * y[p] * y[q];
                }
            return sum.reduce((m, v, i) => Math.max(m, Math.abs(v - (i % (count + 1) === 0))), 0);""")
        self.assertLess(worst, 0.05)


main()
