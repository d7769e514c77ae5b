# SPDX-License-Identifier: MIT
"""Painting: a stroke on the body changes weight and sound, goes on over a seam,
and undo takes it back; files are 16 bits deep."""
import json
import os
import shutil

from studio import ROOT, StudioTest, level_at, main

SCENE = """local sb = require "sandbell"
sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 100 }
sb.body("plate", {
  shape = sb.mesh("models/plate.obj", { thickness = 0.01, modes = 8, merge = false }),
  material = sb.material("dull steel", { base = "steel", alpha = 30 }),
  weights = sb.texture { path = "textures/paint_me_%d.png", encoding = "signed" },
})
"""


class Paint(StudioTest):
    scene = SCENE

    @classmethod
    def prepare(cls):
        for part in ("models", "textures"):
            os.mkdir(os.path.join(cls.folder, part))
        shutil.copy(os.path.join(ROOT, "models/plate.obj"), os.path.join(cls.folder, "models"))
        for n in range(1, 9):
            shutil.copy(os.path.join(ROOT, f"textures/paint_me_{n}.png"),
                        os.path.join(cls.folder, "textures"))

    def setUp(self):
        self.page.tab("texture")
        self.page.until("return studio.paint.atlas && studio.paint.channels.size > 0 && studio.paint.canvas.width > 1",
                        "the texture is shown")

    def phi(self, point):
        """Weights there, as the program answers; it answers 30 a second."""
        return self.page.wait_for("""
            for (;;)
                try {
                    return (await studio.transport.request('probe',
                        { body: studio.store.selected, point: arguments[0], direction: null })).phi;
                } catch (e) {
                    if (!/probes a second/.test(e.message))
                        throw e;
                    await new Promise(requestAnimationFrame);
                }""", point)

    def texel(self, channel=0):
        return self.page.js("return [...studio.paint.channels.get(arguments[0])]", channel)

    def set_brush(self, value, size):
        self.page.js("studio.paint.value = arguments[0]; studio.paint.size = arguments[1]", value, size)

    def test_stroke_on_the_body_changes_weight_and_sound(self):
        point = [0.02, 0, 0.03]
        self.page.js("studio.view.pointer.setTool('strike')")
        top = self.page.js("return studio.store.body.bounds[1][1]")
        place = [point[0], top, point[2]]
        mode = self.page.js("return studio.store.modes[0]")

        def loudness():
            self.page.quiet()
            self.page.js("studio.view.pointer.setTool('strike')")
            struck = self.page.strike_at(place)
            rate, sound = self.page.sound_from(struck["t"], 0.6)
            start = max(range(len(sound)), key=lambda i: abs(sound[i])) / rate
            return level_at(sound, rate, mode["hz"], start + 0.02, 0.2)

        before, quiet = self.phi(place)[0], loudness()
        self.set_brush(1, 0.15)
        self.page.js("studio.view.pointer.setTool('paint')")
        x, y = self.page.pixel_of(place)
        self.page.drag([(x - 12, y), (x - 6, y), (x, y), (x + 6, y), (x + 12, y), (x, y)])
        self.page.until_here(lambda: abs(self.phi(place)[0]) > abs(before) + 0.3, f"the weight was {before}, and grows")
        self.assertGreater(loudness(), quiet + 6)
        # Undo: the weight is as it was.
        self.page.js("[...document.querySelectorAll('#p-texture button')]"
                     ".find(b => b.textContent === 'Undo').click()")
        self.page.until_here(lambda: abs(self.phi(place)[0] - before) <= 0.02 * max(1, abs(before)), f"the weight is {before} again")

    def test_map_and_keys_paint_too(self):
        before = self.texel()
        self.set_brush(-1, 0.1)
        self.page.js("document.getElementById('uv').focus()")
        self.page.key("ArrowRight")
        self.page.key(" ", "Space")
        self.page.until_here(lambda: self.texel() != before, "the texture changes")
        self.page.settle()
        after = self.texel()
        changed = [i for i, (a, b) in enumerate(zip(before, after)) if a != b]
        self.assertGreater(len(changed), 4)
        self.assertTrue(all(after[i] <= before[i] for i in changed))
        # What the program has is what the page shows, in 16 bits.
        self.page.js("studio.paint.channels.clear()")
        self.page.js("studio.paint.load()")
        self.page.until("return studio.paint.channels.size > 0", "the texture is read again")
        got = self.texel()
        self.assertLess(max(abs(a - b) for a, b in zip(got, after)), 3)
        self.assertTrue(any(v % 257 for v in got), "only 8 bits came back")

    def test_stroke_goes_on_over_a_seam(self):
        """Two charts that meet on the body at x = 0 and are apart on the map."""
        found = json.loads(self.page.wait_for("""
            const { Atlas } = await import('/page/atlas.js');
            const position = [], normal = [], uv = [], index = [];
            for (const [x0, u0] of [[-1, 0.55], [0, 0.05]])
                for (const [x, z] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
                    position.push(x0 + x, 0, z);
                    normal.push(0, 1, 0);
                    uv.push(u0 + 0.4 * x, 0.1 + 0.8 * z);
                }
            for (const k of [0, 4])
                index.push(k, k + 1, k + 2, k + 2, k + 1, k + 3);
            const atlas = new Atlas({position: new Float32Array(position), normal: new Float32Array(normal),
                uv: new Float32Array(uv), index: new Uint32Array(index), hasUv: true, isStandIn: false}, 64, 64);
            const near = [];
            atlas.near(atlas.texel(0.06, 0.5), 0.3, (i, part) => near.push([i % 64, Math.floor(i / 64), part]));
            return JSON.stringify(near);"""))
        left = [t for t in found if t[0] > 32]
        right = [t for t in found if t[0] <= 32]
        self.assertGreater(len(left), 20, "the neighbouring chart is not painted")
        self.assertGreater(len(right), 20)
        self.assertGreater(min(t[0] for t in left), 49)


main()
