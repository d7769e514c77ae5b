// SPDX-License-Identifier: MIT
// The texture: paint how strongly modes respond, on the map and on the body.
// What is painted goes to the program with every frame, so it is heard while
// the stroke goes on.
import { Atlas } from './atlas.js';
import { css, diverging } from './colour.js';
import { byId, download, make, notice, oncePerFrame } from './dom.js';
import { isShown, whenShown } from './layout.js';
import { readPng } from './png.js';
import { RECORD, readRect, writeRect } from './records.js';
import { Slider } from './slider.js';
import { history } from './undo.js';

/** The value of a texel whose weight is zero. */
const ZERO = 32768;

export class Paint {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        /** @type {Map<number, Uint16Array>} by channel */ this.channels = new Map();
        /** @type {Atlas|null} */ this.atlas = null;
        this.body = 0;
        this.width = 0;
        this.height = 0;
        this.size = 0.08;
        this.value = 1;
        this.smooth = false;
        /** @type {number[]} channels that the brush changes */ this.group = [0];
        /** @type {Map<number, number[]>} what changed since it was sent: x0 y0 x1 y1 */ this.changed = new Map();
        /** @type {number|null} */ this.last = null;
        this.build();
        store.on('body', () => this.load());
        store.on('bodies', () => { if (this.known() !== this.shownAs) this.load(); });
        store.on('paint', e => this.stroke(e.phase, e.hit?.uv || null));
        store.on('want-layer', () => this.load());
        store.on('scheme', () => this.draw());
        transport.onRecord(RECORD.rect, r => this.take(readRect(r.view)));
        whenShown('p-texture', () => this.load());
        this.send = oncePerFrame(() => this.flush());
    }

    build() {
        this.canvas = make('canvas', { id: 'uv', tabIndex: 0, role: 'application', 'aria-label': 'Map of the weights. Arrows move the brush, Space paints.' });
        this.canvas.onpointerdown = (/** @type {PointerEvent} */ e) => {
            this.canvas.setPointerCapture(e.pointerId);
            this.stroke('begin', this.uvOf(e));
            this.canvas.onpointermove = (/** @type {PointerEvent} */ m) => this.stroke('move', this.uvOf(m));
        };
        this.canvas.onpointerup = this.canvas.onpointercancel = () => {
            this.canvas.onpointermove = null;
            this.stroke('end', null);
        };
        this.keyAt = [0.5, 0.5];
        this.canvas.onkeydown = (/** @type {KeyboardEvent} */ e) => this.key(e);
        const field = make('input', { type: 'text', value: '1', 'aria-label': 'Modes to paint, as 1 or 1-3, 5', title: 'as 1, 1-3 or 1-3, 5',
            onchange: () => {
                history.change('modes to paint', shown, field.value, text => {
                    shown = field.value = text;
                    this.group = this.parse(text);
                    this.load();
                });
            } });
        let shown = field.value;
        this.field = field;
        this.file = make('input', { type: 'file', accept: 'image/png', class: 'off-screen', tabIndex: -1, 'aria-label': 'PNG file to load', onchange: () => this.loadFile() });
        const smooth = make('input', { type: 'checkbox',
            onchange: () => history.change('smooth', this.smooth, smooth.checked, on => { this.smooth = smooth.checked = on; }) });
        const button = (/** @type {string} */ text, /** @type {() => void} */ call, title = '') => make('button', { class: 'small', textContent: text, title, onclick: call });
        this.makeButton = button('Make a texture of the mode shapes', () => this.act('texture of the mode shapes', 'texture.make', 'texture.remove', { width: 128, height: 128 }));
        this.empty = make('div', { class: 'empty' }, make('p'), this.makeButton);
        this.tools = make('div', { class: 'paint-side' },
            make('div', { class: 'row flush' }, make('label', { class: 'inline' }, 'Modes ', field), this.info = make('span', { class: 'note' })),
            new Slider({ name: 'size', min: 0.01, max: 0.4, log: true, value: this.size, reset: this.size, what: () => 'size of the brush', change: v => { this.size = v; } }).element,
            new Slider({ name: 'value', min: -1, max: 1, value: this.value, reset: this.value, what: () => 'value of the brush', title: '1: responds most, 0: silent, -1: most, in the other direction', change: v => { this.value = v; } }).element,
            make('div', { class: 'row flush' }, make('label', { class: 'inline' }, smooth, ' Smooth'), button('Undo', () => history.back()), button('Fill', () => this.fill(), 'Everything takes the value')),
            make('div', { class: 'row flush' }, button('Load…', () => this.file.click(), 'Load a PNG into these modes'), this.file, button('Download', () => this.save(), '16-bit PNG'), button('Save to folder', () => this.saveThere(), '16-bit PNG in the folder of the scene')));
        this.box = make('div', { class: 'paint' }, make('div', { class: 'paint-box' }, this.canvas), this.tools);
        byId('p-texture').append(this.box, this.empty);
    }

    // "1-3, 5": the channels that hold these modes.
    /** @param {string} text */
    parse(text) {
        const { channels = 0, modes = undefined } = this.store.body?.texture || {};
        const all = modes || Array.from({ length: channels }, (_, i) => [i + 1, i + 1]);
        const parts = [...text.matchAll(/(\d+)(?:\s*-\s*(\d+))?/g)].map(m => [Number(m[1]), Number(m[2] || m[1])]);
        const found = all.map((_, i) => i).filter(i => parts.some(([a, b]) => all[i][0] <= b && all[i][1] >= a));
        return found.length ? found : [0];
    }

    /** @param {string} type @param {object} [fields] */
    ask(type, fields = {}) {
        return this.transport.tell(type, { body: this.store.selected, ...fields });
    }

    // The same, so that it can be undone; without `type` it has been done.
    /** @param {string} what @param {string} type @param {string} back @param {object} [fields] @param {string} [again] */
    async act(what, type, back, fields = {}, again = type) {
        const body = this.store.selected;
        const done = !type || await this.transport.tell(type, { body, ...fields });
        if (done)
            history.push(what, () => this.transport.request(back, { body, ...fields }), () => this.transport.request(again, { body, ...fields }));
        return done;
    }

    /** @param {string} what */
    commit(what) {
        this.flush();
        this.ask('texture.commit');
        this.act(what, '', 'texture.undo', {}, 'texture.redo');
    }

    known() {
        const b = this.store.body;
        return b?.texture ? `${b.id}/${b.mesh_rev}/${b.texture.width}/${b.texture.height}/${b.texture.channels}` : '';
    }

    /** Fetch the channels of the group, where they are looked at. */
    async load() {
        const body = this.store.body;
        const texture = body?.texture;
        this.shownAs = this.known();
        this.box.hidden = !texture;
        this.empty.hidden = !!texture;
        this.empty.firstChild.textContent = body ? `${body.name} has no texture: its weights are its mode shapes.` : 'No body is selected.';
        this.makeButton.hidden = !body?.rings;
        if (!body || !texture) {
            this.body = 0;
            this.store.emit('layer', null);
            return;
        }
        const colour = /** @type {HTMLSelectElement} */ (byId('colour')).value;
        if (!isShown('p-texture') && colour !== 'weight')
            return;
        const surface = await this.store.surface(body);
        if (body.id !== this.body || texture.width !== this.width || texture.height !== this.height) {
            this.body = body.id;
            this.channels.clear();
            [this.width, this.height] = [texture.width, texture.height];
            this.group = this.parse(this.field.value);
            this.atlas = surface.hasUv ? new Atlas(surface, this.width, this.height) : null;
        }
        this.info.textContent = `of ${texture.channels}; ${texture.width} × ${texture.height}`;
        await Promise.all(this.group.map(c => this.fetch(body.id, c)));
        this.draw();
    }

    /** @param {number} id @param {number} channel */
    async fetch(id, channel) {
        if (this.channels.has(channel))
            return;
        try {
            const picture = await readPng(await this.transport.getBytes(`bodies/${id}/textures/${channel}.png`));
            if (id === this.body && picture.width === this.width && picture.height === this.height)
                this.channels.set(channel, picture.values);
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }

    /** @param {PointerEvent} e @returns {[number, number]} */
    uvOf(e) {
        const box = this.canvas.getBoundingClientRect();
        return [(e.clientX - box.left) / box.width, (e.clientY - box.top) / box.height];
    }

    /** @param {KeyboardEvent} e */
    key(e) {
        const step = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[e.key];
        if (step) {
            this.keyAt = this.keyAt.map((/** @type {number} */ v, /** @type {number} */ i) => Math.min(0.999, Math.max(0, v + step[i] / 32)));
            this.draw();
            const g = this.canvas.getContext('2d');
            g.strokeStyle = css(diverging(-1));
            g.strokeRect(this.keyAt[0] * this.width - 2, this.keyAt[1] * this.height - 2, 4, 4);
        } else if (e.key === ' ') {
            for (const phase of ['begin', 'end'])
                this.stroke(phase, /** @type {[number, number]} */ (this.keyAt));
        } else {
            return;
        }
        e.preventDefault();
    }

    /** @param {string} phase begin, move, end @param {[number, number]|null} uv */
    stroke(phase, uv) {
        if (!this.atlas || this.body !== this.store.selected) {
            if (phase === 'begin')
                notice(this.store.body?.texture ? 'the texture is being read' : 'this body has no texture: the tab Texture can make one');
            if (phase === 'begin')
                this.store.emit('want-layer');
            return;
        }
        if (phase === 'begin') {
            this.ask('texture.begin', { channel: this.group.length === 1 ? this.group[0] : -1 });
            this.last = null;
        }
        if (uv && phase !== 'end')
            this.line(this.atlas.texel(uv[0], uv[1]));
        if (phase === 'end')
            this.commit('stroke');
    }

    // Dabs from the last texel to this one; over a seam, only here.
    /** @param {number} texel */
    line(texel) {
        const w = this.width;
        const from = this.last ?? texel;
        this.last = texel;
        const [x0, y0, x1, y1] = [from % w, Math.floor(from / w), texel % w, Math.floor(texel / w)];
        const far = Math.hypot(x1 - x0, y1 - y0);
        const steps = far > w / 4 ? 1 : Math.max(1, Math.ceil(far / Math.max(1, this.size * w / 4)));
        for (let s = 1; s <= steps; s++) {
            const t = s / steps;
            this.dab(Math.round(y0 + t * (y1 - y0)) * w + Math.round(x0 + t * (x1 - x0)));
        }
        this.send();
    }

    /** @param {number} centre texel */
    dab(centre) {
        const atlas = /** @type {Atlas} */ (this.atlas);
        const radius = this.size * atlas.size;
        for (const c of this.group) {
            const values = this.channels.get(c);
            if (!values)
                continue;
            /** @type {[number, number][]} */ const found = [];
            let sum = 0;
            atlas.near(centre, radius, (i, part) => {
                found.push([i, 0.5 + 0.5 * Math.cos(Math.PI * part)]);
                sum += values[i];
            });
            const target = this.smooth ? sum / Math.max(1, found.length) : this.level();
            for (const [i, weight] of found) {
                values[i] = Math.round(values[i] + (this.smooth ? 0.3 : 0.6) * weight * (target - values[i]));
                this.note(c, i % this.width, Math.floor(i / this.width));
            }
        }
    }

    /** The brush's value as a texel has it. */
    level() {
        return Math.min(65535, Math.max(0, Math.round(ZERO + this.value * (65535 - ZERO))));
    }

    /** @param {number} channel @param {number} x @param {number} y */
    note(channel, x, y) {
        const r = this.changed.get(channel);
        if (!r)
            this.changed.set(channel, [x, y, x, y]);
        else
            [r[0], r[1], r[2], r[3]] = [Math.min(r[0], x), Math.min(r[1], y), Math.max(r[2], x), Math.max(r[3], y)];
    }

    /** Send what changed, as one rect per channel, and show it. */
    flush() {
        for (const [channel, [x0, y0, x1, y1]] of this.changed) {
            const values = /** @type {Uint16Array} */ (this.channels.get(channel));
            const [w, h] = [x1 - x0 + 1, y1 - y0 + 1];
            const part = new Uint16Array(w * h);
            for (let y = 0; y < h; y++)
                part.set(values.subarray((y0 + y) * this.width + x0, (y0 + y) * this.width + x1 + 1), y * w);
            // A record holds at most 1 MB: rows in pieces.
            const rows = Math.max(1, Math.floor(400000 / w));
            for (let y = 0; y < h; y += rows) {
                const n = Math.min(rows, h - y);
                this.transport.sendBytes(writeRect({ body: this.body, channel, x: x0, y: y0 + y, w, h: n, values: part.subarray(y * w, (y + n) * w) }));
            }
        }
        this.changed.clear();
        this.draw();
    }

    // A rect that another page painted, or an undo.
    /** @param {ReturnType<typeof readRect>} r */
    take(r) {
        if (r.body !== this.body)
            return;
        for (const [c, values] of this.channels) {
            if (r.channel !== 255 && r.channel !== c)
                continue;
            for (let y = 0; y < r.h; y++)
                values.set(r.values.subarray(y * r.w, (y + 1) * r.w), (r.y + y) * this.width + r.x);
        }
        this.draw();
    }

    fill() {
        this.ask('texture.begin', { channel: this.group.length === 1 ? this.group[0] : -1 });
        for (const c of this.group) {
            this.channels.get(c)?.fill(this.level());
            this.changed.set(c, [0, 0, this.width - 1, this.height - 1]);
        }
        this.commit('fill');
    }

    /** The first mode of the group, as the map and as a layer on the body. */
    draw() {
        const values = this.channels.get(this.group[0]);
        if (!values || !this.width)
            return;
        if (this.canvas.width !== this.width || this.canvas.height !== this.height)
            [this.canvas.width, this.canvas.height] = [this.width, this.height];
        const box = this.canvas.parentElement;
        const scale = Math.min(box.clientWidth / this.width, box.clientHeight / this.height);
        if (scale > 0) {
            this.canvas.style.width = `${Math.floor(this.width * scale)}px`;
            this.canvas.style.height = `${Math.floor(this.height * scale)}px`;
        }
        const g = this.canvas.getContext('2d', { willReadFrequently: true });
        const image = g.createImageData(this.width, this.height);
        const palette = Array.from({ length: 257 }, (_, i) => diverging(i / 128 - 1));
        for (let i = 0; i < values.length; i++) {
            const c = palette[Math.round(values[i] / 65535 * 256)];
            image.data.set([c[0], c[1], c[2], 255], 4 * i);
        }
        g.putImageData(image, 0, 0);
        this.store.emit('layer', this.canvas);
    }

    async loadFile() {
        const file = this.file.files[0];
        this.file.value = '';
        if (!file)
            return;
        try {
            const picture = await readPng(await file.arrayBuffer());
            this.ask('texture.begin', { channel: this.group.length === 1 ? this.group[0] : -1 });
            for (const c of this.group) {
                const values = this.channels.get(c);
                values?.forEach((_, i) => {
                    const x = Math.floor((i % this.width + 0.5) / this.width * picture.width);
                    const y = Math.floor((Math.floor(i / this.width) + 0.5) / this.height * picture.height);
                    values[i] = picture.values[y * picture.width + x];
                });
                this.changed.set(c, [0, 0, this.width - 1, this.height - 1]);
            }
            this.commit('picture');
        } catch (error) {
            notice(`${file.name}: ${/** @type {Error} */ (error).message}`);
        }
    }

    async save() {
        const c = this.group[0];
        try {
            download(`${this.store.body?.name}_${c + 1}.png`, await this.transport.getBytes(`bodies/${this.body}/textures/${c}.png`), 'image/png');
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }

    async saveThere() {
        for (const c of this.group) {
            const file = `${this.store.body?.name}_${c + 1}.png`;
            if (await this.act(`saving ${file}`, 'texture.save', 'texture.unsave', { channel: c, file }, 'texture.unsave'))
                notice(`saved ${file}`);
        }
    }
}
