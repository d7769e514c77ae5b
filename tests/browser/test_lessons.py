# SPDX-License-Identifier: MIT
"""Every question of every lesson, with a wrong and a right answer, by what the
page shows; the tab at 320 pixels; and a student's folder, graded."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest

from studio import PROGRAM, Client, Page, Program, main

# press NAME, turn NAME VALUE, strike BODY X Y Z (downwards), wrong/right QUESTION [ANSWER]
STEPS = {
    "01_one_mode": """
        wrong octave; turn freq 880; right octave; wrong shorter
        turn freq 440; turn T60 1; right shorter; wrong twenty 1; right twenty 1÷3_sec""",
    "02_ratios": """
        wrong ratio 2; right ratio 2,757; press bar; wrong harmonic
        press string; press string; press string; right harmonic
        press string; wrong imitate; turn second 2.757; turn third 5.404; press own; right imitate""",
    "03_where_you_strike": """
        wrong all_four; press strike_end; wrong all_four; turn place 0.02; press strike_there
        wrong silent_second; wrong node; right all_four
        press strike_centre; wrong silent_second; turn place 0.495; press strike_there; wrong silent_second
        turn place 0.132; press strike_there; right silent_second
        turn place 0.224; press strike_there; right node; wrong silent_second""",
    "04_damping": """
        wrong only_lowest; turn alpha 4.97; right only_lowest; wrong wooden
        press wood; wrong wooden; wrong least 1000; right least 871.7; turn alpha 61; right wooden""",
    "05_shapes": """
        press centre; wrong one_of_pair; press quarter; wrong one_of_pair
        strike plate 0 0.001 -0.075; right one_of_pair
        wrong split; wrong beats 3; turn aspect 1.0693; right split; right beats ~20_beats""",
    "06_contact_time": """
        press rubber; wrong zero; wrong bright; wrong duration 9
        turn hardness 5e7; press mine; right bright; right duration 0.063_ms
        turn hardness 3.37e4; press mine; wrong zero; turn hardness 1.53e5; press mine; right zero""",
    "07_from_a_mesh": """
        wrong locking 10; right locking 386_%; wrong refine; press tet4; wrong better
        turn elements 24; right refine; press solid; right better""",
    "08_numbers_that_lie": """
        wrong limit 9_kHz; right limit 14,037; wrong semitone; wrong alias
        turn pitch 6000; right semitone; turn pitch 39100; right alias""",
    "09_touching": """
        wrong tone; wrong bowed; wrong rate 3; right rate 500
        turn speed 1.0204; press scrape; right tone; press bow; wrong bowed
        press stop; turn speed 0.15; press bow; right bowed""",
    "10_too_much": """
        wrong half; wrong count 0; wrong truncate
        turn merge 10; right half; right count 220; turn limit 40; press all; right truncate""",
    "11_what_reaches_the_ear": """
        wrong halved; wrong front 3; right front 4.8_dB; wrong quiet; wrong one_second; wrong equal
        turn loss 1.38; right halved; turn angle 64; right quiet
        turn absorb 0.1205; right one_second; turn distance 0.68; right equal""",
}


class LessonProgram(Program):
    """`sandbell lesson WORD`."""

    def __init__(self, word):
        self.process = subprocess.Popen(
            [PROGRAM, "lesson", word, "--no-open", "--print-url", "--backend", "null"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
        self.lines = []
        self.url = None
        self.found = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()
        if not self.found.wait(60) or not self.url:
            self.stop()
            raise RuntimeError("no address printed: " + "".join(self.lines))


class Lessons(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = LessonProgram("1")
        try:
            cls.page = Page(cls.program.url)
        except Exception:
            cls.program.stop()
            raise

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.program.stop()

    def verdict(self, name, answer):
        found = self.page.js(
            "const box = document.querySelector(`[data-question=\"${arguments[0]}\"]`);"
            "if (!box) return null; window.verdict = box.querySelector('.verdict'); verdict.textContent = '';"
            "const field = box.querySelector('input'); if (field) field.value = arguments[1];"
            "box.querySelector('button').click(); return !!field;", name, answer or "")
        self.assertEqual(found, answer is not None, name)
        text = self.page.until("return verdict.textContent", f"a verdict on {name}", 10)
        return self.page.js("return verdict.classList.contains('right')"), text

    def step(self, words):
        kind, name, *rest = words
        value = rest[0].replace("_", " ") if rest else None
        if kind == "press":
            self.page.js("document.querySelector(`[data-press=\"${arguments[0]}\"]`).click()", name)
            self.page.play(0.2)  # some stop their body with a hand first
        elif kind == "turn":
            self.page.js("const f = document.querySelector(`[data-turn=\"${arguments[0]}\"] input[type=text]`);"
                         "f.value = arguments[1]; f.dispatchEvent(new Event('change'))", name, value)
        elif kind == "strike":
            self.page.wait_for("const b = [...studio.store.bodies.values()].find(b => b.name === arguments[0]);"
                               "return (await studio.view.pointer.actions.strike(b.id, arguments[1], [0, -1, 0])).type",
                               name, [float(x) for x in rest])
        elif kind == "wrong":
            is_right, text = self.verdict(name, value)
            self.assertFalse(is_right, f"{name}: {text}")
        else:
            # What a slider changes may have to be solved, a bow has to begin.
            self.page.until_here(lambda: self.verdict(name, value)[0], f"{name} is right")

    def test_each_question_with_a_wrong_and_a_right_answer(self):
        for number, (name, steps) in enumerate(STEPS.items()):
            if number:
                self.page.js("[...document.querySelectorAll('.lesson-head button')][1].click()")
            self.page.until(f"return studio.lesson.text?.name === '{name}' && "
                            "studio.store.scene.file.includes(studio.lesson.text.name)", name)
            tried = {"wrong": set(), "right": set()}
            for line in steps.split("\n"):
                for step in filter(None, map(str.split, line.split(";"))):
                    with self.subTest(lesson=name, step=" ".join(step)):
                        self.step(step)
                    if step[0] in tried:
                        tried[step[0]].add(step[1])
            questions = set(self.page.js(
                "return [...document.querySelectorAll('[data-question]')].map(q => q.dataset.question)"))
            self.assertEqual(tried["wrong"], questions, name)
            self.assertEqual(tried["right"], questions, name)
            # What a prediction is about shows when its button was pressed, and what was expected.
            if name == "03_where_you_strike":
                self.assertFalse(self.page.js("return document.querySelector('.outcome').hidden"))
                self.assertEqual(self.page.js("return studio.lesson.score.textContent"), "✓ 3 of 3 done")
                self.assertRegex(self.page.js("return document.querySelector('[data-question=all_four] .verdict').textContent"),
                                 r"^✓ Right \((3|[4-9]|\d\d) tries\)\. No node")
            elif name == "08_numbers_that_lie":
                # The other tabs show what a button strikes.
                self.step(["press", "bar_bilinear"])
                self.page.until("return studio.store.body.name === 'bar_bilinear'", "the struck bar is selected")
                self.assertTrue(self.page.js("return document.querySelector('.outcome').hidden"))
                self.page.js("document.querySelector('#predict-ball').value = 'it lies still';"
                             "document.querySelector('[data-press=kmethod]').click()")
                self.assertEqual(self.page.js("return [...document.querySelectorAll('.outcome .expected')].at(-1).textContent"),
                                 "You expected: it lies still")
            # Formulas are formulas, every button does something that the scene declares.
            self.assertGreater(self.page.js("return document.querySelectorAll('#p-lesson math').length"), 0)
            for press in self.page.js("return [...document.querySelectorAll('[data-press]')].map(b => b.dataset.press)"):
                reply = self.page.wait_for("return (await studio.transport.request('lesson.press', { name: arguments[0] })).type", press)
                self.assertEqual(reply, "ok", f"{name}: {press}")
        # A body may be replaced between the list of bodies and the request for its modes.
        self.assertEqual([line for line in self.page.log() if "SEVERE" in line and "/bodies/" not in line], [])

    def test_start_again_is_undone(self):
        rev = self.page.js("studio.gallery.open('scripts/lessons/01_one_mode.lua'); return studio.store.rev")
        self.page.until(f"return studio.store.rev > {rev} && studio.lesson.text?.name === '01_one_mode' && studio.store.scene?.file.includes('01_one_mode')"
                        " && studio.store.scene.params.some(p => p.name === 'freq')", "the lesson")
        value = "const p = studio.store.scene.params.find(q => q.name === 'freq'); return p.value / %s === 1"
        default = self.page.js("return studio.store.scene.params.find(q => q.name === 'freq').default")
        self.step(["turn", "freq", "777"])
        self.page.until(value % 777, "it is turned")
        self.page.js("studio.history.clear(); [...document.querySelectorAll('.lesson-head button')][2].click()")
        self.page.until("return studio.history.done.length", "it has started again")
        self.page.until(value % default, "params have their defaults")
        self.page.js("studio.history.back()")
        self.page.until(value % 777, "they are as they were")
        self.page.js("studio.history.forward()")
        self.page.until(value % default, "and again")

    def test_pane_is_as_high_after_a_reload_before_the_lesson(self):
        share = "return document.querySelector('[data-var=\"--view\"]').getAttribute('aria-valuenow')"
        self.page.until("return studio.lesson.text", "the lesson")
        self.assertEqual(self.page.js(share), "36")
        # As it was before a lesson came: nobody has moved a border.
        self.page.js("localStorage.removeItem('--view'); location.reload()")
        self.page.until("return window.studio?.lesson?.text", "the lesson again")
        self.assertIsNone(self.page.js("return localStorage.getItem('--view')"))
        self.page.driver.refresh()
        self.page.until("return window.studio?.lesson?.text", "the lesson a third time")
        self.assertEqual(self.page.js(share), "36")

    def test_formulas_have_their_font(self):
        """One with a table for formulas: a fraction is as high as its parts."""
        self.page.js("studio.gallery.open('scripts/lessons/05_shapes.lua')")
        self.page.until("return document.querySelector('#p-lesson mfrac')", "a fraction")
        self.page.wait_for("await document.fonts.ready")
        self.assertEqual(self.page.js("return [...document.fonts].filter(f => /Formulas/.test(f.family)).map(f => f.status)"), ["loaded"])
        outside = self.page.js("""
            return [...document.querySelectorAll('#p-lesson mfrac')].filter(f => {
                const box = f.getBoundingClientRect();
                return [...f.children].some(c => {
                    const part = c.getBoundingClientRect();
                    return part.top < box.top - 1 || part.bottom > box.bottom + 1;
                });
            }).length""")
        self.assertEqual(outside, 0)

    def test_tab_by_keyboard_and_when_narrow(self):
        unnamed = self.page.js(
            "return [...document.querySelectorAll('#p-lesson button, #p-lesson input')].filter(e =>"
            " !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)")
        self.assertEqual(unnamed, [])
        self.page.js("document.querySelector('[data-press]').focus()")
        self.assertTrue(self.page.js("return document.activeElement.matches('[data-press]')"))
        self.page.resize(320, 640)
        try:
            self.page.frames()
            self.assertLessEqual(self.page.js("return document.documentElement.scrollWidth"), 320)
            self.assertGreater(self.page.js("return document.querySelector('.lesson-text').clientHeight"), 100)
        finally:
            self.page.resize(1280, 800)


class Student(unittest.TestCase):
    """A folder of one's own: what was done is kept, and done again by check."""

    def setUp(self):
        self.parent = tempfile.mkdtemp(prefix="sandbell-lesson-")
        self.folder = os.path.join(self.parent, "mine")
        subprocess.run([PROGRAM, "lesson", "3", "--copy", self.folder], check=True, capture_output=True)

    def tearDown(self):
        shutil.rmtree(self.parent, ignore_errors=True)

    def check(self):
        run = subprocess.run([PROGRAM, "check", self.folder], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def work(self, *calls):
        program = LessonProgram(self.folder)
        try:
            client = Client(program, ["stats"])
            replies = []
            for kind, fields in calls:
                replies.append(client.ask(kind, **fields))
                client.play(0.2)  # a hand stops the bar before it is struck
            client.close()
        finally:
            program.process.send_signal(signal.SIGTERM)
            program.process.wait(10)
        return replies

    def answers(self):
        with open(os.path.join(self.folder, "answers.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_work_is_kept_and_graded(self):
        code, text = self.check()
        self.assertEqual(code, 1)
        self.assertIn("0 of 3 right", text)
        replies = self.work(
            ("lesson.predict", {"name": "centre", "text": "modes 1 and 3"}),
            ("param.set", {"name": "place", "value": 0.02}),
            ("lesson.press", {"name": "strike_there"}),
            ("lesson.check", {"name": "silent_second"}),
            ("lesson.check", {"name": "all_four"}),
            ("param.set", {"name": "place", "value": 0.132}),
            ("lesson.press", {"name": "strike_there"}),
            ("lesson.check", {"name": "silent_second"}))
        self.assertEqual([r.get("right") for r in replies if r["type"] == "lesson.verdict"], [False, True, True])
        kept = self.answers()
        self.assertEqual(kept["predictions"], {"centre": "modes 1 and 3"})
        self.assertTrue(kept["answers"]["silent_second"]["right"])
        self.assertEqual(kept["answers"]["silent_second"]["tries"], 2)
        code, text = self.check()
        self.assertEqual(code, 1)
        self.assertIn("2 of 3 right", text)
        self.assertIn("right, 2 tries", text)
        self.assertRegex(text, r"Find a node of mode 1.*\n +not tried")
        # A second sitting adds to the first.
        self.work(("param.set", {"name": "place", "value": 0.2242}), ("lesson.press", {"name": "strike_there"}),
                  ("lesson.check", {"name": "node"}))
        self.assertEqual(len(self.answers()["sessions"]), 2)
        code, text = self.check()
        self.assertEqual(code, 0, text)
        self.assertIn("3 of 3 right", text)

    def test_forged_answers_do_not_count(self):
        self.work(("lesson.press", {"name": "strike_end"}), ("lesson.check", {"name": "node"}),
                  ("eval", {"text": "sb.question('node', function() return true end)"}),
                  ("lesson.check", {"name": "node"}))
        kept = self.answers()
        self.assertTrue(kept["answers"]["node"]["right"], "the console can bend a question")
        kept["answers"]["silent_second"] = {"right": True, "text": "I did it"}
        with open(os.path.join(self.folder, "answers.json"), "w", encoding="utf-8") as file:
            json.dump(kept, file)
        with open(os.path.join(self.folder, "03_where_you_strike.lua"), "a", encoding="utf-8") as file:
            file.write("sb.question('all_four', function() return true end)\n")
        code, text = self.check()
        self.assertEqual(code, 1)
        self.assertIn("0 of 3 right", text)
        self.assertIn("was changed; the lesson as shipped is the judge", text)
        self.assertEqual(text.count("does not confirm it"), 2, text)


main()
