// SPDX-License-Identifier: MIT
// What the page knows of the running scene, and what is selected in it. Panels
// listen to its events; they do not know one another.
import { Emitter } from './emitter.js';
import { history } from './undo.js';
import { LateValues } from './late_values.js';
import { readModeShape, readSurface } from './records.js';

/**
 * Events: scene (all is new), bodies (some are), body (another is selected),
 * modes (of the selected body), mode (which is shown), probe, settings,
 * params, quality, room, striker, struck, contacts, reload, reference, scheme.
 */
export class Store extends Emitter {
    /** @param {Transport} transport */
    constructor(transport) {
        super();
        this.transport = transport;
        /** @type {SceneInfo|null} */ this.scene = null;
        /** @type {Map<number, Body>} */ this.bodies = new Map();
        this.selected = 0;
        /** @type {Mode[]} */ this.modes = [];
        /** @type {Set<number>} modes whose shapes are shown, by n */
        this.shown = new Set();
        /** @type {Probe|null} */ this.probe = null;
        /** @type {Settings} */ this.settings = { solo: [], mute: [], limit: {} };
        this.striker = { speed: 1, mass: 0.02, radius: 0.01, material: '', model: 'auto', hardness: 0 };
        /** @type {Entry[]} of the Lua API, with ranges and units of fields */ this.entries = [];
        /** @type {Map<string, Promise<any>>} */ this.files = new Map();
        this.loading = 0;
        this.asked = 0;
        this.rev = -1;
        this.origin = 0; // scene time of the last reset
        this.opening = false; // a scene whose bodies are being solved, the first
        this.copied = ''; // the file that the last save has made
        /** @type {() => Promise<boolean>} asks about what is not saved */ this.mayLeave = async () => true;
        this.late = new LateValues(this, transport);
        /** The first picture is there: what is not needed for it may begin. */
        this.drawn = new Promise(resolve => this.on('drawn', resolve));
    }

    /** Listen to the program. */
    attach() {
        const t = this.transport;
        t.on('scene', m => this.take(m));
        t.on('welcome', m => {
            this.learn();
            if (m.rev !== this.rev)
                this.load();
            else
                this.watch();
        });
        t.on('opened', () => this.load());
        t.on('scene.patch', m => this.patch(m));
        t.on('modes.changed', m => {
            const body = this.bodies.get(m.body);
            if (body)
                body.modes_rev = m.rev;
            if (m.body === this.selected)
                this.loadModes();
        });
        t.on('settings', m => this.takeSettings(m));
        t.on('params', m => {
            if (this.scene)
                this.scene.params = m.params;
            this.emit('params');
        });
        t.on('quality', m => {
            if (this.scene)
                Object.assign(this.scene.quality, m);
            this.emit('quality');
        });
        t.on('room', m => {
            if (this.scene)
                this.scene.room = m;
            this.emit('room');
        });
        t.on('contacts', m => this.emit('contacts', (m.items || []).map(readContact)));
    }

    // Give a file of the scene another text, unless somebody else has changed it.
    /** @param {string} file @param {string|null} from what it is to be now; null: anything @param {string} to @param {string} what */
    async swap(file, from, to, what) {
        const put = async (/** @type {string|null} */ before, /** @type {string} */ text) => {
            const now = await this.transport.request('script.get', { file }).catch(() => null); // it may be gone
            if (before !== null && now?.text !== before)
                throw Object.assign(new Error(`${file} has been changed since`), { code: 'stale' });
            this.late.begin();
            return { was: now?.text, ...await this.transport.request('script.put', { file, text, rev: now?.rev, force: !now }) };
        };
        const saved = await put(from, to);
        if (saved.copy) { // another file is shown soon
            this.copied = saved.copy;
            this.emit('copied');
        } else if (saved.was !== undefined) {
            history.push(what, () => put(to, saved.was), () => put(saved.was, to));
        }
        return saved;
    }

    // Another scene, or none: the gallery. False: the user keeps what is not saved.
    /** @param {string|null} file */
    async open(file) {
        const { copied } = this;
        if (!await this.mayLeave())
            return false;
        await this.transport.request('open', { file });
        if (this.copied === copied) // it belongs to the scene that is left
            this.copied = '';
        return true;
    }

    // What a slider of a field spans, and says; `call` takes the field, as in the reference.
    /** @param {string} call @param {string} name */
    rangeOf(call, name) {
        const field = this.entries.find(e => e.name === call)?.fields?.find(f => f.name === name);
        const [min, max] = field?.usual || [0, 1];
        return { min, max, title: field?.text, unit: (field?.unit || '').replace(/\^([23])/g, (_, n) => '²³'[n - 2]) };
    }

    async learn() {
        this.entries = (await this.transport.getJson('reference').catch(() => null))?.entries || this.entries;
        this.emit('reference');
    }

    /** Fetch the whole scene. */
    async load() {
        const mine = ++this.loading;
        const answer = await this.transport.getJson('scene').catch(() => null);
        if (answer && mine === this.loading)
            this.take(answer);
    }

