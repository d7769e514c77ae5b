// SPDX-License-Identifier: MIT
// Frequency over time as colours. A column per spectrum; the picture moves to
// the left by one pixel each.
import { heat } from '../colour.js';
import { Plot, ink, tickLabel } from '../plot.js';

const LOW = 40;
const HIGH = 18000;
const FLOOR_DB = -110;
const TOP_DB = -20;

export class Spectrogram {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        this.plot = new Plot(canvas, { left: 34, bottom: 2, top: 2, right: 4 });
        this.picture = document.createElement('canvas');
        this.g = /** @type {CanvasRenderingContext2D} */ (
            this.picture.getContext('2d', { willReadFrequently: true }));
        this.takeScheme();
    }

    takeScheme() {
        this.palette = Array.from({ length: 256 }, (_, i) => heat(i / 255));
        this.g.clearRect(0, 0, this.picture.width, this.picture.height);
    }

    fit() {
        const w = Math.max(1, Math.round(this.plot.width - 38));
        const h = Math.max(1, Math.round(this.plot.height - 4));
        if (this.picture.width === w && this.picture.height === h)
            return;
        this.picture.width = w;
        this.picture.height = h;
    }

    /** @param {Float32Array} db @param {number} hzPerBin */
    add(db, hzPerBin) {
        const { width, height } = this.picture;
        if (width < 2 || height < 2)
            return;
        this.g.drawImage(this.picture, -1, 0);
        const column = this.g.createImageData(1, height);
        const palette = /** @type {number[][]} */ (this.palette);
        for (let y = 0; y < height; y++) {
            const high = binAt(1 - y / height) / hzPerBin;
            const low = binAt(1 - (y + 1) / height) / hzPerBin;
            let most = -200;
            for (let i = Math.floor(low); i <= Math.ceil(high) && i < db.length; i++)
                most = Math.max(most, db[i]);
            const part = (most - FLOOR_DB) / (TOP_DB - FLOOR_DB);
            const c = palette[Math.round(255 * Math.min(1, Math.max(0, part)))];
            column.data.set([c[0], c[1], c[2], 255], 4 * y);
        }
        this.g.putImageData(column, width - 1, 0);
    }

    /** @param {Mode[]} modes whose ticks are shown */
    draw(modes) {
        const p = this.plot;
        if (!p.visible)
            return;
        p.begin({ min: 0, max: 1 }, { min: LOW, max: HIGH, log: true });
        this.fit();
        const g = p.g;
        g.fillStyle = `rgb(${heat(0).map(Math.round).join(' ')})`;
        g.fillRect(p.left, p.top, p.right - p.left, p.bottom - p.top);
        g.drawImage(this.picture, p.left, p.top, p.right - p.left, p.bottom - p.top);
        g.fillStyle = ink('faint');
        g.textAlign = 'right';
        g.textBaseline = 'middle';
        for (const hz of [100, 300, 1000, 3000, 10000])
            g.fillText(tickLabel(hz), p.left - 5, p.py(hz));
        g.fillStyle = ink('accent');
        for (const m of modes)
            if (m.hz > LOW && m.hz < HIGH)
                g.fillRect(p.left - 3, p.py(m.hz) - 0.5, 4, 1);
    }
}

/** @param {number} part 0 to 1 of the height */
function binAt(part) {
    return LOW * (HIGH / LOW) ** part;
}
