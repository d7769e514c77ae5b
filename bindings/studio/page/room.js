// SPDX-License-Identifier: MIT
// The room around bodies and listener: a box with six walls, a reverberation of
// free choice, and how long it rings, by octave, as the program computes it.
import { byId, make, notice, oncePerFrame, short } from './dom.js';
import { isShown, whenShown } from './layout.js';
import { copyLua, roomAsLua, withRoom } from './lua_text.js';
import { Plot, ink } from './plot.js';
import { Slider } from './slider.js';
import { history } from './undo.js';

const OCTAVES = [125, 250, 500, 1000, 2000, 4000, 8000];
const NAMES = ['125', '250', '500', '1k', '2k', '4k', '8k'];
const SIDES = ['width', 'height', 'length'];
const NONE = [0, 0, 0];

export class RoomView {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        this.send = oncePerFrame((/** @type {object} */ fields) => this.tell(fields));
        /** What a box and a reverberation are that are switched on again. */
        this.kept = { size: [6, 3, 8], t60: OCTAVES.map(() => 1.5), response: '' };
        this.size = SIDES.map((name, i) => this.slider(name, 'sb.room', 'size', (room, v) => {
            room.size[i] = v;
            return { size: room.size };
        }, { reset: this.kept.size[i], min: 0.5 }));
        this.octaves = OCTAVES.map((hz, i) => this.slider(`${NAMES[i]} Hz`, 'sb.reverb', 't60', ({ reverb }, v) => {
            reverb.t60[i] = v;
            return { reverb: { t60: reverb.t60 } };
        }, { reset: 1.5 }));
        this.reverb = {
            t60: this.slider('T60', 'sb.reverb', 't60', ({ reverb }, v) => { // at 1 kHz, and the others with it
                const { min, max } = this.reverb.t60.def;
                reverb.t60 = reverb.t60.map((_, i) => Math.min(max, Math.max(min, Number((this.kept.t60[i] * v / this.kept.t60[3]).toPrecision(4)))));
                return { reverb: { t60: reverb.t60 } };
            }, { reset: 1.5 }),
            level: this.slider('level', 'sb.reverb', 'level', (_, v) => ({ reverb: { level: v } }), { reset: -6, log: false }),
            predelay: this.slider('predelay', 'sb.reverb', 'predelay', (_, v) => ({ reverb: { predelay: v } }), { reset: 0.01, log: false }),
        };
        this.build();
        this.plot = new Plot(this.canvas, { left: 42 });
        this.plot.onresize = () => this.draw();
        whenShown('p-room', () => this.show());
        for (const event of ['room', 'reference', 'scheme'])
            store.on(event, () => this.show());
    }

    get room() { return this.store.scene?.room; }

    /** @param {object} fields */
    tell(fields) {
        return this.transport.request('room.set', fields).catch(error => {
            notice(error.message);
            this.store.load();
        });
    }

    /**
     * @param {string} name @param {string} call @param {string} field
     * @param {(room: Room, value: number) => object} put what is sent then
     * @param {object} more
     */
    slider(name, call, field, put, more) {
        return new Slider({ name, log: true, ...this.store.rangeOf(call, field), value: 1, reset: 1, ...more,
            what: () => `${name} of the ${call.slice(3)}`,
            change: v => this.room && this.send(put(this.room, v)) });
    }

    build() {
        const box = (/** @type {Node} */ title, /** @type {Node[]} */ ...parts) => make('fieldset', { class: 'group-box' }, make('legend', {}, title), ...parts);
        const check = (/** @type {string} */ text, /** @type {(on: boolean) => any} */ put) => {
            const field = make('input', { type: 'checkbox', onchange: () => history.change(text, !field.checked, field.checked, put) });
            return { field, label: make('label', { class: 'inline' }, field, ` ${text}`) };
        };
        this.hall = check('Box', on => this.tell(on ? { size: this.kept.size, response: false } : { size: NONE }));
        this.free = check('Reverb of free choice', on => this.tell({ reverb: { t60: on ? this.kept.t60 : 0 } }));
        this.response = check('Response', on => this.tell(on ? { size: NONE, response: true } : { response: false }));
        this.decay = make('select', { 'aria-label': 'Formula of T60', onchange: () =>
            history.change('formula', this.room?.decay, this.decay.value, decay => this.tell({ decay })) },
        ...['eyring', 'sabine'].map(n => make('option', { value: n, textContent: n })));
        this.about = make('span', { class: 'note grow', role: 'status' });
        this.canvas = make('canvas', { id: 'room-t60', class: 't60', role: 'img' });
        this.walls = make('table', { class: 'walls', 'aria-label': 'What the walls absorb, 0 to 1' });
        this.hallParts = make('div', {}, make('div', { class: 'two' }, ...this.size.map(s => s.element)), this.walls,
            make('div', { class: 'row flush' }, make('label', { class: 'inline' }, 'T60 by ', this.decay), this.place = make('span', { class: 'note' })));
        const { t60, level, predelay } = this.reverb;
        this.freeParts = make('div', {}, make('div', { class: 'two' }, ...[t60, level, predelay].map(s => s.element)),
            make('details', {}, make('summary', { class: 'note', textContent: 'T60 of each octave' }),
                make('div', { class: 'two' }, ...this.octaves.map(s => s.element))));
        byId('p-room').append(
            make('div', { class: 'row' }, this.about,
                make('button', { class: 'small', textContent: 'Copy as Lua', 'aria-label': 'Copy the room as Lua', onclick: () => this.room && copyLua(roomAsLua(this.room), 'room') }),
                make('button', { class: 'small', textContent: 'Write to the file', 'aria-label': 'Write the room to the file', onclick: () => this.write() })),
            this.canvas, box(this.hall.label, this.hallParts), box(this.free.label, this.freeParts),
            this.responseBox = box(this.response.label));
    }

    show() {
        const { room } = this;
        if (!room || !isShown('p-room'))
            return;
        const [hall, free] = [room.size[0] > 0, room.reverb.t60[0] > 0];
        this.kept = { size: hall ? [...room.size] : this.kept.size, t60: free ? [...room.reverb.t60] : this.kept.t60, response: room.response || this.kept.response };
        const turn = (/** @type {any} */ c, /** @type {boolean} */ on, /** @type {any} */ parts) => {
            c.field.checked = on;
            if (parts)
                parts.hidden = !on;
        };
        turn(this.hall, hall, this.hallParts);
        turn(this.free, free, this.freeParts);
        turn(this.response, !!room.response, null);
        this.responseBox.hidden = !this.kept.response;
        /** @type {any} */ (this.response).label.lastChild.textContent = ` Response ${this.kept.response}`;
        this.size.forEach((s, i) => s.set(room.size[i]));
        this.octaves.forEach((s, i) => s.set(room.reverb.t60[i]));
        this.reverb.t60.set(room.reverb.t60[3]);
        this.reverb.level.set(room.reverb.level);
        this.reverb.predelay.set(room.reverb.predelay);
        this.decay.value = room.decay;
        this.place.textContent = `Middle of the floor at ${room.position.map(v => short(v)).join(', ')} m`;
        this.about.textContent = room.response ? 'An impulse response: its T60 is its own.'
            : free ? `T60 as chosen${hall ? '; early reflections of the box' : ''}`
                : hall ? `T60 of the box, by ${room.decay === 'sabine' ? 'Sabine' : 'Eyring'}` : 'No room: only the direct sound.';
        if (hall)
            this.showWalls(room);
        this.draw();
    }

    /** @param {Room} room */
    showWalls(room) {
        if (this.walls.contains(document.activeElement)) // a list that is open stays so
            /** @type {HTMLElement} */ (document.activeElement).blur();
        const materials = this.store.scene?.wall_materials || [];
        const names = Object.keys(room.walls);
        const put = (/** @type {object} */ walls) => this.tell({ walls });
        const choose = (/** @type {string} */ label, /** @type {string[]} */ of) => {
            const now = new Set(of.map(w => room.walls[w].material || 'own'));
            const shown = now.size === 1 ? [...now][0] : '…';
            const list = make('select', { 'aria-label': `Material of ${label}`, onchange: () => {
                const was = Object.fromEntries(of.map(w => [w, room.walls[w].material || room.walls[w].absorption]));
                history.change(`${list.value} for ${label}`, was, Object.fromEntries(of.map(w => [w, list.value])), put);
            } }, ...materials.some(m => m.name === shown) ? [] : [make('option', { value: '', textContent: shown, disabled: true, selected: true })],
            ...materials.map(m => make('option', { value: m.name, textContent: m.name.replace(/_/g, ' '), title: m.what, selected: m.name === shown })));
            list.title = materials.find(m => m.name === shown)?.what || '';
            return list;
        };
        const row = (/** @type {string} */ name, /** @type {Node} */ list, /** @type {string[]} */ values) => make('tr', {},
            make('th', { scope: 'row', textContent: name }), make('td', {}, list), ...values.map(v => make('td', { textContent: v })));
        this.walls.replaceChildren(
            make('thead', {}, make('tr', {}, ...['wall', 'material', ...NAMES].map(n => make('th', { scope: 'col', textContent: n })))),
            make('tbody', {}, row('all', choose('all walls', names), NAMES.map(() => '')),
                ...names.map(w => row(w, choose(`the wall ${w}`, [w]), room.walls[w].absorption.map(a => short(a, 2))))));
    }

    draw() {
        const [p, t60] = [this.plot, this.room?.t60];
        const rings = (t60?.[3] || 0) > 0;
        this.canvas.setAttribute('aria-label', t60 && rings ? `T60: ${t60.map((t, i) => `${short(t)} s at ${NAMES[i]} Hz`).join(', ')}` : 'T60: there is no room');
        this.canvas.title = t60 && rings ? t60.map((t, i) => `${NAMES[i]} Hz: ${short(t)} s`).join('\n') : '';
        if (!p.visible)
            return;
        if (!t60 || !rings) {
            p.say(this.room?.response ? `${this.room.response} has its own` : 'no room');
            return;
        }
        p.begin({ min: 100, max: 10000, log: true, unit: 'Hz' }, { min: 0, max: Math.max(...t60) * 1.2, unit: 'T60, s' });
        p.axes();
        p.line(t60.length, i => OCTAVES[i], i => t60[i], ink('cool'), 1.5);
        t60.forEach((t, i) => p.dot(OCTAVES[i], t, 'accent', 3));
    }

    async write() {
        try {
            const { room, store } = this;
            const files = await Promise.all((store.scene?.files || []).map(file => this.transport.request('script.get', { file })));
            const now = room ? withRoom(files.map(f => f.text), room) : [];
            for (const [i, text] of now.entries()) {
                if (text === files[i].text)
                    continue;
                const { copy } = await store.swap(files[i].file, files[i].text, text, `room in ${files[i].file}`);
                if (!copy)
                    notice(`the room is written to ${files[i].file}`);
            }
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }
}
