// SPDX-License-Identifier: MIT
// A Fourier transform for the plots: radix 2, in place, and the magnitudes of
// a windowed piece of sound.

/** @param {Float32Array} re @param {Float32Array} im */
export function fft(re, im) {
    const n = re.length;
    for (let i = 1, j = 0; i < n; i++) {
        let bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            [re[i], re[j]] = [re[j], re[i]];
            [im[i], im[j]] = [im[j], im[i]];
        }
    }
    for (let size = 2; size <= n; size *= 2) {
        const half = size / 2;
        const turn = -2 * Math.PI / size;
        for (let k = 0; k < half; k++) {
            const c = Math.cos(turn * k);
            const s = Math.sin(turn * k);
            for (let a = k; a < n; a += size) {
                const b = a + half;
                const x = re[b] * c - im[b] * s;
                const y = re[b] * s + im[b] * c;
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
        }
    }
}

// Magnitudes in dB of a piece of sound under a Hann window, full scale sine =
// 0 dB, n / 2 values.
/** @param {Float32Array} sound @param {number} n a power of two @param {number} start */
export function spectrumDb(sound, n, start = 0) {
    const re = new Float32Array(n);
    const im = new Float32Array(n);
    for (let i = 0; i < n; i++) {
        const x = start + i < sound.length ? sound[start + i] : 0;
        re[i] = x * (0.5 - 0.5 * Math.cos(2 * Math.PI * i / n));
    }
    fft(re, im);
    const out = new Float32Array(n / 2);
    for (let i = 0; i < n / 2; i++)
        out[i] = 20 * Math.log10(4 * Math.hypot(re[i], im[i]) / n + 1e-9);
    return out;
}
