// SPDX-License-Identifier: MIT
// A surface in fewer triangles, for bodies that are drawn by the hundred: points
// in the same cell that face the same way become the one farthest from the
// centre, which keeps the outline.

/** @param {Surface} s @param {number} cells along the longest side @returns {Surface} */
export function coarse(s, cells) {
    const { position: p, normal: n } = s, count = p.length / 3;
    let reach = 0;
    for (const x of p)
        reach = Math.max(reach, Math.abs(x));
    const far = (/** @type {number} */ v) => Math.hypot(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
    /** @type {Map<string, number>} */ const best = new Map();
    /** @type {string[]} */ const keys = [];
    for (let v = 0; v < count; v++) {
        const at = [0, 1, 2].map(i => Math.round(cells * p[3 * v + i] / (2 * reach)));
        const way = [0, 1, 2].map(i => Math.round(1.2 * n[3 * v + i]));
        keys.push(`${at}|${way}`);
        const kept = best.get(keys[v]);
        if (kept === undefined || far(v) > far(kept))
            best.set(keys[v], v);
    }
    /** @type {number[]} */ const index = [];
    for (let t = 0; t < s.index.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map(i => /** @type {number} */ (best.get(keys[s.index[t + i]])));
        if (a !== b && b !== c && c !== a)
            index.push(a, b, c);
    }
    return { ...s, index: new Uint32Array(index) };
}
