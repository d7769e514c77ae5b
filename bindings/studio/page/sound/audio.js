// SPDX-License-Identifier: MIT
// "Listen here": the sound in the page; and what was played, as a file.
import { announce, buttonById, byId, download, inputById, notice } from '../dom.js';
import { Slider } from '../slider.js';

export class Audio {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.transport = transport;
        this.worker = new Worker('/page/sound/pcm_worker.js', { type: 'module' });
        /** @type {AudioContext|null} */ this.context = null;
        /** @type {AudioNode|null} */ this.node = null;
        /** @type {any} what the player reports */ this.state = null;
        /** @type {GainNode|null} */ this.volume = null;
        const button = buttonById('listen');
        button.onclick = () => {
            this.chosen = true;
            this.setOn(button.getAttribute('aria-pressed') !== 'true');
        };
        this.gain = new Slider({ range: inputById('gain'), name: 'volume in this page', min: -40, max: 20, value: 0, unit: 'dB', reset: 0,
            change: () => this.setVolume() });
        // Without a sound card the page plays, from the first touch on: browsers
        // do not allow it earlier.
        this.chosen = false;
        document.addEventListener('pointerdown', e => {
            if (!this.chosen && store.scene?.output?.is_silent && !button.contains(/** @type {Node} */ (e.target)))
                this.setOn(true);
            this.chosen = true;
        }, { once: true });
    }

    setVolume() {
        if (this.volume)
            this.volume.gain.value = 10 ** (this.gain.value / 20);
    }

    /** @param {boolean} on */
    async setOn(on) {
        const button = buttonById('listen');
        /** @type {HTMLElement} */ (this.gain.range.parentElement).hidden = !on;
        button.setAttribute('aria-pressed', String(on));
        announce(on ? 'listening here' : 'not listening here');
        if (!on) {
            this.worker.postMessage({ sink: null });
            this.state = null;
            byId('delay').hidden = true;
            await this.context?.close();
            this.context = null;
            return;
        }
        const context = new AudioContext({ latencyHint: 'interactive' });
        this.context = context;
        const channel = new MessageChannel();
        this.volume = context.createGain();
        this.volume.connect(context.destination);
        this.setVolume();
        try {
            if (context.audioWorklet) {
                await context.audioWorklet.addModule('/page/sound/audio_worklet.js');
                const node = new AudioWorkletNode(context, 'sandbell-player', { numberOfInputs: 0, outputChannelCount: [2] });
                node.port.onmessage = e => this.report(e.data);
                node.port.postMessage({ port: channel.port2 }, [channel.port2]);
                node.connect(this.volume);
            } else {
                schedule(context, this.volume, channel.port2, s => this.report(s));
            }
            await context.resume();
            this.worker.postMessage({ sink: channel.port1, address: this.transport.address, token: this.transport.token }, [channel.port1]);
        } catch (error) {
            notice(`no sound in this page: ${/** @type {Error} */ (error).message}`);
            button.setAttribute('aria-pressed', 'false');
        }
    }

    // From the program's output to the ear, as far as the browser knows.
    /** @param {{fill: number, dry: number, target: number}} state */
    report(state) {
        const context = this.context;
        if (!context)
            return;
        this.state = state;
        const delay = state.fill + (context.outputLatency || context.baseLatency || 0);
        byId('delay').hidden = false;
        byId('delay').textContent = `delay ${Math.round(1000 * delay)} ms`;
        byId('delay').title = `The sound waits ${Math.round(1000 * state.fill)} ms in this page, to bridge gaps; there were ${state.dry}`;
    }

    // Download what the program has made of a request.
    /** @param {Promise<any>} asked @param {string} name */
    async fetch(asked, name) {
        try {
            const done = await asked;
            if (!done.url) {
                notice('nothing was heard');
                return;
            }
            download(`${name}.wav`, await this.transport.getBytes(done.url.replace(/^\/api\/v1\//, '')), 'audio/wav');
            notice(`${done.seconds.toFixed(1)} s of sound saved${done.cut ? '; the rest did not fit: a take has at most 10 minutes' : ''}`);
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }

    // The last 30 s, without the silence at both ends.
    /** @param {string} name */
    save(name) {
        return this.fetch(this.transport.request('recent', { seconds: 30 }), name);
    }
}

// Where there is no AudioWorklet (a page of another host without https):
// each packet is a source of its own, scheduled after the last.
/** @param {AudioContext} context @param {AudioNode} sink @param {MessagePort} port @param {(state: any) => void} report */
function schedule(context, sink, port, report) {
    let at = 0;
    let [packets, dry] = [0, 0];
    port.onmessage = event => {
        const { rate, samples } = event.data;
        const n = samples.length / 2;
        const buffer = context.createBuffer(2, n, rate);
        for (let c = 0; c < 2; c++) {
            const out = buffer.getChannelData(c);
            for (let i = 0; i < n; i++)
                out[i] = samples[2 * i + c] / 32768;
        }
        const source = context.createBufferSource();
        source.buffer = buffer;
        source.connect(sink);
        const late = at < context.currentTime;
        const silent = samples.every((/** @type {number} */ s) => Math.abs(s) < 4);
        dry += late && at ? 1 : 0;
        if (late || (silent && at > context.currentTime + 0.09)) // too much waits: left out in silence
            at = context.currentTime + 0.06;
        if (++packets % 50 === 0)
            report({ fill: at - context.currentTime, dry, target: 0.06 });
        source.start(at);
        at += n / rate;
    };
}
