/* SPDX-License-Identifier: MIT */
/* Models that are heard exactly, against boundary elements on a surface with
 * four times the vertices. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh/mesh_coarse.h"
#include "runtime/model/model.h"
#include "runtime/model/profile.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/solve.h"
#include "tests/bench/solve/air_parts.h"

#include <math.h>
#include <string.h>

/* 520 is what models are heard on. */
enum { VERTICES = 4 * 520, FEW = 12, MODES = 200 };
#define LOW_HZ  100.0
#define HIGH_HZ 10000.0
#define SILENT  1e-6

/* A model, the finer surface, and the modes that are compared. */
typedef struct compared {
    sb_model *model;
    sb_coarse fine;
    int modes[MODES], count;
    double freqs_hz[MODES];
    float (*shapes)[3];
} compared;

/* The modes that have a pattern: all up to HIGH_HZ of walls of revolution, about
 * FEW of others, evenly in pitch. */
static void choose(compared *own, bool is_turned) {
    const sb_mode *modes = sb_model_modes(own->model);
    const sb_pattern *patterns = sb_model_patterns(own->model);
    double next_hz = LOW_HZ, step = pow(HIGH_HZ / LOW_HZ, 0.8 / FEW);
    for (int k = 0; patterns && k < sb_model_mode_count(own->model); k++) {
        /* Twists are silent. */
        bool is_heard = patterns[k].coefs && modes[k].radiation > SILENT;
        if (!is_heard || modes[k].freq_hz < next_hz ||
            modes[k].freq_hz > HIGH_HZ || own->count == MODES)
            continue;
        own->freqs_hz[own->count] = modes[k].freq_hz;
        own->modes[own->count++] = k;
        if (!is_turned) next_hz = modes[k].freq_hz * step;
    }
}

static sb_status lay_out(compared *own, const sb_shape *shape, int resolution,
                         sb_error *err) {
    sb_mesh mesh = {0};
    sb_status status = sb_shape_surface(shape, resolution, &mesh, err);
    if (status) return status;
    float(*vertices)[3] = sb_alloc((size_t)mesh.vertex_count, sizeof *vertices);
    for (int v = 0; vertices && v < mesh.vertex_count; v++) {
        sb_vec3 at = mesh.vertices[v];
        memcpy(vertices[v], (float[3]){(float)at.x, (float)at.y, (float)at.z},
               sizeof *vertices);
    }
    status =
        vertices
            ? sb_coarse_make((const float(*)[3])vertices, mesh.vertex_count,
                             (const int32_t(*)[3])mesh.faces, mesh.face_count,
                             VERTICES, &own->fine, err)
            : sb_fail(err, SB_NO_MEMORY, "out of memory");
    sb_free(vertices);
    sb_mesh_free(&mesh);
    return status;
}

static sb_status sample(compared *own, sb_error *err) {
    static const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int vertices = own->fine.vertex_count;
    size_t all = (size_t)sb_model_mode_count(own->model);
    double *weights = sb_alloc(all, sizeof *weights);
    own->shapes =
        sb_alloc((size_t)(vertices * own->count), sizeof *own->shapes);
    if (!weights || !own->shapes) {
        sb_free(weights);
        return sb_fail(err, SB_NO_MEMORY, "out of memory");
    }
    for (int v = 0; v < vertices; v++) {
        const float *at = own->fine.vertices[v];
        sb_model_point point = sb_model_nearest(
            own->model, (sb_vec3){(double)at[0], (double)at[1], (double)at[2]});
        for (int c = 0; c < 3; c++) {
            sb_model_weights(own->model, point, &axes[c], weights);
            for (int i = 0; i < own->count; i++)
                own->shapes[i * vertices + v][c] =
                    (float)weights[own->modes[i]];
        }
    }
    sb_free(weights);
    return SB_OK;
}

static sb_status compare(compared *own, double *worst, sb_error *err) {
    const sb_coarse *fine = &own->fine;
    const sb_bem_def def = {.surface = {fine->vertex_count, fine->face_count,
                                        (const float(*)[3])fine->vertices,
                                        (const int32_t(*)[3])fine->faces,
                                        fine->is_sheet},
                            .mode_count = own->count,
                            .freqs_hz = own->freqs_hz,
                            .shapes = (const float(*)[3])own->shapes};
    sb_bem_result result;
    sb_status status = sb_bem_solve(&def, &result, err);
    if (status) return status;
    for (int i = 0; i < own->count; i++) {
        double g = sb_model_modes(own->model)[own->modes[i]].radiation;
        double fine_g = sqrt(sb_pattern_power(&result.patterns[i]));
        *worst = fmax(*worst, fabs(20 * log10(g / fine_g)));
    }
    sb_bem_result_free(&result);
    return SB_OK;
}

static sb_status refine(const char *what, sb_shape shape, const char *of,
                        int resolution, figure_sheet *out, sb_error *err) {
    compared own = {0};
    double worst = 0;
    shape.radiation = SB_RADIATES_EXACT;
    shape.keeps_beats = true;
    shape.max_hz = HIGH_HZ;
    sb_material material = *sb_material_find(of);
    sb_status status =
        sb_model_create(&shape, &material, NULL, &own.model, err);
    bool is_turned = sb_shape_family_of(&shape)->turned != NULL;
    if (!status) choose(&own, is_turned);
    if (!status) status = lay_out(&own, &shape, resolution, err);
    if (!status) status = sample(&own, err);
    if (!status) status = compare(&own, &worst, err);
    if (!status)
        figures_add(out, worst, 1.5, "dB",
                    "%s: %d modes of %.0f to %.0f Hz, %d vertices", what,
                    own.count, own.freqs_hz[0], own.freqs_hz[own.count - 1],
                    own.fine.vertex_count);
    sb_free(own.shapes);
    sb_coarse_free(&own.fine);
    sb_model_release(own.model);
    return status;
}

static sb_status refine_turned(const char *what, const sb_profile_point *points,
                               int count, figure_sheet *out, sb_error *err) {
    sb_profile *profile;
    sb_status status = sb_profile_create(points, count, 1, &profile, err);
    if (status) return status;
    sb_shape shape = {.kind = SB_SHAPE_REVOLVE, .profile = profile};
    status = refine(what, shape, "bronze", 128, out, err);
    sb_profile_release(profile);
    return status;
}

sb_status air_refined(bool is_quick, figure_sheet *out, sb_error *err) {
    if (is_quick) return SB_OK;
    const sb_shape plate = {
        .kind = SB_SHAPE_PLATE, .width = 0.3, .depth = 0.2, .thickness = 0.002};
    const sb_shape tube = {.kind = SB_SHAPE_TUBE,
                           .length = 0.3,
                           .radius = 0.02,
                           .thickness = 0.001};
    const sb_profile_point bell[] = {{0, 0.13, 0.005},     {0.03, 0.13, 0.005},
                                     {0.04, 0.11, 0.004},  {0.045, 0.06, 0.004},
                                     {0.055, 0.03, 0.005}, {0.075, 0, 0.006}};
    sb_profile_point bowl[13];
    for (int i = 0; i < 13; i++) {
        double angle = SB_PI / 2 * i / 12;
        bowl[i] =
            (sb_profile_point){0.08 * sin(angle), -0.08 * cos(angle), 0.002};
    }
    sb_status status = refine("plate", plate, "steel", 55, out, err);
    if (!status) status = refine("tube", tube, "steel", 160, out, err);
    if (!status) status = refine_turned("bowl", bowl, 13, out, err);
    return status ? status : refine_turned("bell", bell, 6, out, err);
}
