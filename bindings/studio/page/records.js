// SPDX-License-Identifier: MIT
// Binary messages and files to typed arrays: the records of a message, meshes,
// mode shapes. Nothing here trusts a length that the bytes do not have.

export const RECORD = {
    spectrum: 1, scope: 2, energies: 3, poses: 4, pcm: 5, rect: 6, surfaces: 7, trace: 8,
};

// The records of a message, in order.
/** @param {ArrayBuffer} bytes @returns {StreamRecord[]} */
export function readRecords(bytes) {
    const head = new DataView(bytes);
    /** @type {StreamRecord[]} */ const out = [];
    let at = 0;
    while (at + 16 <= bytes.byteLength) {
        const size = head.getUint16(at + 2, true) * 16;
        if (at + 16 + size > bytes.byteLength)
            break;
        out.push({
            type: head.getUint8(at),
            seq: head.getUint32(at + 4, true),
            t: head.getFloat64(at + 8, true),
            view: new DataView(bytes, at + 16, size),
        });
        at += 16 + size;
    }
    return out;
}

/** @param {DataView} v */
export function readSpectrum(v) {
    const bins = v.getUint16(0, true);
    const top = v.getFloat32(8, true);
    const step = v.getFloat32(12, true);
    const raw = new Uint8Array(v.buffer, v.byteOffset + 16, bins);
    const db = new Float32Array(bins);
    for (let i = 0; i < bins; i++)
        db[i] = raw[i] ? top - step * (255 - raw[i]) : -200;
    return { hzPerBin: v.getFloat32(4, true), db };
}

// Both channels as one.
/** @param {DataView} v */
export function readScope(v) {
    const frames = v.getUint16(0, true);
    const channels = v.getUint16(2, true) || 1;
    const scale = v.getFloat32(8, true) / 32767 / channels;
    const raw = new Int16Array(v.buffer, v.byteOffset + 16, frames * channels);
    const sound = new Float32Array(frames);
    for (let i = 0; i < frames; i++)
        for (let c = 0; c < channels; c++)
            sound[i] += raw[i * channels + c] * scale;
    return { rate: v.getFloat32(4, true), sound };
}

/** @param {DataView} v */
export function readEnergies(v) {
    return {
        body: v.getUint32(0, true),
        rev: v.getUint32(8, true),
        energy: new Float32Array(v.buffer, v.byteOffset + 16, v.getUint32(4, true)),
    };
}

/** @param {DataView} v */
export function readPoses(v) {
    const count = v.getUint32(0, true);
    return {
        count,
        ids: new Uint32Array(v.buffer, v.byteOffset + 16, count * 8),
        numbers: new Float32Array(v.buffer, v.byteOffset + 16, count * 8),
    };
}

/** @param {DataView} v surfaces of deformable bodies */
export function readSurfaces(v) {
    let at = 16;
    return Array.from({ length: v.getUint32(0, true) }, () => {
        const count = v.getUint32(at + 4, true);
        const box = new Float32Array(v.buffer, v.byteOffset + at + 8, 6);
        const codes = new Uint16Array(v.buffer, v.byteOffset + at + 32, 3 * count);
        const part = { id: v.getUint32(at, true), count, low: box.subarray(0, 3), step: box.subarray(3), codes };
        at += 32 + Math.ceil(6 * count / 16) * 16;
        return part;
    });
}

/** @param {DataView} v */
export function readPcm(v) {
    const frames = v.getUint16(0, true);
    return {
        frames,
        rate: v.getUint32(4, true),
        first: Number(v.getBigUint64(8, true)),
        samples: new Int16Array(v.buffer, v.byteOffset + 16, frames * 2),
    };
}

/** @param {DataView} v */
export function readRect(v) {
    const [x, y, w, h] = [6, 8, 10, 12].map(at => v.getUint16(at, true));
    return {
        body: v.getUint32(0, true),
        channel: v.getUint8(4),
        x, y, w, h,
        values: new Uint16Array(v.buffer, v.byteOffset + 16, w * h),
    };
}

// A record of type 6 with its header, to be sent.
/** @param {{body: number, channel: number, x: number, y: number, w: number, h: number, values: Uint16Array}} rect */
export function writeRect(rect) {
    const payload = 16 + Math.ceil(rect.values.length * 2 / 16) * 16;
    const out = new ArrayBuffer(16 + payload);
    const v = new DataView(out);
    v.setUint8(0, RECORD.rect);
    v.setUint8(1, 1);
    v.setUint16(2, payload / 16, true);
    v.setUint32(16, rect.body, true);
    v.setUint8(20, rect.channel);
    [rect.x, rect.y, rect.w, rect.h].forEach((n, i) => v.setUint16(22 + 2 * i, n, true));
    new Uint16Array(out, 32, rect.values.length).set(rect.values);
    return out;
}

/** @param {DataView} v */
export function readTrace(v) {
    const rows = v.getUint16(0, true);
    const columns = v.getUint16(2, true);
    return { rows, columns, values: new Float32Array(v.buffer, v.byteOffset + 16, rows * columns) };
}

/** @param {ArrayBuffer} bytes mesh.bin @returns {Surface} */
export function readSurface(bytes) {
    const v = new DataView(bytes);
    if (v.getUint32(0, false) !== 0x53424d31)
        throw new Error('mesh.bin does not begin with SBM1');
    const nv = v.getUint32(4, true);
    const nt = v.getUint32(8, true);
    const flags = v.getUint32(12, true);
    let at = 32;
    const floats = (/** @type {number} */ n) => {
        const part = new Float32Array(bytes, at, n);
        at += 4 * n;
        return part;
    };
    const position = floats(3 * nv);
    const normal = floats(3 * nv);
    const uv = floats(2 * nv);
    const index = new Uint32Array(bytes, at, 3 * nt);
    return { position, normal, uv, index, hasUv: (flags & 1) !== 0, isStandIn: (flags & 2) !== 0 };
}

/** @param {ArrayBuffer} bytes deformed.bin */
export function readFaces(bytes) {
    const v = new DataView(bytes);
    if (v.getUint32(0, false) !== 0x53424431)
        throw new Error('deformed.bin does not begin with SBD1');
    return { count: v.getUint32(4, true), index: new Uint32Array(bytes, 16, 3 * v.getUint32(8, true)) };
}

/** @param {ArrayBuffer} bytes modes/N.bin @returns {ModeShape} */
export function readModeShape(bytes) {
    const v = new DataView(bytes);
    if (v.getUint32(0, false) !== 0x53425331)
        throw new Error('the mode shape does not begin with SBS1');
    const nv = v.getUint32(4, true);
    const scale = v.getFloat32(8, true) / 32767;
    const raw = new Int16Array(bytes, 16, 4 * nv);
    const move = new Float32Array(4 * nv);
    for (let i = 0; i < move.length; i++)
        move[i] = raw[i] * scale;
    return { n: v.getUint32(12, true), move };
}
