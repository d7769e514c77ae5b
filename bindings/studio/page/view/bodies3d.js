// SPDX-License-Identifier: MIT
// The bodies in the view. Bodies with the same surface and material are drawn
// as one instanced mesh; the selected body is a mesh of its own, which can take
// a mode shape. Poses move them; pick finds what is under a ray.
import {
    Box3, BufferAttribute, BufferGeometry, InstancedMesh, Matrix4, Mesh, Quaternion, Vector3,
} from './three.js';
import { BodyMaterial, plainMaterial } from './body_material.js';
import { coarse } from './coarse.js';
import { lookName } from '../colour.js';

const HIDDEN = new Matrix4().makeScale(0, 0, 0);

export class Bodies3d {
    /** @param {Stage} stage @param {Store} store */
    constructor(stage, store) {
        this.stage = stage;
        this.store = store;
        /** @type {Map<number, Thing>} */ this.things = new Map();
        /** @type {Map<string, any>} */ this.geometries = new Map();
        /** @type {Map<string, {mesh: any, ids: number[]}>} */ this.groups = new Map();
        /** @type {Map<number, {group: any, index: number}>} */ this.places = new Map();
        /** @type {any} */ this.focus = null;
        /** @type {BodyMaterial|null} */ this.focusMaterial = null;
        /** @type {Map<number, any>} meshes of deformable bodies (deformed.js) */ this.bent = new Map();
        this.focusId = 0;
        this.probeMesh = new Mesh();
        /** @type {() => void} */ this.onfocus = () => {};
        this.loading = 0;
        this.frameDue = false;
    }

    // Fetch what is missing, then build all.
    /** @param {boolean} frame look at it */
    async load(frame) {
        const mine = ++this.loading;
        this.frameDue = this.frameDue || frame; // a later load may overtake this one
        // The stage has a floor of its own, at the same height.
        const bodies = [...this.store.bodies.values()].filter(b => b.shape !== 'floor');
        /** @type {Map<number, Thing>} */ const things = new Map();
        await Promise.all(bodies.map(async body => {
            const thing = await this.thing(body).catch(() => null);
            if (thing)
                things.set(body.id, thing);
        }));
        if (mine !== this.loading)
            return;
        for (const [id, old] of this.things) { // poses that came meanwhile
            const now = things.get(id);
            if (now)
                now.matrix.copy(old.matrix);
        }
        this.things = things;
        this.group();
        this.setFocus(this.store.selected);
        if (this.frameDue)
            this.frame();
        this.frameDue = false;
        this.stage.isEmpty = false;
        this.stage.changed();
        requestAnimationFrame(() => {
            performance.mark('bodies-drawn');
            this.store.emit('drawn');
        });
    }

    /** @param {Body} body @returns {Promise<Thing>} */
    async thing(body) {
        const same = body.mesh_key !== undefined ? `k${body.mesh_key}` : `b${body.id}/${body.mesh_rev}`;
        let kept = this.geometries.get(same);
        if (!kept) {
            kept = this.store.surface(body).then(surface => ({ surface, geometry: makeGeometry(surface) }));
            this.geometries.set(same, kept);
            kept.catch(() => this.geometries.delete(same));
        }
        const { surface, geometry } = await kept;
        const matrix = new Matrix4().compose(new Vector3(...body.position),
            new Quaternion(...body.orientation), new Vector3(1, 1, 1));
        return { body, matrix, geometry, surface, key: `${same}|${lookName(body)}` };
    }

    /** Make the instanced meshes anew. */
    group() {
        for (const { mesh } of this.groups.values()) {
            this.stage.scene.remove(mesh);
            mesh.material.dispose();
        }
        this.groups.clear();
        this.places.clear();
        /** @type {Map<string, Thing[]>} */ const lists = new Map();
        for (const thing of this.things.values()) {
            const list = lists.get(thing.key) || [];
            list.push(thing);
            lists.set(thing.key, list);
        }
        for (const [key, list] of lists) {
            const material = plainMaterial(lookName(list[0].body), this.stage.sky);
            const mesh = new InstancedMesh(geometryFor(list), material, list.length);
            mesh.frustumCulled = false;
            mesh.castShadow = mesh.receiveShadow = true;
            this.groups.set(key, { mesh, ids: list.map(t => t.body.id) });
            list.forEach((thing, index) => {
                mesh.setMatrixAt(index, thing.matrix);
                this.places.set(thing.body.id, { group: mesh, index });
            });
            this.stage.scene.add(mesh);
        }
    }

    // Draw this body on its own.
    /** @param {number} id */
    setFocus(id) {
        if (this.focus) {
            this.stage.scene.remove(this.focus);
            this.focusMaterial?.dispose();
            this.place(this.focusId);
            this.focus = null;
        }
        this.focusId = 0;
        const thing = this.things.get(id);
        if (!thing)
            return;
        this.focusId = id;
        const geometry = new BufferGeometry();
        for (const name of ['position', 'normal', 'uv'])
            geometry.setAttribute(name, thing.geometry.attributes[name]);
        geometry.setIndex(thing.geometry.index);
        geometry.setAttribute('shapeMove',
            new BufferAttribute(new Float32Array(thing.surface.position.length / 3 * 4), 4));
        geometry.boundingSphere = thing.geometry.boundingSphere;
        this.focusMaterial = new BodyMaterial(lookName(thing.body), this.stage.sky);
        this.focus = new Mesh(geometry, this.focusMaterial.material);
        this.focus.castShadow = this.focus.receiveShadow = true;
        this.focus.frustumCulled = false;
        this.focus.matrixAutoUpdate = false;
        this.stage.scene.add(this.focus);
        this.place(id);
        this.onfocus();
        this.stage.changed();
    }

