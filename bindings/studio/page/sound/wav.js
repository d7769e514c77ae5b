// WAV files: write 16-bit ones, and find the sound in any that a browser reads.

/** @param {Int16Array} samples interleaved @param {number} rate @param {number} channels @returns {ArrayBuffer} */
export function wavFile(samples, rate, channels) {
    const bytes = samples.length * 2;
    const out = new ArrayBuffer(44 + bytes);
    const v = new DataView(out);
    const text = (/** @type {number} */ at, /** @type {string} */ s) => {
        for (let i = 0; i < s.length; i++)
            v.setUint8(at + i, s.charCodeAt(i));
    };
    text(0, 'RIFF');
    v.setUint32(4, 36 + bytes, true);
    text(8, 'WAVEfmt ');
    v.setUint32(16, 16, true);
    v.setUint16(20, 1, true);
    v.setUint16(22, channels, true);
    v.setUint32(24, rate, true);
    v.setUint32(28, rate * channels * 2, true);
    v.setUint16(32, channels * 2, true);
    v.setUint16(34, 16, true);
    text(36, 'data');
    v.setUint32(40, bytes, true);
    new Int16Array(out, 44).set(samples);
    return out;
}

// The sound of a file as one channel.
/** @param {ArrayBuffer} bytes @returns {Promise<{rate: number, sound: Float32Array}>} */
export async function readSound(bytes) {
    const context = new OfflineAudioContext(1, 1, 48000);
    const buffer = await context.decodeAudioData(bytes);
    const sound = new Float32Array(buffer.length);
    for (let c = 0; c < buffer.numberOfChannels; c++) {
        const part = buffer.getChannelData(c);
        for (let i = 0; i < part.length; i++)
            sound[i] += part[i] / buffer.numberOfChannels;
    }
    return { rate: buffer.sampleRate, sound };
}
