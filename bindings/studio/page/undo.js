// SPDX-License-Identifier: MIT
// Undo and redo of what the page does: every act says how it is taken back and
// how it is done again. The script editor has its own. Strikes and scrapes
// have been heard and are not undone.
import { announce, buttonById, notice } from './dom.js';

/** Keys of one slider within this time are one act, ms. */
const TOGETHER = 1000;
const MOST = 200;

/** @typedef {() => any} Act */
/** @typedef {{what: string, undo: Act, redo: Act, by: object|null, at: number}} Entry */

class History {
    constructor() {
        /** @type {Entry[]} */ this.done = [];
        /** @type {Entry[]} */ this.undone = [];
        /** @type {Promise<any>} */ this.running = Promise.resolve();
    }

    start() {
        buttonById('undo').onclick = () => this.back();
        buttonById('redo').onclick = () => this.forward();
        this.show();
    }

    // Something was done; `by` the same in quick succession, it is one act.
    /** @param {string} what shown to the user @param {Act} undo @param {Act} redo @param {object|null} [by] */
    push(what, undo, redo, by = null) {
        const last = this.done[this.done.length - 1];
        const at = performance.now();
        this.undone = [];
        if (by && last?.by === by && last.what === what && at - last.at < TOGETHER)
            Object.assign(last, { redo, at });
        else
            this.done.push({ what, undo, redo, by, at });
        if (this.done.length > MOST)
            this.done.shift();
        this.show();
    }

    /**
     * Change a value, so that it can be undone.
     * @template T
     * @param {string} what @param {T} from @param {T} to @param {(value: T) => any} put
     */
    change(what, from, to, put) {
        this.push(what, () => put(from), () => put(to));
        return put(to);
    }

    clear() {
        this.done = [];
        this.undone = [];
        this.show();
    }

    back() { return this.step(this.done, this.undone, 'undo', 'undone'); }

    forward() { return this.step(this.undone, this.done, 'redo', 'done again'); }

    /** @param {Entry[]} from @param {Entry[]} to @param {'undo'|'redo'} way @param {string} word */
    step(from, to, way, word) {
        const act = from.pop();
        if (!act) {
            notice(way === 'undo' ? 'there is nothing to undo' : 'there is nothing to do again');
            return this.running;
        }
        act.at = -TOGETHER;
        to.push(act);
        this.show();
        this.running = this.running.then(act[way]).then(
            () => { notice(`${word}: ${act.what}`); announce(`${word}: ${act.what}`); },
            error => notice(`${act.what} cannot be ${word}: ${error.message}`));
        return this.running;
    }

    show() {
        for (const [id, list, word] of /** @type {const} */ ([['undo', this.done, 'Undo'], ['redo', this.undone, 'Redo']])) {
            const button = buttonById(id);
            const last = list[list.length - 1];
            button.disabled = !last;
            button.title = `${word}${last ? ` ${last.what}` : ''} (Ctrl+${id === 'undo' ? 'Z' : 'Y'})`;
        }
    }
}

export const history = new History();
