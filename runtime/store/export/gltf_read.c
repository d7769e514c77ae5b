/* SPDX-License-Identifier: MIT */
/* Imports a modal model from glTF: mesh, modes, material and mass. Control
 * thread and workers. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/principal.h"
#include "runtime/store/export/gltf_access.h"
#include "runtime/store/export/model_gltf.h"

#include <math.h>
#include <stdlib.h>

enum { MODES_MOST = 100000, POINTS_MOST = 10000000 };

static const char extension[] = "KHR_audio_rigid_bodies";

typedef struct importing {
    sb_gltf gltf;
    const cJSON *lists; /* the extension object of the root */
    const cJSON *json;  /* the model */
    const cJSON *ours;  /* its extras.sandbell, or NULL */
    sb_gltf_view frequencies, decays, positions, shapes, indices;
    sb_gltf_model model;
    sb_finished_mode *modes; /* first_member: index in the file until sorted */
    int mode_count;
} importing;

static const cJSON *ours_of(const cJSON *json) {
    return sb_gltf_get(sb_gltf_get(json, "extras"), "sandbell");
}

/* --- the parts of the file ------------------------------------------------ */

static sb_status find_model(importing *in, sb_error *err) {
    in->lists =
        sb_gltf_get(sb_gltf_get(in->gltf.root, "extensions"), extension);
    in->json = cJSON_GetArrayItem(sb_gltf_get(in->lists, "modalModels"), 0);
    if (!cJSON_IsObject(in->json)) {
        return sb_gltf_fail(&in->gltf, err, "it has no modal model of %s",
                            extension);
    }
    in->ours = ours_of(in->json);
    return SB_OK;
}

static sb_status look(importing *in, sb_error *err) {
    const struct {
        const char *name, *type;
        sb_gltf_view *view;
    } wanted[] = {{"frequencies", "SCALAR", &in->frequencies},
                  {"decayRates", "SCALAR", &in->decays},
                  {"positions", "VEC3", &in->positions},
                  {"shapes", "VEC3", &in->shapes},
                  {"indices", "SCALAR", &in->indices}};
    sb_status status = SB_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !status; i++) {
        status = sb_gltf_look(&in->gltf, in->json, wanted[i].name,
                              wanted[i].type, wanted[i].view, err);
    }
    return status;
}

static sb_status check_views(importing *in, sb_error *err) {
    sb_gltf *gltf = &in->gltf;
    bool ok = in->frequencies.component == SB_GLTF_FLOAT &&
              in->decays.component == SB_GLTF_FLOAT &&
              in->positions.component == SB_GLTF_FLOAT &&
              in->shapes.component == SB_GLTF_FLOAT &&
              (in->indices.component == SB_GLTF_UNSIGNED_INT ||
               in->indices.component == SB_GLTF_UNSIGNED_SHORT);
    if (!ok) {
        return sb_gltf_fail(gltf, err,
                            "its numbers must be floats, its indices unsigned "
                            "integers of 16 or 32 bits");
    }
    size_t modes = in->frequencies.count, points = in->positions.count;
    if (modes > MODES_MOST || points > POINTS_MOST ||
        in->decays.count != modes || in->shapes.count != modes * points ||
        in->indices.count % 3 != 0) {
        return sb_gltf_fail(gltf, err,
                            "%zu frequencies, %zu decayRates, %zu positions, "
                            "%zu shapes and %zu indices do not fit together",
                            modes, in->decays.count, points, in->shapes.count,
                            in->indices.count);
    }
    return SB_OK;
}

/* --- the mesh ------------------------------------------------------------- */

static sb_status take_points(importing *in, sb_error *err) {
    sb_gltf_model *model = &in->model;
    size_t count = in->positions.count;
    model->vertices = sb_alloc(count, sizeof *model->vertices);
    if (!model->vertices) return sb_no_memory(err, "%.300s", in->gltf.path);
    model->vertex_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        for (int j = 0; j < 3; j++) {
            float value = sb_gltf_float(&in->positions, i, j);
            if (!isfinite(value)) {
                return sb_gltf_fail(&in->gltf, err,
                                    "position %zu is not finite", i);
            }
            model->vertices[i][j] = value;
        }
    }
    return SB_OK;
}

static sb_status take_faces(importing *in, sb_error *err) {
    sb_gltf_model *model = &in->model;
    size_t count = in->indices.count / 3;
    model->faces = sb_alloc(count, sizeof *model->faces);
    if (!model->faces) return sb_no_memory(err, "%.300s", in->gltf.path);
    model->face_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        int32_t *face = model->faces[i];
        for (int j = 0; j < 3; j++) {
            uint32_t index = sb_gltf_uint(&in->indices, 3 * i + (size_t)j);
            if (index >= (uint32_t)model->vertex_count) {
                return sb_gltf_fail(&in->gltf, err,
                                    "triangle %zu refers to point %u of %d", i,
                                    index, model->vertex_count);
            }
            face[j] = (int32_t)index;
        }
        if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) {
            return sb_gltf_fail(&in->gltf, err,
                                "triangle %zu has the same point twice", i);
        }
    }
    return SB_OK;
}

