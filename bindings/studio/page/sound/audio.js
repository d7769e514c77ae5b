// "Listen here": the sound in the page, and the last 30 s of it as a file.
import { announce, buttonById, download, inputById, notice } from '../dom.js';
import { wavFile } from './wav.js';

export class Audio {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.transport = transport;
        this.worker = new Worker('/page/sound/pcm_worker.js', { type: 'module' });
        this.started = false;
        /** @type {AudioContext|null} */ this.context = null;
        /** @type {AudioNode|null} */ this.node = null;
        /** @type {any} what the player reports */ this.state = null;
        this.nextKeep = 1;
        /** @type {GainNode|null} */ this.volume = null;
        const button = buttonById('listen');
        button.onclick = () => {
            this.chosen = true;
            this.setOn(button.getAttribute('aria-pressed') !== 'true');
        };
        inputById('gain').oninput = () => this.setVolume();
        store.drawn.then(() => this.start());
        // Without a sound card the page plays, from the first touch on: browsers
        // do not allow it earlier.
        this.chosen = false;
        document.addEventListener('pointerdown', e => {
            if (!this.chosen && store.scene?.output?.is_silent && !button.contains(/** @type {Node} */ (e.target)))
                this.setOn(true);
            this.chosen = true;
        }, { once: true });
    }

    start() {
        if (!this.started)
            this.worker.postMessage({ connect: this.transport.address, token: this.transport.token });
        this.started = true;
    }

    setVolume() {
        if (this.volume)
            this.volume.gain.value = 10 ** (Number(inputById('gain').value) / 20);
    }

    /** @param {boolean} on */
    async setOn(on) {
        const button = buttonById('listen');
        /** @type {HTMLElement} */ (inputById('gain').parentElement).hidden = !on;
        button.setAttribute('aria-pressed', String(on));
        announce(on ? 'listening here' : 'not listening here');
        if (!on) {
            this.worker.postMessage({ sink: null });
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
                node.port.onmessage = e => { this.state = e.data; };
                node.port.postMessage({ port: channel.port2 }, [channel.port2]);
                node.connect(this.volume);
            } else {
                schedule(context, this.volume, channel.port2);
            }
            await context.resume();
            this.worker.postMessage({ sink: channel.port1 }, [channel.port1]);
        } catch (error) {
            notice(`no sound in this page: ${/** @type {Error} */ (error).message}`);
            button.setAttribute('aria-pressed', 'false');
        }
    }

    // What the worker has kept.
    /** @returns {Promise<{rate: number, samples: Int16Array, gaps: number, next: number}>} */
    kept() {
        const keep = this.nextKeep++;
        return new Promise(resolve => {
            const take = (/** @type {MessageEvent} */ event) => {
                if (event.data.keep !== keep)
                    return;
                this.worker.removeEventListener('message', take);
                resolve(event.data);
            };
            this.worker.addEventListener('message', take);
            this.worker.postMessage({ keep });
        });
    }

    // Download the last 30 s.
    /** @param {string} name */
    async save(name) {
        const { rate, samples, gaps } = await this.kept();
        if (!samples.length) {
            notice('there is no sound yet');
            return;
        }
        download(`${name}.wav`, wavFile(samples, rate, 2), 'audio/wav');
        const seconds = (samples.length / 2 / rate).toFixed(1);
        notice(`${seconds} s of sound saved${gaps ? `; ${gaps} gaps, because the page was behind` : ''}`);
    }
}

// Where there is no AudioWorklet (a page of another host without https):
// each packet is a source of its own, scheduled after the last.
/** @param {AudioContext} context @param {AudioNode} sink @param {MessagePort} port */
function schedule(context, sink, port) {
    let at = 0;
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
        if (at < context.currentTime)
            at = context.currentTime + 0.06;
        source.start(at);
        at += n / rate;
    };
}
