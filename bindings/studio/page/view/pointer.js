// SPDX-License-Identifier: MIT
// The mouse, the finger and the keys in the view. A gesture that begins on a
// body belongs to the tool; one that begins beside it turns the camera.
import { Plane, Quaternion, Raycaster, Vector2, Vector3 } from './three.js';
import { byId, short } from '../dom.js';
import { history } from '../undo.js';

/** Pixels under which a drag is a click. */
const CLICK = 5;

// A click strikes along the normal of the face.
/** @param {Hit} hit @returns {number[]} local */
function inward(hit) {
    return hit.normal.clone().negate().toArray();
}

export class Pointer {
    /** @param {Bodies3d} bodies @param {Marks} marks @param {Store} store @param {Actions} actions */
    constructor(bodies, marks, store, actions) {
        this.bodies = bodies;
        this.stage = bodies.stage;
        this.marks = marks;
        this.store = store;
        this.actions = actions;
        this.tool = 'strike';
        this.raycaster = new Raycaster();
        /** @type {any} */ this.gesture = null;
        /** @type {Hit|null} */ this.cursor = null;
        const canvas = this.stage.canvas;
        canvas.tabIndex = 0;
        canvas.setAttribute('role', 'application');
        canvas.setAttribute('aria-label', 'Bodies. Arrows move the cursor point, Space strikes it, '
            + 'Shift and arrows turn the camera. The table of modes has the numbers.');
        canvas.addEventListener('pointerdown', e => this.down(e), { capture: true });
        canvas.addEventListener('pointermove', e => this.move(e));
        canvas.addEventListener('pointerup', e => this.up(e));
        canvas.addEventListener('pointercancel', e => this.up(e));
        canvas.addEventListener('pointerleave', () => {
            if (this.gesture || document.activeElement === canvas)
                return;
            this.marks.setCursor(null);
            this.marks.setArrow(null);
        });
        canvas.addEventListener('keydown', e => this.key(e));
        this.makeTools();
    }