    /** @param {{rev: number, scene: SceneInfo|null, opening?: boolean}} answer */
    take(answer) {
        this.rev = answer.rev;
        this.opening = !!answer.opening;
        const before = this.body?.name;
        const sameFile = this.scene?.file === answer.scene?.file;
        this.scene = answer.scene;
        this.bodies = new Map((this.scene?.bodies || []).map(b => [b.id, b]));
        this.settings = this.scene?.settings || { solo: [], mute: [], limit: {} };
        if (!sameFile) {
            this.shown.clear();
            history.clear();
        }
        this.emit('scene', { sameFile });
        const list = [...this.bodies.values()];
        const next = list.find(b => sameFile && b.name === before)
            || list.find(b => b.rings) || list[0];
        this.select(next ? next.id : 0, true);
        this.emit('settings');
        this.emit('params');
        this.emit('quality');
        this.emit('room');
    }

    /** @param {{rev: number, add?: Body[], update?: Body[], remove?: number[]}} m */
    patch(m) {
        const before = this.body;
        this.rev = m.rev;
        for (const body of [...(m.add || []), ...(m.update || [])])
            this.bodies.set(body.id, body);
        for (const id of m.remove || [])
            this.bodies.delete(id);
        this.emit('bodies', m);
        if (!this.bodies.has(this.selected)) {
            const list = [...this.bodies.values()];
            const next = list.find(b => b.name === before?.name) || list.find(b => b.rings) || list[0];
            this.select(next ? next.id : 0);
        } else if (before && this.body && before.modes_rev !== this.body.modes_rev) {
            this.loadModes();
        }
    }

    /** @param {any} m */
    takeSettings(m) {
        this.settings = { ...this.settings, ...m };
        this.emit('settings');
    }

    /** The selected body. */
    get body() {
        return this.bodies.get(this.selected) || null;
    }

    // A body that may have been replaced: another one has its name then.
    /** @param {number} id @param {string} [name] */
    find(id, name) {
        return this.bodies.get(id) || [...this.bodies.values()].find(b => b.name === name);
    }

    /** @param {number} id @param {boolean} [always] */
    select(id, always = false) {
        if (id === this.selected && !always)
            return;
        const other = id !== this.selected;
        this.selected = id;
        this.probe = null;
        if (other && this.shown.size) {
            this.shown.clear();
            this.emit('mode');
        }
        this.watch();
        this.emit('body');
        this.loadModes();
    }

    /** Tell the program whose energies are wanted. */
    watch() {
        this.transport.request('watch', { body: this.selected || null }).catch(() => {});
    }

    async loadModes() {
        const id = this.selected;
        const mine = ++this.asked; // answers may overtake one another
        if (!id || !this.body?.rings) {
            this.modes = [];
            this.emit('modes');
            return;
        }
        const answer = await this.transport.getJson(`bodies/${id}/modes`).catch(() => null);
        await this.drawn;
        if (!answer || mine !== this.asked)
            return;
        this.modes = answer.rows.map((/** @type {number[]} */ row, /** @type {number} */ i) => ({
            n: i + 1, label: answer.labels?.[i] || '', hz: row[0], t60: row[1], sigma: row[2], weight: row[3], radiation: row[4], members: row[5], air: row[6],
        }));
        this.emit('modes');
    }

    // Show one mode's shape, or add it to those shown.
    /** @param {number} n 0: none @param {boolean} [add] */
    showMode(n, add = false) {
        if (!add) {
            const same = this.shown.size === 1 && this.shown.has(n);
            this.shown.clear();
            if (n && !same)
                this.shown.add(n);
        } else if (!this.shown.delete(n)) {
            this.shown.add(n);
        }
        this.emit('mode');
    }

    /** @param {number} n */
    isSolo(n) { return this.settings.solo.some(([b, k]) => b === this.selected && k === n); }
    /** @param {number} n */
    isMute(n) { return this.settings.mute.some(([b, k]) => b === this.selected && k === n); }

    /**
     * Fetch once; the address has the revision in it.
     * @template T
     * @param {string} path
     * @param {(bytes: ArrayBuffer) => T} read
     * @returns {Promise<T>}
     */
    file(path, read) {
        let found = this.files.get(path);
        if (!found) {
            found = this.transport.getBytes(path).then(read);
            found.catch(() => this.files.delete(path));
            this.files.set(path, found);
            if (this.files.size > 400)
                this.files.delete(/** @type {string} */ (this.files.keys().next().value));
        }
        return found;
    }

    /** @param {Body} body */
    surface(body) {
        return this.file(`bodies/${body.id}/mesh.bin?rev=${body.mesh_rev}`, readSurface);
    }

    /** @param {Body} body @param {number} n @param {number} member of a merged mode, from 1; the last if it has fewer */
    shape(body, n, member) {
        const m = Math.min(member, this.modes[n - 1]?.members || 1);
        return this.file(`bodies/${body.id}/modes/${n}.${m}.bin?rev=${body.mesh_rev}`, readModeShape);
    }
}

/** @param {any[]} i @returns {Contact} */
function readContact(i) {
    return {
        t: i[0], a: i[1], b: i[2], impulse: i[3],
        point: [i[4], i[5], i[6]], normal: [i[7], i[8], i[9]],
        kind: i[10], duration: i[11], speed: i[12], peak_force: i[13],
    };
}
