// A worker with a socket of its own for the sound, so that a busy page does not
// break it. It keeps the last 30 s, and passes packets on while somebody listens.
import { RECORD, readPcm, readRecords } from '../records.js';

const SECONDS = 30;

let rate = 48000;
let ring = new Int16Array(2 * SECONDS * rate);
/** Frames written so far. */
let written = 0;
let next = -1;
let gaps = 0;
/** @type {MessagePort|null} */ let sink = null;
let pause = 300;

/** @param {number} r */
function setRate(r) {
    if (r === rate)
        return;
    rate = r;
    ring = new Int16Array(2 * SECONDS * rate);
    written = 0;
}

/** @param {{frames: number, rate: number, first: number, samples: Int16Array}} packet */
function take(packet) {
    setRate(packet.rate);
    if (next >= 0 && packet.first !== next)
        gaps++;
    next = packet.first + packet.frames;
    const frames = ring.length / 2;
    for (let i = 0; i < packet.frames; i++) {
        const at = 2 * ((written + i) % frames);
        ring[at] = packet.samples[2 * i];
        ring[at + 1] = packet.samples[2 * i + 1];
    }
    written += packet.frames;
    if (sink) {
        const copy = packet.samples.slice();
        sink.postMessage({ rate, samples: copy }, [copy.buffer]);
    }
}

/** The kept sound, oldest first. */
function kept() {
    const frames = ring.length / 2;
    const n = Math.min(written, frames);
    const out = new Int16Array(2 * n);
    for (let i = 0; i < n; i++) {
        const at = 2 * ((written - n + i) % frames);
        out[2 * i] = ring[at];
        out[2 * i + 1] = ring[at + 1];
    }
    return out;
}

/** @param {string} address @param {string} token */
function connect(address, token) {
    const socket = new WebSocket(address, ['sandbell.v1', `token.${token}`]);
    socket.binaryType = 'arraybuffer';
    let received = 0;
    socket.onopen = () => {
        pause = 300;
        next = -1;
        socket.send(JSON.stringify({ type: 'hello', id: 1, protocol: 1, subscribe: ['pcm'], window: 200 }));
    };
    socket.onmessage = event => {
        if (typeof event.data === 'string')
            return;
        for (const record of readRecords(event.data))
            if (record.type === RECORD.pcm)
                take(readPcm(record.view));
        received++;
        if (received % 8 === 0)
            socket.send(JSON.stringify({ type: 'ack', n: received }));
    };
    socket.onclose = () => {
        setTimeout(() => connect(address, token), pause);
        pause = Math.min(5000, pause * 1.6);
    };
}

self.onmessage = event => {
    const m = event.data;
    if (m.connect)
        connect(m.connect, m.token);
    else if (m.sink !== undefined)
        sink = m.sink;
    else if (m.keep) {
        const samples = kept();
        self.postMessage({ keep: m.keep, rate, samples, gaps, next }, { transfer: [samples.buffer] });
    }
};
