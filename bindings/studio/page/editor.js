// SPDX-License-Identifier: MIT
// The editor: the only home of CodeMirror. It is imported for its effect, a
// global; its addons find it there.
import '/lib/codemirror/codemirror.js';
import { make } from './dom.js';

/** @type {any} */
const CodeMirror = /** @type {any} */ (window).CodeMirror;

/** Addons and the mode need the global, so they come after it. */
async function loadAddons() {
    for (const part of ['mode/lua/lua', 'addon/edit/matchbrackets', 'addon/hint/show-hint', 'addon/comment/comment'])
        await import(`/lib/codemirror/${part}.js`);
}

export class Editor {
    /** @param {HTMLElement} place @param {{save: () => void, edited: () => void}} calls */
    static async make(place, calls) {
        await loadAddons();
        return new Editor(place, calls);
    }

    /** @param {HTMLElement} place @param {{save: () => void, edited: () => void}} calls */
    constructor(place, calls) {
        /** @type {import('./reference.js').Reference|null} */ this.reference = null;
        this.cm = CodeMirror(place, {
            mode: 'lua', theme: 'sandbell', lineNumbers: true, matchBrackets: true, indentUnit: 2, tabSize: 2,
            gutters: ['CodeMirror-linenumbers'], screenReaderLabel: 'Script of the scene',
            extraKeys: {
                'Ctrl-S': calls.save, 'Cmd-S': calls.save, 'Ctrl-Space': () => this.complete(), 'Ctrl-/': 'toggleComment',
                F1: () => this.explainAtCursor(),
                // The focus goes on with Tab; Ctrl-] and Ctrl-[ indent.
                Tab: false, 'Shift-Tab': false,
            },
        });
        this.cm.on('change', (/** @type {any} */ _, /** @type {any} */ change) => {
            if (change.origin !== 'setValue')
                calls.edited();
        });
        this.cm.on('inputRead', (/** @type {any} */ cm, /** @type {any} */ change) => {
            if (/^[.:]$/.test(change.text[0]) && change.text.length === 1)
                this.complete();
        });
        /** @type {any} */ this.errorMark = null;
        this.tip = make('div', { class: 'hover', hidden: true, role: 'tooltip' });
        document.body.append(this.tip);
        let timer = 0;
        place.addEventListener('mousemove', e => {
            clearTimeout(timer);
            this.tip.hidden = true;
            timer = window.setTimeout(() => this.hover(e.clientX, e.clientY), 300);
        });
        place.addEventListener('mouseleave', () => { clearTimeout(timer); this.tip.hidden = true; });
        this.cm.on('keydown', () => { this.tip.hidden = true; });
    }

    get text() { return this.cm.getValue(); }

    // Replace the text; the cursor stays where it was.
    /** @param {string} text */
    set text(text) {
        if (text === this.cm.getValue())
            return;
        const at = this.cm.getCursor();
        const top = this.cm.getScrollInfo().top;
        this.cm.setValue(text);
        if (this.cm.hasFocus()) // else the page would scroll to it
            this.cm.setCursor(at);
        this.cm.scrollTo(null, top);
    }

    refresh() { this.cm.refresh(); }

    /** @param {number} line from 1 */
    go(line) {
        this.cm.setCursor({ line: line - 1, ch: 0 });
        this.cm.scrollIntoView({ line: line - 1, ch: 0 }, 80);
        this.cm.focus();
    }

    /** @param {number} line from 1; 0: none @param {string} [text] */
    showError(line, text = '') {
        if (this.errorMark) {
            this.cm.removeLineClass(this.errorMark.handle, 'background', 'error-line');
            this.errorMark.widget.clear();
            this.errorMark = null;
        }
        if (!line || line > this.cm.lineCount())
            return;
        const handle = this.cm.addLineClass(line - 1, 'background', 'error-line');
        const widget = this.cm.addLineWidget(line - 1, make('div', { class: 'error-text', textContent: text }));
        this.errorMark = { handle, widget };
    }

    before() {
        const at = this.cm.getCursor();
        return { at, text: this.cm.getRange({ line: Math.max(0, at.line - 80), ch: 0 }, at) };
    }

    complete() {
        if (!this.reference)
            return;
        this.cm.showHint({
            completeSingle: false,
            hint: () => {
                const { at, text } = this.before();
                const { from, list } = /** @type {import('./reference.js').Reference} */ (this.reference).complete(text);
                return {
                    from: { line: at.line, ch: at.ch - from }, to: at,
                    list: list.slice(0, 80).map(o => ({ text: o.text, displayText: o.about ? `${o.shown}  –  ${o.about}`.slice(0, 110) : o.shown })),
                };
            },
        });
    }

    /** @param {{line: number, ch: number}} at @param {number} x @param {number} y */
    explain(at, x, y) {
        const found = this.reference?.explain(this.cm.getLine(at.line) || '', at.ch,
            this.cm.getRange({ line: Math.max(0, at.line - 60), ch: 0 }, { line: at.line, ch: 0 }));
        this.tip.hidden = !found;
        if (!found)
            return;
        this.tip.replaceChildren(make('code', { textContent: found.call }), make('div', { textContent: found.text }));
        this.tip.style.left = `${Math.min(x, window.innerWidth - 430)}px`;
        this.tip.style.top = `${Math.min(y + 16, window.innerHeight - 120)}px`;
    }

    /** @param {number} x @param {number} y of the window */
    hover(x, y) {
        this.explain(this.cm.coordsChar({ left: x, top: y }, 'window'), x, y);
    }

    explainAtCursor() {
        const box = this.cm.cursorCoords(true, 'window');
        this.explain(this.cm.getCursor(), box.left, box.bottom);
    }
}
