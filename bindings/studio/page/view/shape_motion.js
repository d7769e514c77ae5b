// SPDX-License-Identifier: MIT
// Mode shapes in slow motion. The lowest of the shown modes moves at the
// slider's speed and the others keep their ratios to it; several add up to one
// shape, each at the same height.

export class ShapeMotion {
    /** @param {Bodies3d} bodies @param {Store} store */
    constructor(bodies, store) {
        this.bodies = bodies;
        this.store = store;
        this.speed = 1.5;
        this.size = 0.4;
        this.moving = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
        /** @type {{move: Float32Array, ratio: number, most: number}[]} */ this.parts = [];
        this.phase = 0;
        this.last = 0;
        this.loading = 0;
        /** Which shape of a merged mode. */
        this.member = 1;
        /** @type {(message: string) => void} */ this.onfail = () => {};
        bodies.stage.movers.push(now => this.step(now));
    }

    /** Fetch the shapes of the shown modes. */
    async load() {
        const mine = ++this.loading;
        const body = this.store.body;
        const wanted = [...this.store.shown].sort((a, b) => a - b);
        /** @type {ModeShape[]} */ let shapes = [];
        if (body && wanted.length) {
            try {
                shapes = await Promise.all(wanted.map(n => this.store.shape(body, n, this.member)));
            } catch (error) {
                this.onfail(`no shape of this mode: ${/** @type {Error} */ (error).message}`);
            }
        }
        if (mine !== this.loading)
            return;
        const hz = (/** @type {number} */ n) => this.store.modes[n - 1]?.hz || 1;
        this.parts = shapes.map(({ n, move }) => {
            let most = 1e-12;
            for (let i = 0; i < move.length; i += 4)
                most = Math.max(most, Math.hypot(move[i], move[i + 1], move[i + 2]));
            return { move, most, ratio: hz(n) / hz(wanted[0]) };
        });
        this.phase = 0;
        this.show();
    }

    /** Write the shapes, at their phases, to the mesh. */
    show() {
        const { focus, focusMaterial } = this.bodies;
        if (!focus || !focusMaterial)
            return;
        const target = focus.geometry.attributes.shapeMove;
        const out = /** @type {Float32Array} */ (target.array);
        const parts = this.parts.filter(p => p.move.length === out.length);
        const single = parts.length === 1;
        out.fill(0);
        parts.forEach(part => {
            const c = (single ? 1 : Math.cos(this.phase * part.ratio)) / part.most;
            for (let i = 0; i < out.length; i++)
                out[i] += part.move[i] * c;
        });
        target.needsUpdate = true;
        let range = 1e-9;
        if (single)
            for (let i = 3; i < out.length; i += 4)
                range = Math.max(range, Math.abs(out[i]));
        focusMaterial.uniforms.shapeRange.value = single ? range : 1;
        this.amount();
    }

    /** A single shape is only scaled; the map keeps its colours. */
    amount() {
        const { focusMaterial, focusId, things, stage } = this.bodies;
        const body = things.get(focusId)?.body;
        if (!focusMaterial || !body)
            return;
        const swing = this.parts.length === 1 ? Math.cos(this.phase) : 1;
        const reach = this.parts.length ? 0.25 * this.size * body.size : 0;
        focusMaterial.uniforms.shapeAmount.value = reach * swing;
        stage.changed();
    }

    /** @param {number} now ms */
    step(now) {
        const dt = Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        if (!this.parts.length || !this.moving)
            return false;
        this.phase += 2 * Math.PI * this.speed * dt;
        if (this.parts.length === 1)
            this.amount();
        else
            this.show();
        return true;
    }
}
