/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/air_load.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* An edge of the mesh is at most this part of a wave, over 2 pi. */
#define BEND 1.25
/* Frequencies and masses follow from each other, by secants from those of an
 * endless skin on; no step is longer than this part of a frequency. */
enum { ROUNDS = 5 };
#define STEP 0.3

typedef struct loading {
    sb_model *model;
    sb_mesh mesh;
    float (*vertices)[3], (*shapes)[3];
    double *free_hz; /* [mode] without air */
    double *hz;      /* with it */
    double *gaps;    /* what hz(m) had above hz in the round before */
    double *before;  /* hz of that round */
    sb_bem_load *loads;
    int resolved; /* modes from the lowest that the mesh shows */
    bool is_put_off;
} loading;

static double wave_number(const loading *own, int mode) {
    const sb_shape *skin = &own->model->shape;
    double speed = sqrt(skin->tension / skin->surface_density);
    return SB_TAU * own->free_hz[mode] / speed;
}

/* Of the skin. */
static double edge_of(const sb_mesh *mesh) {
    double square = 0;
    int count = 0;
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        const int *face = mesh->faces[i / 3];
        double low =
            fmin(fmin(mesh->vertices[face[0]].y, mesh->vertices[face[1]].y),
                 mesh->vertices[face[2]].y);
        if (low < 0) continue;
        count++;
        sb_vec3 edge = sb_vec3_sub(mesh->vertices[face[i % 3]],
                                   mesh->vertices[face[(i + 1) % 3]]);
        square += sb_vec3_dot(edge, edge);
    }
    return sqrt(square / fmax(count, 1));
}

static bool reserve(loading *own) {
    size_t modes = (size_t)own->model->mode_count;
    size_t vertices = (size_t)own->mesh.vertex_count;
    own->free_hz = sb_alloc(modes, sizeof *own->free_hz);
    own->hz = sb_alloc(modes, sizeof *own->hz);
    own->gaps = sb_alloc(modes, sizeof *own->gaps);
    own->before = sb_alloc(modes, sizeof *own->before);
    own->loads = sb_alloc(modes, sizeof *own->loads);
    own->vertices = sb_alloc(vertices, sizeof *own->vertices);
    if (!own->free_hz || !own->hz || !own->gaps || !own->before ||
        !own->loads || !own->vertices)
        return false;
    for (size_t k = 0; k < modes; k++)
        own->free_hz[k] = own->hz[k] = own->model->modes[k].freq_hz;
    double edge = edge_of(&own->mesh);
    while (own->resolved < own->model->mode_count &&
           wave_number(own, own->resolved) * edge <= BEND)
        own->resolved++;
    own->shapes =
        sb_alloc((size_t)own->resolved * vertices + 1, sizeof *own->shapes);
    return own->shapes != NULL;
}

static void release(loading *own) {
    sb_mesh_free(&own->mesh);
    sb_free(own->free_hz);
    sb_free(own->hz);
    sb_free(own->gaps);
    sb_free(own->before);
    sb_free(own->loads);
    sb_free(own->vertices);
    sb_free(own->shapes);
}

/* The skin is at y = 0; a kettle, below it, does not move. */
static sb_status sample(loading *own, sb_error *err) {
    static const sb_vec3 up = {0, 1, 0};
    int all = own->model->mode_count;
    double *weights = sb_alloc((size_t)all, sizeof *weights);
    if (!weights)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes", all);
    for (int v = 0; v < own->mesh.vertex_count; v++) {
        sb_vec3 at = own->mesh.vertices[v];
        memcpy(own->vertices[v],
               (float[3]){(float)at.x, (float)at.y, (float)at.z},
               sizeof *own->vertices);
        if (at.y < 0) continue;
        sb_model_weights(own->model, sb_model_nearest(own->model, at), &up,
                         weights);
        for (int k = 0; k < own->resolved; k++)
            own->shapes[k * own->mesh.vertex_count + v][1] = (float)weights[k];
    }
    sb_free(weights);
    return SB_OK;
}

/* Of waves on an endless skin, which do not radiate. */
static sb_bem_load endless(const loading *own, int mode) {
    double wave = wave_number(own, mode);
    double air = SB_TAU * own->hz[mode] / SB_AIR_SPEED;
    double rest = sqrt(fmax(wave * wave - air * air, 0.01 * wave * wave));
    return (sb_bem_load){
        2 * SB_AIR_DENSITY / (own->model->shape.surface_density * rest), 0};
}

/* Pairs such as a cosine and a sine are equal, whatever the mesh is. */
static void share(loading *own) {
    for (int first = 0, end = 0; first < own->resolved; first = end) {
        sb_bem_load sum = {0};
        for (end = first; end < own->resolved &&
                          own->free_hz[end] <= own->free_hz[first] * (1 + 1e-9);
             end++) {
            sum.mass += own->loads[end].mass;
            sum.resistance += own->loads[end].resistance;
        }
        for (int k = first; k < end; k++) {
            own->loads[k].mass = sum.mass / (end - first);
            own->loads[k].resistance = fmax(sum.resistance / (end - first), 0);
        }
    }
}

