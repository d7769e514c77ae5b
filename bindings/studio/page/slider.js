// SPDX-License-Identifier: MIT
// A slider with a name, a field for the exact number, and a button that goes
// back to the default; or one that is in the page already and shows its value
// in its own way. Values are numbers in SI units; the range may be
// logarithmic. Shift moves finely, a double click takes the default; what is
// typed is taken as it is.
import { make, short } from './dom.js';
import { history } from './undo.js';

const STEPS = 1000;
const FINE = 0.1;
let nextId = 1;

export class Slider {
    /** @param {SliderDef} def */
    constructor(def) {
        this.def = def;
        this.value = def.value;
        /** @type {number|null} the value before the present act */ this.before = null;
        /** @type {any} */ this.range = def.range || make('input', { type: 'range', id: `slider-${nextId++}` });
        this.range.step = 'any';
        const on = (/** @type {string} */ event, /** @type {(e: any) => void} */ call) => this.range.addEventListener(event, call);
        on('input', () => this.take(this.fromStep(Number(this.range.value)), false));
        on('change', () => this.take(this.fromStep(Number(this.range.value)), true));
        on('pointerdown', e => this.drag(e));
        on('dblclick', () => this.reset());
        on('keydown', e => this.key(e));
        const label = def.range ? def.range.closest('label') : make('label', { for: this.range.id, textContent: def.name });
        label.title = [def.title || label.title, 'Shift: fine; double click: default'].filter(Boolean).join('. ');
        if (!def.range)
            this.build(label);
        this.show();
    }

    /** @param {HTMLElement} label */
    build(label) {
        const { def } = this;
        this.field = make('input', { type: 'text', inputMode: 'decimal', 'aria-label': `${def.name}${def.unit ? `, ${def.unit}` : ''}`,
            onfocus: () => { this.field.value = String(this.value); this.field.select(); },
            onblur: () => this.show(),
            onchange: () => this.typed(),
            onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Enter') this.range.focus(); } });
        this.element = make('div', { class: 'slider' }, label, this.range, this.field);
        if (def.extra)
            this.element.append(...def.extra);
        else
            this.element.append(make('button', { class: 'tool', title: 'Default', 'aria-label': `Default of ${def.name}`, textContent: '↺',
                onclick: () => this.reset() }));
    }

    /** A log range that begins at 0 has 0 at its first step. */
    get low() {
        return this.def.min > 0 ? this.def.min : this.def.max * 1e-6;
    }

    /** The range in its own steps: values, or parts of the logarithmic way. */
    get ends() {
        return this.def.log ? [0, STEPS] : [this.def.min, this.def.max];
    }

    /** @param {number} step */
    fromStep(step) {
        const { min, max, log, whole } = this.def;
        const value = !log ? step : step <= 0 ? min : this.low * (max / this.low) ** (step / STEPS);
        return Math.min(max, Math.max(min, whole ? Math.round(value) : Number(value.toPrecision(4))));
    }

    /** @param {number} value */
    toStep(value) {
        const { min, max, log } = this.def;
        if (!log)
            return Math.min(max, Math.max(min, value));
        return value <= this.low ? 0 : STEPS * Math.log(value / this.low) / Math.log(max / this.low);
    }

    // The mouse moves the value from where it is; with Shift, a tenth as far.
    // Fingers have the browser's own way.
    /** @param {PointerEvent} e */
    drag(e) {
        if (e.pointerType !== 'mouse' || e.button !== 0)
            return;
        e.preventDefault();
        const box = this.range.getBoundingClientRect();
        const [first, last] = this.ends;
        const perPixel = (last - first) / Math.max(1, box.width - 14);
        let step = this.toStep(this.value);
        let x = e.clientX;
        if (!e.shiftKey && Math.abs(box.left + 7 + (step - first) / perPixel - x) > 9)
            step = first + (x - box.left - 7) * perPixel;
        this.range.focus();
        this.range.setPointerCapture(e.pointerId);
        const move = (/** @type {number} */ to, fine = false) => {
            step = Math.min(last, Math.max(first, step + (to - x) * perPixel * (fine ? FINE : 1)));
            x = to;
        };
        move(x);
        if (this.fromStep(step) !== this.fromStep(this.toStep(this.value)))
            this.take(this.fromStep(step), false);
        this.range.onpointermove = (/** @type {PointerEvent} */ m) => {
            move(m.clientX, m.shiftKey);
            this.take(this.fromStep(step), false);
        };
        this.range.onlostpointercapture = () => {
            this.range.onpointermove = this.range.onlostpointercapture = null;
            if (this.before !== null)
                this.take(this.value, true);
        };
    }

    /** @param {KeyboardEvent} e */
    key(e) {
        const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -100, PageUp: 100 }[e.key];
        if (!steps || e.ctrlKey || e.altKey || e.metaKey)
            return;
        e.preventDefault();
        const [first, last] = this.ends;
        const size = (last - first) / STEPS * (e.shiftKey ? FINE : 1);
        this.take(this.fromStep(this.toStep(this.value) + steps * (this.def.whole ? Math.max(1, size) : size)), true, this);
    }

    reset() {
        const { reset } = this.def;
        const value = typeof reset === 'function' ? reset() : reset;
        if (value !== undefined)
            this.take(value, true);
    }

    /** @param {number} value @param {boolean} done @param {object|null} [by] keys in quick succession are one act */
    take(value, done, by = null) {
        if (this.before === null)
            this.before = this.value;
        this.put(value, done);
        if (!done)
            return;
        const [from, to] = [this.before, value];
        const apply = this.def.bind?.() || ((/** @type {number} */ v) => this.put(v, true));
        this.before = null;
        if (from !== to)
            history.push(this.def.what?.() || this.def.name, () => apply(from), () => apply(to), by);
    }

    /** @param {number} value @param {boolean} done */
    put(value, done) {
        this.value = value;
        this.show();
        return this.def.change(value, done);
    }

    typed() {
        const value = Number(String(this.field.value).replace(',', '.').replace(/[^\d.eE+-].*$/, ''));
        const { min, max, open } = this.def;
        if (Number.isFinite(value) && this.field.value.trim() !== '')
            this.take(open ? value : Math.min(max, Math.max(min, value)), true);
        else
            this.show();
    }

    // A value from elsewhere: not while it is being moved here.
    /** @param {number} value */
    set(value) {
        if (this.before !== null || (this.field && document.activeElement === this.field))
            return;
        this.value = value;
        this.show();
    }

    show() {
        const { unit } = this.def;
        [this.range.min, this.range.max] = this.ends.map(String);
        this.range.value = String(this.toStep(this.value));
        this.range.setAttribute('aria-valuetext', `${short(this.value)} ${unit || ''}`);
        this.def.show?.(this.value);
        if (!this.field)
            return;
        const text = short(this.value, 7); // its unit is in its name, too
        if (document.activeElement !== this.field)
            this.field.value = unit && text.length + unit.length < 12 ? `${text} ${unit}` : text;
    }
}
