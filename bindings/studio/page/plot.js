// SPDX-License-Identifier: MIT
// A canvas for a plot: sharp on every screen, with axes of round numbers. A
// plot is drawn whole each time; nothing is kept but its size.
import { themeColour } from './colour.js';

/**
 * @typedef {object} Axis
 * @property {number} min
 * @property {number} max
 * @property {boolean} [log]
 * @property {string} [unit]
 */

/** @type {Record<string, string>} */
let colours = {};
export function forgetColours() {
    colours = {};
}

/** @param {string} name a colour of style.css */
export function ink(name) {
    return colours[name] ||= themeColour(name);
}

export class Plot {
    /** @param {HTMLCanvasElement} canvas @param {{left?: number, bottom?: number, top?: number, right?: number}} [margin] */
    constructor(canvas, margin = {}) {
        this.canvas = canvas;
        // Drawn by the processor: these plots are small and change often, and a
        // machine without a graphics card draws them ten times as fast so.
        this.g = /** @type {CanvasRenderingContext2D} */ (
            canvas.getContext('2d', { willReadFrequently: true }));
        this.margin = { left: 34, bottom: 16, top: 4, right: 4, ...margin };
        this.width = 0;
        this.height = 0;
        /** @type {Axis} */ this.x = { min: 0, max: 1 };
        /** @type {Axis} */ this.y = { min: 0, max: 1 };
        /** @type {() => void} */ this.onresize = () => {};
        new ResizeObserver(() => {
            if (this.fit())
                this.onresize();
        }).observe(canvas);
    }

    /** Is there any place to draw on? False while its tab is hidden. */
    get visible() {
        return this.canvas.clientWidth > 0 && !document.hidden;
    }

    /** Take the size that the layout gives; true if it has changed. */
    fit() {
        const ratio = window.devicePixelRatio || 1;
        const w = this.canvas.clientWidth;
        const h = this.canvas.clientHeight;
        const changed = w !== this.width || h !== this.height;
        if (changed) {
            this.width = w;
            this.height = h;
            this.canvas.width = Math.max(1, Math.round(w * ratio));
            this.canvas.height = Math.max(1, Math.round(h * ratio));
        }
        this.g.setTransform(ratio, 0, 0, ratio, 0, 0);
        return changed;
    }

    get left() { return this.margin.left; }
    get right() { return this.width - this.margin.right; }
    get top() { return this.margin.top; }
    get bottom() { return this.height - this.margin.bottom; }

    // Begin a drawing with these axes.
    /** @param {Axis} x @param {Axis} y */
    begin(x, y) {
        this.fit();
        this.x = x;
        this.y = y;
        this.g.clearRect(0, 0, this.width, this.height);
        this.g.lineWidth = 1;
        this.g.font = '10px system-ui, sans-serif';
    }

    /** @param {number} v */
    px(v) { return this.left + part(v, this.x) * (this.right - this.left); }
    /** @param {number} v */
    py(v) { return this.bottom - part(v, this.y) * (this.bottom - this.top); }
    // The value at a pixel.
    /** @param {number} p */
    atX(p) { return value((p - this.left) / (this.right - this.left), this.x); }

    axes() {
        const g = this.g;
        g.strokeStyle = ink('grid');
        g.fillStyle = ink('faint');
        g.textAlign = 'center';
        g.textBaseline = 'alphabetic';
        g.beginPath();
        const last = { x: -100 };
        for (const v of ticks(this.x, (this.right - this.left) / 60)) {
            const x = Math.round(this.px(v)) + 0.5;
            g.moveTo(x, this.top);
            g.lineTo(x, this.bottom);
            const label = tickLabel(v) + (last.x < 0 && this.x.unit ? ` ${this.x.unit}` : '');
            const half = g.measureText(label).width / 2;
            if (x - half > last.x + 4 && x + half < this.width + 2) {
                g.fillText(label, Math.max(half, x), this.height - 4);
                last.x = x + half;
            }
        }
        g.textAlign = 'right';
        g.textBaseline = 'middle';
        for (const v of ticks(this.y, (this.bottom - this.top) / 20)) {
            const y = Math.round(this.py(v)) + 0.5;
            g.moveTo(this.left, y);
            g.lineTo(this.right, y);
            if (this.margin.left > 20 && !(this.y.unit && y < this.top + 16))
                g.fillText(tickLabel(v), this.left - 4, Math.max(y, 6));
        }
        g.stroke();
        if (this.y.unit && this.margin.left > 20) // in place of the topmost number: curves are not written over
            g.fillText(this.y.unit, this.left - 4, this.top + 6);
    }

