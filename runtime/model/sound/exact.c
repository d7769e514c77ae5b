/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/exact.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/mesh/mesh_coarse.h"
#include "runtime/model/sound/exact_turned.h"
#include "runtime/model/sound/patches.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A surface with `vertices` serves modes whose waves have 2 pi / `bend` edges
 * at least, and air whose waves have 2 pi / AIR. One that has no more than AS_IS
 * stays as it is: grids are symmetric, and modes that radiate little need it. */
static const struct {
    int vertices;
    double bend;
} levels[] = {{140, 0.7}, {520, 1.05}};

enum { LEVELS = 2, AS_IS = 640, MOST = 700 };
#define AIR 2.1

/* What a level has of the modes that it serves. */
typedef struct chosen {
    int *modes;
    int count;
    double *freqs_hz;
    float (*shapes)[3];
} chosen;

static bool reserve(chosen *own, int modes, int vertices) {
    own->modes = sb_alloc((size_t)modes, sizeof *own->modes);
    own->freqs_hz = sb_alloc((size_t)modes, sizeof *own->freqs_hz);
    own->shapes =
        sb_alloc((size_t)modes * (size_t)vertices, sizeof *own->shapes);
    return own->modes && own->freqs_hz && own->shapes;
}

static void free_chosen(chosen *own) {
    sb_free(own->modes);
    sb_free(own->freqs_hz);
    sb_free(own->shapes);
}

static void carry_over(const sb_radiation_def *def, const sb_coarse *coarse,
                       int mode, float (*to)[3]) {
    for (int v = 0; v < coarse->vertex_count; v++, to++) {
        size_t at = (size_t)coarse->origins[v] * (size_t)def->stride;
        const float *from =
            def->shapes + 3 * (at + (size_t)(def->first_mode + mode));
        for (int j = 0; j < 3; j++)
            (*to)[j] = (float)(def->shape_scale * (double)from[j]);
    }
}

/* Edge length over wave length, times 2 pi: from the rms difference of the
 * velocities at the ends of an edge, and the rms velocity. */
static double bend_of(const sb_coarse *coarse, const float (*shape)[3]) {
    double change = 0, square = 0;
    for (int f = 0; f < coarse->face_count; f++) {
        const int32_t *face = coarse->faces[f];
        sb_vec3 area = sb_face_area((const float(*)[3])coarse->vertices, face);
        sb_vec3 n = sb_vec3_normalised(area);
        double v[3], weight = sb_vec3_length(area);
        for (int j = 0; j < 3; j++) {
            const float *u = shape[face[j]];
            v[j] = n.x * (double)u[0] + n.y * (double)u[1] + n.z * (double)u[2];
        }
        for (int j = 0; j < 3; j++) {
            double step = v[j] - v[(j + 1) % 3];
            change += weight * step * step;
            square += weight * v[j] * v[j];
        }
    }
    return square > 0 ? sqrt(2 * change / square) : INFINITY;
}

/* The modes that are not heard yet and that the surface can show. */
static void choose(const sb_radiation_def *def, const sb_coarse *coarse,
                   double bend, const bool *is_heard, chosen *own) {
    for (int k = 0; k < def->mode_count; k++) {
        double air = SB_TAU * def->freqs_hz[k] / SB_AIR_SPEED;
        if (is_heard[k] || !(air > 0) || air * coarse->edge_m > AIR) continue;
        float(*shape)[3] =
            own->shapes + (size_t)own->count * (size_t)coarse->vertex_count;
        carry_over(def, coarse, k, shape);
        if (bend_of(coarse, (const float(*)[3])shape) > bend) continue;
        own->freqs_hz[own->count] = def->freqs_hz[k];
        own->modes[own->count++] = k;
    }
}

static sb_status hear_chosen(const sb_radiation_def *def,
                             const sb_coarse *coarse, double bend,
                             bool *is_heard, sb_exact_take take, void *context,
                             sb_error *err) {
    chosen own = {0};
    sb_bem_result result = {0};
    sb_status status =
        reserve(&own, def->mode_count, coarse->vertex_count)
            ? SB_OK
            : sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                      def->mode_count);
    if (!status) choose(def, coarse, bend, is_heard, &own);
    if (own.count) {
        const sb_bem_def bem = {
            .surface = {coarse->vertex_count, coarse->face_count,
                        (const float(*)[3])coarse->vertices,
                        (const int32_t(*)[3])coarse->faces, coarse->is_sheet},
            .mode_count = own.count,
            .freqs_hz = own.freqs_hz,
            .shapes = (const float(*)[3])own.shapes,
        };
        status = sb_bem_solve(&bem, &result, err);
        for (int i = 0; !status && i < own.count; i++) {
            is_heard[own.modes[i]] = true;
            take(context, own.modes[i], &result.patterns[i]);
        }
        sb_bem_result_free(&result);
    }
    free_chosen(&own);
    /* A surface with points of no area keeps the quick law. */
    return status == SB_BAD_ARGUMENT ? SB_OK : status;
}

static sb_status hear_level(const sb_radiation_def *def, int level,
                            bool *is_heard, sb_exact_take take, void *context,
                            sb_error *err) {
    sb_coarse coarse;
    int most = levels[level].vertices;
    if (def->vertex_count <= AS_IS) most = AS_IS;
    if (def->vertex_count <= AS_IS && level < LEVELS - 1) return SB_OK;
    sb_status status =
        sb_coarse_make(def->vertices, def->vertex_count, def->faces,
                       def->face_count, most, &coarse, err);
    if (status == SB_BAD_FORMAT) return SB_OK;
    if (status) return status;
    bool is_open = coarse.is_sheet && !(def->sheet_m > 0);
    if (!is_open && coarse.vertex_count <= MOST)
        status = hear_chosen(def, &coarse, levels[level].bend, is_heard, take,
                             context, err);
    sb_coarse_free(&coarse);
    return status;
}

sb_status sb_exact_hear(const sb_radiation_def *def, sb_exact_take take,
                        void *context, sb_error *err) {
    bool *is_heard = sb_alloc((size_t)def->mode_count, sizeof *is_heard);
    if (!is_heard)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                       def->mode_count);
    sb_status status = SB_OK;
    if (def->turned)
        status = sb_exact_turned(def, is_heard, take, context, err);
    bool is_all = !memchr(is_heard, false, (size_t)def->mode_count);
    for (int i = 0; !status && !is_all && i < LEVELS; i++)
        status = hear_level(def, i, is_heard, take, context, err);
    sb_free(is_heard);
    return status;
}
