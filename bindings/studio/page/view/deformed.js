// SPDX-License-Identifier: MIT
// Deformable bodies as they bend: a mesh of its own for each, whose vertices
// come from the program, in the world. It stands in for the body at rest, but
// while a mode shape of that is shown.
import { BufferAttribute, BufferGeometry, Mesh } from './three.js';
import { plainMaterial } from './body_material.js';
import { lookName } from '../colour.js';
import { RECORD, readFaces, readSurfaces } from '../records.js';

export class Deformed {
    /** @param {Bodies3d} bodies @param {Store} store @param {Transport} transport */
    constructor(bodies, store, transport) {
        this.bodies = bodies;
        this.store = store;
        /** @type {Set<number>} whose faces were asked for */ this.asked = new Set();
        transport.onRecord(RECORD.surfaces, r => readSurfaces(r.view).forEach(s => this.take(s)));
        store.on('scene', () => this.clear());
        store.on('mode', () => bodies.place(store.selected));
    }

    clear() {
        for (const mesh of this.bodies.bent.values()) {
            this.bodies.stage.scene.remove(mesh);
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.bodies.bent.clear();
        this.asked.clear();
    }

    /** @param {ReturnType<typeof readSurfaces>[0]} surface */
    take({ id, count, low, step, codes }) {
        const mesh = this.bodies.bent.get(id);
        if (!mesh) {
            this.fetch(id);
            return;
        }
        const { position } = mesh.geometry.attributes;
        if (position.count !== count)
            return;
        for (let i = 0; i < 3 * count; i++)
            position.array[i] = low[i % 3] + step[i % 3] * codes[i];
        position.needsUpdate = true;
        mesh.geometry.computeVertexNormals();
        mesh.geometry.computeBoundingSphere();
        this.bodies.place(id);
        this.bodies.stage.changed();
    }

    /** @param {number} id */
    async fetch(id) {
        const body = this.store.bodies.get(id);
        if (!body || this.asked.has(id) || !this.bodies.things.has(id))
            return;
        this.asked.add(id);
        const faces = await this.store.file(`bodies/${id}/deformed.bin?rev=${body.mesh_rev}`, readFaces);
        if (!this.asked.has(id))
            return; // another scene has come
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * faces.count), 3));
        geometry.setIndex(new BufferAttribute(faces.index, 1));
        const mesh = new Mesh(geometry, plainMaterial(lookName(body), this.bodies.stage.sky));
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.frustumCulled = mesh.visible = false; // until its vertices come
        this.bodies.bent.set(id, mesh);
        this.bodies.stage.scene.add(mesh);
    }
}
