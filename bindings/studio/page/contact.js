// SPDX-License-Identifier: MIT
// The contact oscilloscope: force, depth, velocities and energy of the last
// contact, step by step.
import { buttonById, byId, canvasById, make, short, withUnit } from './dom.js';
import { isShown, whenShown } from './layout.js';
import { Plot, ink } from './plot.js';
import { RECORD, readTrace } from './records.js';

/** Columns: time, force, depth, body velocity, striker velocity, energy in, out, now. */
const PLOTS = [
    { id: 'c-force', title: 'force', unit: 'N', lines: [[1, 'force', 'accent']] },
    { id: 'c-depth', title: 'depth', unit: 'm', lines: [[2, 'depth', 'accent']] },
    { id: 'c-speed', title: 'velocity', unit: 'm/s', lines: [[3, 'body', 'accent'], [4, 'striker', 'cool']] },
    { id: 'c-energy', title: 'energy', unit: 'J', lines: [[5, 'in', 'accent'], [6, 'out', 'warn'], [7, 'now', 'cool']] },
];
const MOST = 20000;

export class ContactScope {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        this.on = false;
        this.held = false;
        /** @type {number[][]} */ this.rows = [];
        this.title = '';
        this.next = '';
        this.fresh = false;
        this.struck = { body: 0, t: 0 };
        /** @type {Contact[]} */ this.told = []; // what the program has measured of the strike
        this.about = byId('trace-about');
        buttonById('trace-hold').onclick = () => this.hold();
        byId('trace-plots').append(...PLOTS.map(p => make('figure', {},
            make('figcaption', { textContent: `${p.title}, ${p.unit}` }, ...(p.lines.length > 1 ? p.lines : []).map(([, name, colour]) =>
                make('span', { class: `key ${colour}`, textContent: String(name) }))),
            make('canvas', { id: p.id, role: 'img', 'aria-label': `${p.title} over time` }))));
        this.plots = PLOTS.map(p => new Plot(canvasById(p.id), { left: 40 }));
        for (const p of this.plots)
            p.onresize = () => this.draw();
        transport.on('trace.begin', m => this.begin(m));
        transport.on('trace.end', m => this.end(m));
        transport.onRecord(RECORD.trace, r => this.add(readTrace(r.view)));
        transport.on('welcome', () => { this.on = false; this.listen(); });
        store.on('scheme', () => this.draw());
        store.on('contacts', (/** @type {Contact[]} */ list) => { this.told = [...this.told, ...list.filter(c => c.kind === 'strike')].slice(-64); });
        whenShown('p-contact', () => { this.listen(); this.draw(); });
    }

    /** Traces cost the program something: ask for them when they are seen. */
    listen() {
        if (this.on || !isShown('p-contact') || !this.transport.open)
            return;
        this.on = true;
        this.transport.subscribe(['trace']);
        this.transport.tell('trace', { on: true });
    }

    hold() {
        this.held = !this.held;
        buttonById('trace-hold').setAttribute('aria-pressed', String(this.held));
    }

    /** @param {any} m */
    begin(m) {
        if (this.held)
            return;
        this.fresh = true; // the last contact stays until this one has samples
        this.struck = m;
        const name = this.store.bodies.get(m.body)?.name;
        this.next = `${name ? `${name} · ` : ''}${m.kind} at ${(m.t - this.store.origin).toFixed(3)} s`;
    }

    /** @param {{rows: number, columns: number, values: Float32Array}} t */
    add(t) {
        if (this.held)
            return;
        if (this.fresh)
            [this.rows, this.title, this.fresh] = [[], this.next, false];
        for (let i = 0; i < t.rows; i++)
            this.rows.push([...t.values.subarray(i * t.columns, (i + 1) * t.columns)]);
        if (this.rows.length > MOST)
            this.rows.splice(0, this.rows.length - MOST);
        this.draw();
    }

    /** @param {any} m */
    end(m) {
        if (this.held || this.fresh)
            return;
        // A strike is described as everywhere else, by what the program has measured.
        const { body, t } = this.struck;
        const best = this.told.filter(c => c.a === body && c.t > t - 0.001).sort((a, b) => b.peak_force - a.peak_force)[0];
        const touching = this.rows.filter(r => r[1] > 0);
        if (touching.length) {
            const lasted = best ? best.duration : touching[touching.length - 1][0] - touching[0][0];
            const most = best ? best.peak_force : Math.max(...touching.map(r => r[1]));
            this.title += ` · ${withUnit(lasted, 's')}, at most ${short(most)} N`;
        }
        if (m.lost)
            this.title += ` · ${m.lost} samples lost`;
        this.draw();
    }

    draw() {
        if (this.title)
            this.about.textContent = this.title;
        this.plots.forEach((plot, k) => {
            if (plot.visible)
                this.drawOne(plot, PLOTS[k]);
        });
    }

    /** A short contact and as long again after it; a lasting one as a whole. */
    seen() {
        const first = this.rows[0]?.[0] || 0;
        let last = 0;
        for (const r of this.rows)
            if (r[1] > 0)
                last = r[0] - first;
        return this.rows.filter(r => r[0] - first <= 2 * last + 1e-4);
    }

    /** @param {Plot} plot @param {typeof PLOTS[0]} def */
    drawOne(plot, def) {
        const rows = this.seen();
        const columns = def.lines.map(l => Number(l[0])).filter(c => rows.some(r => Number.isFinite(r[c])));
        if (rows.length < 2 || !columns.length) {
            plot.say(rows.length < 2 ? '' : 'not known for this contact');
            return;
        }
        let low = 0;
        let high = 0;
        for (const r of rows)
            for (const c of columns)
                if (Number.isFinite(r[c])) {
                    low = Math.min(low, r[c]);
                    high = Math.max(high, r[c]);
                }
        const room = (high - low || 1e-12) * 0.06;
        const scale = [1, 1e3, 1e6].find(s => (rows[rows.length - 1][0] - rows[0][0]) * s >= 0.5) || 1e6;
        const unit = { 1: 's', 1000: 'ms', 1000000: 'µs' }[scale];
        plot.begin({ min: rows[0][0] * scale, max: rows[rows.length - 1][0] * scale, unit }, { min: low - room, max: high + room });
        plot.axes();
        plot.inside(() => {
            for (const [column, , colour] of def.lines) {
                const list = rows.filter(r => Number.isFinite(r[Number(column)]));
                plot.line(list.length, i => list[i][0] * scale, i => list[i][Number(column)], ink(String(colour)));
            }
        });
    }
}
