# SPDX-License-Identifier: MIT
"""What goes in and out of the page as files, and what is rarely touched: a
take, the last 30 s, a dropped WAV, CSV, merging and
what it removed, the gain, sound without an AudioWorklet."""
import csv
import math
import struct

from studio import Page, StudioTest, main

SCENE = """local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 }, gain = 0.3 }
sb.body("disk", {
  shape = sb.disk { radius = 0.15, thickness = 0.003, merge = false },
  material = sb.material("test metal", { base = "steel", alpha = 20 }),
})
"""

# Keeps what the page gives to be downloaded.
CATCH = """
window.given = [];
const make = URL.createObjectURL.bind(URL);
URL.createObjectURL = blob => { given.push(blob); return make(blob); };"""


class Files(StudioTest):
    scene = SCENE

    def setUp(self):
        if not self.page.js("return !!window.given"):
            self.page.js(CATCH)
        self.page.js("given.length = 0")

    def given(self):
        """The bytes of the file that the page gave."""
        self.page.until("return given.length", "a file is given", 60)
        return bytes(self.page.wait_for("return [...new Uint8Array(await given[0].arrayBuffer())]"))

    def wav(self, content):
        """Rate and samples of one channel."""
        self.assertEqual((content[:4], content[8:12]), (b"RIFF", b"WAVE"))
        at, rate, channels, bits, sound = 12, 0, 0, 0, b""
        while at + 8 <= len(content):
            name, size = content[at:at + 4], struct.unpack_from("<I", content, at + 4)[0]
            if name == b"fmt ":
                channels, rate, _, _, bits = struct.unpack_from("<HIIHH", content, at + 10)
            if name == b"data":
                sound = content[at + 8:at + 8 + size]
            at += 8 + size + size % 2
        step = bits // 8
        every = step * channels
        return rate, [int.from_bytes(sound[i:i + step], "little", signed=True) / 2 ** (bits - 1)
                      for i in range(0, len(sound) - every + 1, every)]

    def strike(self):
        self.page.quiet()
        return self.page.strike_at([0.1, 0.0015, 0.03])

    def test_record_gives_a_take(self):
        """From press to press, without the silence."""
        self.page.quiet()
        pressed = "return document.getElementById('record').getAttribute('aria-pressed') === 'true'"
        self.page.click("#record")
        self.page.until(pressed, "it records")
        begun = self.page.js("return studio.bar.time")
        self.page.until(f"return studio.bar.time > {begun} + 1", "a second of silence")
        self.page.strike_at([0.1, 0.0015, 0.03])
        struck = self.page.js("return studio.bar.time")
        self.page.until(f"return studio.bar.time > {struck} + 0.6", "it has been heard")
        self.page.click("#record")
        content = self.given()
        self.assertEqual(struct.unpack_from("<H", content, 34)[0], 24)
        rate, sound = self.wav(content)
        loud = max(map(abs, sound))
        self.assertGreater(loud, 1e-3)
        first = next(i for i, v in enumerate(sound) if abs(v) > 0.05 * loud) / rate
        self.assertLess(first, 0.02)
        self.assertGreater(len(sound) / rate, 0.3)
        self.assertLess(len(sound) / rate, 2)
        self.assertFalse(self.page.js(pressed))
        self.assertEqual(self.page.js("return document.querySelector('#ask').open"), False)

    def test_last_seconds_are_saved(self):
        self.heard()
        self.page.click("#save-wav")
        rate, sound = self.wav(self.given())
        self.assertGreater(len(sound) / rate, 0.5)
        self.assertLessEqual(len(sound) / rate, 30.01)
        self.assertGreater(max(map(abs, sound[-2 * rate:])), 1e-3)
        self.page.until("return /s of sound saved/.test(document.getElementById('notice').textContent)", "it is said")

    def test_dropped_wav_is_compared(self):
        n, hz = 48000, 1234.0
        samples = b"".join(struct.pack("<h", int(20000 * math.sin(2 * math.pi * hz * i / 48000))) for i in range(n))
        head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(samples), b"WAVE", b"fmt ", 16, 1, 1, 48000, 96000, 2, 16,
                           b"data", len(samples))
        self.page.js("""
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(arguments[0])], 'tone.wav', { type: 'audio/wav' }));
            const place = document.getElementById('p-sound');
            for (const kind of ['dragover', 'drop'])
                place.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));""",
                     list(head + samples))
        self.page.until("return studio.sound.recording", "the file is read")
        found = self.page.js("const r = studio.sound.recording; let best = 0;"
                             "r.db.forEach((v, i) => { if (v > r.db[best]) best = i; }); return [best * r.hzPerBin, r.db[best]]")
        self.assertLess(abs(found[0] - hz), 4)
        self.assertLess(abs(found[1] - 20 * math.log10(20000 / 32768)), 1.5)
        self.assertIn("tone.wav", self.page.find("#sound-note").text)
        self.page.click("#compare")
        # What is no sound is refused with a line, and nothing else changes.
        self.page.wait_for("await studio.sound.compare(new File(['no sound'], 'text.wav'))")
        self.assertIn("text.wav cannot be read as sound", self.page.find("#notice").text)
        self.assertIsNone(self.page.js("return studio.sound.recording"))

    def test_modes_as_csv(self):
        self.page.tab("modes")
        self.page.until("return studio.store.modes.length === studio.store.body.mode_count", "the table is there")
        self.page.click("#modes-csv")
        lines = self.given().decode().strip().split("\n")
        self.assertEqual(lines[0], "n,name,hz,note,ratio,t60_s,t60_material_s,t60_air_s,q,phi,energy_j")
        modes = self.page.js("return studio.store.modes")
        self.assertEqual(len(lines) - 1, len(modes))
        for line, mode in zip(lines[1:], modes):
            cells = next(csv.reader([line]))
            self.assertEqual(int(cells[0]), mode["n"])
            self.assertEqual(cells[1], mode["label"])
            self.assertAlmostEqual(float(cells[2]), mode["hz"], 6)
            self.assertAlmostEqual(float(cells[5]), mode["t60"], 9)
        self.assertTrue(modes[0]["label"])

    def heard(self):
        """The sound of a strike, from its beginning."""
        return self.page.sound_from(self.strike()["t"], 0.6)

    def test_merging_and_what_it_removed(self):
        self.page.tab("quality")
        count = self.page.js("return studio.store.body.mode_count")
        _, all_of_it = self.heard()
        self.page.js("studio.quality.merge.take(1, true)")
        self.page.until(f"return studio.store.body.mode_count < {count}", "modes are merged")
        self.page.click("#removed")
        self.page.until("return studio.store.body.hears_removed", "what was removed is heard")
        self.assertEqual(self.page.find("#removed").get_attribute("aria-pressed"), "true")
        _, removed = self.heard()
        loud, rest = (math.sqrt(sum(v * v for v in sound)) for sound in (all_of_it, removed))
        print(f"what merging by 1 jnd removed of a disk's {count} modes has {20 * math.log10(rest / loud):.1f} dB of all")
        self.assertGreater(rest, 0.01 * loud)
        self.assertLess(rest, 0.9 * loud)
        self.page.click("#removed")
        self.page.until("return !studio.store.body.hears_removed", "and all again")
        self.page.js("studio.quality.merge.take(0, true)")
        self.page.until(f"return studio.store.body.mode_count === {count}", "modes are apart again")

    def test_gain_of_everything(self):
        def level():
            return 20 * math.log10(max(map(abs, self.heard()[1])))

        before = level()
        value = self.page.js("return Number(document.getElementById('master').value)")
        self.assertAlmostEqual(value, 20 * math.log10(0.3), 0)
        self.page.js("const m = document.getElementById('master'); m.value = arguments[0] - 12;"
                     "m.dispatchEvent(new Event('change'))", value)
        wanted = round(value - 12)
        self.page.until(f"return Math.abs(20 * Math.log10(studio.store.scene.quality.gain) - {wanted}) < 0.6", "the gain is set")
        gain = self.page.js("return studio.store.scene.quality.gain")
        self.assertLess(abs(level() - before - 20 * math.log10(gain / 0.3)), 0.3)

    def test_sound_without_a_worklet(self):
        page = Page("about:blank", wait=False)
        try:
            page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
                delete BaseAudioContext.prototype.audioWorklet;
                window.starts = [];
                const start = AudioBufferSourceNode.prototype.start;
                AudioBufferSourceNode.prototype.start = function (at) {
                    starts.push([at, this.buffer.duration, Math.max(...this.buffer.getChannelData(0).map(Math.abs))]);
                    return start.call(this, at);
                };"""})
            page.open(self.program.url, 1280, 800, "dark", True, "fast")
            page.click("#listen")
            page.until("return starts.length > 20", "packets are scheduled")
            page.strike_at([0.1, 0.0015, 0.03])
            page.until("return Math.max(...starts.map(s => s[2])) > 1e-3", "the strike is in them")
            starts = page.js("return starts")
            gaps = sum(abs(b[0] - a[0] - a[1]) > 1e-6 for a, b in zip(starts, starts[1:]))
            self.assertLess(gaps, 0.2 * len(starts))  # one follows the other
            self.assertEqual(page.find("#listen").get_attribute("aria-pressed"), "true")
        finally:
            page.close()


main()
