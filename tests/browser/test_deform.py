# SPDX-License-Identifier: MIT
"""Deformable bodies in the page: they are seen while they are computed, and bend
as the scene plays; the shapes of merged modes have signs."""
import os

from studio import Page, StudioTest, main

BENDS = """local sb = require "sandbell"
sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 1 }
local sheet = sb.deformable("sheet", {
  shape    = sb.plate { width = 0.4, depth = 0.25, thickness = 0.002 },
  material = sb.material("soft metal", { base = "steel", youngs_modulus = 2e9, alpha = 60, beta = 1e-5 }),
  elements = 5,
})
function scene.start()
  sheet:drive { box = { { 0.2, -1, -1 }, { 0.2, 1, 1 } }, displacement = { -0.03, 0, 0 },
    times = { 0, 2, 4 }, values = { 0, 0, 1 } }
  sheet:drive { box = { { -0.2, -1, -1 }, { -0.2, 1, 1 } }, displacement = { 0, 0, 0 }, times = { 0, 1 }, values = { 0, 0 } }
  sheet:push { box = { { -0.05, -1, -1 }, { 0.05, 1, 1 } }, force = { 0, 2, 0 },
    times = { 2, 2.2, 3.5, 4 }, values = { 0, 1, 1, 0 } }
end
"""

DISK = """local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 } }
sb.body("disk", { shape = sb.disk { radius = 0.15, thickness = 0.003, merge = 1 }, material = "steel" })
"""

# Height of the vertices, and where they are.
HEIGHT = """
const mesh = [...window.studio?.view?.bodies.bent.values() || []][0];
if (!mesh || !mesh.visible)
    return null;
const a = mesh.geometry.attributes.position.array;
let [low, high] = [1e9, -1e9];
for (let i = 1; i < a.length; i += 3)
    [low, high] = [Math.min(low, a[i]), Math.max(high, a[i])];
return [high - low, studio.bar.time, studio.store.rev];"""


class Computed(StudioTest):
    @classmethod
    def prepare(cls):
        os.environ["XDG_CACHE_HOME"] = os.path.join(cls.folder, "cache")  # it is to be computed

    @classmethod
    def setUpClass(cls):
        wait, Page.until = Page.until, lambda *_: None  # it is looked at while it loads
        try:
            super().setUpClass()
        finally:
            Page.until = wait


class Deform(Computed):
    scene = BENDS

    def test_sheet_bends_in_the_page(self):
        self.page.until(HEIGHT, "the sheet is seen while it is computed", 60)
        first = self.page.js(HEIGHT)
        self.assertTrue(any("computed first" in line for line in self.program.lines))
        # It plays: another scene than the one that was computed.
        self.page.until(f"return studio.store.rev > {first[2]} && !!studio.store.scene.output.backend", "it plays", 90)
        self.page.until("const now = (() => { %s })(); (window.seen ||= []).push(now);"
                        "return now && now[1] > 4.5" % HEIGHT, "4.5 s have been played", 60)
        seen = [now for now in self.page.js("return seen") if now]
        early = [h for h, t, _ in seen if t < 1.8]
        late = [h for h, t, _ in seen if t > 4.2]
        self.assertTrue(early and late, seen)
        self.assertLess(max(early), 0.01)
        # A sheet of 0.4 m whose ends come 0.03 m nearer: an arc 0.069 m high.
        self.assertGreater(min(late), 0.055)
        self.assertLess(max(late), 0.085)
        # It is drawn there: a ray from above hits it where it is.
        hit = self.page.js("""
            const s = studio.view.stage, at = s.screenOf(s.controls.target.clone().set(-0.015, arguments[0], 0));
            return studio.view.pointer.hitAt(at.x, at.y).world.toArray()""", late[-1])
        self.assertGreater(hit[1], 0.05)
        refused = self.page.wait_for("try { await studio.transport.request('strike', { body: studio.store.selected,"
                                     " point: [0, 0, 0] }); } catch (e) { return e.code + ' ' + e.message; }")
        self.assertIn("refused sheet is deformable", refused)
        # Its mode shapes are those of the sheet at rest.
        self.page.js("studio.store.showMode(1)")
        self.page.until("const v = studio.view; return v.motion.parts.length && v.bodies.focus.visible"
                        " && ![...v.bodies.bent.values()][0].visible", "the shape is shown")
        self.page.js("studio.store.showMode(0)")
        self.page.until("return [...studio.view.bodies.bent.values()][0].visible", "it is bent again")
        self.assertEqual([line for line in self.page.log() if "SEVERE" in line], [])


