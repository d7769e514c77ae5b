// SPDX-License-Identifier: MIT
// The lowest modes of a body by their names, as they are now: the table of
// modes has numbers only.
import { make, short } from '../dom.js';

const MODES = 8;

export class ModeList {
    /** @param {Store} store @param {Transport} transport @param {string} body name @param {Node[]} title */
    constructor(store, transport, body, title) {
        this.store = store;
        this.transport = transport;
        this.body = body;
        this.rows = make('tbody');
        const head = ['mode', 'Hz', 'ratio', 'T60, s'].map(text => make('th', { scope: 'col', textContent: text }));
        this.element = make('div', { class: 'lesson-table' }, make('p', {}, ...title),
            make('table', {}, make('thead', {}, make('tr', {}, ...head)), this.rows));
        this.rev = '';
        this.fill();
    }

    async fill() {
        const body = [...this.store.bodies.values()].find(b => b.name === this.body);
        const rev = body ? `${body.id} ${body.modes_rev}` : '';
        if (!body || rev === this.rev)
            return;
        this.rev = rev;
        const found = await this.transport.getJson(`bodies/${body.id}/modes`).catch(() => null);
        if (!found || rev !== this.rev)
            return;
        /** @type {number[][]} */ const rows = found.rows.slice(0, MODES);
        this.rows.replaceChildren(...rows.map(([hz, t60], i) => make('tr', {}, ...[
            found.labels?.[i] || `mode ${i + 1}`, short(hz, 5), short(hz / rows[0][0], 4), short(t60),
        ].map(text => make('td', { textContent: text })))));
    }
}
