// SPDX-License-Identifier: MIT
// What surrounds the bodies: renderer, camera, light, floor, sky. It draws only
// when something has changed.
import {
    CircleGeometry, Color, CubeTexture, DirectionalLight, HemisphereLight, LinearFilter,
    LinearMipMapLinearFilter, Mesh, OrbitControls, PCFShadowMap,
    PerspectiveCamera, Scene, ShadowMaterial, Vector3, WebGLRenderer,
} from './three.js';
import { themeColour } from '../colour.js';

export class Stage {
    /** @param {HTMLElement} place */
    constructor(place) {
        this.place = place;
        const { canvas, context, isSimple } = openContext();
        this.isSimple = isSimple;
        this.renderer = new WebGLRenderer({ canvas, context });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.gammaOutput = true;
        this.renderer.gammaFactor = 2.2;
        this.canvas = canvas;
        place.append(this.canvas);
        this.scene = new Scene();
        this.camera = new PerspectiveCamera(38, 1, 0.001, 1000);
        this.camera.position.set(0.3, 0.35, 0.7);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = false;
        this.controls.enableKeys = false;
        this.controls.addEventListener('change', () => this.changed());
        this.light();
        this.sun.castShadow = !isSimple;
        this.sky = makeSky();
        this.dirty = true;
        /** An empty stage is not drawn: without a graphics card that takes as
         * long as the first picture, which would wait for it. */
        this.isEmpty = true;
        /** @type {((now: number) => boolean)[]} called per frame; true: draw */
        this.movers = [];
        this.size = 1;
        this.slow = 0;
        this.lastDrawn = 0;
        /** @type {() => void} */ this.onslow = () => {};
        new ResizeObserver(() => this.resize()).observe(place);
        this.takeScheme();
        this.resize();
        const draw = (/** @type {number} */ now) => {
            requestAnimationFrame(draw);
            let moves = this.dirty;
            for (const mover of this.movers)
                moves = mover(now) || moves;
            if (!moves || this.isEmpty || !place.clientWidth)
                return;
            this.dirty = false;
            this.renderer.render(this.scene, this.camera);
            this.watchSpeed(now);
        };
        requestAnimationFrame(draw);
    }

    light() {
        this.hemi = new HemisphereLight(0xf4f1ea, 0x4a4640, 0.75);
        this.sun = new DirectionalLight(0xfff4e2, 1.05);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.bias = -0.0005;
        // The floor shows only the shadows on it: it has the colour of the sky.
        this.floor = new Mesh(new CircleGeometry(1, 48), new ShadowMaterial({ opacity: 0.35 }));
        this.floor.rotation.x = -Math.PI / 2;
        this.floor.receiveShadow = true;
        this.scene.add(this.hemi, this.sun, this.sun.target, this.floor);
    }

    changed() { this.dirty = true; }

    /** On a slow machine shadows and smooth edges take most of the time: leave them out. */
    watchSpeed(/** @type {number} */ now) {
        const gap = now - this.lastDrawn;
        this.lastDrawn = now;
        if (gap < 500)
            this.slow = gap > 60 ? this.slow + 1 : Math.max(0, this.slow - 1);
        if (this.slow < 40 || !this.sun.castShadow)
            return;
        this.sun.castShadow = false;
        this.isSimple = true;
        this.resize();
        this.scene.traverse((/** @type {any} */ part) => {
            if (part.material)
                part.material.needsUpdate = true;
        });
        this.onslow();
    }

    takeScheme() {
        this.scene.background = new Color(themeColour('sky'));
        const light = document.documentElement.dataset.scheme === 'light';
        this.hemi.intensity = light ? 0.7 : 0.5;
        this.floor.material.opacity = light ? 0.2 : 0.4;
        this.changed();
    }

    resize() {
        const w = this.place.clientWidth;
        const h = this.place.clientHeight;
        if (!w || !h)
            return;
        this.renderer.setPixelRatio(this.isSimple ? Math.min(2, window.devicePixelRatio || 1) : 2);
        this.renderer.setSize(w, h, false);
        this.camera.aspect = w / h;
        this.camera.updateProjectionMatrix();
        this.changed();
    }

