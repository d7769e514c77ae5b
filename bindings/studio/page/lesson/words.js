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

const SCALES = { khz: 1000, ms: 0.001 };

/**
 * What a student may type for a number: 0,33 s, 1/3, 14 kHz, 14,037, 44100/pi.
 * @param {string} text @returns {string} the number, or what was typed
 */
export function numberText(text) {
    const typed = text.trim();
    const plain = typed.replace(/^([1-9]\d{1,2}),(\d{3})(?!\d)/, '$1$2').replace(',', '.').replace(/π|pi/i, String(Math.PI));
    const found = /^([-+.\de]+)\s*(?:\/\s*([.\de]+))?\s*(k?hz|m?s|seconds?|db|cents?)?$/i.exec(plain);
    const scale = SCALES[/** @type {'ms'} */ (found?.[3]?.toLowerCase())] || 1;
    const value = found ? scale * Number(found[1]) / Number(found[2] || 1) : Number.NaN;
    return Number.isFinite(value) ? String(value) : typed;
}

/** @param {Part[]} rows */
export function tableOf(rows) {
    const line = (/** @type {Part} */ row) => make('tr', {}, ...(row.cells || []).map(cell =>
        make(row.head ? 'th' : 'td', {}, ...spanNodes(cell))));
    return make('div', { class: 'lesson-table' }, make('table', {}, ...rows.map(line)));
}
