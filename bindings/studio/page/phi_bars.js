// SPDX-License-Identifier: MIT
// Bars of |phi| under the pointer, over frequency: what a strike there would
// excite, before it is made. The sign is the colour; the dots are the energy
// that the modes have now.
import { canvasById, noteName, short } from './dom.js';
import { Plot, ink } from './plot.js';
import { css, diverging } from './colour.js';

export class PhiBars {
    /** @param {Store} store */
    constructor(store) {
        this.store = store;
        this.plot = new Plot(canvasById('phi'), { left: 6, bottom: 15, top: 6, right: 6 });
        this.plot.onresize = () => this.draw();
        /** @type {Float32Array} */ this.energy = new Float32Array(0);
        this.top = 1e-12;
        store.on('probe', () => this.draw());
        store.on('modes', () => { this.energy = new Float32Array(0); this.top = 1e-12; this.draw(); });
        store.on('mode', () => this.draw());
        store.on('scheme', () => this.draw());
        store.on('energies', e => { this.energy = e; this.draw(); });
        const canvas = this.plot.canvas;
        canvas.onclick = e => {
            const m = this.near(e.offsetX);
            if (m)
                store.showMode(m.n, e.ctrlKey || e.metaKey);
        };
        canvas.onmousemove = e => {
            const m = this.near(e.offsetX);
            canvas.title = m ? `mode ${m.n}: ${short(m.hz, 5)} Hz, ${noteName(m.hz)}` : '';
        };
    }

    /** @param {number} x pixels */
    near(x) {
        let best = null;
        let least = 12;
        for (const m of this.store.modes) {
            const far = Math.abs(this.plot.px(m.hz) - x);
            if (far < least) {
                least = far;
                best = m;
            }
        }
        return best;
    }

    draw() {
        const { plot, store } = this;
        if (!plot.visible)
            return;
        const { modes, probe } = store;
        if (!modes.length) {
            plot.say('');
            return;
        }
        const low = Math.max(10, modes[0].hz * 0.8);
        const high = Math.max(low * 2, modes[modes.length - 1].hz * 1.15);
        plot.begin({ min: low, max: high, log: true, unit: 'Hz' }, { min: 0, max: 1.02 });
        plot.axes();
        let most = 1e-12;
        for (const m of modes)
            most = Math.max(most, Math.abs(probe?.phi[m.n - 1] || 0));
        for (const v of this.energy)
            this.top = Math.max(this.top, v);
        const g = plot.g;
        const width = modes.length > 120 ? 2 : modes.length > 40 ? 3 : 5;
        for (const m of modes) {
            const x = Math.round(plot.px(m.hz));
            const phi = (probe?.phi[m.n - 1] || 0) / most;
            const y = plot.py(Math.abs(phi));
            g.fillStyle = probe ? css(diverging(phi < 0 ? -1 : 1)) : ink('line');
            g.fillRect(x - width / 2, Math.min(y, plot.bottom - 1), width, Math.max(1, plot.bottom - y));
            if (store.shown.has(m.n)) {
                g.fillStyle = ink('ink');
                g.fillRect(x - width / 2 - 1, plot.bottom, width + 2, 3);
            }
            const e = this.energy[m.n - 1] || 0;
            const part = e > 0 ? 1 + 10 * Math.log10(e / this.top) / 90 : 0;
            if (part > 0) {
                g.fillStyle = ink('ink');
                g.beginPath();
                g.arc(x, plot.py(part), 2, 0, 7);
                g.fill();
            }
        }
        if (!probe) {
            g.fillStyle = ink('faint');
            g.font = '12px system-ui, sans-serif';
            g.textAlign = 'center';
            g.fillText('Point at the body: the bars show what a strike there excites', plot.width / 2, plot.bottom - 8, plot.width - 12);
        }
    }
}
