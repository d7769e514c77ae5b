# SPDX-License-Identifier: MIT
"""What is turned in the page is heard: damping, solo, mute, the number of modes,
measured in the sound that the page gets."""
import math
import os
import threading

from studio import Client, StudioTest, level_at, main


# The fifth mode of this bar is loud: low ones radiate little.
LOUD = 5


class Sound(StudioTest):
    def strike_and_hear(self, seconds=1.2):
        """Strike near the end, wait, and take the sound since then."""
        self.page.quiet()
        struck = self.page.strike_at([-0.19, 0.006, 0])
        rate, sound = self.page.sound_from(struck["t"], seconds)
        loudest = max(range(len(sound)), key=lambda i: abs(sound[i]))
        self.assertGreater(abs(sound[loudest]), 1e-3, "nothing is heard")
        return rate, sound[loudest:]

    def modes(self):
        return self.page.js("return studio.store.modes")

    def t60_heard(self, mode):
        """From two windows, 24 dB apart."""
        rate, sound = self.strike_and_hear()
        apart = 0.4 * mode["t60"]
        first = level_at(sound, rate, mode["hz"], 0.05, 0.15)
        second = level_at(sound, rate, mode["hz"], 0.05 + apart, 0.15)
        return 60 * apart / (first - second)

    def set_alpha(self, value):
        self.page.tab("inspector")
        before = self.page.js("return studio.store.modes[0].t60")
        self.page.js("const s = studio.inspector.material.get('alpha');"
                     "s.field.focus(); s.field.value = arguments[0];"
                     "s.field.dispatchEvent(new Event('change')); s.field.blur()", str(value))
        self.page.until(f"return studio.store.modes[0].t60 !== {before}", "the table changes")
        self.page.tab("modes")

    def test_damping_slider_changes_table_and_sound(self):
        for alpha in (60, 20):
            self.set_alpha(alpha)
            mode = self.modes()[LOUD - 1]
            # The law: T60 = ln 1000 / ((alpha + beta w^2) / 2).
            law = 2 * math.log(1000) / (alpha + 1e-8 * (2 * math.pi * mode["hz"]) ** 2)
            self.assertLess(abs(mode["t60"] / law - 1), 0.01)
            heard = self.t60_heard(mode)
            self.assertLess(abs(heard / mode["t60"] - 1), 0.05, (heard, mode["t60"]))

    def test_solo_leaves_one_line(self):
        modes = self.modes()
        self.page.js("document.querySelector('[aria-label=\"Solo mode 5\"]').click()")
        self.page.until("return studio.store.isSolo(5)", "solo is set")
        try:
            rate, sound = self.strike_and_hear(0.8)
        finally:
            self.page.js("studio.modes.clear()")
            self.page.until("return !studio.store.isSolo(5)", "solo is cleared")
        level = [level_at(sound, rate, m["hz"], 0.05, 0.4) for m in modes[:8]]
        for i, other in enumerate(level):
            if i != LOUD - 1:
                self.assertLess(other, level[LOUD - 1] - 40, level)

    def test_mute_silences_one(self):
        modes = self.modes()
        rate, sound = self.strike_and_hear(0.8)
        before = level_at(sound, rate, modes[LOUD - 1]["hz"], 0.05, 0.4)
        self.page.js("document.querySelector('[aria-label=\"Mute mode 5\"]').click()")
        self.page.until("return studio.store.isMute(5)", "mute is set")
        rate, sound = self.strike_and_hear(0.8)
        after = level_at(sound, rate, modes[LOUD - 1]["hz"], 0.05, 0.4)
        self.page.js("studio.modes.clear()")
        self.page.until("return !studio.store.isMute(5)", "mute is cleared")
        self.assertLess(after, before - 40)

    def test_solo_and_material_survive_a_reset(self):
        modes = self.modes()
        self.set_alpha(55)
        self.page.js("document.querySelector('[aria-label=\"Solo mode 5\"]').click()")
        self.page.until("return studio.store.isSolo(5)", "solo is set")
        before = self.page.js("studio.bar.act('reset'); return studio.store.origin")
        self.page.until(f"return studio.store.origin > {before}", "the scene starts again")
        try:
            rate, sound = self.strike_and_hear(0.8)
        finally:
            self.page.js("studio.modes.clear()")
        self.assertTrue(self.page.js("return studio.store.isSolo(5)")
                        or self.page.until("return !studio.store.isSolo(5)", "solo is cleared"))
        level = [level_at(sound, rate, m["hz"], 0.05, 0.2) for m in modes[:8]]
        self.assertLess(max(level[:LOUD - 1] + level[LOUD:]), level[LOUD - 1] - 40)

    def test_number_of_modes(self):
        modes = self.modes()
        limit = "studio.modes.limit.take(arguments[0], true)"
        self.page.js(limit, 2)
        self.page.until("return studio.store.settings.limit[studio.store.selected] === 2",
                        "the limit is set")
        rate, sound = self.strike_and_hear(0.8)
        self.page.js(limit, len(modes))
        self.page.until("return !studio.store.settings.limit[studio.store.selected]",
                        "the limit is gone")
        first = level_at(sound, rate, modes[1]["hz"], 0.05, 0.4)
        for mode in modes[2:8]:
            self.assertLess(level_at(sound, rate, mode["hz"], 0.05, 0.4), first - 40)

    def test_pictures_show_the_sound(self):
        self.strike_and_hear(0.5)
        shown = self.page.js("return [studio.sound.now.db.length, Math.max(...studio.sound.peak),"
                             " studio.sound.scope.sound.length, studio.sound.pulse.duration]")
        self.assertGreater(shown[0], 100)
        self.assertGreater(shown[1], -100)
        self.assertGreater(shown[2], 100)
        self.assertGreater(shown[3], 0)

    def test_recording_is_compared(self):
        """The page's own sound, dropped on it as a file, has the same lines."""
        self.strike_and_hear(0.6)
        self.page.wait_for(
            "await studio.transport.request('recent', { seconds: 1 });"
            "await studio.sound.compare(new File([await studio.transport.getBytes('sound.wav')], 'own.wav'))")
        found = self.page.js("const r = studio.sound.recording; let best = 0;"
                             "r.db.forEach((v, i) => { if (v > r.db[best]) best = i; });"
                             "return [r.name, best * r.hzPerBin]")
        self.assertEqual(found[0], "own.wav")
        nearest = min(abs(m["hz"] - found[1]) for m in self.modes())
        self.assertLess(nearest, 12)
        self.page.click("#compare")
        self.assertIsNone(self.page.js("return studio.sound.recording"))

    def packets(self):
        return self.page.wait_for("return new Promise(done => { const w = studio.audio.worker;"
                                  "w.onmessage = e => done(e.data.packets); w.postMessage({}); })")

    def test_sound_is_sent_while_somebody_listens(self):
        if self.page.find("#listen").get_attribute("aria-pressed") == "true":
            self.page.click("#listen")
        before = self.packets()
        self.page.js("window.was = studio.bar.time")
        self.page.until("return studio.bar.time > window.was + 1", "a second has been played")
        self.assertEqual(self.packets(), before)
        self.assertTrue(self.page.js("return document.getElementById('delay').hidden"))
        self.page.click("#listen")
        self.page.until("return studio.audio.state && studio.audio.state.fill > 0", "packets reach the player")
        self.page.until("return /^delay \\d+ ms$/.test(document.getElementById('delay').textContent)", "the delay is shown")
        self.assertGreater(self.packets(), before)
        print(f"in the page: {self.page.find('#delay').text}; {self.page.js('return studio.audio.state')}")
        self.page.click("#listen")
        after = self.packets()
        self.page.js("window.was = studio.bar.time")
        self.page.until("return studio.bar.time > window.was + 0.5", "more has been played")
        self.assertEqual(self.packets(), after)

    def play(self, script):
        """The player of the page, fed by hand: tone(hz, frames) sends, run(blocks)
        plays 128 frames each."""
        return self.page.wait_for("""
            const { Player } = await import('/page/sound/player.js');
            const p = new Player(), out = [], bends = [];
            let phase = 0, sent = 0;
            const send = (hz, frames) => {
                for (; frames > 0; frames -= 256) {
                    const samples = new Int16Array(512);
                    for (let i = 0; i < 256; i++) {
                        samples[2 * i] = samples[2 * i + 1] = Math.round(hz ? 16000 * Math.sin(phase) : 0);
                        phase += 2 * Math.PI * hz / 48000;
                    }
                    p.take({ rate: 48000, samples });
                }
            };
            const run = () => {
                const l = new Float32Array(128), r = new Float32Array(128);
                p.play(l, r, 48000);
                bends.push(1200 * Math.log2(1 + p.bent));
                out.push(...l);
            };
            const live = (hz, seconds) => { for (let i = 0; i < seconds * 375; i++) { if (i % 2 === 0) send(hz, 256); run(); } };
            """ + script)

    def test_player_catches_up_at_once_in_silence(self):
        fills = self.play("""
            live(0, 1); const before = p.fill; send(0, 0.4 * 48000); const full = p.fill;
            run(); const after = p.fill;
            // Nothing that sounds is left out with the silence.
            send(0, 4800); send(1000, 4800); const from = out.length; for (let i = 0; i < 80; i++) run();
            return [before, full, after, p.target, out.slice(from).filter(v => Math.abs(v) > 0.3).length];""")
        before, full, after, target, heard = fills
        self.assertLess(before, target + 0.02)
        self.assertGreater(full, 0.4)
        self.assertLess(after, target + 0.011)
        # So much of 4800 frames of a sine of 0.488 is above 0.3: 2780; the last block is not played.
        self.assertGreater(heard, 2600)

    def test_player_never_bends_by_a_cent(self):
        most, over, target, step = self.play("""
            live(1000, 2); send(1000, 0.1 * 48000); live(1000, 2);       // somewhat too much
            send(1000, 0.4 * 48000); const from = out.length; live(1000, 1);  // far too much
            let step = 0; for (let i = from + 1; i < out.length; i++) step = Math.max(step, Math.abs(out[i] - out[i - 1]));
            return [Math.max(...bends.map(Math.abs)), p.fill, p.target, step];""")
        self.assertLess(most, 1)
        self.assertLess(over, target + 0.16)
        # No step beyond that of the sine itself: 2 pi 1000 / 48000 of 0.488.
        self.assertLess(step, 1.1 * 2 * math.pi * 1000 / 48000 * 16000 / 32768)

    def test_player_shrinks_its_target_again(self):
        grown, later = self.play("""
            live(440, 1); for (let i = 0; i < 60; i++) run();   // nothing comes
            const grown = p.target; live(440, 12); return [grown, p.target];""")
        self.assertAlmostEqual(grown, 0.055)
        self.assertAlmostEqual(later, 0.04)


