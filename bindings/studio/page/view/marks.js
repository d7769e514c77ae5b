// SPDX-License-Identifier: MIT
// Marks in the view: flashes where contacts happen, the cursor point, the
// arrow of a strike that is being aimed.
import {
    BufferAttribute, BufferGeometry, Color, ConeBufferGeometry, CylinderBufferGeometry, Group, Mesh,
    MeshBasicMaterial, Points, RingBufferGeometry, DoubleSide, ShaderMaterial, Vector3,
} from './three.js';
import { themeColour } from '../colour.js';

const COUNT = 256;
const SECONDS = 0.7;

const VERTEX = `
attribute float size;
attribute float age;
varying float vAge;
uniform float pixels;
void main() {
    vAge = age;
    vec4 p = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * p;
    gl_PointSize = age >= 1.0 ? 0.0 : size * (1.0 + 0.6 * age) * pixels;
}`;
const FRAGMENT = `
varying float vAge;
uniform vec3 ink;
void main() {
    float r = length(gl_PointCoord - 0.5) * 2.0;
    float ring = smoothstep(1.0, 0.9, r) * smoothstep(0.6, 0.8, r);
    gl_FragColor = vec4(ink, ring * (1.0 - vAge));
}`;

export class Marks {
    /** @param {Stage} stage */
    constructor(stage) {
        this.stage = stage;
        this.keep = false;
        this.next = 0;
        /** @type {Map<string, number>} the mark of two bodies */ this.pairs = new Map();
        /** @type {string[]} */ this.owners = [];
        this.born = new Float64Array(COUNT).fill(-1e9);
        const g = new BufferGeometry();
        g.setAttribute('position', new BufferAttribute(new Float32Array(3 * COUNT), 3));
        g.setAttribute('size', new BufferAttribute(new Float32Array(COUNT), 1));
        g.setAttribute('age', new BufferAttribute(new Float32Array(COUNT).fill(1), 1));
        this.geometry = g;
        this.ink = { value: new Color() };
        this.points = new Points(g, new ShaderMaterial({
            vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthTest: false,
            uniforms: { ink: this.ink, pixels: { value: stage.renderer.getPixelRatio() } },
        }));
        this.points.frustumCulled = false;
        this.points.renderOrder = 10;
        this.makeCursor();
        this.makeArrow();
        stage.scene.add(this.points, this.cursor, this.arrow);
        stage.movers.push(now => this.age(now));
        this.takeScheme();
    }

    makeCursor() {
        this.cursorInk = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9, side: DoubleSide });
        this.cursor = new Mesh(new RingBufferGeometry(0.7, 1, 32), this.cursorInk);
        this.cursor.visible = false;
        this.cursor.renderOrder = 11;
    }

    makeArrow() {
        this.arrowInk = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
        const shaft = new Mesh(new CylinderBufferGeometry(0.025, 0.025, 0.8, 12), this.arrowInk);
        shaft.position.y = 0.6;
        const head = new Mesh(new ConeBufferGeometry(0.08, 0.22, 20), this.arrowInk);
        head.rotation.x = Math.PI;
        head.position.y = 0.11;
        this.arrow = new Group();
        this.arrow.add(shaft, head);
        this.arrow.visible = false;
        shaft.renderOrder = head.renderOrder = 12;
    }

    takeScheme() {
        this.ink.value.set(themeColour('accent'));
        this.cursorInk.color.set(themeColour('accent'));
        this.arrowInk.color.set(themeColour('accent'));
    }

    // A ring, which does not hide what it marks. The same two bodies that touch
    // on and on have one.
    /** @param {number[]} point world @param {number} impulse N s; a decade is as much as another @param {string} pair */
    flash(point, impulse, pair) {
        const now = performance.now();
        const last = this.pairs.get(pair);
        const i = !this.keep && last !== undefined && this.owners[last] === pair && now - this.born[last] < 1000 * SECONDS ? last : this.next++ % COUNT;
        this.owners[i] = pair;
        this.pairs.set(pair, i);
        if (this.pairs.size > 4 * COUNT)
            this.pairs.clear();
        const decades = Math.min(1, Math.max(0, (Math.log10(impulse + 1e-12) + 6) / 6));
        this.geometry.attributes.position.setXYZ(i, point[0], point[1], point[2]);
        this.geometry.attributes.size.setX(i, 8 + 46 * decades);
        this.geometry.attributes.position.needsUpdate = true;
        this.geometry.attributes.size.needsUpdate = true;
        this.born[i] = now;
    }

    // Keep the marks (colour by contact).
    /** @param {boolean} keep */
    setKeep(keep) {
        this.keep = keep;
        this.stage.changed();
    }

    /** @param {number} now */
    age(now) {
        const ages = this.geometry.attributes.age;
        let moves = false;
        for (let i = 0; i < COUNT; i++) {
            let age = Math.max(0, (now - this.born[i]) / 1000 / SECONDS);
            if (this.keep && this.born[i] > 0)
                age = Math.min(age, 0.55);
            age = Math.min(1, age);
            if (ages.array[i] !== age) {
                ages.array[i] = age;
                moves = true;
            }
        }
        if (moves)
            ages.needsUpdate = true;
        this.points.visible = ages.array.some((/** @type {number} */ age) => age < 1);
        return moves;
    }

    /** @param {any} world Vector3, or null: no cursor @param {any} [normal] Vector3, world */
    setCursor(world, normal) {
        this.cursor.visible = !!world;
        if (world) {
            const size = this.stage.camera.position.distanceTo(world) * 0.012;
            this.cursor.position.copy(world);
            this.cursor.scale.setScalar(size);
            this.cursor.lookAt(world.clone().add(normal));
        }
        this.stage.changed();
    }

    // An arrow that ends at the point.
    /** @param {any} world Vector3, or null: none @param {any} [direction] Vector3 of length 1 @param {number} [length] */
    setArrow(world, direction, length = 0) {
        this.arrow.visible = !!world;
        if (world) {
            this.arrow.position.copy(world);
            this.arrow.scale.setScalar(length);
            this.arrow.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), direction.clone().negate());
        }
        this.stage.changed();
    }
}
