// SPDX-License-Identifier: MIT
// The text of a lesson as elements. Nothing of it is ever read as HTML;
// formulas are MathML that the program has made.
import { make } from '../dom.js';

/** @typedef {[string, string]} Span kind, text */
/** @typedef {{kind: string, teacher: boolean, name?: string, head?: boolean, math?: string, spans?: Span[], cells?: Span[][]}} Part */

/** @param {string} text a <math> element @returns {Node} */
export function mathNode(text) {
    const found = new DOMParser().parseFromString(text, 'text/xml').documentElement;
    return found.localName === 'math' ? document.importNode(found, true) : document.createTextNode(text);
}

/** @param {Span[]} [spans] @returns {(Node|string)[]} */
export function spanNodes(spans = []) {
    return spans.map(([kind, text]) => {
        if (kind === 'math')
            return mathNode(text);
        return kind === 'text' ? text : make(kind, { textContent: text });
    });
}

/** @param {Span[]} [spans] */
export function plainText(spans = []) {
    return spans.map(([kind, text]) => (kind === 'math' ? mathNode(text).textContent : text)).join('');
}

/** @param {Part[]} rows */
export function tableOf(rows) {
    const line = (/** @type {Part} */ row) => make('tr', {}, ...(row.cells || []).map(cell =>
        make(row.head ? 'th' : 'td', {}, ...spanNodes(cell))));
    return make('div', { class: 'lesson-table' }, make('table', {}, ...rows.map(line)));
}