LASTING = """local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 }, gain = 100 }
local level = sb.param("level", { min = 0, max = 1, default = 1 })
local tone = sb.body("tone", { shape = sb.modes { { freq = 2000, t60 = 600, gain = 1 } } })
sb.every(0.005, function() tone:gain(level()) end)
sb.after(0.1, function() tone:strike { impulse = 0.001 } end)
"""


class Slider(StudioTest):
    scene = LASTING
    peaks = []  # of each packet: when it came, its largest sample

    def test_figures_from_slider_to_sound(self):
        """Printed, not judged. From the slider's event in the page until a page
        has the sound that changed: the program's own output has it earlier, by
        the way over the network, and a device plays it later, by its buffer."""
        client = Client(self.program, ["pcm"])
        stop, heard = threading.Event(), threading.Condition()

        def listen():
            while not stop.is_set():
                client.hear()
                with heard:
                    heard.notify()

        def wait(check, what):
            with heard:
                value = heard.wait_for(check, 20)
            self.assertTrue(value, what)
            return value

        reader = threading.Thread(target=listen, daemon=True)
        reader.start()
        level, times = 1.0, []
        origin = self.page.js("return performance.timeOrigin")
        for i in range(40):
            some = len(client.sounds) + 20 + i % 7
            wait(lambda: len(client.sounds) > some, "packets have come since")
            level = 1.25 - level  # 1 or 0.25
            moved = 1e-3 * (origin + self.page.js(
                "const t = performance.now(); studio.inspector.params.get('level').take(arguments[0], false); return t", level))
            came = wait(lambda: self.changed(list(client.sounds), moved, level), "the sound changes")
            times.append(1000 * (came - moved))
        stop.set()
        reader.join()
        client.close()
        times.sort()
        print(f"slider to changed sound in a page, {len(times)} times: median {times[len(times) // 2]:.0f} ms, "
              f"worst {times[-1]:.0f} ms (load average {os.getloadavg()[0]:.1f})")
        self.assertGreater(times[0], 0)

    def changed(self, sounds, moved, level):
        """When the packet came in which the level is more than halfway to the
        new one, or None; the tone itself hardly decays."""
        self.peaks += ((came, max(map(abs, samples))) for came, _, _, samples in sounds[len(self.peaks):])
        top = max(peak for _, peak in self.peaks[-400:])
        for came, peak in self.peaks:
            if came > moved and (peak > 0.625 * top) == (level > 0.625):
                return came
        return None


main()