class Leave(Computed):
    """Another scene is chosen while this one is computed."""
    scene = BENDS.replace("elements = 5", "elements = 10")

    WORK = """return window.studio && !document.getElementById('work').hidden && !document.getElementById('work-cancel').hidden
        && [document.getElementById('work-name').textContent, document.getElementById('work-share').value,
            document.getElementById('work-text').textContent]"""

    def test_another_scene_while_it_computes(self):
        name, share, text = self.page.until(self.WORK, "the bar is shown", 60)
        self.assertEqual(name, "Computing scene.lua")
        self.assertGreaterEqual(share, 0)
        self.assertLess(share, 1)
        self.assertRegex(text, r"^[\d.e-]+ of at most 20 s")
        self.page.until(self.WORK.rstrip("]") + "][2].includes(' left')", "the time that is left is said")
        self.page.js("window.seen = []; studio.store.on('scene', () => seen.push(studio.store.scene && studio.store.scene.file))")
        self.page.js("studio.gallery.open('scripts/hello.lua')")
        self.page.until("return studio.store.scene && studio.store.scene.file.endsWith('hello.lua')"
                        " && studio.bar.time > 0 && document.getElementById('work').hidden", "the chosen scene plays", 60)
        self.assertNotIn(None, self.page.js("return seen"))
        # Back to none at all.
        self.page.js("studio.gallery.open('scripts/wobble_for_real.lua')")
        self.page.until(self.WORK, "the bar is shown again", 60)
        self.page.js("document.getElementById('work-cancel').click()")
        self.page.until("return !studio.store.scene && studio.gallery.dialog.open", "the gallery is shown", 60)
        self.assertTrue(self.page.js("return document.getElementById('work').hidden"))


class Solve(Computed):
    """The modes of the first scene are solved before it is there."""
    scene = """local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 } }
sb.body("block", { shape = sb.plate { width = 0.3, depth = 0.25, thickness = 0.05, method = "solid", elements = 24 }, material = "glass" })
"""

    def test_solve_is_shown_and_can_be_ended(self):
        name, share, text = self.page.until(Leave.WORK.replace("return", "return /Solving/.test(document.getElementById('work-name').textContent)"
                                                               " && document.getElementById('work-text').textContent.includes('left') &&"),
                                            "the bar is shown, and the time left", 60)
        self.assertEqual(name, "Solving block")
        self.assertGreater(share, 0)
        self.assertLess(share, 1)
        self.assertRegex(text, r"^(factorisation|modes|radiation), about \d+ s left$")
        self.assertFalse(self.page.js("return studio.gallery.dialog.open"))
        # What would change the scene waits for it, and is refused when there is none.
        self.page.js("window.asked = studio.transport.request('eval', { text: '1' }).catch(e => e.code)")
        self.page.js("document.getElementById('work-cancel').click()")
        self.page.until("return !studio.store.scene && studio.gallery.dialog.open && document.getElementById('work').hidden",
                        "the gallery is shown", 60)
        self.assertEqual(self.page.wait_for("return window.asked"), "no_scene")
        # The solve was ended, not waited for.
        self.assertEqual([line for line in self.program.lines if line.startswith("playing") and "scene.lua" in line], [])


class Merged(StudioTest):
    scene = DISK

    def normals(self):
        return self.page.js("const m = studio.view.motion.parts[0].move; const out = [];"
                            "for (let i = 3; i < m.length; i += 4) out.push(m[i]); return out")

    def test_merged_pair_shows_both_shapes_with_signs(self):
        n = self.page.js("return studio.store.modes.find(m => m.members === 2).n")
        self.page.js("studio.store.showMode(arguments[0])", n)
        self.page.until("return studio.view.motion.parts.length", "the shape is shown")
        self.assertEqual(self.page.find("#shape-member").text, "shape 1 of 2")
        first = self.normals()
        self.page.js("studio.view.motion.parts = []")
        self.page.click("#shape-member")
        self.page.until("return studio.view.motion.parts.length", "the other is shown")
        self.assertEqual(self.page.find("#shape-member").text, "shape 2 of 2")
        second = self.normals()
        for shape in (first, second):  # both signs, as much of each
            self.assertLess(abs(max(shape) / min(shape) + 1), 0.05)
        dot = sum(a * b for a, b in zip(first, second))
        self.assertLess(abs(dot), 0.1 * sum(a * a for a in first))


main()
