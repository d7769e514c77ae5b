/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/exact.h"

#include "runtime/base/air.h"
#include "runtime/base/memo.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/mesh/mesh_coarse.h"
#include "runtime/model/sound/exact_turned.h"
#include "runtime/model/sound/patches.h"
#include "runtime/model/sound/radiation.h"

#include <complex.h>
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
/* On the mesh of a deformable body, whose waves have six elements at least, the
 * quick law is up to 5 dB off where four edges in a wave are right to 1 dB. */
#define LUMPED_BEND 1.6

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

/* Who is told, and what has been heard so far. */
typedef struct taking {
    const sb_radiation_def *def;
    sb_exact_take take;
    void *context;
    bool *is_heard; /* [mode] */
    bool is_put_off;
} taking;

static sb_status hear_chosen(taking *to, const sb_coarse *coarse, double bend,
                             sb_error *err) {
    const sb_radiation_def *def = to->def;
    chosen own = {0};
    sb_bem_result result = {0};
    sb_status status =
        reserve(&own, def->mode_count, coarse->vertex_count)
            ? SB_OK
            : sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                      def->mode_count);
    if (!status) choose(def, coarse, bend, to->is_heard, &own);
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
        to->is_put_off |= result.is_put_off;
        for (int i = 0; !status && i < own.count; i++) {
            to->is_heard[own.modes[i]] = true;
            if (!result.is_put_off)
                to->take(to->context, own.modes[i], &result.patterns[i]);
        }
        sb_bem_result_free(&result);
    }
    free_chosen(&own);
    /* A surface with points of no area keeps the quick law. */
    return status == SB_BAD_ARGUMENT ? SB_OK : status;
}

static sb_status hear_level(taking *to, int level, sb_error *err) {
    const sb_radiation_def *def = to->def;
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
    bool is_lumped = def->is_lumped && level == LEVELS - 1;
    double bend = is_lumped ? LUMPED_BEND : levels[level].bend;
    if (!is_open && coarse.vertex_count <= MOST)
        status = hear_chosen(to, &coarse, bend, err);
    sb_coarse_free(&coarse);
    return status;
}

/* About, for a mode of a wall of revolution. */
#define TURNED_S 0.01

static bool has_time(double seconds) {
    const sb_memo *memo = sb_memo_used();
    return !memo || !memo->has_time || memo->has_time(memo->context, seconds);
}

sb_status sb_exact_hear(const sb_radiation_def *def, sb_exact_take take,
                        void *context, bool *is_put_off, sb_error *err) {
    taking to = {.def = def, .take = take, .context = context};
    to.is_heard = sb_alloc((size_t)def->mode_count, sizeof *to.is_heard);
    if (!to.is_heard)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                       def->mode_count);
    sb_status status = SB_OK;
    if (def->turned) {
        to.is_put_off = !has_time(TURNED_S * def->mode_count);
        if (!to.is_put_off)
            status = sb_exact_turned(def, to.is_heard, take, context, err);
    }
    bool is_all =
        to.is_put_off || !memchr(to.is_heard, false, (size_t)def->mode_count);
    for (int i = 0; !status && !is_all && i < LEVELS; i++)
        status = hear_level(&to, i, err);
    sb_free(to.is_heard);
    *is_put_off = to.is_put_off;
    return status;
}

/* --- slopes --------------------------------------------------------------- */

/* g of a sphere's order l is as 1 / x |h'|, h its Hankel function, and
 * x h'' / h' = -2 - (x - l (l + 1) / x) h / h'. */
static double slope_of_order(double complex low, double complex high, int order,
                             double x) {
    double complex slope = order / x * low - high; /* h' */
    return 1 + (x - order * (order + 1) / x) * creal(low / slope);
}

double sb_pattern_slope(const sb_pattern *pattern, double x) {
    /* h of orders l and l + 1, without e^{-ix}. */
    x = fmax(x, 1e-6);
    double complex low = I / x, high = (I / x - 1) / x;
    double power = 0, sum = 0;
    for (int l = 0, i = 0; l <= pattern->order + 1; l++) {
        double own = l > pattern->order ? (double)pattern->rest : 0;
        for (; l <= pattern->order && i < (l + 1) * (l + 1); i++) {
            double re = (double)pattern->coefs[i][0];
            double im = (double)pattern->coefs[i][1];
            own += re * re + im * im;
        }
        power += own;
        if (own > 0) sum += own * slope_of_order(low, high, l, x);
        double complex next = (2 * l + 3) / x * high - low;
        low = high;
        high = next;
    }
    return power > 0 ? sum / power : 1;
}
