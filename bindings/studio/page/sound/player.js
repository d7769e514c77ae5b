// SPDX-License-Identifier: MIT
// Packets of 16-bit stereo as one sound, with a short delay. The delay aims at a
// target, which grows when the buffer runs dry and shrinks again after a calm
// time. What is too much is left out at once where it is silent; where it is
// not, only if it is far too much, with a crossfade of two stretches that fit.
// Else the speed follows the two clocks by less than a cent.

const SECONDS = 2;
const LEAST = 0.04;
const MOST = 0.25;
const FAR = 0.15; // s too much, where something sounds
const NEAR = 0.01; // s too much, in silence
const SILENT = 1e-4; // of full scale
const BEND = 0.0005; // 0.87 cents
const FADE = 512; // frames
const CALM = 10; // s without a gap until the target shrinks
const CALMEST = 160;

export class Player {
    constructor() {
        this.rate = 48000;
        this.size = SECONDS * this.rate;
        this.left = new Float32Array(this.size);
        this.right = new Float32Array(this.size);
        this.written = 0;
        this.read = 0;
        this.playing = false;
        this.target = LEAST;
        this.dry = 0;
        this.calm = 0;
        this.patience = CALM;
        this.shrunk = false;
        this.bent = 0; // the last speed, above 1
        this.jump = 0; // frames that the crossfade leaves out
        this.faded = 0;
    }

    /** @param {{rate: number, samples: Int16Array}} packet */
    take({ rate, samples }) {
        if (rate !== this.rate) {
            this.rate = rate;
            this.size = SECONDS * rate;
            this.left = new Float32Array(this.size);
            this.right = new Float32Array(this.size);
            this.written = this.read = 0;
            this.playing = false;
        }
        const n = samples.length / 2;
        for (let i = 0; i < n; i++) {
            const at = (this.written + i) % this.size;
            this.left[at] = samples[2 * i] / 32768;
            this.right[at] = samples[2 * i + 1] / 32768;
        }
        this.written += n;
    }

    /** Seconds that wait. */
    get fill() {
        return (this.written - this.read) / this.rate;
    }

    /** @param {Float32Array} from @param {number} at */
    sample(from, at) {
        const i = Math.floor(at);
        const a = from[i % this.size];
        return a + (at - i) * (from[(i + 1) % this.size] - a);
    }

    // Frames from here on that are silent, at most so many.
    /** @param {number} most */
    silence(most) {
        const from = Math.floor(this.read);
        let n = 0;
        while (n < most && Math.abs(this.left[(from + n) % this.size]) < SILENT && Math.abs(this.right[(from + n) % this.size]) < SILENT)
            n++;
        return n;
    }

    // About so many frames to leave out, so that the sound goes on where it is.
    /** @param {number} about */
    fit(about) {
        const from = Math.floor(this.read);
        let best = about;
        let most = -Infinity;
        for (let lag = about; lag > Math.max(FADE, about - 480); lag--) {
            let sum = 0;
            for (let i = 0; i < FADE; i += 2)
                sum += this.left[(from + i) % this.size] * this.left[(from + lag + i) % this.size];
            if (sum > most)
                [most, best] = [sum, lag];
        }
        return best;
    }

    // The next frames.
    /** @param {Float32Array} l @param {Float32Array} r @param {number} outRate */
    play(l, r, outRate) {
        const n = l.length;
        const plain = this.rate / outRate;
        if (!this.playing && this.fill >= this.target) {
            this.playing = true;
            this.read = this.written - Math.round(this.target * this.rate);
        }
        if (this.playing && this.written - this.read < n * plain * (1 + BEND) + 2)
            this.runDry();
        if (!this.playing) {
            l.fill(0);
            r.fill(0);
            return;
        }
        this.catchUp();
        this.bent = Math.max(-BEND, Math.min(BEND, 0.02 * (this.fill - this.jump / this.rate - this.target)));
        const step = plain * (1 + this.bent);
        for (let i = 0; i < n; i++) {
            l[i] = this.sample(this.left, this.read);
            r[i] = this.sample(this.right, this.read);
            if (this.jump) {
                const f = ++this.faded / FADE;
                l[i] += f * (this.sample(this.left, this.read + this.jump) - l[i]);
                r[i] += f * (this.sample(this.right, this.read + this.jump) - r[i]);
                if (this.faded >= FADE) {
                    this.read += this.jump;
                    this.jump = this.faded = 0;
                }
            }
            this.read += step;
        }
        this.beCalm(n / outRate);
    }

    catchUp() {
        const over = Math.floor((this.fill - this.target) * this.rate);
        if (this.jump || over < NEAR * this.rate)
            return;
        const silent = this.silence(over);
        if (silent >= over || silent > FADE)
            this.read += silent;
        else if (over > FAR * this.rate)
            this.jump = this.fit(over);
    }

    runDry() {
        this.playing = false;
        this.jump = this.faded = 0;
        this.dry++;
        this.target = Math.min(MOST, this.target + 0.015);
        if (this.shrunk) // too early
            this.patience = Math.min(CALMEST, 2 * this.patience);
        this.shrunk = false;
        this.calm = 0;
    }

    /** @param {number} seconds */
    beCalm(seconds) {
        this.calm += seconds;
        if (this.calm < this.patience || this.target <= LEAST)
            return;
        this.calm = 0;
        this.shrunk = true;
        this.target = Math.max(LEAST, this.target - 0.015);
    }
}
