// Undo and redo of what the page does: every act says how it is taken back and
// how it is done again. The script editor has its own. Strikes, scrapes and
// throws happen in time and are not undone.
import { announce, buttonById, notice } from './dom.js';

/** Acts of one control within this time are one, ms. */
const TOGETHER = 1000;
const MOST = 200;

/** @typedef {() => any} Act */

class History {
    constructor() {
        /** @type {{what: string, undo: Act, redo: Act, at: number}[]} */ this.done = [];
        /** @type {{what: string, undo: Act, redo: Act, at: number}[]} */ this.undone = [];
        /** @type {Promise<any>} */ this.running = Promise.resolve();
    }

    start() {
        buttonById('undo').onclick = () => this.back();
        buttonById('redo').onclick = () => this.forward();
        this.show();
    }

    // Something was done.
    /** @param {string} what shown to the user @param {Act} undo @param {Act} redo */
    push(what, undo, redo) {
        const last = this.done[this.done.length - 1];
        const at = performance.now();
        this.undone = [];
        if (last?.what === what && at - last.at < TOGETHER)
            Object.assign(last, { redo, at });
        else
            this.done.push({ what, undo, redo, at });
        if (this.done.length > MOST)
            this.done.shift();
        this.show();
    }

    clear() {
        this.done = [];
        this.undone = [];
        this.show();
    }

    back() { return this.step(this.done, this.undone, 'undo', 'undone'); }

    forward() { return this.step(this.undone, this.done, 'redo', 'done again'); }

    /** @param {typeof this.done} from @param {typeof this.done} to @param {'undo'|'redo'} way @param {string} word */
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
