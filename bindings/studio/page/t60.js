// SPDX-License-Identifier: MIT
// T60 over frequency: a dot per mode, and what shortens it: the law of the
// material, T60 = ln 1000 / (alpha / 2 + beta omega^2 / 2), and what the mode
// radiates into the air, ln 1000 / delta. Rates add up.
import { short } from './dom.js';
import { Plot, ink } from './plot.js';

const LN1000 = Math.log(1000);

/** @param {number} hz @param {number} alpha @param {number} beta */
export function t60Law(hz, alpha, beta) {
    const omega = 2 * Math.PI * hz;
    return LN1000 / (0.5 * alpha + 0.5 * beta * omega * omega);
}

// T60 by what the material loses (and touches), and by what is radiated alone.
/** @param {Mode} m */
export const parts = m => ({ material: LN1000 / Math.max(0, m.sigma - m.air), air: LN1000 / m.air });

/** @param {Mode} m */
export function t60Text(m) {
    const { material, air } = parts(m);
    return `T60 ${short(m.t60)} s${m.air > 0 ? `: material ${short(material)} s, air ${short(air)} s` : ''}`;
}

export class T60Curve {
    /** @param {HTMLCanvasElement} canvas @param {Store} store */
    constructor(canvas, store) {
        this.store = store;
        this.canvas = canvas;
        this.plot = new Plot(canvas, { left: 42 });
        this.plot.onresize = () => this.draw();
        canvas.onmousemove = e => this.point(e.offsetX);
        for (const event of ['modes', 'bodies', 'body', 'mode', 'scheme'])
            store.on(event, () => this.draw());
    }

    // The mode under the pointer, in words.
    /** @param {number} x */
    point(x) {
        const far = (/** @type {Mode} */ m) => Math.abs(this.plot.px(m.hz) - x);
        const m = this.store.modes.reduce((a, b) => (far(b) < far(a) ? b : a), this.store.modes[0]);
        this.canvas.title = m ? `Mode ${m.n}, ${short(m.hz, 4)} Hz: ${t60Text(m)}` : '';
    }

    draw() {
        const p = this.plot;
        const { modes, body } = this.store;
        const radiates = modes.some(m => m.air > 0);
        this.canvas.setAttribute('aria-label', 'T60 over frequency, a dot per mode, and the law of alpha and beta. '
            + (radiates ? 'The air takes a part: ' : modes.length ? 'No loss by radiation is counted. ' : '')
            + modes.slice(0, 3).map(m => `${short(m.hz, 4)} Hz: ${t60Text(m)}`).join('; '));
        if (!p.visible)
            return;
        if (!modes.length || !body) {
            p.say('no modes');
            return;
        }
        const t = modes.map(m => m.t60).filter(v => v > 0 && Number.isFinite(v));
        const low = Math.min(...t);
        const high = Math.max(...t);
        p.begin({ min: Math.max(10, modes[0].hz * 0.7), max: Math.max(modes[modes.length - 1].hz, modes[0].hz * 4) * 1.2, log: true, unit: 'Hz' },
            { min: low / 2, max: high * (radiates ? 6 : 2), log: true, unit: 'T60, s' });
        p.axes();
        const material = body.material;
        p.inside(() => {
            if (material) {
                p.line(160, i => p.atX(p.left + i / 159 * (p.right - p.left)),
                    i => t60Law(p.atX(p.left + i / 159 * (p.right - p.left)), material.alpha, material.beta), ink('cool'), 1.25);
            }
            for (const m of radiates ? modes : [])
                p.dot(m.hz, parts(m).air, 'good', 2.5, true);
            for (const m of modes)
                p.dot(m.hz, m.t60, this.store.shown.has(m.n) ? 'ink' : 'accent', this.store.shown.has(m.n) ? 4 : 2.5);
        });
        p.legend([['– material', 'cool'], ...radiates ? /** @type {[string, string][]} */ ([['○ air', 'good'], ['● both', 'accent']])
            : /** @type {[string, string][]} */ ([['● modes; no loss to the air', 'accent']])], p.bottom - 8);
    }
}
