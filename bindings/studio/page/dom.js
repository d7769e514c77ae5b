// SPDX-License-Identifier: MIT
// Small helpers for elements: find, make, format, download.

// The element with this id. A missing one is a mistake of ours.
/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found)
        throw new Error(`the page has no element "${id}"`);
    return found;
}

/** @param {string} id */
export const inputById = id => /** @type {HTMLInputElement} */ (byId(id));
/** @param {string} id */
export const selectById = id => /** @type {HTMLSelectElement} */ (byId(id));
/** @param {string} id */
export const buttonById = id => /** @type {HTMLButtonElement} */ (byId(id));
/** @param {string} id */
export const canvasById = id => /** @type {HTMLCanvasElement} */ (byId(id));

// Make an element. Keys that begin with "on" are listeners, "class" and
// aria-* are attributes, others are properties.
/** @param {string} tag @param {Record<string, any>} [given] @param {...(Node|string)} children @returns {any} */
export function make(tag, given = {}, ...children) {
    const element = /** @type {any} */ (document.createElement(tag));
    for (const [key, value] of Object.entries(given)) {
        if (key.startsWith('on'))
            element.addEventListener(key.slice(2), value);
        else if (key === 'class')
            element.className = value;
        else if (key.includes('-') || key === 'for' || key === 'role')
            element.setAttribute(key, value);
        else
            element[key] = value;
    }
    element.append(...children);
    return element;
}

// An icon of the sprite in index.html.
/** @param {string} name */
export function icon(name) {
    const ns = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(ns, 'svg');
    svg.setAttribute('class', 'icon');
    svg.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS(ns, 'use');
    use.setAttribute('href', `#i-${name}`);
    svg.append(use);
    return svg;
}

// A number with so many significant digits, without a needless exponent.
/** @param {number} value @param {number} [digits] */
export function short(value, digits = 3) {
    if (!Number.isFinite(value))
        return '–';
    if (value === 0)
        return '0';
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-3) {
        const [m, e] = value.toExponential(digits - 1).split('e');
        return `${Number(m)}e${Number(e)}`;
    }
    return String(Number(value.toPrecision(digits)));
}

// A quantity with an SI prefix: 2.1 GPa, 30 ms.
/** @param {number} value @param {string} unit */
export function withUnit(value, unit) {
    if (!unit || !Number.isFinite(value) || value === 0)
        return unit ? `${short(value)} ${unit}` : short(value);
    const prefixes = { '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G' };
    const simple = /^(s|m|g|Hz|Pa|N|N s|N\/m|J)$/.test(unit);
    const size = Math.abs(value);
    if (!simple || (size >= 0.1 && size < 10000))
        return `${short(value)} ${unit}`;
    const step = Math.min(9, Math.max(-9, 3 * Math.floor(Math.log10(size) / 3)));
    const prefix = /** @type {any} */ (prefixes)[step];
    return `${short(value / 10 ** step)} ${prefix}${unit}`;
}

const NOTES = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B'];

// The nearest note and its cents: "A4 +12".
/** @param {number} hz */
export function noteName(hz) {
    if (!(hz > 15))
        return '–';
    const key = 69 + 12 * Math.log2(hz / 440);
    const near = Math.round(key);
    const cents = Math.round(100 * (key - near));
    const sign = cents < 0 ? '−' : '+';
    return `${NOTES[((near % 12) + 12) % 12]}${Math.floor(near / 12) - 1} `
        + `${sign}${Math.abs(cents)}`;
}

// Give the user a file.
/** @param {string} name @param {BlobPart} content @param {string} type */
export function download(name, content, type) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    const link = make('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Copy text; where the clipboard is refused, select it in a hidden field.
/** @param {string} text */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const field = make('textarea', { value: text, class: 'off-screen' });
        document.body.append(field);
        field.select();
        document.execCommand('copy');
        field.remove();
    }
}

/**
 * Call at once, and then at most once per animation frame, with the newest
 * arguments.
 * @template {any[]} A
 * @param {(...args: A) => void} call
 * @returns {(...args: A) => void}
 */
export function oncePerFrame(call) {
    /** @type {A|null} */ let waiting = null;
    let due = false;
    const frame = () => {
        due = !!waiting;
        if (waiting)
            call(...waiting);
        waiting = null;
        if (due)
            requestAnimationFrame(frame);
    };
    return (...args) => {
        waiting = args;
        if (!due)
            frame();
    };
}

// Say something in the polite live region, for those who do not see it.
/** @param {string} text */
export function announce(text) {
    byId('spoken').textContent = text;
}

/** What it says is no longer true. */
export function clearNotice() {
    byId('notice').hidden = true;
}

let noticeTimer = 0;
// A line at the foot of the page, gone after some seconds.
/** @param {string} text */
export function notice(text) {
    const place = byId('notice');
    place.textContent = text;
    place.hidden = false;
    clearTimeout(noticeTimer);
    noticeTimer = window.setTimeout(() => { place.hidden = true; }, 6000);
}
