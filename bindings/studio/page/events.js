// SPDX-License-Identifier: MIT
// The contacts as a list: time, bodies, impulse, duration, speed. A row strikes
// again what it lists.
import { buttonById, byId, make, withUnit } from './dom.js';
import { isShown, whenShown } from './layout.js';

const ROWS = 100;

export class Events {
    /** @param {Store} store @param {Transport} transport @param {Actions} actions */
    constructor(store, transport, actions) {
        this.store = store;
        this.actions = actions;
        /** @type {Contact[]} */ this.list = [];
        /** @type {any[]} */ this.own = []; // strikes of this page, with their directions
        this.due = false;
        this.body = byId('events-rows');
        this.count = byId('events-count');
        buttonById('events-clear').onclick = () => { this.list = []; this.draw(); };
        store.on('contacts', list => {
            this.list.unshift(...[...list].reverse());
            this.list.length = Math.min(this.list.length, ROWS);
            this.drawSoon();
        });
        transport.on('lasting', m => {
            for (const [t, a, b, kind, phase, x, y, z, force, speed] of m.items || [])
                if (phase !== 'go')
                    this.list.unshift({ t, a, b: 0, kind: `${kind} ${phase}s${b ? ` on ${this.name(b)}` : ''}`, impulse: NaN, duration: NaN,
                        speed: Math.abs(speed), peak_force: force, point: [x, y, z], normal: [0, 1, 0] });
            this.list.length = Math.min(this.list.length, ROWS);
            this.drawSoon();
        });
        store.on('struck', m => { this.own = [...this.own, m].slice(-ROWS); });
        store.on('scene', () => { this.list = []; this.draw(); });
        whenShown('p-events', () => this.draw());
    }

    /** At most five times a second: a heap makes hundreds. */
    drawSoon() {
        if (this.due || !isShown('p-events'))
            return;
        this.due = true;
        setTimeout(() => { this.due = false; this.draw(); }, 200);
    }

    /** @param {number} id */
    name(id) {
        return this.store.bodies.get(id)?.name || '–';
    }

    draw() {
        this.count.textContent = this.list.length ? `the last ${this.list.length}` : 'Contacts appear here as they happen.';
        this.body.replaceChildren(...this.list.map(c => make('tr', {},
            ...[(c.t - this.store.origin).toFixed(3), this.name(c.a), c.b ? this.name(c.b) : c.kind, withUnit(c.impulse, 'N s'), withUnit(c.duration, 's'),
                withUnit(c.speed, 'm/s'), withUnit(c.peak_force, 'N')].map(textContent => make('td', { textContent })),
            make('td', {}, make('button', { class: 'small', textContent: 'Again', 'aria-label': `Strike ${this.name(c.a)} there again`, onclick: () => this.again(c) })))));
    }

    /** @param {Contact} c */
    again(c) {
        const view = /** @type {any} */ (window).studio.view;
        const own = this.own.find(m => m.body === c.a && Math.abs(m.t - c.t) < 0.002);
        const local = own ? own.point : view ? view.localOf(c.a, c.point) : null;
        if (local)
            this.actions.strike(c.a, local, own ? own.direction : null, c.speed > 0 ? c.speed : this.store.striker.speed);
    }
}
