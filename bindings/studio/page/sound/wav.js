// SPDX-License-Identifier: MIT
// The sound in any file that a browser reads.

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