    /** @param {[string, string][]} words and their colours @param {number} [y] */
    legend(words, y = this.top + 20) {
        words.reduce((x, [text, colour]) => {
            Object.assign(this.g, { fillStyle: ink(colour), textAlign: 'left' });
            this.g.fillText(text, x, y);
            return x + (text ? this.g.measureText(text).width + 8 : 0);
        }, this.left + 4);
    }

    // Draw inside the axes only.
    /** @param {() => void} draw */
    inside(draw) {
        const g = this.g;
        g.save();
        g.beginPath();
        g.rect(this.left, this.top, this.right - this.left, this.bottom - this.top);
        g.clip();
        draw();
        g.restore();
    }

    /**
     * A line through (x(i), y(i)).
     * @param {number} n
     * @param {(i: number) => number} x
     * @param {(i: number) => number} y
     * @param {string} colour
     * @param {number} [width]
     */
    line(n, x, y, colour, width = 1.25) {
        const g = this.g;
        g.strokeStyle = colour;
        g.lineWidth = width;
        g.lineJoin = 'round';
        g.beginPath();
        for (let i = 0; i < n; i++) {
            const px = this.px(x(i));
            const py = this.py(y(i));
            if (i)
                g.lineTo(px, py);
            else
                g.moveTo(px, py);
        }
        g.stroke();
        g.lineWidth = 1;
    }

    /** @param {number} x @param {number} y @param {string} colour its name @param {number} size @param {boolean} [hollow] */
    dot(x, y, colour, size, hollow = false) {
        const g = this.g;
        g.fillStyle = g.strokeStyle = ink(colour);
        g.beginPath();
        g.arc(this.px(x), this.py(y), size, 0, 7);
        if (hollow)
            g.stroke();
        else
            g.fill();
    }

    // A sentence where there is nothing to draw.
    /** @param {string} text */
    say(text) {
        this.fit();
        const g = this.g;
        g.clearRect(0, 0, this.width, this.height);
        g.fillStyle = ink('faint');
        g.font = '12px system-ui, sans-serif';
        g.textAlign = 'center';
        g.textBaseline = 'middle';
        g.fillText(text, this.width / 2, this.height / 2, this.width - 16);
    }
}

/** @param {number} v @param {Axis} a */
function part(v, a) {
    if (a.log)
        return Math.log(Math.max(v, 1e-30) / a.min) / Math.log(a.max / a.min);
    return (v - a.min) / (a.max - a.min);
}

/** @param {number} p @param {Axis} a */
function value(p, a) {
    return a.log ? a.min * (a.max / a.min) ** p : a.min + p * (a.max - a.min);
}

/** @param {number} v */
export function tickLabel(v) {
    const size = Math.abs(v);
    if (size >= 1e6 || (size > 0 && size < 1e-3))
        return Number(v.toPrecision(2)).toExponential().replace('+', '');
    if (size >= 1000)
        return `${Number((v / 1000).toPrecision(3))}k`;
    return String(Number(v.toPrecision(3)));
}

// Round numbers within an axis, about so many.
/** @param {Axis} a @param {number} wanted */
function ticks(a, wanted) {
    /** @type {number[]} */ const out = [];
    const few = Math.max(2, Math.floor(wanted));
    if (a.log) {
        const decades = Math.log10(a.max / a.min);
        const marks = few / decades > 3 ? [1, 2, 5] : few / decades > 1.6 ? [1, 3] : [1];
        const skip = Math.max(1, Math.ceil(decades / few));
        for (let e = Math.floor(Math.log10(a.min)); e <= Math.log10(a.max); e += skip)
            for (const m of marks) {
                const v = m * 10 ** e;
                if (v >= a.min * 0.999 && v <= a.max * 1.001)
                    out.push(v);
            }
        return out;
    }
    const span = a.max - a.min;
    if (!(span > 0) || !Number.isFinite(span))
        return out;
    const rough = span / few;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough) || rough;
    for (let k = Math.ceil(a.min / step); k * step <= a.max + step * 1e-6; k++)
        out.push(k * step);
    return out;
}
