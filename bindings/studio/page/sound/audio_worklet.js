// SPDX-License-Identifier: MIT
// The player in the audio thread of the browser.
/* global AudioWorkletProcessor, registerProcessor, sampleRate */
import { Player } from './player.js';

class PlayerProcessor extends AudioWorkletProcessor {
    constructor() {
        super();
        this.player = new Player();
        this.blocks = 0;
        this.port.onmessage = event => {
            if (event.data.port)
                event.data.port.onmessage = packet => this.player.take(packet.data);
        };
    }

    process(inputs, outputs) {
        const { player } = this;
        player.play(outputs[0][0], outputs[0][1], sampleRate);
        if (++this.blocks % 100 === 0)
            this.port.postMessage({ fill: player.fill, dry: player.dry, target: player.target });
        return true;
    }
}

registerProcessor('sandbell-player', PlayerProcessor);
