// SPDX-License-Identifier: MIT
// Types for the type check; the browser does not load this file. First what the
// program sends (protocol.md explains every field), then the page's own parts.

type Vec3 = [number, number, number];
interface Material extends Record<MaterialField, number> {
    name: string | null; script_name: string; scripted: Record<MaterialField, number>;
}
type MaterialField = 'density' | 'youngs_modulus' | 'poisson_ratio' | 'alpha' | 'beta' | 'hardness' | 'roughness' | 'restitution' | 'friction' | 'youngs_modulus_across' | 'shear_modulus';
interface Place { // of a number in a script
    from: number; to: number; line: number; was: string;
    put: ((value: number) => string) | null; // what stands there then; null: it is not a plain number
}
interface TextureInfo {
    channels: number; width: number; height: number; rev: number;
    modes?: [number, number][]; // of each channel, from 1
}
interface Body {
    id: number; name: string; shape: string; rings: boolean; is_free: boolean; deforms: boolean;
    position: Vec3; orientation: [number, number, number, number];
    mass: number; mode_count: number; method: string; gain: number; material: Material | null;
    merge?: number; hears_removed?: boolean; mesh_rev: number; mesh_key?: string | number; modes_rev: number;
    texture: TextureInfo | null; bounds: [Vec3, Vec3]; size: number;
}
interface Param { name: string; min: number; max: number; default: number; value: number; curve: 'linear' | 'log'; rebuilds: boolean; }
interface Quality { budget: number; slope: number | null; tau: number; modes: number; gain: number; }
interface Room {
    size: number[]; position: number[]; decay: string; response: string | null;
    walls: Record<string, { material: string | null; absorption: number[] }>;
    reverb: { t60: number[]; level: number; predelay: number }; t60: number[];
}
interface Settings { solo: [number, number][]; mute: [number, number][]; limit: Record<string, number>; }
interface SceneInfo {
    file: string; folder: string; files: string[]; time: number; origin: number; computing: boolean; rate: number; seed: number; paused: boolean;
    gravity: Vec3; has_floor: boolean; floor_y: number;
    listener: { position: Vec3; has_ears: boolean };
    output: { name: string; backend: string; is_silent: boolean };
    bodies: Body[]; params: Param[]; materials: string[]; models: string[]; contact_kinds: string[];
    quality: Quality; settings: Settings; room: Room; wall_materials: { name: string; what: string; absorption: number[] }[];
}
interface Mode { n: number; label: string; hz: number; t60: number; sigma: number; weight: number; radiation: number; members: number; air: number; }
interface Surface { // mesh.bin
    position: Float32Array; normal: Float32Array; uv: Float32Array; index: Uint32Array; hasUv: boolean; isStandIn: boolean;
}
interface ModeShape { n: number; move: Float32Array; } // modes/N.bin, four numbers per vertex: x, y, z, normal part
interface Pattern { order: number; rest: number; coefs: [number, number][]; }
interface Probe { body: number; phi: number[]; uv: [number, number] | null; point: Vec3; normal: Vec3; direction: Vec3; }
interface Contact {
    t: number; a: number; b: number; impulse: number; point: Vec3; normal: Vec3; kind: string;
    duration: number; speed: number; peak_force: number;
}
interface StreamRecord { type: number; seq: number; t: number; view: DataView; }

type Store = import('./store.js').Store;
type Transport = import('./transport.js').Transport;
type Actions = import('./actions.js').Actions;
type Stage = import('./view/stage.js').Stage;
type Bodies3d = import('./view/bodies3d.js').Bodies3d;
type Marks = import('./view/marks.js').Marks;

interface Thing { // a body in the view
    body: Body; surface: Surface;
    matrix: any; // Matrix4: local to world
    geometry: any; // BufferGeometry
    key: string; // of its group
}
interface Hit { // a point of a body under a ray
    body: number; face: number; uv: [number, number] | null;
    world: any; local: any; // Vector3
    normal: any; // Vector3, outward, local
}
interface SliderDef {
    name: string; min: number; max: number; value: number;
    reset: number | (() => number | undefined); // the default
    log?: boolean; unit?: string; title?: string;
    whole?: boolean; // whole numbers only
    range?: HTMLInputElement; // a slider of the page, in place of a new one ...
    show?: (value: number) => void; // ... which shows its value so
    open?: boolean; // numbers beyond the range may be typed
    change: (value: number, done: boolean) => any;
    what?: () => string; // for undo, if the name does not say it
    bind?: () => (value: number) => any; // sets what this slider sets now, also when it shows something else
    extra?: Node[]; // in place of the button
}
// The description of the API.
interface Field { name: string; type?: string; unit?: string; text?: string; range?: [number, number]; usual?: [number, number]; }
interface Entry { name: string; call?: string; text?: string; fields?: Field[]; } // name as sb.body or body:strike
interface Offer { text: string; shown: string; about: string; } // text: what is put in
