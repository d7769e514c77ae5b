# SPDX-License-Identifier: MIT
"""Six states of the studio as pictures. They are drawn, checked for being more
than one colour, and kept in the folder PICTURES if that is set:

    PICTURES=folder python3 tests/browser/test_pictures.py build/bin/sandbell .

scripts/pictures/draw.sh uses that for the pictures of the guide; only then are
shadows drawn, which take seconds without a graphics card.
"""
import os
import unittest

from studio import Page, Program, ROOT, main

FOLDER = os.environ.get("PICTURES")


class Pictures(unittest.TestCase):
    def state(self, name, scene, arrange, scheme="dark"):
        program = Program(os.path.join(ROOT, "scripts", scene))
        try:
            page = Page(program.url, scheme=scheme, draw="full" if FOLDER else "fast")
            try:
                arrange(page)
                picture = page.driver.get_screenshot_as_png()
                self.assertEqual([line for line in page.log() if "SEVERE" in line], [])
            finally:
                page.close()
        finally:
            program.stop()
        # A page that failed to draw compresses to almost nothing.
        self.assertGreater(len(picture), 40000)
        if FOLDER:
            with open(os.path.join(FOLDER, f"studio_{name}.png"), "wb") as file:
                file.write(picture)

    def middle(self, page, dx=0, dy=0):
        box = page.js("const r = studio.view.stage.canvas.getBoundingClientRect();"
                      "return [r.left + r.width / 2, r.top + r.height / 2]")
        return box[0] + dx, box[1] + dy

    def test_strike(self):
        def arrange(page):
            page.click_at(*self.middle(page, 40, 40))
            page.play(1)
            page.click_at(*self.middle(page, -60, 50))
            page.play(0.4)
        self.state("strike", "bowl.lua", arrange)

    def test_shape(self):
        def arrange(page):
            page.tab("inspector")
            page.js("studio.view.motion.moving = false; studio.store.showMode(4)")
            page.until("return studio.view.motion.parts.length", "the shape is shown")
            page.settle()
        self.state("shape", "gong.lua", arrange)

    def test_paint(self):
        def arrange(page):
            page.tab("texture")
            page.until("return studio.paint.channels.size > 0", "the texture is shown")
            page.js("studio.view.setColour('weight'); studio.view.pointer.setTool('paint'); studio.paint.size = 0.12")
            x, y = self.middle(page)
            page.drag([(x - 40, y - 10), (x, y), (x + 30, y + 12), (x + 60, y + 10)])
            page.settle()
        self.state("paint", "paint_me.lua", arrange)

    def test_contact(self):
        def arrange(page):
            page.tab("contact")
            # With shadows and no graphics card a frame can take seconds, and a
            # click comes before the trace is asked for.
            def strike():
                page.click_at(*self.middle(page, -30, 0))
                page.play(1)
                return page.js("return / at most /.test(studio.contact.title)")

            page.until_here(strike, "a contact is shown", 60)
            page.settle()
        self.state("contact", "hello.lua", arrange, scheme="light")

    def test_world(self):
        def arrange(page):
            page.tab("quality")
            page.tab("events")
            page.until("return studio.events.list.length > 4", "dice have fallen")
            page.play(1)
        self.state("world", "xylophone.lua", arrange)

    def test_lesson(self):
        def arrange(page):
            page.until("return studio.lesson.text", "the lesson is there")
            page.js("document.querySelector('#predict-centre').value = '1 and 3'")
            page.click('[data-press="strike_centre"]')
            page.until("return !document.querySelector('.outcome').hidden", "what was predicted is told")
            page.settle()
            page.js("document.querySelector('.ask.predict').scrollIntoView({block: 'start'})")
            page.settle()
        self.state("lesson", "lessons/03_where_you_strike.lua", arrange)


main()
