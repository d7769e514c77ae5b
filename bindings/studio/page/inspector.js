// The inspector: params of the scene, material of the selected body, striker.
// Sliders send while they move, the newest only; "copy as Lua" and "write to
// file" take what was found into the script.
import { byId, canvasById, copyText, make, notice, oncePerFrame } from './dom.js';
import { Slider } from './slider.js';
import { T60Curve } from './t60.js';
import { whenShown } from './layout.js';
import { findMaterialField, findParam, luaNumber, materialAsLua, strikeAsLua } from './lua_text.js';

/** Fields of a material with their ranges: name, label, min, max, log, unit. */
const MATERIAL = /** @type {const} */ ([
    ['density', 'density ρ', 50, 22000, true, 'kg/m³'],
    ['youngs_modulus', 'Young E', 1e6, 1e12, true, 'Pa'],
    ['poisson_ratio', 'Poisson ν', 0, 0.499, false, ''],
    ['alpha', 'alpha', 0, 300, true, '1/s'],
    ['beta', 'beta', 0, 1e-3, true, 's'],
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
        store.on('body', () => this.showMaterial());
        store.on('bodies', () => this.showMaterial());
        store.on('scene', () => { this.params.clear(); this.showStriker(); });
        this.sendMaterial = oncePerFrame((/** @type {number} */ body, /** @type {string} */ field, /** @type {number} */ value) =>
            transport.tell('material.set', { body, [field]: value }));
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
                copyText(materialAsLua(m)).then(() => notice('material copied as Lua'));
        } });
        this.named = make('select', { 'aria-label': 'Take a material', onchange: () => this.takeNamed() });
        this.materialBox.legend.append(this.named, this.copyMaterial);
        this.materialBox.content.append(
            this.materialRows = make('div', { class: 'two' }),
            make('canvas', { id: 't60', class: 't60', role: 'img', 'aria-label': 'T60 over frequency, a dot per mode, and the law of alpha and beta' }));
        this.strikerBox.legend.append(make('button', { class: 'small', textContent: 'Copy as Lua', 'aria-label': 'Copy the strike as Lua', onclick: () => {
            const { body, striker, probe } = this.store;
            copyText(strikeAsLua(body?.name || 'body', striker, probe?.uv || null)).then(() => notice('strike copied as Lua'));
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
        if (!m)
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
        for (const [field, label, min, max, log, unit] of MATERIAL) {
            const slider = new Slider({
                name: label, min, max, log, unit, value: m[field],
                change: value => this.setMaterial(field, value),
                extra: [writeButton(label, () => this.writeMaterial(field))],
            });
            this.material.set(field, slider);
            this.materialRows.append(slider.element);
        }
    }

    /** @param {'density'|'youngs_modulus'|'poisson_ratio'|'alpha'|'beta'} field @param {number} value */
    setMaterial(field, value) {
        const body = this.store.body;
        if (!body?.material)
            return;
        body.material[field] = value;
        this.curve.draw();
        this.sendMaterial(body.id, field, value);
    }

    takeNamed() {
        if (this.named.value)
            this.transport.tell('material.set', { body: this.store.selected, name: this.named.value });
    }

    showStriker() {
        const { striker, scene } = this.store;
        const options = (/** @type {string[]} */ list, /** @type {string} */ first) => [
            make('option', { value: '', textContent: first }), ...list.map(n => make('option', { value: n, textContent: n }))];
        const set = (/** @type {string} */ key) => (/** @type {number} */ value) => {
            /** @type {any} */ (striker)[key] = value;
            this.store.emit('striker');
        };
        const rows = [
            new Slider({ name: 'speed', min: 0.01, max: 20, log: true, unit: 'm/s', value: striker.speed, reset: 1, change: set('speed') }),
            new Slider({ name: 'mass', min: 1e-4, max: 5, log: true, unit: 'kg', value: striker.mass, reset: 0.02, change: set('mass') }),
            new Slider({ name: 'radius', min: 5e-4, max: 0.2, log: true, unit: 'm', value: striker.radius, reset: 0.01, change: set('radius') }),
            new Slider({ name: 'hardness', min: 0, max: 1e10, log: true, unit: 'N/m', value: striker.hardness, reset: 0, title: '0: by the material', change: set('hardness') }),
        ].map(s => s.element);
        const material = make('select', { 'aria-label': 'Material of the striker', onchange: () => set('material')(material.value) }, ...options(scene?.materials || [], 'as the body'));
        const model = make('select', { 'aria-label': 'Contact model', onchange: () => set('model')(model.value || 'auto') },
            ...(scene?.models || ['auto']).map(n => make('option', { value: n, textContent: n })));
        material.value = striker.material;
        model.value = striker.model;
        this.strikerBox.content.replaceChildren(make('div', { class: 'two' }, ...rows),
            make('div', { class: 'row flush' }, make('label', { class: 'inline' }, 'Material ', material), make('label', { class: 'inline' }, 'Contact ', model)));
    }

    // Replace one literal in the scene's file.
    /** @param {(text: string) => {line: number, from: string}|null} find @param {number} value @param {string} what */
    async write(find, value, what) {
        try {
            const script = await this.transport.request('script.get', {});
            const place = find(script.text);
            if (!place) {
                notice(`${what} is not written as a plain number in ${script.file}: copy it as Lua instead`);
                return;
            }
            await this.transport.request('source.write', { file: script.file, line: place.line, from: place.from, to: luaNumber(value), rev: script.rev });
            notice(`${script.file}:${place.line}: ${place.from} is now ${luaNumber(value)}`);
            this.store.emit('written', script.file);
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }

    /** @param {string} name */
    writeParam(name) {
        const p = this.store.scene?.params.find(q => q.name === name);
        if (p)
            this.write(text => findParam(text, name), this.params.get(name)?.value ?? p.value, `the default of ${name}`);
    }

    /** @param {'density'|'youngs_modulus'|'poisson_ratio'|'alpha'|'beta'} field */
    writeMaterial(field) {
        const m = this.store.body?.material;
        if (m)
            this.write(text => findMaterialField(text, m.name || '', field), m[field], `${field} of ${m.name || 'this material'}`);
    }
}

/** @param {string} what @param {() => void} call */
function writeButton(what, call) {
    return make('button', { class: 'tool', title: 'Write to the file', 'aria-label': `Write ${what} to the file`, textContent: '✎', onclick: call });
}
