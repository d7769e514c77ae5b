/* SPDX-License-Identifier: MIT */
/* runtime/store/export/model_export.h -- finished models for other programs.
 *
 * JSON: one document with the mesh, the material, and per mode its frequency,
 * decay, radiation and the displacement of every vertex. CSV: one line per
 * mode. For glTF, which can also be imported, see model_gltf.h. Files appear
 * complete or not at all (out_file.h).
 *
 *     { "format": "sandbell-model", "version": 1, "name": ..., "method": ...,
 *       "mass_kg": ..., "centre_m": [x, y, z],
 *       "material": { "density": ..., "youngs_modulus": ..., ... },
 *       "vertices_m": [[x, y, z], ...], "faces": [[a, b, c], ...],
 *       "modes": [ { "freq_hz": ..., "sigma_per_s": ..., "t60_s": ...,
 *         "radiation": ..., "members": [ [[x, y, z] per vertex], ... ] } ],
 *       "merged": ..., "merge_error_db": ... }
 *
 * The weight of an impact along d is member.d, with its sign; with several
 * members it is the root of the sum of their squares. `t60_s` is null for an
 * undamped mode.
 *
 * Thread: control, workers.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_finished sb_finished;
typedef struct sb_material sb_material;
typedef struct sb_solution sb_solution;

typedef struct sb_model_export {
    const char *name;   /* or NULL */
    const char *method; /* "shell", or NULL */
    const sb_solution *solution;
    const sb_finished *finished;
    const sb_material *material;
    const char *material_name; /* or NULL */
} sb_model_export;

SB_NODISCARD sb_status sb_model_export_json(const char *path,
                                            const sb_model_export *model,
                                            sb_error *err);

/* Columns mode,freq_hz,sigma_per_s,t60_s,radiation,members,rms_weight. The last
 * is over all vertices and directions; t60_s is empty for an undamped mode. */
SB_NODISCARD sb_status sb_model_export_csv(const char *path,
                                           const sb_model_export *model,
                                           sb_error *err);
