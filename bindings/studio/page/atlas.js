// SPDX-License-Identifier: MIT
// Where on the surface each texel of a texture is. With it a brush is a ball in
// space: texels of a neighbouring chart that are near on the body are painted
// too, so a stroke goes on over a seam.

export class Atlas {
    /** @param {Surface} surface @param {number} width @param {number} height */
    constructor(surface, width, height) {
        this.width = width;
        this.height = height;
        this.place = new Float32Array(3 * width * height);
        this.normal = new Float32Array(3 * width * height);
        this.known = new Uint8Array(width * height);
        this.low = [1e9, 1e9, 1e9];
        this.size = this.cell = 1;
        /** @type {Map<string, number[]>} */ this.cells = new Map();
        for (let t = 0; t < surface.index.length; t += 3)
            this.fill(surface, t);
        this.grow();
        this.grow();
        this.sort();
    }

    // Fill the texels whose centres are in a triangle.
    /** @param {Surface} s @param {number} t */
    fill(s, t) {
        const { width, height } = this;
        const [a, b, c] = [s.index[t], s.index[t + 1], s.index[t + 2]];
        const at = (/** @type {number} */ i) => [s.uv[2 * i] * width - 0.5, s.uv[2 * i + 1] * height - 0.5];
        const [[ax, ay], [bx, by], [cx, cy]] = [at(a), at(b), at(c)];
        const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
        if (Math.abs(area) < 1e-12)
            return;
        const slack = 1e-4;
        for (let y = Math.max(0, Math.ceil(Math.min(ay, by, cy) - slack)); y <= Math.min(height - 1, Math.max(ay, by, cy) + slack); y++)
            for (let x = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - slack)); x <= Math.min(width - 1, Math.max(ax, bx, cx) + slack); x++) {
                const wb = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area;
                const wc = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area;
                const i = y * width + x;
                if (wb < -slack || wc < -slack || wb + wc > 1 + slack || this.known[i])
                    continue;
                this.known[i] = 1;
                for (let k = 0; k < 3; k++) {
                    this.place[3 * i + k] = (1 - wb - wc) * s.position[3 * a + k] + wb * s.position[3 * b + k] + wc * s.position[3 * c + k];
                    this.normal[3 * i + k] = (1 - wb - wc) * s.normal[3 * a + k] + wb * s.normal[3 * b + k] + wc * s.normal[3 * c + k];
                }
            }
    }

    /** Texels beside a chart take its place: they are mixed in at its border. */
    grow() {
        const { width, height, known } = this;
        const before = known.slice();
        for (let y = 0; y < height; y++)
            for (let x = 0; x < width; x++) {
                const i = y * width + x;
                if (before[i])
                    continue;
                for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
                    const j = i + dy * width + dx;
                    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height || !before[j])
                        continue;
                    this.place.copyWithin(3 * i, 3 * j, 3 * j + 3);
                    this.normal.copyWithin(3 * i, 3 * j, 3 * j + 3);
                    known[i] = 1;
                    break;
                }
            }
    }

    /** Put the texels into cells of space, to find those near a point. */
    sort() {
        const low = this.low;
        const high = [-1e9, -1e9, -1e9];
        for (let i = 0; i < this.known.length; i++)
            if (this.known[i])
                for (let k = 0; k < 3; k++) {
                    low[k] = Math.min(low[k], this.place[3 * i + k]);
                    high[k] = Math.max(high[k], this.place[3 * i + k]);
                }
        this.size = Math.max(1e-6, ...high.map((h, k) => h - low[k]));
        this.cell = this.size / 40;
        for (let i = 0; i < this.known.length; i++)
            if (this.known[i]) {
                const key = [0, 1, 2].map(k => Math.floor((this.place[3 * i + k] - low[k]) / this.cell)).join();
                const list = this.cells.get(key);
                if (list)
                    list.push(i);
                else
                    this.cells.set(key, [i]);
            }
    }

    // The texel at a place of the texture.
    /** @param {number} u @param {number} v */
    texel(u, v) {
        const x = Math.min(this.width - 1, Math.max(0, Math.floor(u * this.width)));
        const y = Math.min(this.height - 1, Math.max(0, Math.floor(v * this.height)));
        return y * this.width + x;
    }

    /**
     * Texels within a radius of one, on its side of the wall.
     * @param {number} centre
     * @param {number} radius m
     * @param {(texel: number, part: number) => void} take part: 0 in the middle, 1 at the border
     */
    near(centre, radius, take) {
        if (!this.known[centre])
            return;
        const p = this.place.subarray(3 * centre, 3 * centre + 3);
        const n = this.normal.subarray(3 * centre, 3 * centre + 3);
        const low = [0, 1, 2].map(k => Math.floor((p[k] - radius - this.low[k]) / this.cell));
        const high = [0, 1, 2].map(k => Math.floor((p[k] + radius - this.low[k]) / this.cell));
        for (let a = low[0]; a <= high[0]; a++)
            for (let b = low[1]; b <= high[1]; b++)
                for (let c = low[2]; c <= high[2]; c++)
                    for (const i of this.cells.get(`${a},${b},${c}`) || []) {
                        const [x, y, z] = [this.place[3 * i] - p[0], this.place[3 * i + 1] - p[1], this.place[3 * i + 2] - p[2]];
                        const far = Math.sqrt(x * x + y * y + z * z) / radius;
                        const facing = n[0] * this.normal[3 * i] + n[1] * this.normal[3 * i + 1] + n[2] * this.normal[3 * i + 2];
                        if (far < 1 && facing > -0.3)
                            take(i, far);
                    }
        take(centre, 0);
    }
}