/* The thickness in our extras. Without it, a surface whose normals do not
 * cancel is a sheet of one millimetre. */
static double sheet_of(const importing *in) {
    double own = sb_gltf_number(in->ours, "sheetThickness", -1);
    if (own >= 0) return own;
    const sb_gltf_model *model = &in->model;
    sb_vec3 sum = {0, 0, 0};
    double area = 0;
    for (int i = 0; i < model->face_count; i++) {
        sb_vec3 p[3];
        for (int j = 0; j < 3; j++) {
            const float *at = model->vertices[model->faces[i][j]];
            p[j] = (sb_vec3){at[0], at[1], at[2]};
        }
        sb_vec3 twice = sb_vec3_span(p[0], p[1], p[2]);
        sum = sb_vec3_add(sum, twice);
        area += sb_vec3_length(twice);
    }
    return sb_vec3_length(sum) > 1e-3 * area ? 1e-3 : 0;
}

/* --- modes ---------------------------------------------------------------- */

/* Modes of a file without our extras: each has one shape. */
static sb_status take_plain_modes(importing *in, sb_error *err) {
    for (size_t k = 0; k < in->frequencies.count; k++) {
        double freq_hz = sb_gltf_float(&in->frequencies, k, 0);
        double sigma = sb_gltf_float(&in->decays, k, 0);
        if (!(freq_hz > 0 && sigma >= 0) || !isfinite(freq_hz + sigma)) {
            return sb_gltf_fail(&in->gltf, err,
                                "mode %zu has a frequency of %g Hz and a decay "
                                "rate of %g 1/s",
                                k, freq_hz, sigma);
        }
        in->modes[k] = (sb_finished_mode){
            .freq_hz = hypot(freq_hz, sigma / SB_TAU),
            .sigma_per_s = sigma,
            .first_member = (int32_t)k,
            .member_count = 1,
        };
    }
    in->mode_count = (int)in->frequencies.count;
    return SB_OK;
}

/* Modes of a file with our extras, which say how they are merged. */
static sb_status take_our_modes(importing *in, sb_error *err) {
    const char *const lists[4] = {"freqHz", "decayRates", "radiation",
                                  "members"};
    const cJSON *at[4];
    for (int i = 0; i < 4; i++) {
        const cJSON *list = sb_gltf_get(in->ours, lists[i]);
        at[i] = cJSON_IsArray(list) ? list->child : NULL;
    }
    size_t first = 0, total = in->frequencies.count;
    int count = 0;
    for (; at[0] && at[1] && at[2] && at[3] && first < total; count++) {
        double values[4];
        for (int i = 0; i < 4; i++) {
            values[i] = cJSON_IsNumber(at[i]) ? at[i]->valuedouble : NAN;
            at[i] = at[i]->next;
        }
        bool ok = values[0] > 0 && values[1] >= 0 && values[2] >= 0 &&
                  isfinite(values[0] + values[1] + values[2]) &&
                  values[3] >= 1 && values[3] <= (double)(total - first) &&
                  values[3] == floor(values[3]);
        if (!ok) break;
        in->modes[count] = (sb_finished_mode){
            .freq_hz = values[0],
            .sigma_per_s = values[1],
            .radiation = values[2],
            .first_member = (int32_t)first,
            .member_count = (int32_t)values[3],
        };
        first += (size_t)values[3];
    }
    if (first != total || at[0] || at[1] || at[2] || at[3]) {
        return sb_gltf_fail(&in->gltf, err,
                            "extras.sandbell: mode %d is invalid", count);
    }
    in->mode_count = count;
    return SB_OK;
}

static int by_pitch(const void *left, const void *right) {
    const sb_finished_mode *a = left, *b = right;
    if (a->freq_hz != b->freq_hz) return a->freq_hz < b->freq_hz ? -1 : 1;
    return a->first_member < b->first_member ? -1 : 1;
}

/* Sort modes by frequency and store shapes vertex by vertex. */
static sb_status take_shapes(importing *in, sb_error *err) {
    size_t points = in->positions.count, members = in->frequencies.count;
    float *shapes = sb_alloc(points * members, sizeof(float[3]));
    if (!shapes) return sb_no_memory(err, "%.300s", in->gltf.path);
    in->model.finished.shapes = shapes;
    qsort(in->modes, (size_t)in->mode_count, sizeof *in->modes, by_pitch);
    size_t member = 0;
    for (int k = 0; k < in->mode_count; k++) {
        sb_finished_mode *mode = &in->modes[k];
        size_t source = (size_t)mode->first_member;
        mode->first_member = (int32_t)member;
        for (int i = 0; i < mode->member_count; i++, member++, source++) {
            for (size_t v = 0; v < points; v++) {
                float *to = shapes + 3 * (v * members + member);
                for (int j = 0; j < 3; j++)
                    to[j] = sb_gltf_float(&in->shapes, source * points + v, j);
                if (!isfinite(to[0]) || !isfinite(to[1]) || !isfinite(to[2])) {
                    return sb_gltf_fail(&in->gltf, err,
                                        "the shape of mode %zu at point %zu is "
                                        "not finite",
                                        source, v);
                }
            }
        }
    }
    return SB_OK;
}

