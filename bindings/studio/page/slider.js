// A slider with a name, a field for the exact number, and a button that goes
// back to the default. Values are numbers in SI units; the range may be
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
        const id = `slider-${nextId++}`;
        this.value = def.value;
        /** @type {number|null} the value before the present act */ this.before = null;
        this.range = make('input', { type: 'range', min: 0, max: STEPS, step: 'any', id,
            oninput: () => this.take(this.fromStep(Number(this.range.value)), false),
            onchange: () => this.take(this.fromStep(Number(this.range.value)), true),
            onpointerdown: (/** @type {PointerEvent} */ e) => this.drag(e),
            ondblclick: () => this.reset(),
            onkeydown: (/** @type {KeyboardEvent} */ e) => this.key(e) });
        this.field = make('input', { type: 'text', inputMode: 'decimal', 'aria-label': `${def.name}${def.unit ? `, ${def.unit}` : ''}`,
            onfocus: () => { this.field.value = String(this.value); this.field.select(); },
            onblur: () => this.show(),
            onchange: () => this.typed(),
            onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Enter') this.range.focus(); } });
        const hint = 'Shift: fine; double click: default';
        const label = make('label', { for: id, title: def.title ? `${def.title}. ${hint}` : hint, textContent: def.name });
        this.element = make('div', { class: 'slider' }, label, this.range, this.field);
        if (def.extra)
            this.element.append(...def.extra);
        else if (def.reset !== undefined)
            this.element.append(make('button', { class: 'tool', title: 'Default', 'aria-label': `Default of ${def.name}`, textContent: '↺',
                onclick: () => this.reset() }));
        this.show();
    }

    /** A log range that begins at 0 has 0 at its first step. */
    get low() {
        return this.def.min > 0 ? this.def.min : this.def.max * 1e-6;
    }

    /** @param {number} step */
    fromStep(step) {
        const { min, max, log } = this.def;
        const value = !log ? min + (max - min) * step / STEPS : step <= 0 ? min : this.low * (max / this.low) ** (step / STEPS);
        return Math.min(max, Math.max(min, Number(value.toPrecision(4))));
    }

    /** @param {number} value */
    toStep(value) {
        const { min, max, log } = this.def;
        if (!log)
            return STEPS * (value - min) / (max - min);
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
        const perPixel = STEPS / Math.max(1, box.width - 14);
        let step = this.toStep(this.value);
        let x = e.clientX;
        if (!e.shiftKey && Math.abs(box.left + 7 + step / perPixel - x) > 9)
            step = (x - box.left - 7) * perPixel;
        this.range.focus();
        this.range.setPointerCapture(e.pointerId);
        const move = (/** @type {number} */ to, fine = false) => {
            step = Math.min(STEPS, Math.max(0, step + (to - x) * perPixel * (fine ? FINE : 1)));
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
        this.take(this.fromStep(this.toStep(this.value) + steps * (e.shiftKey ? FINE : 1)), true);
    }

    reset() {
        const { reset } = this.def;
        const value = typeof reset === 'function' ? reset() : reset;
        if (value !== undefined)
            this.take(value, true);
    }

    /** @param {number} value @param {boolean} done */
    take(value, done) {
        if (this.before === null)
            this.before = this.value;
        this.put(value, done);
        if (!done)
            return;
        const [from, to] = [this.before, value];
        const apply = this.def.bind?.() || ((/** @type {number} */ v) => this.put(v, true));
        this.before = null;
        if (from !== to)
            history.push(this.def.what?.() || this.def.name, () => apply(from), () => apply(to));
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
        if (this.before !== null || document.activeElement === this.field)
            return;
        this.value = value;
        this.show();
    }

    show() {
        const { unit } = this.def;
        this.range.value = String(this.toStep(this.value));
        this.range.setAttribute('aria-valuetext', `${short(this.value)} ${unit || ''}`);
        const text = short(this.value, 7); // its unit is in its name, too
        if (document.activeElement !== this.field)
            this.field.value = unit && text.length + unit.length < 12 ? `${text} ${unit}` : text;
    }
}
