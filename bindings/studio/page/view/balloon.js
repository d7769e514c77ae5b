// SPDX-License-Identifier: MIT
// What the shown mode radiates into each direction, as a surface round the body:
// as far as the far field is strong there, relative to its strongest; the colour
// is its phase. The pattern comes as spherical harmonics (protocol.md).
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshStandardMaterial } from './three.js';
import { diverging } from '../colour.js';
import { byId, short } from '../dom.js';

const ROWS = 48;
const TURNS = 96;
const REACH = 0.6; // of the body's size

// Real harmonics of a unit vector, Y_lm at l (l + 1) + m, of mean square 1.
/** @param {number} order @param {number[]} unit @returns {Float64Array} */
export function harmonics(order, [x, y, z]) {
    const out = new Float64Array((order + 1) ** 2);
    let [re, im, diagonal] = [1, 0, 1];
    for (let m = 0; m <= order; m++) {
        if (m > 0) {
            [re, im] = [re * x - im * y, im * x + re * y];
            diagonal *= m === 1 ? Math.sqrt(3) : Math.sqrt((2 * m + 1) / (2 * m));
        }
        let [before, now] = [0, diagonal];
        for (let l = m; l <= order; l++) {
            if (l > m) {
                const a = Math.sqrt((4 * l * l - 1) / (l * l - m * m));
                const b = Math.sqrt(((l - 1) ** 2 - m * m) / (4 * (l - 1) ** 2 - 1));
                [before, now] = [now, a * (z * now - b * before)];
            }
            out[l * (l + 1) + m] = now * re;
            if (m > 0)
                out[l * (l + 1) - m] = now * im;
        }
    }
    return out;
}

// The far field towards a direction of the body: real and imaginary part.
/** @param {Pattern} p @param {number[]} unit */
export function patternAt({ order, coefs }, unit) {
    const y = harmonics(order, unit);
    return coefs.reduce((sum, [re, im], i) => [sum[0] + re * y[i], sum[1] + im * y[i]], [0, 0]);
}

export class Balloon {
    /** @param {Bodies3d} bodies @param {Store} store @param {Transport} transport */
    constructor(bodies, store, transport) {
        this.bodies = bodies;
        this.store = store;
        this.transport = transport;
        this.on = false;
        this.mesh = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ vertexColors: 2, side: DoubleSide,
            transparent: true, opacity: 0.6, depthWrite: false, roughness: 0.8 })); // 2: by vertex
        /** @type {Pattern|null} */ this.pattern = null;
        this.loading = 0;
    }

    /** Fetch the pattern of the shown mode, and draw it. */
    async load() {
        const mine = ++this.loading;
        const { shown, body } = this.store;
        const [n] = shown;
        this.pattern = this.on && body && shown.size === 1
            ? await this.transport.request('pattern', { body: body.id, n }).catch(() => null) : null;
        if (mine === this.loading)
            this.show();
    }

    show() {
        const { pattern, bodies } = this;
        const isRound = !pattern || pattern.order < 0;
        this.mesh.visible = !isRound;
        byId('shape-sound-text').textContent = !this.on ? '' : isRound
            ? this.store.shown.size > 1 ? 'Show one mode to see its sound.' : 'No pattern: it is heard alike in all directions.' : this.shape(pattern);
        bodies.focus?.add(this.mesh);
        bodies.stage.changed();
    }

    /** @param {Pattern} pattern @returns {string} what is said of it */
    shape(pattern) {
        /** @type {number[][]} */ const units = [];
        for (let i = 0; i <= ROWS; i++)
            for (let j = 0; j <= TURNS; j++) {
                const [a, b] = [Math.PI * i / ROWS, 2 * Math.PI * j / TURNS];
                units.push([Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a)]);
            }
        const fields = units.map(u => patternAt(pattern, u));
        const sizes = fields.map(([re, im]) => Math.sqrt(re * re + im * im + pattern.rest));
        const most = Math.max(...sizes);
        const [re0, im0] = fields[sizes.indexOf(most)];
        const [a, b] = this.store.body?.bounds || [[0, 0, 0], [0, 0, 0]];
        const reach = REACH * (this.store.body?.size || 1);
        const position = new Float32Array(3 * units.length);
        const colour = new Float32Array(3 * units.length);
        fields.forEach(([re, im], i) => {
            const inPhase = (re * re0 + im * im0) / (most * Math.max(1e-9 * most, sizes[i]));
            units[i].forEach((u, k) => { position[3 * i + k] = (a[k] + b[k]) / 2 + u * reach * sizes[i] / most; });
            diverging(inPhase).forEach((c, k) => { colour[3 * i + k] = (c / 255) ** 2.2; });
        });
        const index = [];
        for (let i = 0; i < ROWS; i++)
            for (let j = 0; j < TURNS; j++) {
                const at = i * (TURNS + 1) + j;
                index.push(at, at + TURNS + 1, at + 1, at + 1, at + TURNS + 1, at + TURNS + 2);
            }
        const { geometry } = this.mesh;
        geometry.setAttribute('position', new BufferAttribute(position, 3));
        geometry.setAttribute('color', new BufferAttribute(colour, 3));
        geometry.setIndex(index);
        geometry.computeVertexNormals();
        geometry.boundingSphere = null;
        this.mesh.frustumCulled = false;
        const mean = Math.sqrt(pattern.rest + pattern.coefs.reduce((sum, [re, im]) => sum + re * re + im * im, 0));
        const db = (/** @type {number} */ v) => 20 * Math.log10(Math.max(v, 1e-6 * mean) / mean);
        const where = units[sizes.indexOf(most)].map(v => Math.round(10 * v) / 10 || 0); // no -0
        return `${short(db(most))} dB above its mean towards (${where.join(', ')}), ${short(db(Math.min(...sizes)))} dB where it is softest`;
    }
}
