/* SPDX-License-Identifier: MIT */
/* runtime/store/export/model_gltf.h -- glTF export and import of finished
 * models.
 *
 * glTF 2.0 with the extension KHR_audio_rigid_bodies. The extension is a draft
 * (repository glTF_PhysicalAudio), not ratified by Khronos, and may change.
 * These parts of it are supported:
 *   on the root      acousticMaterials: name, density, youngsModulus,
 *                    poissonRatio, alpha, beta;
 *                    modalModels: accessors frequencies (Hz, damped),
 *                    decayRates (1/s), positions (m), shapes (kg^-1/2, mode
 *                    after mode), indices; material; massProperties: mass,
 *                    centerOfMass, inertiaDiagonal, inertiaOrientation
 *                    acousticSurfaces: roughness, correlationLength,
 *                    spectralSlope, shortWavelength, and waviness, 0; read by
 *                    store/surface_source.h, with profile and sampleSpacing
 *   on a node        modalModel, acousticSurface
 * All data is embedded in one file. `gain` is neither written nor read;
 * waviness and normalTexture are not used. A mode of the draft has one shape, so each member of a
 * merged mode becomes a mode of the same frequency.
 *
 * Our own data is in `extras.sandbell` of the model, version 1:
 *   freqHz       undamped, at full precision
 *   decayRates   at full precision
 *   radiation    g of model.h
 *   members      number of consecutive modes that form one merged mode
 *   sheetThickness   m; 0 for a solid
 * and `hardness`, `roughness` in extras.sandbell of the material. Without these
 * extras each mode is separate, and none has a radiation; who finishes the
 * modes computes it (sound/finish.h). The draft cannot represent an overdamped
 * mode: such modes are not written, nor are texture coordinates.
 *
 * Import reads the first model of the file. Data may be embedded or in a file
 * of the same directory, named without a path. All input is validated.
 *
 * Thread: control, workers. Memory: sb_gltf_model_free frees an imported model.
 */
#pragma once

#include "runtime/model/material.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/export/model_export.h"

typedef struct sb_gltf_model {
    int vertex_count, face_count;
    float (*vertices)[3];
    int32_t (*faces)[3];
    sb_finished finished;
    bool has_material;    /* all five numbers of the draft are present */
    sb_material material; /* hardness and roughness are 0 without our extras */
    bool has_mass;
    double mass_kg;
    sb_vec3 centre_m;
    double inertia[6]; /* kg m^2: xx yy zz xy yz zx, about the centre */
    double sheet_m;    /* thickness of a sheet; 0: a solid */
} sb_gltf_model;

/* NO_MODES when all modes are overdamped. */
SB_NODISCARD sb_status sb_model_export_gltf(const char *path,
                                            const sb_model_export *model,
                                            sb_error *err);

/* NOT_FOUND, IO_ERROR, or BAD_FORMAT with a message that begins with the path
 * and the location: "a.gltf: accessors[3]: ...". */
SB_NODISCARD sb_status sb_model_import_gltf(const char *path,
                                            sb_gltf_model *out, sb_error *err);
void sb_gltf_model_free(sb_gltf_model *model); /* an empty one is allowed */
