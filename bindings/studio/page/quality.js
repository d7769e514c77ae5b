// SPDX-License-Identifier: MIT
// Quality: who is heard and who is left out, the budget, the threshold, and
// what merging of modes took away.
import { byId, make, oncePerFrame, short } from './dom.js';
import { isShown } from './layout.js';
import { Slider } from './slider.js';
import { history } from './undo.js';

export class QualityView {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        this.send = oncePerFrame((/** @type {object} */ fields) => transport.tell('quality.set', fields));
        const place = byId('p-quality');
        /** @type {Record<string, Slider>} */ this.sliders = {};
        for (const [name, value] of Object.entries({ budget: 0.6, tau: 0.01, slope: 8, modes: 0 }))
            this.sliders[name] = new Slider({ name, ...store.rangeOf('sb.quality', name), value, reset: value,
                log: name === 'tau', whole: name === 'modes', change: v => this.send({ [name]: v }) });
        this.text = make('p', { class: 'note wrap' });
        this.heard = make('div', { class: 'heard', role: 'list', 'aria-label': 'Modes mixed per body' });
        this.merge = new Slider({ name: 'merge', min: 0, max: 100, value: 0, reset: 0, unit: 'jnd',
            title: 'modes of the selected body that are closer than so many just noticeable differences become one; 0: the default',
            change: (v, done) => { if (done) this.setMerge(this.store.selected, v); },
            bind: () => { const body = this.store.selected; return v => this.setMerge(body, v); } });
        this.removed = make('button', { id: 'removed', class: 'small', textContent: 'Hear what was removed', 'aria-pressed': 'false',
            title: 'Only what merging took away', onclick: () => this.hearRemoved(this.removed.getAttribute('aria-pressed') !== 'true') });
        const group = (/** @type {string} */ title, /** @type {Node[]} */ ...parts) => make('fieldset', { class: 'group-box' },
            make('legend', {}, make('span', { textContent: title })), ...parts);
        place.append(
            group('Limits', make('div', { class: 'two' }, ...Object.values(this.sliders).map(s => s.element))),
            group('Close modes of the selected body', this.merge.element, make('div', { class: 'row flush' }, this.removed)),
            group('Who is heard', this.text, this.heard));
        store.on('quality', () => this.show());
        store.on('body', () => this.showMerge());
        store.on('bodies', () => this.showMerge());
        store.on('stats', m => this.stats(m));
        transport.on('heard', m => this.showHeard(m.items || []));
    }

    show() {
        const q = this.store.scene?.quality;
        if (!q)
            return;
        for (const [name, slider] of Object.entries(this.sliders))
            slider.set(/** @type {any} */ (q)[name] ?? slider.def.max);
    }

    showMerge() {
        const body = this.store.body;
        this.merge.set(body?.merge || 0);
        this.removed.setAttribute('aria-pressed', String(!!body?.hears_removed));
    }

    /** @param {number} body @param {number} merge @param {boolean} [removed] */
    setMerge(body, merge, removed = !!this.store.bodies.get(body)?.hears_removed) {
        return this.transport.tell('merge.set', { body, merge, removed });
    }

    /** @param {boolean} on */
    hearRemoved(on) {
        const body = this.store.selected;
        history.change('what merging took away', !on, on, v => this.setMerge(body, this.store.bodies.get(body)?.merge || 0, v));
    }

    /** @param {any} m */
    stats(m) {
        if (!isShown('p-quality'))
            return;
        const left = m.modes_wanted - m.modes_mixed;
        this.text.textContent = `${m.modes_mixed} of ${m.modes_wanted} ringing modes are mixed`
            + (left > 0 ? `; what is left out is at ${short(m.dropped_db)} dB` : '')
            + `. ${m.sounding} of ${m.voices} bodies sound. ${short(m.units)} of ${short(m.budget_units)} units of the budget are used.`;
    }

    /** @param {[number, number, number][]} items */
    showHeard(items) {
        if (!isShown('p-quality'))
            return;
        const rows = items.filter(i => i[1] > 0).sort((a, b) => b[1] - a[1]).slice(0, 60);
        this.heard.replaceChildren(...rows.map(([id, wanted, mixed]) => {
            const fill = make('span');
            fill.style.width = `${100 * mixed / wanted}%`;
            return make('div', { class: 'bar-row', role: 'listitem' },
                make('span', { textContent: this.store.bodies.get(id)?.name || String(id) }),
                make('span', { class: 'track' }, fill),
                make('span', { class: 'number', textContent: `${mixed} of ${wanted}` }));
        }));
        if (!rows.length)
            this.heard.append(make('p', { class: 'note', textContent: 'Nothing rings.' }));
    }
}
