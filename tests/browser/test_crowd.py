# SPDX-License-Identifier: MIT
"""A thousand bodies stay usable: few draw calls, one fetch per surface, picking
and striking work. Times are printed, not judged."""

from studio import StudioTest, main

SCENE = """local sb = require "sandbell"
sb.listener { position = { 0, 1, 2 } }
for i = 0, 999 do
  local x, z = i % 40, i // 40
  sb.body("b" .. i, {
    shape = sb.bar { length = 0.04, width = 0.02, thickness = 0.004 }, material = "steel",
    position = { (x - 20) * 0.06, 0, (z - 12) * 0.04 },
  })
end
"""


class Crowd(StudioTest):
    scene = SCENE

    def test_thousand_bodies(self):
        page = self.page
        shown = page.until("const m = performance.getEntriesByName('bodies-drawn');"
                           "return m.length && m[0].startTime", "all are shown")
        fetched = page.js("return performance.getEntriesByType('resource')"
                          ".filter(e => /mesh\\.bin/.test(e.name)).length")
        calls = page.js("return studio.view.stage.renderer.info.render.calls")
        triangles = page.js("return studio.view.stage.renderer.info.render.triangles")
        self.assertLess(triangles, 200000)
        print(f"{triangles} triangles are drawn")
        print(f"1,000 bodies: shown after {shown:.0f} ms, {fetched} surfaces fetched, {calls} draw calls")
        self.assertEqual(page.js("return studio.view.bodies.things.size"), 1000)
        self.assertLess(fetched, 20)
        self.assertLess(calls, 40)
        taken = page.js("const t = performance.now(); for (let i = 0; i < 20; i++)"
                        " studio.view.pointer.hitAt(360, 220); return (performance.now() - t) / 20")
        print(f"picking one of them takes {taken:.1f} ms")
        frames = page.wait_for("""
            const { stage, pointer } = studio.view;
            const begun = performance.now();
            let count = 0;
            while (performance.now() - begun < 2000) {
                pointer.orbit(0.02, 0);
                await new Promise(requestAnimationFrame);
                count++;
            }
            return 1000 * count / (performance.now() - begun);""")
        print(f"{frames:.0f} frames a second while the camera turns, without a graphics card")
        page.js("studio.store.select([...studio.store.bodies.values()].find(b => b.name === 'b500').id)")
        page.until("return studio.store.modes.length > 0 && studio.view.bodies.focusId === studio.store.selected",
                   "it is selected")
        page.settle()
        struck = page.strike_at([0, 0.002, 0])
        self.assertEqual(page.js("return studio.store.bodies.get(arguments[0]).name", struck["body"]), "b500")


main()
