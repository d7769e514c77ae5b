// SPDX-License-Identifier: MIT
// The view: puts stage, bodies, shapes, marks and pointer together and connects
// them with the store and the controls over the picture.
import { Stage } from './stage.js';
import { Bodies3d } from './bodies3d.js';
import { Deformed } from './deformed.js';
import { Balloon } from './balloon.js';
import { ShapeMotion } from './shape_motion.js';
import { Marks } from './marks.js';
import { Pointer } from './pointer.js';
import { CanvasTexture, LinearFilter, Matrix4, Vector3 } from './three.js';
import { RECORD, readPoses } from '../records.js';
import { buttonById, byId, inputById, make, noteName, notice, selectById, short, withUnit } from '../dom.js';
import { Slider } from '../slider.js';
import { history } from '../undo.js';

export class View3d {
    /** @param {Store} store @param {Transport} transport @param {Actions} actions */
    constructor(store, transport, actions) {
        this.store = store;
        this.actions = actions;
        this.stage = new Stage(byId('view-canvas'));
        this.bodies = new Bodies3d(this.stage, store);
        this.motion = new ShapeMotion(this.bodies, store);
        this.balloon = new Balloon(this.bodies, store, transport);
        this.deformed = new Deformed(this.bodies, store, transport);
        this.motion.onfail = notice;
        this.stage.onslow = () => notice('Shadows and smooth edges are off: this machine draws slowly.');
        this.marks = new Marks(this.stage);
        this.pointer = new Pointer(this.bodies, this.marks, store, actions);
        this.colour = selectById('colour');
        this.by = this.colour.value;
        /** @type {any} */ this.layer = null;
        transport.onRecord(RECORD.poses, r => this.bodies.move(readPoses(r.view)));
        transport.on('lasting', m => {
            for (const i of m.items || [])
                if (i[4] !== 'end')
                    this.marks.flash([i[5], i[6], i[7]], Math.abs(i[8]) * 0.01, `${i[1]} ${i[2]} lasting`);
        });
        this.listen();
        this.controls();
        if (store.scene) // it was there before the view
            this.takeScene(false);
    }

    /** @param {boolean} sameFile */
    takeScene(sameFile) {
        const kinds = this.store.scene?.contact_kinds || [];
        const kind = selectById('scrape-kind');
        kind.replaceChildren(...kinds.map(k => make('option', { value: k, textContent: k })));
        kind.value = kinds.includes(this.actions.kind) ? this.actions.kind : kinds[0] || '';
        this.bodies.load(!sameFile || this.bodies.things.size === 0);
    }

    listen() {
        const { store, bodies } = this;
        store.on('scene', ({ sameFile }) => this.takeScene(sameFile));
        store.on('bodies', () => bodies.load(false));
        store.on('body', () => {
            bodies.setFocus(store.selected);
            this.pointer.cursor = null;
        });
        bodies.onfocus = () => {
            this.recolour();
            this.motion.load();
            this.balloon.load();
        };
        store.on('mode', () => {
            this.motion.member = 1;
            this.setColour(store.shown.size ? 'mode' : 'material');
            this.motion.load();
            this.balloon.load();
            this.nameShape();
        });
        store.on('modes', () => {
            this.balloon.load();
            this.nameShape();
        });
        store.on('contacts', list => {
            for (const c of list)
                this.marks.flash(c.point, c.impulse, c.b ? `${c.a} ${c.b}` : `strike ${c.t}`);
        });
        store.on('layer', canvas => this.takeLayer(canvas));
        store.on('scheme', () => {
            this.stage.takeScheme();
            this.marks.takeScheme();
            bodies.focusMaterial?.takeScheme();
        });
    }

    controls() {
        const { motion, store } = this;
        const play = buttonById('shape-play');
        const press = () => play.setAttribute('aria-pressed', String(motion.moving));
        press();
        play.onclick = () => {
            motion.moving = !motion.moving;
            press();
        };
        this.speed = new Slider({ range: inputById('shape-speed'), name: 'speed of the slow motion', min: 0.5, max: 5, value: motion.speed, reset: 1.5, unit: 'Hz',
            change: v => { motion.speed = v; } });
        this.size = new Slider({ range: inputById('shape-size'), name: 'size of the mode shape', min: 0, max: 1, value: motion.size, reset: 0.4,
            change: v => { motion.size = v; motion.amount(); } });
        const lines = inputById('shape-lines');
        lines.onchange = () => history.change('nodal lines', !lines.checked, lines.checked, on => { lines.checked = on; this.recolour(); });
        const sound = inputById('shape-sound');
        sound.onchange = () => history.change('sound round the body', !sound.checked, sound.checked, on => {
            sound.checked = this.balloon.on = on;
            return this.balloon.load();
        });
        buttonById('shape-off').onclick = () => store.showMode(0);
        this.scrapeControls();
        store.on('tool', tool => { byId('scrape-controls').hidden = tool !== 'scrape'; });
        this.colour.onchange = () => {
            const by = this.colour.value;
            const first = by === 'mode' && !store.shown.size && store.modes.length > 0;
            history.change('colour', { by: this.by, shown: [...store.shown] }, { by, shown: first ? [1] : [...store.shown] }, to => {
                if (String([...store.shown]) !== String(to.shown)) {
                    store.shown = new Set(to.shown);
                    store.emit('mode');
                }
                this.setColour(to.by);
            });
        };
    }

