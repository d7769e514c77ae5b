// SPDX-License-Identifier: MIT
// Colours of the page as numbers, for canvas and WebGL, and the maps from
// numbers to colours. The diverging map is blue - neutral - orange: both ends
// stay apart for every common kind of colour blindness.

/** @typedef {[number, number, number]} RGB 0 to 255 */

/** @type {Record<string, RGB[]>} */
const DIVERGING = {
    dark: [[84, 170, 240], [44, 98, 150], [58, 61, 66], [164, 90, 30], [246, 160, 70]],
    light: [[18, 86, 160], [110, 170, 220], [226, 223, 216], [240, 172, 100], [176, 82, 0]],
};

/** @type {Record<string, RGB[]>} */
const HEAT = {
    dark: [[20, 23, 26], [44, 40, 84], [122, 48, 104], [210, 88, 66], [248, 176, 84], [252, 246, 214]],
    light: [[255, 254, 250], [252, 226, 170], [240, 160, 92], [190, 76, 88], [98, 36, 100], [26, 16, 50]],
};

/** @returns {'dark'|'light'} */
export function scheme() {
    return document.documentElement.dataset.scheme === 'light' ? 'light' : 'dark';
}

/** @param {RGB[]} stops @param {number} x 0 to 1 @returns {RGB} */
function between(stops, x) {
    const place = Math.min(1, Math.max(0, x)) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(place));
    const f = place - i;
    const [a, b] = [stops[i], stops[i + 1]];
    return [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]), a[2] + f * (b[2] - a[2])];
}

/** @param {number} x -1 to 1 @returns {RGB} */
export function diverging(x) {
    return between(DIVERGING[scheme()], 0.5 + 0.5 * x);
}

/** The five stops of the diverging map, each 0 to 1, for a shader. */
export function divergingStops() {
    return DIVERGING[scheme()].map(c => c.map(v => v / 255));
}

/** @param {number} x 0 to 1 @returns {RGB} */
export function heat(x) {
    return between(HEAT[scheme()], x);
}

/** @param {RGB} c */
export function css(c) {
    return `rgb(${c.map(Math.round).join(' ')})`;
}

// A colour that style.css names.
/** @param {string} name without the leading dashes */
export function themeColour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// How a material looks. Woods are brown, metals have their own hue; a name
// that is not known gets a calm grey-blue.
/** @param {string} name @returns {{colour: number, metal: number, rough: number, clear: number}} */
export function materialLook(name) {
    const n = name.toLowerCase().replace(/_/g, ' ');
    /** @type {[RegExp, number, number, number, number][]} */
    const looks = [
        [/bronze|bowl|bell metal/, 0xb98544, 0.75, 0.38, 1],
        [/brass|gong/, 0xcfa552, 0.75, 0.32, 1],
        [/copper/, 0xc4764a, 0.75, 0.35, 1],
        [/gold/, 0xd9b24a, 0.8, 0.3, 1],
        [/silver|aluminium|tin|zinc/, 0xc3c8cc, 0.7, 0.35, 1],
        [/steel|iron|titan|nickel|lead/, 0x9aa5af, 0.7, 0.35, 1],
        [/glass|crystal|ice/, 0xa9cfd6, 0.1, 0.08, 0.55],
        [/porcelain|ceramic|bone/, 0xe6e1d6, 0.05, 0.25, 1],
        [/granite|stone|marble|concrete|brick|slate/, 0x99958e, 0.05, 0.8, 1],
        [/rosewood|mahogany|padauk/, 0x7d432f, 0.02, 0.6, 1],
        [/wood|oak|spruce|pine|maple|beech|bamboo|birch|balsa|ply/, 0xa87848, 0.02, 0.7, 1],
        [/rubber|skin|felt|cork|leather/, 0x5d534b, 0, 0.9, 1],
        [/nylon|plastic|acryl|pvc|mylar/, 0x6f9fb5, 0.05, 0.4, 1],
    ];
    for (const [pattern, colour, metal, rough, clear] of looks)
        if (pattern.test(n))
            return { colour, metal, rough, clear };
    return { colour: 0x8fa0ae, metal: 0.3, rough: 0.5, clear: 1 };
}

// The name by which a body's material is drawn: its own, or, for a material
// that a script made, that of one with such density and stiffness.
/** @param {Body} body */
export function lookName(body) {
    const m = body.material;
    if (!m)
        return body.shape;
    if (m.name)
        return m.name;
    const stiff = m.youngs_modulus / 1e9;
    if (m.density > 5000)
        return stiff > 150 ? 'steel' : m.density > 8600 ? 'bronze' : 'brass';
    if (m.density > 1900)
        return stiff < 40 ? 'stone' : m.poisson_ratio < 0.27 ? 'glass' : 'aluminium';
    return stiff < 0.5 ? 'rubber' : stiff < 5 ? 'plastic' : m.density > 780 ? 'rosewood' : 'wood';
}
