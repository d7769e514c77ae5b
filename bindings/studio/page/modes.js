// SPDX-License-Identifier: MIT
// The table of modes: numbers, response at the pointer, live energy, solo and
// mute, sort, CSV. It is the twin of the view for those who do not see it.
import { announce, buttonById, byId, download, inputById, make, noteName, short } from './dom.js';
import { RECORD, readEnergies } from './records.js';
import { PhiBars } from './phi_bars.js';
import { Slider } from './slider.js';
import { parts, t60Text } from './t60.js';
import { history } from './undo.js';

const COLUMNS = [
    ['n', 'n', 'number of the mode'],
    ['label', 'name', 'how it moves, of the first 64'],
    ['hz', 'Hz', 'frequency'],
    ['note', 'note', 'nearest note and cents'],
    ['ratio', 'ratio', 'to the lowest mode'],
    ['t60', 'T60', 'seconds to fall by 60 dB'],
    ['q', 'Q', 'quality factor'],
    ['phi', '|φ|', 'how strongly it responds at the pointer'],
    ['energy', 'dB', 'energy now, below the largest seen'],
];

/** More rows than this are drawn when asked for: a table of 3,000 is slow. */
const ROWS = 200;

export class Modes {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        this.sort = 'n';
        this.down = false;
        this.rows = ROWS;
        /** @type {Float32Array} */ this.energy = new Float32Array(0);
        this.top = 1e-12;
        this.lastEnergy = 0;
        /** @type {Map<number, {phi: HTMLElement, phiBar: HTMLElement, energy: HTMLElement, bar: HTMLElement, solo: HTMLElement, mute: HTMLElement, row: HTMLElement}>} */
        this.cells = new Map();
        const setLimit = (/** @type {number} */ body, /** @type {number} */ count) =>
            this.transport.tell('mode.limit', { body, count: count >= store.modes.length ? 0 : count });
        this.limit = new Slider({ range: inputById('mode-limit'), name: 'number of modes', min: 1, max: 1, value: 1, whole: true, reset: Infinity, // all, however many there are
            show: count => { byId('mode-limit-text').textContent = store.modes.length ? String(Math.min(count, store.modes.length)) : '–'; },
            change: count => setLimit(store.selected, count),
            bind: () => { const { selected: id, body } = store; return count => setLimit(store.find(id, body?.name)?.id || 0, count); } });
        this.about = byId('modes-about');
        /** @type {any} */ this.table = byId('modes-table');
        buttonById('modes-all').onclick = () => this.clear();
        buttonById('modes-csv').onclick = () => this.csv();
        this.bars = new PhiBars(store);
        store.on('modes', () => { this.rows = ROWS; this.draw(); });
        store.on('body', () => { this.energy = new Float32Array(0); this.top = 1e-12; });
        store.on('probe', () => this.probe());
        store.on('settings', () => this.marks());
        store.on('mode', () => this.marks());
        transport.onRecord(RECORD.energies, r => this.energies(readEnergies(r.view)));
    }

    clear() {
        this.act('all modes', { solo: [], mute: [] });
    }

    // Only this mode; all of them, if it was that.
    /** @param {number} n */
    only(n) {
        const was = this.store.isSolo(n);
        this.act(was ? 'all modes' : `only mode ${n}`, { solo: was ? [] : [n], mute: [] });
    }

    /** @param {number} n @param {'solo'|'mute'} what */
    toggle(n, what) {
        const chosen = this.chosen();
        const on = !chosen[what].includes(n);
        this.act(`${what} of mode ${n}`, { ...chosen, [what]: on ? [...chosen[what], n] : chosen[what].filter(k => k !== n) });
        announce(`mode ${n} ${on ? what : `not ${what}`}`);
    }

    /** Modes of the selected body, by number. */
    chosen() {
        const { settings, selected } = this.store;
        const own = (/** @type {[number, number][]} */ list) => list.filter(([b]) => b === selected).map(([, n]) => n);
        return { solo: own(settings.solo), mute: own(settings.mute) };
    }

    // Change which modes of the selected body are heard.
    /** @param {string} what @param {{solo: number[], mute: number[]}} to */
    act(what, to) {
        const { selected, body } = this.store;
        history.change(what, this.chosen(), to, ({ solo, mute }) => {
            const id = this.store.find(selected, body?.name)?.id || 0;
            const { settings } = this.store;
            const others = (/** @type {[number, number][]} */ list, /** @type {number[]} */ own) =>
                [...list.filter(([b]) => b !== id), ...own.map(n => /** @type {[number, number]} */ ([id, n]))];
            const tell = (/** @type {object} */ fields) => this.transport.tell('mode.set', { body: id, ...fields });
            this.store.takeSettings({ solo: others(settings.solo, solo), mute: others(settings.mute, mute) });
            return Promise.all([tell({ n: null }), ...solo.map(n => tell({ n, solo: true })), ...mute.map(n => tell({ n, mute: true }))]);
        });
    }

    /** @param {Mode} m @returns {any} */
    value(m) {
        const first = this.store.modes[0].hz;
        switch (this.sort) {
        case 'note': case 'hz': return m.hz;
        case 'ratio': return m.hz / first;
        case 'label': return m.n;
        case 't60': return m.t60;
        case 'q': return quality(m);
        case 'phi': return Math.abs(this.store.probe?.phi[m.n - 1] || 0);
        case 'energy': return this.energy[m.n - 1] || 0;
        default: return m.n;
        }
    }

    sorted() {
        const list = [...this.store.modes];
        if (list.length && (this.sort !== 'n' || this.down)) {
            const sign = this.down ? -1 : 1;
            list.sort((a, b) => sign * (this.value(a) - this.value(b)) || a.n - b.n);
        }
        return list;
    }

    /** @param {string} key */
    sortBy(key) {
        this.down = this.sort === key ? !this.down : ['phi', 'energy', 't60', 'q'].includes(key);
        this.sort = key;
        this.draw();
    }

    head() {
        return make('thead', {}, make('tr', {}, ...COLUMNS.map(([key, label, title]) => {
            const on = this.sort === key;
            return make('th', { scope: 'col', class: `c-${key}`, 'aria-sort': on ? (this.down ? 'descending' : 'ascending') : 'none' },
                make('button', { title, onclick: () => this.sortBy(key) }, label + (on ? (this.down ? ' ↓' : ' ↑') : '')));
        }), make('th', { scope: 'col', title: 'hear only this mode', textContent: 'S', 'aria-label': 'Solo' }),
        make('th', { scope: 'col', title: 'do not hear this mode', textContent: 'M', 'aria-label': 'Mute' })));
    }

    draw() {
        const { modes, body } = this.store;
        this.cells.clear();
        this.about.textContent = body
            ? `${body.name} · ${body.shape}${body.material?.name ? ` of ${body.material.name}` : ''} · ${modes.length} mode${modes.length === 1 ? '' : 's'}` : 'no body';
        this.limit.def.max = Math.max(1, modes.length);
        if (!modes.length) {
            this.table.replaceChildren(make('caption', { class: 'empty',
                textContent: body ? `${body.name} does not ring` : 'No scene is open' }));
            this.marks();
            return;
        }
        const list = this.sorted();
        const rows = list.slice(0, this.rows).map(m => this.row(m));
        const tbody = make('tbody', {}, ...rows);
        if (list.length > this.rows)
            tbody.append(make('tr', {}, make('td', { colSpan: COLUMNS.length + 2 },
                make('button', { class: 'small', textContent: `Show all ${list.length}`,
                    onclick: () => { this.rows = list.length; this.draw(); } }))));
        this.table.replaceChildren(this.head(), tbody);
        this.marks();
        this.probe();
    }

    /** @param {Mode} m */
    row(m) {
        const first = this.store.modes[0].hz;
        const phi = make('span', { class: 'value' });
        const phiBar = make('span', { class: 'fill' });
        const energy = make('span', { class: 'value' });
        const bar = make('span', { class: 'fill energy' });
        const [solo, mute] = ['Solo', 'Mute'].map(word => make('button', { class: 'sm', textContent: word[0], 'aria-label': `${word} mode ${m.n}`,
            'aria-pressed': 'false', onclick: (/** @type {Event} */ e) => { e.stopPropagation(); this.toggle(m.n, /** @type {any} */ (word.toLowerCase())); } }));
        const name = make('button', { class: 'plain', textContent: String(m.n), 'aria-label': `Show the shape of mode ${m.n}`,
            title: 'Show its shape; with Ctrl, add it to those shown' });
        const row = make('tr', { onclick: (/** @type {MouseEvent} */ e) => this.store.showMode(m.n, e.ctrlKey || e.metaKey) },
            make('th', { scope: 'row' }, name),
            make('td', { class: 'c-label', textContent: m.label, title: m.label }),
            make('td', { textContent: m.hz.toFixed(m.hz < 1000 ? 2 : 1) }),
            make('td', { class: 'c-note', textContent: noteName(m.hz) }),
            make('td', { class: 'c-ratio', textContent: (m.hz / first).toFixed(3) }),
            make('td', { textContent: short(m.t60), title: t60Text(m) }),
            make('td', { class: 'c-q', textContent: short(quality(m)) }),
            make('td', { class: 'barred' }, phiBar, phi),
            make('td', { class: 'barred' }, bar, energy),
            make('td', {}, solo), make('td', {}, mute));
        this.cells.set(m.n, { phi, phiBar, energy, bar, solo, mute, row });
        return row;
    }

    marks() {
        const { store } = this;
        const limit = store.settings.limit[String(store.selected)] || 0;
        const count = limit || store.modes.length;
        this.limit.set(limit || Infinity);
        const anySolo = store.settings.solo.some(([b]) => b === store.selected);
        for (const [n, c] of this.cells) {
            const solo = store.isSolo(n), mute = store.isMute(n);
            c.solo.setAttribute('aria-pressed', String(solo));
            c.mute.setAttribute('aria-pressed', String(mute));
            c.row.classList.toggle('silent', mute || (anySolo && !solo) || n > count);
            c.row.classList.toggle('shown', store.shown.has(n));
        }
    }

    probe() {
        const phi = this.store.probe?.phi;
        let most = 1e-12;
        for (const m of this.store.modes)
            most = Math.max(most, Math.abs(phi?.[m.n - 1] || 0));
        for (const [n, c] of this.cells) {
            const v = phi ? phi[n - 1] : NaN;
            c.phi.textContent = phi ? short(Math.abs(v), 2) : '–';
            grow(c.phiBar, phi ? Math.abs(v) / most : 0);
            c.phiBar.classList.toggle('minus', v < 0);
        }
    }

    /** @param {{body: number, energy: Float32Array}} e */
    energies(e) {
        if (e.body !== this.store.selected)
            return;
        this.energy = e.energy.slice();
        for (const v of this.energy)
            this.top = Math.max(this.top, v);
        const now = performance.now();
        if (now - this.lastEnergy < 100)
            return;
        this.lastEnergy = now;
        this.store.emit('energies', this.energy);
        this.showEnergies();
    }

    /** Of the rows that are in sight: others would only cost layout. */
    showEnergies() {
        const box = this.table.parentElement;
        const from = box.scrollTop - 40;
        const to = box.scrollTop + box.clientHeight;
        if (!box.clientHeight)
            return;
        for (const [n, c] of this.cells) {
            if (c.row.offsetTop < from || c.row.offsetTop > to)
                continue;
            const v = this.energy[n - 1] || 0;
            const db = v > 0 ? 10 * Math.log10(v / this.top) : -200;
            const text = db > -120 ? String(Math.round(db) || 0) : '·'; // no -0
            if (c.energy.textContent !== text)
                c.energy.textContent = text;
            grow(c.bar, Math.round(100 * Math.max(0, 1 + db / 90)) / 100);
        }
    }

    csv() {
        const { modes, probe, body } = this.store;
        if (!modes.length)
            return;
        const lines = modes.map(m => [m.n, `"${m.label.replace(/"/g, '""')}"`, m.hz, noteName(m.hz), m.hz / modes[0].hz, m.t60, ...m.air > 0 ? Object.values(parts(m)) : ['', ''], quality(m),
            probe ? Math.abs(probe.phi[m.n - 1]) : '', this.energy[m.n - 1] ?? ''].join(','));
        download(`${body?.name || 'modes'}.csv`, `n,name,hz,note,ratio,t60_s,t60_material_s,t60_air_s,q,phi,energy_j\n${lines.join('\n')}\n`, 'text/csv');
    }
}

/** @param {Mode} m */
function quality(m) {
    return m.sigma > 0 ? Math.PI * m.hz / m.sigma : Infinity;
}

// Bars are scaled, not resized: no layout.
/** @param {HTMLElement} bar @param {number} part */
function grow(bar, part) {
    const text = `scaleX(${part.toFixed(2)})`;
    if (bar.style.transform !== text)
        bar.style.transform = text;
}
