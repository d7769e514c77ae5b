# SPDX-License-Identifier: MIT
"""Every control has a name and works by keyboard; the page is usable at 320
pixels; what is moving respects the wish for less motion."""

from studio import BAR, StudioTest, main

CONTROLS = {"button", "slider", "checkbox", "textbox", "combobox", "radio", "tab", "link",
            "application", "searchbox", "spinbutton", "menuitem", "separator", "splitter",
            "ComboBoxSelect", "TextField"}
TABS = ("script", "console", "events", "contact", "texture", "modes", "inspector", "room", "quality")


class Access(StudioTest):
    scene = BAR + "sb.room { size = { 6, 3, 8 } }\nsb.reverb { t60 = 2 }\n"

    def unnamed(self):
        tree = self.page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})
        bad, good = [], 0
        for node in tree["nodes"]:
            role = node.get("role", {}).get("value")
            if node.get("ignored") or role not in CONTROLS:
                continue
            if node.get("name", {}).get("value", "").strip():
                good += 1
            else:
                bad.append((role, node.get("backendDOMNodeId")))
        return bad, good

    def test_every_control_has_a_name(self):
        total = 0
        for tab in TABS:
            self.page.tab(tab)
            self.page.settle()
            bad, good = self.unnamed()
            self.assertEqual(bad, [], tab)
            total += good
        self.assertGreater(total, 100)

    def test_dialogs_have_names_too(self):
        self.page.click("#keys")
        self.page.until("return document.getElementById('help').open", "the keys are shown")
        self.assertEqual(self.unnamed()[0], [])
        self.page.key("Escape")
        self.page.until("return !document.getElementById('help').open", "Escape closes it")

    def test_tab_key_reaches_everything(self):
        self.page.tab("modes")
        self.page.tab("script")
        self.page.js("document.activeElement.blur(); window.scrollTo(0, 0)")
        seen = set()
        for _ in range(190):
            self.page.key("Tab", text="")
            seen.add(self.page.js("const e = document.activeElement;"
                                  "return e.id || e.getAttribute('aria-label') || e.textContent.slice(0, 20)"))
        for wanted in ("scene-button", "play", "reset", "reload", "listen", "scheme", "body", "colour",
                       "tab-script", "tab-modes", "freeze", "save-wav", "Solo mode 1", "Mute mode 1"):
            self.assertIn(wanted, seen)

    def test_keys_of_tabs_sliders_and_modes(self):
        self.page.js("document.getElementById('tab-modes').focus()")
        self.page.key("ArrowRight")
        self.assertFalse(self.page.js("return document.getElementById('p-inspector').hidden"))
        before = self.page.js("const s = studio.inspector.params.get('level'); s.range.focus(); return s.value")
        self.page.key("ArrowRight")
        self.assertGreater(self.page.js("return studio.inspector.params.get('level').value"), before)
        self.page.tab("modes")
        self.page.js("document.activeElement.blur()")
        self.page.key("2", "Digit2")
        self.page.until("return studio.store.isSolo(2)", "2 solos the second mode")
        self.page.key("2", "Digit2")
        self.page.until("return !studio.store.isSolo(2)", "2 again clears it")
        self.page.key("m", "KeyM")
        self.page.until("return studio.store.shown.has(1)", "m shows the first shape")
        self.page.js("studio.store.showMode(0)")
        self.page.key("p", "KeyP")
        self.page.until("return studio.bar.paused", "p pauses")
        self.page.key("p", "KeyP")
        self.page.until("return !studio.bar.paused", "p plays")
        border = "const b = document.querySelector('[data-var=\"--left\"]');"
        value = self.page.js(border + "b.focus(); return b.getAttribute('aria-valuenow')")
        self.page.key("ArrowRight")
        self.assertNotEqual(self.page.js(border + "return b.getAttribute('aria-valuenow')"), value)

    def test_narrow_page_is_usable(self):
        self.page.resize(320, 640)
        try:
            self.page.settle()
            wide = self.page.js("return document.documentElement.scrollWidth")
            self.assertLessEqual(wide, 320)
            for tab in TABS:
                self.page.tab(tab)
                self.assertLessEqual(self.page.js("return document.documentElement.scrollWidth"), 320, tab)
            self.page.js("window.scrollTo(0, 0); studio.view.bodies.frame()")
            self.page.frames()
            struck = self.page.strike_at([0, 0.006, 0])
            self.assertLess(abs(struck["point"][0]), 0.005)
        finally:
            self.page.resize(1280, 800)
            self.page.frames()
            self.page.js("studio.view.bodies.frame()")

    def test_reduced_motion_and_reload(self):
        """Shapes stand still until asked; a reload keeps the token."""
        wish = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [wish]})
        self.page.driver.refresh()
        self.page.until("return !!window.studio && !!studio.view && studio.store.modes.length > 0 &&"
                        " studio.view.bodies.things.size > 0", "the page is back")
        self.assertFalse(self.page.js("return studio.view.motion.moving"))
        self.page.js("studio.store.showMode(1)")
        self.page.until("return studio.view.motion.parts.length === 1", "the shape is shown")
        amount = "return studio.view.bodies.focusMaterial.uniforms.shapeAmount.value"
        before = self.page.js(amount)
        self.page.frames(20)
        self.assertEqual(self.page.js(amount), before)
        self.assertGreater(before, 0)
        self.page.js("studio.store.showMode(0)")
        self.page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_errors_are_announced(self):
        roles = self.page.js("return [document.getElementById('banner').getAttribute('role'),"
                             "document.getElementById('spoken').getAttribute('aria-live'),"
                             "document.getElementById('notice').getAttribute('role')]")
        self.assertEqual(roles, ["alert", "polite", "status"])


main()
