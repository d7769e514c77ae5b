// SPDX-License-Identifier: MIT
// The script: which file is shown, save, and what happens when the file on disk
// changes. The file is the truth: a change from outside appears; a save over
// one asks first.
import { announce, byId, download, make, notice } from './dom.js';
import { ask, showTab, whenShown } from './layout.js';
import { Reference } from './reference.js';

export class Script {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        /** @type {any} Editor, or a plain text field in its place */ this.editor = null;
        this.file = '';
        this.owner = ''; // the scene whose file that is
        this.rev = '';
        this.saved = ''; // the text of that rev
        this.note = '';
        this.edited = false;
        this.stale = false; // the file on disk is newer than what is edited here
        /** @type {any} */ this.error = null;
        this.build();
        store.on('scene', ({ sameFile }) => {
            if (!sameFile)
                this.say('');
            this.scene();
        });
        store.mayLeave = () => this.settle();
        store.on('script-error', m => { this.error = m; this.mark(); });
        store.on('reloaded', text => this.say(this.stale ? `${text}; changed on disk, a save will ask` : text));
        transport.on('script.changed', m => this.changed(m));
        store.on('reference', async () => {
            await this.ready;
            this.editor.reference = new Reference(store.entries);
        });
        whenShown('p-script', () => this.editor?.refresh());
        window.addEventListener('beforeunload', e => {
            if (this.edited)
                e.preventDefault(); // the browser asks
        });
    }

    build() {
        this.select = make('select', { 'aria-label': 'File', onchange: () => this.open(this.select.value) });
        this.state = make('span', { class: 'note grow', 'aria-live': 'polite' });
        this.saveButton = make('button', { id: 'save', class: 'small primary', textContent: 'Save', disabled: true, title: 'Save and reload (Ctrl+S)', onclick: () => this.save() });
        this.place = make('div', { class: 'editor' });
        byId('p-script').append(make('div', { class: 'row script-head' }, this.select, this.state, this.saveButton), this.place);
        this.ready = this.store.drawn.then(() => this.load());
    }

    async load() {
        const calls = { save: () => this.save(), edited: () => this.touch() };
        try {
            const { Editor } = await import('./editor.js');
            this.editor = await Editor.make(this.place, calls);
        } catch {
            this.editor = plainEditor(this.place, calls);
            notice('CodeMirror cannot be loaded: the script is a plain text field');
        }
    }

    scene() {
        const owner = this.store.scene?.file || '';
        const files = this.store.scene?.files || [];
        this.select.replaceChildren(...files.map(f => make('option', { value: f, textContent: f })));
        if (!files.length)
            return;
        if (!this.edited)
            this.open(files.includes(this.file) ? this.file : files[0]);
        else if (this.owner !== owner && owner !== this.store.copied) // opened elsewhere: nobody has asked here
            this.keep(files[0]);
        else // as it is, or what was typed after the save that made the copy
            [this.owner, this.file, this.select.value] = [owner, ...Array(2).fill(this.owner === owner ? this.file : files[0])];
    }

    // The text of a scene that no longer runs cannot be saved there.
    /** @param {string} next */
    async keep(next) {
        const answer = await ask(`Another scene was opened; ${this.file} has changes that are not saved.`, ['Download', 'Discard', 'Keep editing']);
        if (answer === 'Download')
            download(this.file, this.editor.text, 'text/plain');
        if (answer === 'Download' || answer === 'Discard') {
            this.setEdited(false);
            await this.open(next);
        } else {
            this.select.append(make('option', { value: this.file, textContent: `${this.file} (of another scene)` }));
            this.select.value = this.file;
        }
    }

    // What is not saved is saved, or given up. False: neither.
    async settle() {
        if (!this.edited)
            return true;
        const answer = await ask(`${this.file} has changes that are not saved.`, ['Save', 'Discard', 'Keep editing']);
        if (answer === 'Save')
            await this.save();
        else if (answer === 'Discard')
            await this.read(true);
        return !this.edited;
    }

    /** @param {string} file */
    async open(file) {
        if (file !== this.file && !await this.settle()) {
            this.select.value = this.file;
            return;
        }
        this.file = file;
        this.owner = this.store.scene?.file || '';
        this.select.value = file;
        await this.read();
    }

    /** @param {boolean} [discard] what was typed */
    async read(discard = false) {
        await Promise.all([this.ready, this.transport.greeted]);
        if (discard)
            this.setEdited(false);
        try {
            const before = this.editor.text;
            const script = await this.transport.request('script.get', { file: this.file });
            if (this.edited && this.editor.text !== before) { // typed meanwhile: nothing is lost
                this.stale = script.rev !== this.rev;
                return;
            }
            this.editor.text = this.saved = script.text;
            this.rev = script.rev;
            this.stale = false;
            this.setEdited(false);
            this.mark();
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }

    touch() {
        if (!this.edited) {
            this.note = '';
            this.setEdited(true);
        }
    }

    /** @param {boolean} edited */
    setEdited(edited) {
        this.edited = edited;
        this.saveButton.disabled = !edited;
        this.say(this.note);
    }

    /** @param {string} note beside "not saved" */
    say(note) {
        this.note = note;
        this.state.textContent = [this.edited ? 'not saved' : '', note].filter(Boolean).join('; ');
    }

    /** @param {boolean} [force] */
    async save(force = false) {
        if (!this.edited && !force)
            return;
        if (this.owner !== this.store.scene?.file) {
            await this.keep(this.store.scene?.files[0] || '');
            return;
        }
        const text = this.editor.text;
        try {
            const { rev, copy } = await this.store.swap(this.file, force ? null : this.saved, text, `saving ${this.file}`);
            [this.rev, this.saved, this.stale] = [rev, text, false];
            this.setEdited(this.editor.text !== text);
            this.say(copy ? `saved as ${copy}` : 'saved');
            announce(this.note);
        } catch (error) {
            if (/** @type {any} */ (error).code !== 'stale') {
                notice(/** @type {Error} */ (error).message);
                return;
            }
            const answer = await ask(`${this.file} was changed on disk after it was read here.`, ['Read the file', 'Save over it', 'Go back']);
            if (answer === 'Save over it')
                await this.save(true);
            else if (answer === 'Read the file')
                await this.read(true);
        }
    }

    /** @param {{file: string, rev: string}} m */
    async changed(m) {
        if (m.file !== this.file || m.rev === this.rev || this.owner !== this.store.scene?.file)
            return;
        if (!this.edited) {
            await this.read();
            this.say('changed on disk, read again');
            return;
        }
        this.stale = true;
        this.say('changed on disk; a save will ask');
    }

    mark() {
        const e = this.error;
        const here = e && e.line && (!e.file || e.file.replace(/^.*\//, '') === this.file.replace(/^.*\//, ''));
        this.editor?.showError(here ? e.line : 0, e ? `${e.message}${e.hint ? ` (${e.hint})` : ''}` : '');
    }

    /** @param {string} file @param {number} line */
    async show(file, line) {
        showTab('p-script');
        const known = [...this.select.options].map(o => o.value).find(f => f === file || file.endsWith(`/${f}`));
        if (known && known !== this.file)
            await this.open(known);
        this.editor?.go(line);
    }
}

// A text field that can do what the panel needs.
/** @param {HTMLElement} place @param {{save: () => void, edited: () => void}} calls */
function plainEditor(place, calls) {
    const field = make('textarea', { class: 'plain-editor', 'aria-label': 'Script of the scene', spellcheck: false, oninput: calls.edited,
        onkeydown: (/** @type {KeyboardEvent} */ e) => {
            if (e.key === 's' && (e.ctrlKey || e.metaKey)) {
                e.preventDefault();
                calls.save();
            }
        } });
    place.append(field);
    return {
        get text() { return field.value; },
        set text(t) { field.value = t; },
        reference: null,
        refresh() {},
        go(/** @type {number} */ line) {
            const at = field.value.split('\n').slice(0, line - 1).join('\n').length;
            field.focus();
            field.setSelectionRange(at, at);
        },
        showError() {},
    };
}
