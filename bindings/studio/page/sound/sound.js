// SPDX-License-Identifier: MIT
// The sound: scope, spectrum with mode ticks and the last pulse, spectrogram;
// freeze; a recording to compare with; the last 30 s as a file.
import { buttonById, byId, canvasById, inputById, notice, short, withUnit } from '../dom.js';
import { spectrumDb } from './fft.js';
import { Plot, ink } from '../plot.js';
import { RECORD, readScope, readSpectrum } from '../records.js';
import { Spectrogram } from './spectrogram.js';
import { readSound } from './wav.js';

export class Sound {
    /** @param {Store} store @param {Transport} transport @param {import('./audio.js').Audio} audio */
    constructor(store, transport, audio) {
        this.store = store;
        this.audio = audio;
        this.frozen = false;
        /** @type {{db: Float32Array, hzPerBin: number}|null} */ this.now = null;
        /** @type {Float32Array|null} the highest of the last seconds */ this.peak = null;
        /** @type {{rate: number, sound: Float32Array}|null} */ this.scope = null;
        /** @type {{duration: number, impulse: number, peak_force: number}|null} */ this.pulse = null;
        /** @type {{name: string, db: Float32Array, hzPerBin: number}|null} */ this.recording = null;
        this.file = inputById('compare-file');
        this.file.onchange = () => this.compare(/** @type {FileList} */ (this.file.files)[0]);
        this.note = byId('sound-note');
        this.build();
        this.scopePlot = new Plot(canvasById('scope'), { left: 42, bottom: 4 });
        this.spectrumPlot = new Plot(canvasById('spectrum'));
        this.gram = new Spectrogram(canvasById('spectrogram'));
        transport.onRecord(RECORD.spectrum, r => this.takeSpectrum(readSpectrum(r.view)));
        transport.onRecord(RECORD.scope, r => {
            if (!this.frozen)
                this.scope = readScope(r.view);
        });
        store.on('struck', m => { this.pulse = m; this.describe(); });
        store.on('contacts', list => {
            const last = list[list.length - 1];
            this.pulse = last ? (last.duration > 0 ? last : null) : this.pulse; // an impulse is no pulse
            this.describe();
        });
        store.on('scheme', () => this.gram.takeScheme());
        store.on('scene', () => { this.peak = null; this.pulse = null; });
        this.dirty = true;
        const draw = () => {
            requestAnimationFrame(draw);
            if (this.dirty && !document.hidden) {
                this.dirty = false;
                this.drawScope();
                this.drawSpectrum();
                this.gram.draw(this.store.modes.slice(0, 60));
            }
        };
        for (const plot of [this.scopePlot, this.spectrumPlot])
            plot.onresize = () => { this.dirty = true; };
        for (const name of ['mode', 'modes', 'struck', 'scheme', 'settings'])
            store.on(name, () => { this.dirty = true; });
        draw();
    }

    build() {
        const place = byId('p-sound');
        buttonById('freeze').onclick = () => this.freeze();
        buttonById('compare').onclick = () => this.compareButton();
        buttonById('save-wav').onclick = () => this.audio.save(this.name());
        place.addEventListener('dragover', e => { e.preventDefault(); place.classList.add('drop'); });
        place.addEventListener('dragleave', () => place.classList.remove('drop'));
        place.addEventListener('drop', e => {
            e.preventDefault();
            place.classList.remove('drop');
            const file = e.dataTransfer?.files[0];
            if (file)
                this.compare(file);
        });
    }