static sb_status take_modes(importing *in, sb_error *err) {
    sb_finished *finished = &in->model.finished;
    in->modes = sb_alloc(in->frequencies.count, sizeof *in->modes);
    finished->modes = in->modes;
    if (!in->modes) return sb_no_memory(err, "%.300s", in->gltf.path);
    sb_status status =
        in->ours ? take_our_modes(in, err) : take_plain_modes(in, err);
    if (!status) status = take_shapes(in, err);
    finished->vertex_count = in->model.vertex_count;
    finished->mode_count = in->mode_count;
    finished->member_count = (int)in->frequencies.count;
    return status;
}

/* --- material and mass ---------------------------------------------------- */

static sb_status take_material(importing *in, sb_error *err) {
    int64_t index = sb_gltf_index(in->json, "material");
    if (!sb_gltf_get(in->json, "material")) return SB_OK;
    const cJSON *list = sb_gltf_get(in->lists, "acousticMaterials");
    const cJSON *json = index >= 0 && index < cJSON_GetArraySize(list)
                            ? cJSON_GetArrayItem(list, (int)index)
                            : NULL;
    if (!json) {
        return sb_gltf_fail(&in->gltf, err,
                            "material: there is no such acousticMaterial");
    }
    sb_gltf_model *model = &in->model;
    const cJSON *ours = ours_of(json);
    for (int i = 0; i < SB_GLTF_MATERIAL_NUMBERS; i++) {
        bool is_ours = i >= SB_GLTF_MATERIAL_OURS;
        *sb_field_slot(&sb_material_fields[i], &model->material) =
            sb_gltf_number(is_ours ? ours : json, sb_gltf_material[i],
                           is_ours ? 0 : -1);
    }
    const sb_material *m = &model->material;
    model->has_material = m->density > 0 && m->youngs_modulus > 0 &&
                          m->poisson_ratio > -1 && m->alpha >= 0 &&
                          m->beta >= 0;
    return SB_OK;
}

static void take_numbers(const cJSON *object, const char *name, double *values,
                         int count) {
    const cJSON *list = sb_gltf_get(object, name);
    if (cJSON_GetArraySize(list) != count) return;
    for (int i = 0; i < count; i++) {
        const cJSON *item = cJSON_GetArrayItem(list, i);
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) return;
    }
    for (int i = 0; i < count; i++)
        values[i] = cJSON_GetArrayItem(list, i)->valuedouble;
}

static void take_mass(importing *in) {
    const cJSON *json = sb_gltf_get(in->json, "massProperties");
    sb_gltf_model *model = &in->model;
    model->mass_kg = sb_gltf_number(json, "mass", 0);
    model->has_mass = model->mass_kg > 0;
    if (!model->has_mass) return;
    double centre[3] = {0}, diagonal[3] = {0}, q[4] = {0, 0, 0, 1};
    take_numbers(json, "centerOfMass", centre, 3);
    take_numbers(json, "inertiaDiagonal", diagonal, 3);
    take_numbers(json, "inertiaOrientation", q, 4);
    model->centre_m = (sb_vec3){centre[0], centre[1], centre[2]};
    sb_principal_tensor(diagonal, (sb_quat){q[3], q[0], q[1], q[2]},
                        model->inertia);
}

/* --- the whole file ------------------------------------------------------- */

sb_status sb_model_import_gltf(const char *path, sb_gltf_model *out,
                               sb_error *err) {
    importing in = {0};
    sb_status status = sb_gltf_open(&in.gltf, path, err);
    if (status) return status;
    status = find_model(&in, err);
    if (!status) status = look(&in, err);
    if (!status) status = check_views(&in, err);
    if (!status) status = take_points(&in, err);
    if (!status) status = take_faces(&in, err);
    if (!status) in.model.sheet_m = sheet_of(&in);
    if (!status) status = take_modes(&in, err);
    if (!status) status = take_material(&in, err);
    if (!status) take_mass(&in);
    sb_gltf_close(&in.gltf);
    if (status) {
        sb_gltf_model_free(&in.model);
        return status;
    }
    *out = in.model;
    return SB_OK;
}

void sb_gltf_model_free(sb_gltf_model *model) {
    sb_free(model->vertices);
    sb_free(model->faces);
    sb_finished_free(&model->finished);
    *model = (sb_gltf_model){0};
}