    // Look at this box, and put floor and light around it.
    /** @param {any} box Box3 of all that is to be seen @param {number|null} floorY */
    frame(box, floorY) {
        const centre = box.getCenter(new Vector3());
        const size = Math.max(0.02, box.getSize(new Vector3()).length());
        this.size = size;
        this.camera.near = size / 200;
        this.camera.far = size * 60;
        this.camera.updateProjectionMatrix();
        this.controls.target.copy(centre);
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(i => new Vector3(
            i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z));
        const from = new Vector3(0.42, 0.55, 0.9).normalize();
        const filled = (/** @type {number} */ distance) => {
            this.camera.position.copy(centre).addScaledVector(from, distance);
            this.camera.lookAt(centre);
            this.camera.updateMatrixWorld();
            return Math.max(...corners.map(c => c.clone().project(this.camera))
                .map(p => Math.max(Math.abs(p.x) / 0.85, Math.abs(p.y) / 0.7)));
        };
        let [near, far] = [0.5 * size, 4 * size]; // no corner is behind the camera
        for (let k = 0; k < 16; k++) {
            const half = 0.5 * (near + far);
            [near, far] = filled(half) > 1 ? [half, far] : [near, half];
        }
        filled(far);
        this.controls.minDistance = size / 20;
        this.controls.maxDistance = size * 8;
        this.controls.update();
        this.camera.updateMatrixWorld();
        const y = floorY !== null && floorY > box.min.y - 4 * size
            ? floorY : box.min.y - 0.12 * size;
        this.floor.position.set(centre.x, y - 1e-4 * size, centre.z);
        this.floor.scale.setScalar(size * 30);
        this.sun.position.copy(centre).add(new Vector3(0.5, 1.4, 0.6).multiplyScalar(size * 1.5));
        this.sun.target.position.copy(centre);
        const eye = this.sun.shadow.camera;
        const reach = size * 0.9;
        Object.assign(eye, { left: -reach, right: reach, top: reach, bottom: -reach,
            near: size * 0.2, far: size * 6 });
        eye.updateProjectionMatrix();
        this.changed();
    }

    // Pixels of a world point, from the canvas' corner.
    /** @param {any} point Vector3 */
    screenOf(point) {
        const p = point.clone().project(this.camera);
        return { x: (p.x + 1) / 2 * this.place.clientWidth,
            y: (1 - p.y) / 2 * this.place.clientHeight };
    }
}

/**
 * A graphics context, and whether to draw simply: without shadows, and with one
 * point per pixel. So it is without a graphics card; `?draw=fast` and
 * `?draw=full` in the address choose. Smooth edges are drawn by more points per
 * pixel: a context with samples doubles the time to the first picture there.
 */
function openContext() {
    /** @type {{canvas: HTMLCanvasElement, context: WebGLRenderingContext|null}} */
    const { canvas, context } = /** @type {any} */ (window).early;
    if (!context)
        throw new Error('this browser has no WebGL');
    const draw = new URLSearchParams(location.search).get('draw');
    const about = context.getExtension('WEBGL_debug_renderer_info');
    const name = about ? context.getParameter(about.UNMASKED_RENDERER_WEBGL) : '';
    const isSoftware = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
    return { canvas, context, isSimple: draw === 'fast' || (isSoftware && draw !== 'full') };
}

/** A calm room with a bright window above, so that metal shows its form. */
function makeSky() {
    const side = 64;
    const paint = (/** @type {string[]} */ stops, /** @type {boolean} */ lamp) => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = side;
        const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        const fill = g.createLinearGradient(0, 0, 0, side);
        stops.forEach((s, i) => fill.addColorStop(i / (stops.length - 1), s));
        g.fillStyle = fill;
        g.fillRect(0, 0, side, side);
        if (lamp) {
            g.fillStyle = '#fffaf0';
            g.fillRect(side * 0.2, side * 0.25, side * 0.6, side * 0.4);
        }
        return canvas;
    };
    const wall = ['#d8dde0', '#9ba1a5', '#5a5650', '#3b3833'];
    const faces = [paint(wall, false), paint(wall, true), paint(['#f4f4f2', '#dfe3e6'], true),
        paint(['#3b3833', '#2f2c28'], false), paint(wall, true), paint(wall, false)];
    const texture = new CubeTexture(faces);
    texture.generateMipmaps = true;
    texture.minFilter = LinearMipMapLinearFilter;
    texture.magFilter = LinearFilter;
    texture.needsUpdate = true;
    return texture;
}