    name() {
        return (this.store.scene?.file || 'sandbell').replace(/^.*\//, '').replace(/\.lua$/, '');
    }

    freeze() {
        this.frozen = !this.frozen;
        buttonById('freeze').setAttribute('aria-pressed', String(this.frozen));
    }

    compareButton() {
        if (!this.recording) {
            this.file.click();
            return;
        }
        this.recording = null;
        this.file.value = '';
        buttonById('compare').textContent = 'Compare…';
        this.dirty = true;
        this.describe();
    }

    // The highest spectrum of the first two seconds after its loudest frame begins.
    /** @param {File} file */
    async compare(file) {
        if (!file)
            return;
        try {
            const { rate, sound } = await readSound(await file.arrayBuffer());
            const size = 8192;
            const db = new Float32Array(size / 2).fill(-200);
            const end = Math.min(sound.length, 10 * rate);
            for (let at = 0; at < Math.max(1, end - size / 2); at += size / 2)
                spectrumDb(sound, size, at).forEach((v, i) => { db[i] = Math.max(db[i], v); });
            this.recording = { name: file.name, db, hzPerBin: rate / size };
            buttonById('compare').textContent = 'Remove recording';
            this.describe();
            this.dirty = true;
        } catch {
            notice(`${file.name} cannot be read as sound`);
        }
    }

    describe() {
        const parts = [];
        if (this.pulse)
            parts.push(`last pulse ${withUnit(this.pulse.duration, 's')}, ${short(this.pulse.peak_force)} N`);
        if (this.recording)
            parts.push(`recording ${this.recording.name}`);
        this.note.textContent = parts.join(' · ');
    }

    /** @param {{db: Float32Array, hzPerBin: number}} s */
    takeSpectrum(s) {
        if (this.frozen)
            return;
        this.now = s;
        const old = this.peak;
        this.peak = s.db.map((v, i) => Math.max(v, (old && old.length === s.db.length ? old[i] : -200) - 0.25));
        this.gram.add(s.db, s.hzPerBin);
        this.dirty = true;
    }

    drawScope() {
        const p = this.scopePlot;
        if (!p.visible)
            return;
        let most = 1e-4;
        for (const v of this.scope?.sound || [])
            most = Math.max(most, Math.abs(v));
        const n = this.scope?.sound.length || 2;
        p.begin({ min: 0, max: n - 1 }, { min: -most * 1.05, max: most * 1.05 });
        const g = p.g;
        g.strokeStyle = ink('grid');
        g.strokeRect(p.left + 0.5, p.top + 0.5, p.right - p.left - 1, p.bottom - p.top - 1);
        g.fillStyle = ink('faint');
        g.textAlign = 'right';
        g.textBaseline = 'top';
        g.fillText(short(most, 2), p.left - 4, p.top + 2);
        const scope = this.scope;
        if (scope)
            p.inside(() => p.line(n, i => i, i => scope.sound[i], ink('accent'), 1));
    }

    drawSpectrum() {
        const p = this.spectrumPlot;
        if (!p.visible)
            return;
        p.begin({ min: 30, max: 20000, log: true, unit: 'Hz' }, { min: -120, max: 0 });
        p.axes();
        p.inside(() => {
            this.ticks(p);
            if (this.pulse && this.pulse.duration > 0)
                this.drawPulse(p, this.pulse.duration);
            const { now, peak, recording } = this;
            if (recording)
                this.curve(p, recording.db, recording.hzPerBin, ink('cool'), this.lift(recording.db), 1.25);
            if (now && peak)
                this.curve(p, peak, now.hzPerBin, ink('line'), 0, 1);
            if (now)
                this.curve(p, now.db, now.hzPerBin, ink('accent'), 0, 1.4);
            p.legend([['dB', 'faint'], ['now', 'accent'], ['held', 'faint'], [this.pulse ? 'the last blow' : '', 'cool'], [recording ? 'recording' : '', 'cool']]);
        });
    }

    // Bring a recording to the level of what was heard last.
    /** @param {Float32Array} db */
    lift(db) {
        let a = -200;
        let b = -200;
        for (const v of this.peak || [])
            a = Math.max(a, v);
        for (const v of db)
            b = Math.max(b, v);
        return a > -120 ? a - b : 0;
    }

    /**
     * The highest bin of each pixel.
     * @param {Plot} p
     * @param {Float32Array} db
     * @param {number} hzPerBin
     * @param {string} colour
     * @param {number} lift
     * @param {number} width
     */
    curve(p, db, hzPerBin, colour, lift, width) {
        const n = Math.floor(p.right - p.left);
        const at = (/** @type {number} */ i) => p.atX(p.left + i) / hzPerBin;
        p.line(n, i => p.atX(p.left + i), i => {
            const low = at(i);
            const high = Math.min(db.length - 1, at(i + 1));
            if (high - low < 1) {
                const k = Math.floor(low);
                const a = db[k] ?? -200;
                return lift + a + (low - k) * ((db[k + 1] ?? a) - a);
            }
            let most = -200;
            for (let k = Math.floor(low); k <= high; k++)
                most = Math.max(most, db[k]);
            return lift + most;
        }, colour, width);
    }

    /** @param {Plot} p */
    ticks(p) {
        const g = p.g;
        const { store } = this;
        for (const m of store.modes) {
            const x = Math.round(p.px(m.hz)) + 0.5;
            const on = store.shown.has(m.n);
            g.strokeStyle = on ? ink('ink') : ink('faint');
            g.globalAlpha = on ? 0.9 : 0.35;
            g.beginPath();
            g.moveTo(x, on ? p.top : p.bottom - 9);
            g.lineTo(x, p.bottom);
            g.stroke();
        }
        g.globalAlpha = 1;
    }

    // Spectrum of half a sine of this duration: where it falls, the strike
    // excites no modes.
    /** @param {Plot} p @param {number} seconds */
    drawPulse(p, seconds) {
        const n = Math.floor((p.right - p.left) / 2);
        p.g.setLineDash([4, 3]);
        p.line(n, i => p.atX(p.left + 2 * i), i => {
            const x = p.atX(p.left + 2 * i) * seconds;
            const below = 1 - 4 * x * x;
            const size = Math.abs(below) < 1e-3 ? Math.PI / 4 : Math.abs(Math.cos(Math.PI * x) / below);
            return -6 + 20 * Math.log10(size + 1e-7);
        }, ink('cool'), 1);
        p.g.setLineDash([]);
    }
}