    // Bring its matrix to where it is drawn.
    /** @param {number} id */
    place(id) {
        const thing = this.things.get(id);
        const place = this.places.get(id);
        if (!thing || !place)
            return;
        const alone = id === this.focusId && this.focus;
        const bent = this.bent.get(id);
        const isBent = bent && !(alone && this.store.shown.size);
        place.group.setMatrixAt(place.index, alone || isBent ? HIDDEN : thing.matrix);
        place.group.instanceMatrix.needsUpdate = true;
        if (bent)
            bent.visible = isBent && !!bent.geometry.attributes.normal;
        if (alone) {
            this.focus.visible = !isBent;
            this.focus.matrix.copy(thing.matrix);
            this.focus.matrixWorldNeedsUpdate = true;
        }
    }

    /** @param {ReturnType<typeof import('../records.js').readPoses>} poses */
    move(poses) {
        const q = new Quaternion();
        const p = new Vector3();
        const one = new Vector3(1, 1, 1);
        const n = poses.numbers;
        for (let i = 0; i < poses.count; i++) {
            const id = poses.ids[8 * i];
            const thing = this.things.get(id);
            if (!thing)
                continue;
            p.set(n[8 * i + 1], n[8 * i + 2], n[8 * i + 3]);
            q.set(n[8 * i + 4], n[8 * i + 5], n[8 * i + 6], n[8 * i + 7]);
            thing.matrix.compose(p, q, one);
            this.place(id);
        }
        this.stage.changed();
    }

    /** Look at all that rings and what moves near it; at everything if nothing rings. */
    frame() {
        const all = [...this.things.values()];
        const ringing = all.filter(t => t.body.rings);
        const box = new Box3();
        for (const thing of ringing.length ? ringing : all)
            box.union(this.boxOf(thing));
        const around = box.clone().expandByScalar(0.7 * box.getSize(new Vector3()).length());
        for (const thing of all)
            if (thing.body.is_free && !box.isEmpty() && around.containsBox(this.boxOf(thing)))
                box.union(this.boxOf(thing));
        if (box.isEmpty())
            box.set(new Vector3(-0.1, 0, -0.1), new Vector3(0.1, 0.1, 0.1));
        const scene = this.store.scene;
        this.stage.frame(box, scene?.has_floor ? scene.floor_y : null);
    }

    /** @param {Thing} thing */
    boxOf(thing) {
        const [a, b] = thing.body.bounds;
        return new Box3(new Vector3(...a), new Vector3(...b)).applyMatrix4(thing.matrix);
    }

    // The first body under a ray.
    /** @param {any} raycaster @param {number} [only] this body @returns {Hit|null} */
    pick(raycaster, only = 0) {
        const probe = this.probeMesh;
        /** @type {any[]} */ let hits = [];
        for (const thing of this.things.values()) {
            if (only && thing.body.id !== only)
                continue;
            const before = hits.length;
            const bent = this.bent.get(thing.body.id);
            const seen = bent?.visible ? bent : thing;
            probe.geometry = seen.geometry;
            const group = this.places.get(thing.body.id);
            probe.material = group ? group.group.material : probe.material;
            probe.matrixWorld.copy(seen.matrix);
            probe.raycast(raycaster, hits);
            for (let i = before; i < hits.length; i++)
                hits[i].thing = thing;
        }
        if (!hits.length)
            return null;
        const first = hits.reduce((a, b) => (b.distance < a.distance ? b : a));
        const thing = /** @type {Thing} */ (first.thing);
        const local = first.point.clone().applyMatrix4(new Matrix4().getInverse(thing.matrix));
        const normal = first.face.normal.clone();
        const ray = raycaster.ray.direction.clone()
            .applyQuaternion(new Quaternion().setFromRotationMatrix(thing.matrix).inverse());
        if (this.bent.get(thing.body.id)?.visible) // its normals are those of the world
            normal.applyQuaternion(new Quaternion().setFromRotationMatrix(thing.matrix).inverse());
        if (normal.dot(ray) > 0)
            normal.negate();
        const uv = thing.surface.hasUv && first.uv ? /** @type {[number, number]} */ ([first.uv.x, first.uv.y]) : null;
        return { body: thing.body.id, world: first.point, local, normal, face: first.faceIndex, uv };
    }
}

/** @param {Surface} surface */
function makeGeometry(surface) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(surface.position, 3));
    geometry.setAttribute('normal', new BufferAttribute(surface.normal, 3));
    geometry.setAttribute('uv', new BufferAttribute(surface.uv, 2));
    geometry.setIndex(new BufferAttribute(surface.index, 1));
    geometry.computeBoundingSphere();
    return geometry;
}

// Many bodies of many triangles would be drawn too slowly: some 100,000 in all
// are, with as few as 3 cells along a body.
/** @param {Thing[]} list with the same surface */
function geometryFor(list) {
    const { geometry, surface } = list[0];
    if (list.length * surface.index.length / 3 < 300000)
        return geometry;
    return makeGeometry(coarse(surface, Math.max(3, Math.sqrt(20000 / list.length))));
}