static void step(loading *own, int k) {
    double hz = own->hz[k], mass = fmax(1 + own->loads[k].mass, 0.1);
    double gap = own->free_hz[k] / sqrt(mass) - hz, by = 0.5 * gap;
    double slope = (gap - own->gaps[k]) / (hz - own->before[k]);
    if (own->before[k] > 0 && slope < -0.1) by = -gap / slope;
    own->gaps[k] = gap;
    own->before[k] = hz;
    own->hz[k] += fmax(-STEP * hz, fmin(STEP * hz, by));
}

static sb_status load(loading *own, sb_error *err) {
    sb_status status = SB_OK;
    for (int k = 0; k < own->model->mode_count; k++)
        own->loads[k] = endless(own, k);
    if (own->resolved > 0) {
        const sb_bem_def def = {
            .surface = {own->mesh.vertex_count, own->mesh.face_count,
                        (const float(*)[3])own->vertices,
                        (const int32_t(*)[3])own->mesh.faces, true},
            .mode_count = own->resolved,
            .freqs_hz = own->hz,
            .shapes = (const float(*)[3])own->shapes,
        };
        sb_bem_result result;
        status = sb_bem_solve(&def, &result, err);
        own->is_put_off |= result.is_put_off;
        if (status || result.is_put_off) return status;
        memcpy(own->loads, result.loads,
               (size_t)own->resolved * sizeof *own->loads);
        sb_bem_result_free(&result);
        share(own);
    }
    for (int k = 0; k < own->model->mode_count; k++)
        step(own, k);
    return status;
}

/* --- the new modes ---------------------------------------------------------- */

/* Mean g^2 of the last quarter of what was computed. */
static double short_power(const loading *own) {
    int first = own->resolved - (own->resolved + 3) / 4;
    double sum = 0;
    for (int k = first; k < own->resolved; k++)
        sum += own->loads[k].resistance / (1 + own->loads[k].mass);
    return own->resolved > 0 ? sum / (own->resolved - first) : 0;
}

/* The loss of energy, r, is that of 4 pi g^2 / (rho c). */
static void take(const loading *own, int k, double resistance) {
    sb_model *model = own->model;
    sb_mode *mode = &model->modes[k];
    double mass = fmax(1 + own->loads[k].mass, 0.1);
    mode->freq_hz = own->hz[k];
    mode->sigma_per_s =
        sb_material_sigma(&model->material, SB_TAU * mode->freq_hz);
    mode->radiation =
        sqrt(resistance * SB_AIR_DENSITY * SB_AIR_SPEED / (2 * SB_TAU));
    /* Coefficients that are amplitudes (polar.c, rectangle.c). */
    double *c = model->shapes[k].c;
    if (model->shape.radius > 0) {
        c[1] /= sqrt(mass);
        c[2] /= sqrt(mass);
    } else {
        c[0] /= sqrt(mass);
    }
}

static void sort(sb_model *model) {
    for (int i = 1; i < model->mode_count; i++) {
        sb_mode mode = model->modes[i];
        sb_mode_shape shape = model->shapes[i];
        int at = i;
        for (; at > 0 && model->modes[at - 1].freq_hz > mode.freq_hz; at--) {
            model->modes[at] = model->modes[at - 1];
            model->shapes[at] = model->shapes[at - 1];
        }
        model->modes[at] = mode;
        model->shapes[at] = shape;
    }
}

sb_status sb_model_load_air(sb_model *model, sb_error *err) {
    loading own = {.model = model};
    sb_status status = sb_shape_family_of(&model->shape)
                           ->outside(&model->shape, &own.mesh, err);
    if (!status && !reserve(&own))
        status = sb_fail(err, SB_NO_MEMORY, "membrane: out of memory");
    if (!status) status = sample(&own, err);
    for (int k = 0; k < model->mode_count && !status; k++)
        own.hz[k] /= sqrt(1 + endless(&own, k).mass);
    for (int i = 0; i < ROUNDS && !status; i++)
        status = load(&own, err);
    if (own.is_put_off) {
        model->is_put_off = true;
    } else if (!status) {
        double rest = short_power(&own);
        for (int k = 0; k < model->mode_count; k++) {
            double mass = fmax(1 + own.loads[k].mass, 0.1);
            bool is_short = k >= own.resolved;
            take(&own, k, is_short ? rest : own.loads[k].resistance / mass);
        }
        model->exact_count = own.resolved;
        sort(model);
        sb_model_lose(model);
    }
    release(&own);
    return status;
}