    /** @param {string} by */
    setColour(by) {
        this.by = this.colour.value = by;
        if (by === 'weight')
            this.store.emit('want-layer');
        this.recolour();
    }

    recolour() {
        const { by } = this;
        const material = this.bodies.focusMaterial;
        this.marks.setKeep(by === 'contact');
        if (!material)
            return;
        material.uniforms.shapeLines.value = inputById('shape-lines').checked ? this.stage.renderer.getPixelRatio() : 0;
        if (by === 'weight' && this.layer)
            material.colourBy('map', this.layer);
        else
            material.colourBy(by === 'mode' ? 'mode' : 'material');
        this.stage.changed();
    }

    nameShape() {
        const { shown, modes } = this.store;
        byId('shape-controls').hidden = !shown.size;
        const list = [...shown].sort((a, b) => a - b);
        const first = modes[list[0] - 1];
        byId('shape-name').textContent = list.length === 1 && first
            ? `Mode ${first.n} · ${short(first.hz, 4)} Hz · ${first.label || noteName(first.hz)}`
            : `Modes ${list.join(' + ')}`;
        const members = Math.max(1, ...list.map(n => modes[n - 1]?.members || 1));
        const next = buttonById('shape-member');
        next.hidden = members === 1;
        next.textContent = `shape ${this.motion.member} of ${members}`;
        next.onclick = () => {
            this.motion.member = this.motion.member % members + 1;
            this.motion.load();
            this.nameShape();
        };
    }

    scrapeControls() {
        const { actions, store } = this;
        const [kind, tip] = [selectById('scrape-kind'), inputById('scrape-tip')];
        kind.onchange = () => history.change('kind of the scrape', actions.kind, kind.value, v => {
            actions.kind = kind.value = v;
            /** @type {HTMLElement} */ (tip.parentElement).hidden = v !== 'slide';
        });
        const slider = new Slider({ range: inputById('scrape-load'), name: 'load of the scrape', ...store.rangeOf(':contact', 'force'), log: true, value: actions.load, reset: 1,
            show: v => { byId('scrape-text').textContent = `${short(v)} N`; }, change: v => { actions.load = v; press(false); } });
        const auto = inputById('scrape-auto');
        const press = (/** @type {boolean} */ on) => { actions.isAuto = auto.checked = on; };
        auto.onchange = () => history.change('automatic load', !auto.checked, auto.checked, press);
        actions.pressed = load => {
            actions.load = slider.value = load;
            slider.show();
        };
        this.load = slider;
        this.tip = new Slider({ range: tip, name: 'tip of the scrape', ...store.rangeOf(':contact', 'radius'), log: true, value: actions.tip, reset: 5e-4,
            show: v => { byId('scrape-tip-text').textContent = withUnit(v, 'm'); }, change: v => { actions.tip = v; } });
    }

    // The weight layer's picture, or null.
    /** @param {HTMLCanvasElement|null} canvas */
    takeLayer(canvas) {
        if (canvas && (!this.layer || this.layer.image !== canvas)) {
            this.layer = new CanvasTexture(canvas);
            this.layer.flipY = false;
            this.layer.generateMipmaps = false;
            this.layer.minFilter = LinearFilter;
            this.layer.encoding = 3007; // GammaEncoding: drawn as the map shows it
        }
        if (!canvas)
            this.layer = null;
        else
            this.layer.needsUpdate = true;
        this.recolour();
    }

    // A world point in the axes of a body.
    /** @param {number} id @param {number[]} world */
    localOf(id, world) {
        const thing = this.bodies.things.get(id);
        return thing ? new Vector3(...world).applyMatrix4(new Matrix4().getInverse(thing.matrix)).toArray() : null;
    }

    // Page coordinates of a local point of a body.
    /** @param {number} id @param {number[]} local */
    pageOf(id, local) {
        const thing = this.bodies.things.get(id);
        if (!thing)
            return null;
        const at = this.stage.screenOf(new Vector3(...local).applyMatrix4(thing.matrix));
        const box = this.stage.canvas.getBoundingClientRect();
        return { x: at.x + box.left, y: at.y + box.top };
    }
}