    makeTools() {
        const place = byId('tools');
        const tools = /** @type {HTMLElement[]} */ ([...place.children]);
        for (const tool of tools)
            tool.onclick = () => this.setTool(String(tool.dataset.tool));
        place.addEventListener('keydown', e => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
            if (!step)
                return;
            e.preventDefault();
            const at = tools.findIndex(t => t.dataset.tool === this.tool);
            const next = tools[(at + step + tools.length) % tools.length];
            next.click();
            next.focus();
        });
        this.setTool('strike');
    }

    /** @param {string} name */
    setTool(name) {
        this.tool = name;
        for (const button of /** @type {NodeListOf<HTMLElement>} */ (byId('tools').querySelectorAll('button'))) {
            const on = button.dataset.tool === name;
            button.setAttribute('aria-checked', String(on));
            button.tabIndex = on ? 0 : -1;
            if (on)
                byId('view-hint').textContent = button.title;
        }
        this.store.emit('tool', name);
    }

    /** @param {{clientX: number, clientY: number}} e @param {number} [only] */
    hit(e, only = 0) {
        const box = this.stage.canvas.getBoundingClientRect();
        return this.hitAt(e.clientX - box.left, e.clientY - box.top, only);
    }

    /** @param {number} x @param {number} y pixels in the canvas @param {number} [only] */
    hitAt(x, y, only = 0) {
        const w = this.stage.place.clientWidth;
        const h = this.stage.place.clientHeight;
        this.raycaster.setFromCamera(new Vector2(2 * x / w - 1, 1 - 2 * y / h), this.stage.camera);
        return this.bodies.pick(this.raycaster, only);
    }

    /** @param {PointerEvent} e */
    down(e) {
        this.stage.controls.enabled = true;
        if (e.button !== 0 || this.tool === 'look')
            return;
        const hit = this.hit(e);
        if (!hit)
            return;
        this.stage.controls.enabled = false;
        this.stage.canvas.setPointerCapture(e.pointerId);
        this.store.select(hit.body);
        this.setCursor(hit);
        const body = this.store.bodies.get(hit.body);
        let kind = this.tool;
        if (e.shiftKey)
            kind = 'scrape';
        if (e.altKey)
            kind = 'throw';
        if (kind === 'throw' && !body?.is_free) {
            this.actions.fail(new Error(`${body?.name} is not free: only free bodies can be thrown`));
            kind = 'none';
        }
        this.gesture = { kind, hit, x: e.clientX, y: e.clientY, last: e.timeStamp, far: false,
            point: hit.local.clone(), velocity: new Vector3(), trail: [] };
        if (kind === 'scrape')
            this.actions.beginScrape(hit.body, hit.local.toArray());
        else if (kind === 'throw')
            this.beginThrow();
        else if (kind === 'paint')
            this.store.emit('paint', { phase: 'begin', hit });
    }

    /** @param {PointerEvent} e */
    move(e) {
        const g = this.gesture;
        if (!g) {
            if (e.buttons === 0)
                this.setCursor(this.hit(e));
            return;
        }
        g.far = g.far || Math.hypot(e.clientX - g.x, e.clientY - g.y) > CLICK;
        if (g.kind === 'strike')
            this.aim(e);
        else if (g.kind === 'scrape')
            this.scrape(e);
        else if (g.kind === 'throw')
            this.drag(e);
        else if (g.kind === 'paint') {
            const hit = this.hit(e, g.hit.body);
            this.store.emit('paint', { phase: 'move', hit });
            this.setCursor(hit);
        }
    }

    /** @param {PointerEvent} e */
    up(e) {
        const g = this.gesture;
        this.gesture = null;
        this.stage.controls.enabled = true;
        if (!g)
            return;
        if (g.kind === 'strike' && e.type === 'pointerup') {
            const aimed = g.far ? this.aimOf(e, g) : null;
            this.actions.strike(g.hit.body, g.hit.local.toArray(),
                aimed ? aimed.local.toArray() : inward(g.hit),
                aimed ? aimed.speed : this.store.striker.speed, e.timeStamp);
        } else if (g.kind === 'scrape')
            this.actions.endScrape();
        else if (g.kind === 'throw')
            this.release(g);
        else if (g.kind === 'paint')
            this.store.emit('paint', { phase: 'end', hit: null });
        this.setCursor(g.hit); // the arrow is that of a click again
        this.setTool(this.tool);
    }

    /** @param {Hit|null} hit */
    setCursor(hit) {
        this.cursor = hit || this.cursor;
        if (!hit) {
            this.marks.setCursor(null);
            this.marks.setArrow(null);
            return;
        }
        const normal = hit.normal.clone().applyQuaternion(this.turn(hit.body));
        this.marks.setCursor(hit.world, normal);
        if (this.tool === 'strike')
            this.marks.setArrow(hit.world, normal.negate(), this.reach(hit) * 0.9);
        else
            this.marks.setArrow(null);
        if (hit.body === this.store.selected)
            this.actions.probe(hit.body, hit.local.toArray(), inward(hit));
    }

    // Length of an arrow at a point: about as large on the screen everywhere.
    /** @param {Hit} hit */
    reach(hit) {
        return this.stage.camera.position.distanceTo(hit.world) * 0.12;
    }

    // Rotation of a body.
    /** @param {number} id */
    turn(id) {
        const thing = this.bodies.things.get(id);
        return new Quaternion().setFromRotationMatrix(/** @type {any} */ (thing).matrix);
    }

    // A drag pulls the mallet away from the point: the strike leans that way,
    // and the farther, the faster.
    /** @param {PointerEvent} e @param {any} g */
    aimOf(e, g) {
        const camera = this.stage.camera;
        const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
        const up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
        const dx = e.clientX - g.x;
        const dy = e.clientY - g.y;
        const far = Math.hypot(dx, dy);
        const turn = this.turn(g.hit.body);
        const inward = g.hit.normal.clone().applyQuaternion(turn).negate();
        const along = right.multiplyScalar(-dx).add(up.multiplyScalar(dy));
        along.addScaledVector(inward, -along.dot(inward));
        if (along.length() > 0)
            along.normalize();
        const lean = Math.min(1.3, far / 160);
        const world = inward.multiplyScalar(Math.cos(lean)).addScaledVector(along, Math.sin(lean)).normalize();
        const speed = Math.min(20, this.store.striker.speed * 10 ** ((far - 60) / 160));
        return { world, speed, lean, local: world.clone().applyQuaternion(turn.clone().inverse()) };
    }

    /** @param {PointerEvent} e */
    aim(e) {
        const g = this.gesture;
        if (!g.far)
            return;
        const { world, local, speed, lean } = this.aimOf(e, g);
        this.marks.setArrow(g.hit.world, world, this.reach(g.hit) * (0.6 + 0.6 * Math.log10(1 + speed)));
        this.actions.probe(g.hit.body, g.hit.local.toArray(), local.toArray());
        byId('view-hint').textContent = `${short(speed, 2)} m/s, ${Math.round(lean * 180 / Math.PI)}° off the normal`;
    }

    /** @param {PointerEvent} e */
    scrape(e) {
        const g = this.gesture;
        const hit = this.hit(e, g.hit.body);
        if (!hit)
            return;
        const dt = Math.max(0.004, (e.timeStamp - g.last) / 1000);
        const v = hit.local.clone().sub(g.point).divideScalar(dt);
        g.velocity.lerp(v, 0.5);
        g.point.copy(hit.local);
        g.last = e.timeStamp;
        this.setCursor(hit);
        this.actions.moveScrape(hit.local.toArray(), g.velocity.toArray());
        clearTimeout(g.still);
        g.still = setTimeout(() => {
            if (this.gesture === g)
                this.actions.moveScrape(g.point.toArray(), [0, 0, 0]);
            g.velocity.set(0, 0, 0);
        }, 120);
    }

    beginThrow() {
        const g = this.gesture;
        const thing = /** @type {Thing} */ (this.bodies.things.get(g.hit.body));
        g.centre = new Vector3().setFromMatrixPosition(thing.matrix);
        g.turn = this.turn(g.hit.body).toArray();
        g.offset = g.centre.clone().sub(g.hit.world);
        const facing = this.stage.camera.getWorldDirection(new Vector3());
        g.plane = new Plane().setFromNormalAndCoplanarPoint(facing, g.hit.world);
        this.actions.throwBody('grab', g.hit.body, g.centre.toArray());
    }

    /** @param {PointerEvent} e */
    drag(e) {
        const g = this.gesture;
        this.hit(e, -1); // sets the ray
        const at = this.raycaster.ray.intersectPlane(g.plane, new Vector3());
        if (!at)
            return;
        at.add(g.offset);
        g.trail.push({ t: e.timeStamp / 1000, at });
        g.trail = g.trail.filter((/** @type {any} */ p) => p.t > e.timeStamp / 1000 - 0.08);
        this.actions.throwBody('move', g.hit.body, at.toArray());
    }

    /** @param {any} g */
    release(g) {
        const [a, b] = [g.trail[0], g.trail[g.trail.length - 1]];
        const moved = a && b && b.t > a.t;
        const v = moved ? b.at.clone().sub(a.at).divideScalar(b.t - a.t) : new Vector3();
        this.actions.throwBody('release', g.hit.body, (b ? b.at : g.centre).toArray(), v.toArray());
        const from = { position: g.centre.toArray(), orientation: g.turn, velocity: [0, 0, 0] };
        const thing = this.bodies.things.get(g.hit.body);
        if (!b || !thing)
            return;
        const to = { position: new Vector3().setFromMatrixPosition(thing.matrix).toArray(), orientation: this.turn(g.hit.body).toArray(), velocity: v.toArray() };
        const { name } = thing.body;
        history.push(`throw of ${name}`, () => this.actions.put(g.hit.body, name, from), () => this.actions.put(g.hit.body, name, to));
    }

    /** The point of the keyboard: the cursor, or the body's middle. */
    keyPoint() {
        const id = this.store.selected;
        if (this.cursor && this.cursor.body === id)
            return this.cursor;
        const thing = this.bodies.things.get(id);
        if (!thing)
            return null;
        const centre = this.bodies.boxOf(thing).getCenter(new Vector3());
        const at = this.stage.screenOf(centre);
        for (let r = 0; r < 200; r += 4) // a ring or a bowl has a hole there
            for (let k = 0; k < 12; k++) {
                const hit = this.hitAt(at.x + r * Math.cos(k * Math.PI / 6), at.y + r * Math.sin(k * Math.PI / 6), id);
                if (hit)
                    return hit;
            }
        return null;
    }

    strikeCursor() {
        const hit = this.keyPoint();
        if (!hit)
            return;
        this.setCursor(hit);
        this.actions.strike(hit.body, hit.local.toArray(), inward(hit));
    }

    /** @param {KeyboardEvent} e */
    key(e) {
        const step = /** @type {Record<string, number[]>} */ ({
            ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
        })[e.key];
        if (e.key === ' ' || e.key === 'Enter') {
            e.preventDefault();
            this.strikeCursor();
        } else if (e.key === '+' || e.key === '-') {
            this.zoom(e.key === '+' ? 0.85 : 1 / 0.85);
        } else if (step && e.shiftKey) {
            e.preventDefault();
            this.orbit(step[0] * 0.12, step[1] * 0.12);
        } else if (step) {
            e.preventDefault();
            const from = this.keyPoint();
            if (!from)
                return;
            const at = this.stage.screenOf(from.world);
            const hit = this.hitAt(at.x + 10 * step[0], at.y + 10 * step[1], from.body);
            this.setCursor(hit || from);
        }
    }

    /** @param {number} factor */
    zoom(factor) {
        const { camera, controls } = this.stage;
        camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
        controls.update();
    }

    /** @param {number} a about the vertical @param {number} b up or down */
    orbit(a, b) {
        const { camera, controls } = this.stage;
        const arm = camera.position.clone().sub(controls.target);
        const flat = Math.hypot(arm.x, arm.z);
        const azimuth = Math.atan2(arm.x, arm.z) + a;
        const height = Math.min(1.5, Math.max(-1.5, Math.atan2(arm.y, flat) - b));
        const r = arm.length();
        camera.position.set(r * Math.cos(height) * Math.sin(azimuth), r * Math.sin(height),
            r * Math.cos(height) * Math.cos(azimuth)).add(controls.target);
        controls.update();
    }
}
