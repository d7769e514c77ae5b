// SPDX-License-Identifier: MIT
// A worker with a socket of its own for the sound, so that a busy page does not
// break it. It is connected only while somebody listens.
import { RECORD, readPcm, readRecords } from '../records.js';

/** @type {WebSocket|null} */ let socket = null;
/** @type {MessagePort|null} */ let sink = null;
let pause = 300;
let packets = 0;

/** @param {string} address @param {string} token */
function connect(address, token) {
    if (!sink)
        return;
    const mine = new WebSocket(address, ['sandbell.v1', `token.${token}`]);
    socket = mine;
    mine.binaryType = 'arraybuffer';
    let received = 0;
    mine.onopen = () => {
        pause = 300;
        mine.send(JSON.stringify({ type: 'hello', id: 1, protocol: 1, subscribe: ['pcm'], window: 200 }));
    };
    mine.onmessage = event => {
        if (typeof event.data === 'string' || mine !== socket)
            return;
        for (const record of readRecords(event.data)) {
            if (record.type !== RECORD.pcm)
                continue;
            const { rate, samples } = readPcm(record.view);
            const copy = samples.slice();
            sink?.postMessage({ rate, samples: copy }, [copy.buffer]);
            packets++;
        }
        received++;
        if (received % 8 === 0)
            mine.send(JSON.stringify({ type: 'ack', n: received }));
    };
    mine.onclose = () => {
        if (mine !== socket)
            return;
        setTimeout(() => connect(address, token), pause);
        pause = Math.min(5000, pause * 1.6);
    };
}

self.onmessage = event => {
    const m = event.data;
    if (m.sink !== undefined) {
        const old = socket;
        socket = null;
        old?.close();
        sink = m.sink;
        connect(m.address, m.token);
    } else {
        self.postMessage({ packets });
    }
};
