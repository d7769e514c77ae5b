/* runtime/store/export/model_gltf.h -- finished models as glTF, out and in.
 *
 * glTF 2.0 with the extension KHR_audio_rigid_bodies. It is a draft (of the
 * repository glTF_PhysicalAudio), not ratified by Khronos, and may change. What
 * is followed of it:
 *   on the root      acousticMaterials: name, density, youngsModulus,
 *                    poissonRatio, alpha, beta;
 *                    modalModels: accessors frequencies (Hz, damped),
 *                    decayRates (1/s), positions (m), shapes (kg^-1/2, mode
 *                    after mode), indices; material; massProperties: mass,
 *                    centerOfMass, inertiaDiagonal, inertiaOrientation
 *   on a node        modalModel
 * It is written into one file with its data inside it. Surfaces of friction
 * and `gain` are neither written nor read. A draft's mode has one shape, so
 * each member of a merged mode is a mode there, with the same pitch.
 *
 * Ours, in `extras.sandbell` of the model, version 1:
 *   freqHz       undamped, at full precision
 *   decayRates   at full precision
 *   radiation    g of modal_model.h
 *   members      how many modes in a row belong together
 *   sheetThickness   m; 0 for a body with an inside
 * and `hardness`, `roughness` in extras.sandbell of the material. Without them
 * every mode stands alone and its radiation is computed from the shapes. A
 * mode so damped that it does not swing has no place in the draft and is left
 * out; texture coordinates are left out, too.
 *
 * Reading takes the first model of the file. Data may be inside the file or in
 * a file next to it, named without any path. Everything is bounded and checked.
 *
 * Thread: control, workers. Memory: sb_gltf_model_free frees what was read.
 */
#ifndef SB_STORE_EXPORT_MODEL_GLTF_H
#define SB_STORE_EXPORT_MODEL_GLTF_H

#include "runtime/store/export/model_export.h"

typedef struct sb_gltf_model {
    char name[SB_NAME_SIZE];
    int vertex_count, face_count;
    float (*vertices)[3];
    int32_t (*faces)[3];
    sb_finished finished;
    bool has_material; /* with all five of the draft's numbers */
    char material_name[SB_NAME_SIZE];
    sb_material material; /* hardness and roughness 0 when not ours */
    bool has_mass;
    double mass_kg;
    sb_vec3 centre_m;
    double inertia[6]; /* kg m^2: xx yy zz xy yz zx, about the centre */
    double sheet_m;    /* thickness of a sheet; 0: a body with an inside */
} sb_gltf_model;

/* NO_MODES when no mode swings. */
SB_NODISCARD sb_status sb_model_export_gltf(const char *path,
                                            const sb_model_export *model,
                                            sb_error *err);

/* NOT_FOUND, IO_ERROR, or BAD_FORMAT with a sentence that begins with the
 * path and names the place: "a.gltf: accessors[3]: ...". */
SB_NODISCARD sb_status sb_model_import_gltf(const char *path,
                                            sb_gltf_model *out, sb_error *err);
void sb_gltf_model_free(sb_gltf_model *model); /* an empty one is allowed */

#endif
