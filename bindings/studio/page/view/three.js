// SPDX-License-Identifier: MIT
// The only home of the three library. It is imported by its build address, as
// its own controls do; by another it would load twice.
// @ts-ignore: no types
import * as three from '/lib/three/build/three.module.js';
// @ts-ignore: no types
export { OrbitControls } from '/lib/three/examples/jsm/controls/OrbitControls.js';

export const {
    Box3, BufferAttribute, BufferGeometry, CanvasTexture, CircleGeometry, Color, ConeBufferGeometry,
    CubeTexture, CylinderBufferGeometry, DirectionalLight, DoubleSide, Group, HemisphereLight,
    InstancedMesh, LinearFilter, LinearMipMapLinearFilter, Matrix4, Mesh, MeshBasicMaterial,
    MeshStandardMaterial, PCFShadowMap, PerspectiveCamera, Plane, Points, Quaternion, Raycaster,
    RingBufferGeometry, Scene, ShaderMaterial, ShadowMaterial, Vector2, Vector3, WebGLRenderer,
} = three;
