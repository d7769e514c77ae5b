// Plays packets of 16-bit stereo as they come. The buffer aims at a short delay,
// which grows after it has run dry; it follows the drift of the two clocks by
// playing a little faster or slower; far too full, it is cut with a crossfade.
/* global AudioWorkletProcessor, registerProcessor, sampleRate */

const SECONDS = 2;
const FADE = 256;

class Player extends AudioWorkletProcessor {
    constructor() {
        super();
        this.rate = 48000;
        this.size = SECONDS * this.rate;
        this.left = new Float32Array(this.size);
        this.right = new Float32Array(this.size);
        this.written = 0;
        this.read = 0;
        this.playing = false;
        this.target = 0.04;
        this.dry = 0;
        this.blocks = 0;
        this.port.onmessage = event => {
            if (event.data.port)
                event.data.port.onmessage = packet => this.take(packet.data);
        };
    }

    take({ rate, samples }) {
        this.rate = rate;
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

    sample(from, at) {
        const i = Math.floor(at);
        const f = at - i;
        const a = from[i % this.size];
        return a + f * (from[(i + 1) % this.size] - a);
    }

    process(inputs, outputs) {
        const [l, r] = outputs[0];
        const n = l.length;
        if (!this.playing && this.fill >= this.target) {
            this.playing = true;
            this.read = this.written - this.target * this.rate;
        }
        if (this.playing && this.fill < (n * this.rate / sampleRate + 2) / this.rate) {
            this.playing = false;
            this.dry++;
            this.target = Math.min(0.25, this.target + 0.015);
        }
        if (this.playing) {
            let jump = 0;
            if (this.fill > this.target + 0.5)
                jump = Math.floor((this.fill - this.target) * this.rate);
            const error = this.fill - this.target;
            const follow = 1 + Math.max(-0.004, Math.min(0.004, 0.02 * error));
            const step = follow * this.rate / sampleRate;
            for (let i = 0; i < n; i++) {
                const at = this.read + i * step;
                l[i] = this.sample(this.left, at);
                r[i] = this.sample(this.right, at);
                if (jump) {
                    const f = Math.min(1, i / Math.min(FADE, n));
                    l[i] += f * (this.sample(this.left, at + jump) - l[i]);
                    r[i] += f * (this.sample(this.right, at + jump) - r[i]);
                }
            }
            this.read += n * step + jump;
        }
        if (++this.blocks % 100 === 0)
            this.port.postMessage({ fill: this.fill, dry: this.dry, target: this.target });
        return true;
    }
}

registerProcessor('sandbell-player', Player);
