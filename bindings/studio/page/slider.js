// A slider with a name, a field for the exact number, and a button that goes
// back to the default. Values are numbers in SI units; the range may be
// logarithmic.
import { make, short } from './dom.js';

const STEPS = 1000;
let nextId = 1;

export class Slider {
    /** @param {SliderDef} def */
    constructor(def) {
        this.def = def;
        const id = `slider-${nextId++}`;
        this.value = def.value;
        this.range = make('input', { type: 'range', min: 0, max: STEPS, step: 1, id,
            oninput: () => this.take(this.fromStep(Number(this.range.value)), false),
            onchange: () => this.take(this.fromStep(Number(this.range.value)), true) });
        this.field = make('input', { type: 'text', inputMode: 'decimal', 'aria-label': `${def.name}${def.unit ? `, ${def.unit}` : ''}`,
            onchange: () => this.typed() });
        const label = make('label', { for: id, title: def.title || '', textContent: def.name });
        this.element = make('div', { class: 'slider' }, label, this.range, this.field);
        if (def.extra)
            this.element.append(...def.extra);
        else if (def.reset !== undefined)
            this.element.append(make('button', { class: 'tool', title: 'Default', 'aria-label': `Default of ${def.name}`, textContent: '↺',
                onclick: () => this.take(/** @type {number} */ (def.reset), true) }));
        this.show();
    }

    /** A log range that begins at 0 has 0 at its first step. */
    get low() {
        return this.def.min > 0 ? this.def.min : this.def.max * 1e-6;
    }

    /** @param {number} step */
    fromStep(step) {
        const { min, max, log } = this.def;
        if (!log)
            return min + (max - min) * step / STEPS;
        if (step === 0)
            return min;
        return this.low * (max / this.low) ** (step / STEPS);
    }

    /** @param {number} value */
    toStep(value) {
        const { min, max, log } = this.def;
        if (!log)
            return STEPS * (value - min) / (max - min);
        return value <= this.low ? 0 : STEPS * Math.log(value / this.low) / Math.log(max / this.low);
    }

    /** @param {number} value @param {boolean} done */
    take(value, done) {
        this.value = Math.min(this.def.max, Math.max(this.def.min, Number(value.toPrecision(4))));
        this.show();
        this.def.change(this.value, done);
    }

    typed() {
        const value = Number(String(this.field.value).replace(',', '.').replace(/[^\d.eE+-].*$/, ''));
        if (Number.isFinite(value) && this.field.value.trim() !== '')
            this.take(value, true);
        else
            this.show();
    }

    // A value from elsewhere: not while it is being moved here.
    /** @param {number} value */
    set(value) {
        if (document.activeElement === this.field || this.range.matches(':active'))
            return;
        this.value = value;
        this.show();
    }

    show() {
        const { unit } = this.def;
        this.range.value = String(this.toStep(this.value));
        this.range.setAttribute('aria-valuetext', `${short(this.value)} ${unit || ''}`);
        this.field.value = short(this.value, 4) + (unit ? ` ${unit}` : '');
    }
}
