// SPDX-License-Identifier: MIT
// How the selected body is drawn: its material, or a number per vertex through
// the diverging map, with nodal lines where the number is zero, and moved along
// a mode shape.
import { DoubleSide, Color, MeshStandardMaterial, Vector3 } from './three.js';
import { divergingStops, materialLook } from '../colour.js';

const VERTEX_HEAD = `
attribute vec4 shapeMove;
uniform float shapeAmount;
uniform float shapeRange;
varying float vShape;
`;
const VERTEX_BODY = `
#include <begin_vertex>
transformed += shapeMove.xyz * shapeAmount;
vShape = shapeMove.w / shapeRange;
`;
const FRAGMENT_HEAD = `
varying float vShape;
uniform float shapeColour;
uniform float shapeLines;
uniform vec3 shapeStops[5];
uniform vec3 shapeLineInk;
vec3 shapeMap(float x) {
    float p = clamp(0.5 + 0.5 * x, 0.0, 1.0) * 4.0;
    vec3 c = mix(shapeStops[0], shapeStops[1], clamp(p, 0.0, 1.0));
    c = mix(c, shapeStops[2], clamp(p - 1.0, 0.0, 1.0));
    c = mix(c, shapeStops[3], clamp(p - 2.0, 0.0, 1.0));
    return mix(c, shapeStops[4], clamp(p - 3.0, 0.0, 1.0));
}
`;
const FRAGMENT_BODY = `
#include <color_fragment>
if (shapeColour > 0.5) {
    vec3 mapped = shapeMap(vShape);
    diffuseColor = vec4(0.8 * mapped * mapped, 1.0);
    float slope = fwidth(vShape);
    if (shapeLines > 0.5 && slope > 8e-4) {
        float line = 1.0 - smoothstep(0.5, 1.2, abs(vShape) / (slope * shapeLines));
        diffuseColor.rgb = mix(diffuseColor.rgb, shapeLineInk, line);
    }
}
`;

/** Without light from the side that faces away: walls are thin. */
export class BodyMaterial {
    /** @param {string} materialName @param {any} sky environment map */
    constructor(materialName, sky) {
        this.uniforms = {
            shapeAmount: { value: 0 },
            shapeRange: { value: 1 },
            shapeColour: { value: 0 },
            shapeLines: { value: 1 },
            shapeStops: { value: [0, 1, 2, 3, 4].map(() => new Vector3()) },
            shapeLineInk: { value: new Color(1, 1, 1) },
        };
        this.material = plainMaterial(materialName, sky);
        this.material.extensions = { derivatives: true };
        this.material.onBeforeCompile = (/** @type {any} */ shader) => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = VERTEX_HEAD
                + shader.vertexShader.replace('#include <begin_vertex>', VERTEX_BODY);
            shader.fragmentShader = FRAGMENT_HEAD
                + shader.fragmentShader.replace('#include <color_fragment>', FRAGMENT_BODY);
        };
        this.look = { metal: this.material.metalness, rough: this.material.roughness,
            colour: this.material.color.clone() };
        this.takeScheme();
    }

    takeScheme() {
        divergingStops().forEach((c, i) => this.uniforms.shapeStops.value[i].set(c[0], c[1], c[2]));
        const light = document.documentElement.dataset.scheme === 'light';
        this.uniforms.shapeLineInk.value.set(light ? 0x0a0a0a : 0xffffff);
    }

    /** @param {'material'|'mode'|'map'} by @param {any} [map] texture of the weight layer */
    colourBy(by, map = null) {
        const m = this.material;
        this.uniforms.shapeColour.value = by === 'mode' ? 1 : 0;
        const had = m.map !== null;
        m.map = by === 'map' ? map : null;
        m.color.copy(by === 'map' ? new Color(1, 1, 1) : this.look.colour);
        m.metalness = by === 'material' ? this.look.metal : 0;
        m.roughness = by === 'material' ? this.look.rough : 0.7;
        if (had !== (m.map !== null))
            m.needsUpdate = true;
    }

    dispose() {
        this.material.dispose();
    }
}

/** @param {string} name of the material @param {any} sky */
export function plainMaterial(name, sky) {
    const look = materialLook(name);
    return new MeshStandardMaterial({
        color: new Color(look.colour).convertGammaToLinear(2.2), metalness: look.metal, roughness: look.rough, envMap: sky,
        envMapIntensity: 0.9, side: DoubleSide, transparent: look.clear < 1, opacity: look.clear,
    });
}
