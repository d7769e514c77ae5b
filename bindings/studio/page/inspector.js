// SPDX-License-Identifier: MIT
// The inspector: params of the scene, material of the selected body, striker.
// Sliders send while they move, the newest only; "copy as Lua" and "write to
// file" take what was found into the script.
import { byId, canvasById, make, notice, oncePerFrame } from './dom.js';
import { Slider } from './slider.js';
import { T60Curve } from './t60.js';
import { whenShown } from './layout.js';
import { copyLua, findField, findNamed, materialAsLua, strikeAsLua } from './lua_text.js';
import { history } from './undo.js';

/** Fields of a material that have a slider: name, label, log. */
const MATERIAL = /** @type {const} */ ([
    ['density', 'density ρ', true], ['youngs_modulus', 'Young E', true], ['poisson_ratio', 'Poisson ν', false],
    ['alpha', 'alpha', true], ['beta', 'beta', true],
]);

export class Inspector {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        /** @type {Map<string, Slider>} */ this.params = new Map();
        /** @type {Map<string, Slider>} */ this.material = new Map();
        this.paramBox = this.box('Params of the scene');
        this.materialBox = this.box('Material');
        this.strikerBox = this.box('Striker');
        this.build();
        this.curve = new T60Curve(canvasById('t60'), store);
        whenShown('p-inspector', () => this.curve.draw());
        store.on('params', () => this.showParams());
        store.on('reference', () => { this.showMaterial(); this.showStriker(); });
        store.on('body', () => this.showMaterial());
        store.on('bodies', () => this.showMaterial());
        store.on('scene', () => { this.params.clear(); this.showStriker(); });
        /** @type {Map<string, object>} what a body's material was taken from, by its name */ this.bases = new Map();
        store.on('reloaded', () => this.bases.clear());
        this.tellMaterial = (/** @type {number} */ body, /** @type {MaterialField} */ field, /** @type {number} */ value, /** @type {number} */ was) =>
            transport.request('material.set', { body, [field]: value }).catch(error => {
                notice(error.message);
                const m = store.bodies.get(body)?.material;
                if (m && error.code === 'bad_field')
                    m[field] = was;
                this.showMaterial();
            });
        this.sendMaterial = oncePerFrame(this.tellMaterial);
        this.sendParam = oncePerFrame((/** @type {string} */ name, /** @type {number} */ value) => transport.tell('param.set', { name, value }));
    }

    /** @param {string} title */
    box(title) {
        const content = make('div');
        const legend = make('legend', {}, make('span', { textContent: title }));
        const element = make('fieldset', { class: 'group-box' }, legend, content);
        byId('p-inspector').append(element);
        return { element, legend, content };
    }

    build() {
        this.copyMaterial = make('button', { class: 'small', textContent: 'Copy as Lua', 'aria-label': 'Copy the material as Lua', onclick: () => {
            const m = this.store.body?.material;
            if (m)
                copyLua(materialAsLua(m), 'material');
        } });
        this.named = make('select', { 'aria-label': 'Take a material', onchange: () => this.takeNamed() });
        this.materialBox.legend.append(this.named, this.copyMaterial);
        this.materialBox.content.append(
            this.materialRows = make('div', { class: 'two' }),
            make('canvas', { id: 't60', class: 't60', role: 'img', 'aria-label': 'T60 over frequency, a dot per mode, and the law of alpha and beta' }));
        this.strikerBox.legend.append(make('button', { class: 'small', textContent: 'Copy as Lua', 'aria-label': 'Copy the strike as Lua', onclick: () => {
            const { body, striker, probe } = this.store;
            copyLua(strikeAsLua(body?.name || 'body', striker, probe), 'strike');
        } }));
    }

    showParams() {
        const list = this.store.scene?.params || [];
        const same = list.length === this.params.size && list.every(p => this.params.has(p.name));
        if (same && list.length) {
            for (const p of list)
                this.params.get(p.name)?.set(p.value);
            return;
        }
        this.params.clear();
        this.paramBox.element.hidden = !list.length;
        this.paramBox.content.replaceChildren(...list.map(p => {
            const slider = new Slider({
                name: p.name, min: p.min, max: p.max, value: p.value, reset: p.default, log: p.curve === 'log' && p.min >= 0,
                title: p.rebuilds ? 'a change loads the scene again' : '',
                change: (value, done) => { if (done || !p.rebuilds) this.sendParam(p.name, value); },
            });
            this.params.set(p.name, slider);
            slider.element.append(writeButton(p.name, () => this.writeParam(p.name)));
            slider.element.classList.add('five');
            return slider.element;
        }));
    }

    showMaterial() {
        const m = this.store.body?.material;
        this.materialBox.element.hidden = !m;
        if (!m || !this.store.entries.length)
            return;
        const names = this.store.scene?.materials || [];
        this.named.replaceChildren(make('option', { value: '', textContent: m.name || 'own' }),
            ...names.map(n => make('option', { value: n, textContent: n })));
        this.named.value = '';
        if (this.material.size) {
            for (const [field] of MATERIAL)
                this.material.get(field)?.set(m[field]);
            return;
        }
        for (const [field, label, log] of MATERIAL) {
            const slider = new Slider({
                name: label, log, ...this.store.rangeOf('sb.material', field), value: m[field], open: true,
                reset: () => this.store.body?.material?.scripted[field],
                change: value => this.setMaterial(this.store.body?.name || '', field, value),
                what: () => `${label} of ${this.store.body?.name}`,
                bind: () => { const name = this.store.body?.name || ''; return v => this.setMaterial(name, field, v, true); },
                extra: [writeButton(label, () => this.writeMaterial(field))],
            });
            this.material.set(field, slider);
            this.materialRows.append(slider.element);
        }
    }

    /** @param {string} name of the body @param {MaterialField} field @param {number} value @param {boolean} [now] not with the next frame */
    setMaterial(name, field, value, now = false) {
        const body = this.store.find(0, name);
        if (!body?.material)
            return;
        const was = body.material[field];
        body.material[field] = value;
        this.curve.draw();
        if (body === this.store.body)
            this.material.get(field)?.set(value);
        return (now ? this.tellMaterial : this.sendMaterial)(body.id, field, value, was);
    }

    takeNamed() {
        const { body } = this.store;
        const name = this.named.value;
        if (!name || !body?.material)
            return;
        const { script_name, scripted, name: old, ...numbers } = body.material;
        const before = { ...this.bases.get(body.name) || { scripted: true }, ...numbers };
        const take = (/** @type {object} */ fields) => this.transport.request('material.set',
            { body: this.store.find(body.id, body.name)?.id, ...fields });
        take({ name }).then(() => {
            this.bases.set(body.name, { name });
            history.push(`${name} for ${body.name}`, () => take(before), () => take({ name }));
        }, error => notice(error.message));
    }

    showStriker() {
        const { striker, scene } = this.store;
        const options = (/** @type {string[]} */ list, /** @type {string} */ first) => [
            make('option', { value: '', textContent: first }), ...list.map(n => make('option', { value: n, textContent: n }))];
        const set = (/** @type {string} */ key) => (/** @type {any} */ value) => {
            /** @type {any} */ (striker)[key] = value;
            this.store.emit('striker');
        };
        const choose = (/** @type {'material'|'model'} */ key, /** @type {HTMLSelectElement} */ field) => {
            history.change(`${key} of the striker`, striker[key], field.value, v => { set(key)(v); field.value = v; });
        };
        const rows = /** @type {const} */ ([['speed', 1], ['mass', 0.02], ['radius', 0.01], ['hardness', 0]]).map(([field, reset]) => new Slider({
            name: field, log: true, ...this.store.rangeOf(':strike', field), value: striker[field], reset, open: true,
            what: () => `${field} of the striker`, change: set(field),
        }).element);
        const material = make('select', { 'aria-label': 'Material of the striker', onchange: () => choose('material', material) }, ...options(scene?.materials || [], 'as the body'));
        const model = make('select', { 'aria-label': 'Contact model', onchange: () => choose('model', model) },
            ...(scene?.models || ['auto']).map(n => make('option', { value: n, textContent: n })));
        material.value = striker.material;
        model.value = striker.model;
        this.strikerBox.content.replaceChildren(make('div', { class: 'two' }, ...rows),
            make('div', { class: 'row flush' }, make('label', { class: 'inline' }, 'Material ', material), make('label', { class: 'inline' }, 'Contact ', model)));
    }

    // Change one number in one of the scene's files; `body` may take its material from the library.
    /** @param {'param'|'material'} call @param {string} name @param {string} field @param {number} value @param {string} [body] */
    async write(call, name, field, value, body) {
        const what = `${field} of "${body && this.isNamed(name) ? body : name}"`;
        try {
            const files = await Promise.all((this.store.scene?.files || []).map(file => this.transport.request('script.get', { file })));
            const places = files.map(({ text }) => findField(text, call, name, field));
            const named = files.map(({ text }) => (body && this.isNamed(name) ? findNamed(text, body, name, field) : null));
            if (!places.some(Boolean) && named.filter(Boolean).length === 1)
                places.splice(0, places.length, ...named);
            const at = places.findIndex(Boolean);
            const place = places[at];
            if (!place) {
                notice(body && this.isNamed(name)
                    ? `"${name}" is a material of the library, and where "${body}" takes it is not written plainly: copy it as Lua and give it to the body`
                    : `sb.${call}("${name}", { ... }) is not written so in ${files.map(f => f.file).join(', ')}: change it in the script`);
                return;
            }
            const { file, text } = files[at];
            const where = `${file}:${place.line}:`;
            if (!place.put) {
                notice(`${where} ${what} is "${place.was}", not a plain number: change it in the script`);
                return;
            }
            const put = place.put(value);
            const { copy } = await this.store.swap(file, text, text.slice(0, place.from) + put + text.slice(place.to), `${what} in ${file}`);
            if (!copy)
                notice(`${where} ${place.was ? `${place.was} is now ${put}` : `${field} = ${value} is new there`}`);
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }

    // A material of the library.
    /** @param {string} name */
    isNamed(name) {
        return !!this.store.scene?.materials.includes(name);
    }

    /** @param {string} name */
    writeParam(name) {
        const p = this.store.scene?.params.find(q => q.name === name);
        return p && this.write('param', name, 'default', this.params.get(name)?.value ?? p.value);
    }

    /** @param {MaterialField} field */
    writeMaterial(field) {
        const { name, material: m } = this.store.body || {};
        return m && this.write('material', m.script_name, field, m[field], name);
    }
}

/** @param {string} what @param {() => void} call */
function writeButton(what, call) {
    return make('button', { class: 'tool', title: 'Write to the file', 'aria-label': `Write ${what} to the file`, textContent: '✎', onclick: call });
}
