// @ts-check
// Types of what the program sends; protocol.md explains every field. This file
// has no code.

/**
 * @typedef {[number, number, number]} Vec3
 *
 * @typedef {object} Material
 * @property {string|null} name
 * @property {number} density
 * @property {number} youngs_modulus
 * @property {number} poisson_ratio
 * @property {number} alpha
 * @property {number} beta
 * @property {number} hardness
 * @property {number} roughness
 * @property {number} restitution
 * @property {number} friction
 *
 * @typedef {object} Texture
 * @property {number} channels
 * @property {number} width
 * @property {number} height
 * @property {number} rev
 * @property {string|null} file
 * @property {number} [zero]
 * @property {number} [scale] weight of a full step from zero
 *
 * @typedef {object} Body
 * @property {number} id
 * @property {string} name
 * @property {string} shape
 * @property {boolean} rings
 * @property {boolean} is_free
 * @property {Vec3} position
 * @property {[number, number, number, number]} orientation
 * @property {number} mass
 * @property {number} mode_count
 * @property {string} method
 * @property {number} gain
 * @property {Material|null} material
 * @property {number} mesh_rev
 * @property {string|number} [mesh_key]
 * @property {number} modes_rev
 * @property {Texture|null} texture
 * @property {[Vec3, Vec3]} bounds
 * @property {number} size
 *
 * @typedef {object} Param
 * @property {string} name
 * @property {number} min
 * @property {number} max
 * @property {number} default
 * @property {number} value
 * @property {'linear'|'log'} curve
 * @property {boolean} rebuilds
 *
 * @typedef {object} Quality
 * @property {number} budget
 * @property {number|null} slope
 * @property {number} tau
 * @property {number} modes
 *
 * @typedef {object} Settings
 * @property {[number, number][]} solo
 * @property {[number, number][]} mute
 * @property {Record<string, number>} limit
 * @property {number} [gain_db]
 *
 * @typedef {object} Scene
 * @property {string} file
 * @property {string[]} files
 * @property {number} time
 * @property {number} rate
 * @property {number} seed
 * @property {boolean} paused
 * @property {Vec3} gravity
 * @property {boolean} has_floor
 * @property {number} floor_y
 * @property {{position: Vec3, has_ears: boolean}} listener
 * @property {{name: string, backend: string, is_silent: boolean}} output
 * @property {Body[]} bodies
 * @property {Param[]} params
 * @property {string[]} materials
 * @property {string[]} models
 * @property {string[]} contact_kinds
 * @property {Quality} quality
 * @property {Settings} settings
 *
 * @typedef {object} Mode
 * @property {number} n from 1
 * @property {number} hz
 * @property {number} t60
 * @property {number} sigma 1/s
 * @property {number} weight the largest |phi|
 * @property {number} radiation
 *
 * @typedef {object} Surface what mesh.bin holds
 * @property {Float32Array} position
 * @property {Float32Array} normal
 * @property {Float32Array} uv
 * @property {Uint32Array} index
 * @property {boolean} hasUv
 * @property {boolean} isStandIn
 *
 * @typedef {object} ModeShape what modes/N.bin holds
 * @property {number} n
 * @property {Float32Array} move four per vertex: x, y, z, normal part
 *
 * @typedef {object} Probe
 * @property {number} body
 * @property {number[]} phi
 * @property {[number, number]|null} uv
 * @property {Vec3} point
 * @property {Vec3} normal
 *
 * @typedef {object} Contact
 * @property {number} t
 * @property {number} a
 * @property {number} b
 * @property {number} impulse
 * @property {Vec3} point
 * @property {Vec3} normal
 * @property {string} kind
 * @property {number} duration
 * @property {number} speed
 * @property {number} peak_force
 */
export {};
