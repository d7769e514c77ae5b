// SPDX-License-Identifier: MIT
// Reads PNG files as 16-bit grey: a canvas would keep 8 bits only.

/** @param {ArrayBuffer} bytes @returns {Promise<{width: number, height: number, values: Uint16Array}>} */
export async function readPng(bytes) {
    const v = new DataView(bytes);
    if (bytes.byteLength < 33 || v.getUint32(0) !== 0x89504e47)
        throw new Error('this is not a PNG file');
    const width = v.getUint32(16);
    const height = v.getUint32(20);
    const depth = v.getUint8(24);
    const kind = v.getUint8(25);
    const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[kind];
    if (!channels || (depth !== 8 && depth !== 16) || v.getUint8(28) || width * height > 1 << 24)
        throw new Error('only grey or colour PNG files of 8 or 16 bits, not interlaced, can be read');
    /** @type {Uint8Array[]} */ const parts = [];
    for (let at = 8; at + 12 <= bytes.byteLength;) {
        const size = v.getUint32(at);
        if (v.getUint32(at + 4) === 0x49444154)
            parts.push(new Uint8Array(bytes, at + 8, size));
        at += 12 + size;
    }
    const stream = new Blob(parts).stream().pipeThrough(new (/** @type {any} */ (window)).DecompressionStream('deflate'));
    const raw = new Uint8Array(await new Response(stream).arrayBuffer());
    const pixel = channels * depth / 8;
    unfilter(raw, width * pixel, height, pixel);
    const values = new Uint16Array(width * height);
    const sample = (/** @type {number} */ at) => (depth === 16 ? raw[at] * 256 + raw[at + 1] : raw[at] * 257);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const at = y * (width * pixel + 1) + 1 + x * pixel;
            const one = depth / 8;
            values[y * width + x] = channels < 3 ? sample(at)
                : 0.2126 * sample(at) + 0.7152 * sample(at + one) + 0.0722 * sample(at + 2 * one);
        }
    return { width, height, values };
}

/**
 * Undo the filters of PNG, in place.
 * @param {Uint8Array} raw rows, each after its filter's number
 * @param {number} row bytes of a row
 * @param {number} height
 * @param {number} pixel bytes of a pixel
 */
function unfilter(raw, row, height, pixel) {
    for (let y = 0; y < height; y++) {
        const at = y * (row + 1) + 1;
        const filter = raw[at - 1];
        for (let i = 0; i < row; i++) {
            const a = i >= pixel ? raw[at + i - pixel] : 0;
            const b = y ? raw[at + i - row - 1] : 0;
            const c = y && i >= pixel ? raw[at + i - row - 1 - pixel] : 0;
            const p = a + b - c;
            const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
            const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
            raw[at + i] += [0, a, b, (a + b) >> 1, paeth][filter] || 0;
        }
    }
}
