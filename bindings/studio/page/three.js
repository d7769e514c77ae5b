// @ts-check
// The only home of the three library. It is imported by its build address, as
// its own controls do; by another it would load twice.
export {
    AmbientLight, BufferAttribute, BufferGeometry, CanvasTexture, CircleGeometry, Color,
    ConeBufferGeometry, CubeTexture, CylinderBufferGeometry, DirectionalLight, DoubleSide,
    Group, HemisphereLight, InstancedMesh, LinearFilter, LinearMipMapLinearFilter, Matrix4, Mesh,
    MeshBasicMaterial, MeshStandardMaterial, PCFShadowMap, PerspectiveCamera, Plane, Points,
    Quaternion, Raycaster, RingBufferGeometry, Scene, ShaderMaterial, ShadowMaterial, Sphere,
    SphereBufferGeometry, sRGBEncoding, Vector2, Vector3, WebGLRenderer, Box3, AdditiveBlending, NormalBlending,
} from '/lib/three/build/three.module.js';
export { OrbitControls } from '/lib/three/examples/jsm/controls/OrbitControls.js';
