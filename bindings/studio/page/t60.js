// SPDX-License-Identifier: MIT
// T60 over frequency: a dot per mode, and the law of the material,
// T60 = ln 1000 / (alpha / 2 + beta omega^2 / 2).
import { Plot, ink } from './plot.js';

const LN1000 = Math.log(1000);

/** @param {number} hz @param {number} alpha @param {number} beta */
export function t60Law(hz, alpha, beta) {
    const omega = 2 * Math.PI * hz;
    return LN1000 / (0.5 * alpha + 0.5 * beta * omega * omega);
}

export class T60Curve {
    /** @param {HTMLCanvasElement} canvas @param {Store} store */
    constructor(canvas, store) {
        this.store = store;
        this.plot = new Plot(canvas, { left: 42 });
        this.plot.onresize = () => this.draw();
        for (const event of ['modes', 'bodies', 'body', 'mode', 'scheme'])
            store.on(event, () => this.draw());
    }

    draw() {
        const p = this.plot;
        if (!p.visible)
            return;
        const { modes, body } = this.store;
        if (!modes.length || !body) {
            p.say('no modes');
            return;
        }
        const t = modes.map(m => m.t60).filter(v => v > 0 && Number.isFinite(v));
        const low = Math.min(...t);
        const high = Math.max(...t);
        p.begin({ min: Math.max(10, modes[0].hz * 0.7), max: Math.max(modes[modes.length - 1].hz, modes[0].hz * 4) * 1.2, log: true, unit: 'Hz' },
            { min: low / 2, max: high * 2, log: true, unit: 'T60, s' });
        p.axes();
        const material = body.material;
        p.inside(() => {
            if (material) {
                p.line(160, i => p.atX(p.left + i / 159 * (p.right - p.left)),
                    i => t60Law(p.atX(p.left + i / 159 * (p.right - p.left)), material.alpha, material.beta), ink('cool'), 1.25);
            }
            for (const m of modes) {
                p.g.fillStyle = this.store.shown.has(m.n) ? ink('ink') : ink('accent');
                p.g.beginPath();
                p.g.arc(p.px(m.hz), p.py(m.t60), this.store.shown.has(m.n) ? 4 : 2.5, 0, 7);
                p.g.fill();
            }
        });
    }
}
