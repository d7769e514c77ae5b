/* SPDX-License-Identifier: MIT */
/* tests/deform/one_law.h -- is a deformable body as loud as its linear modes?
 *
 * A: a deformable body without losses, struck by a small impulse, heard from
 * some directions far away, one after the other. B: the modes of its own mesh,
 * as body:linear() has them, after the same impulse. C: the same shape as a
 * body of modes.
 *
 * Modes of one pitch are a line. Of A the amplitudes of all lines are found by
 * least squares; those within CLOSE_HZ of another, and those that are hardly
 * struck, are left out. Levels of A and B are powers over all directions; B and
 * C are compared by g.
 */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/deform/sound/sound_modes.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "tests/deform/deform_motion.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum {
    LAW_LINES = 96,
    LAW_DIRECTIONS = 10, /* at most */
    LAW_SETTLE = 480,    /* frames */
    LAW_FRAMES = 4800
};

/* Lowest first; NAN: not known. */
typedef struct law_levels {
    int count;
    double freq_hz[LAW_LINES];
    int first[LAW_LINES + 1];          /* mode of B */
    double a[LAW_LINES], b[LAW_LINES]; /* dB, Pa m per N s */
    double twin[LAW_LINES];            /* g of B over that of C, dB */
    bool is_exact[LAW_LINES];          /* both by boundary elements */
} law_levels;

typedef struct law_def {
    sb_shape shape;    /* with the method of the deformable body */
    double u, v;       /* where it is struck */
    double highest_hz; /* 0: all that it resolves */
    int directions;
    bool has_c;
} law_def;

static const sb_material law_steel = {.density = 7850,
                                      .youngs_modulus = 200e9,
                                      .poisson_ratio = 0.29,
                                      .hardness = 1e9};

/* The corners of a dodecahedron, one of each opposite pair, and turned. */
static inline sb_vec3 law_direction(int i) {
    static const double f = 1.618033988749895;
    const sb_vec3 at[LAW_DIRECTIONS] = {
        {1, 1, 1},     {1, 1, -1},     {1, -1, 1},    {-1, 1, 1},
        {0, f, 1 / f}, {0, f, -1 / f}, {1 / f, 0, f}, {-1 / f, 0, f},
        {f, 1 / f, 0}, {f, -1 / f, 0}};
    sb_vec3 unit = sb_vec3_normalised(at[i]);
    return sb_quat_turn(sb_quat_about((sb_vec3){1, 2, 3}, 0.7), unit);
}

/* p R per unit of modal velocity; without a pattern, alike in all directions. */
static inline double complex law_pressure(const sb_model *model, int mode,
                                          sb_vec3 r) {
    const sb_pattern *patterns = sb_model_patterns(model);
    double at[2];
    if (!patterns || patterns[mode].order < 0)
        return sb_model_modes(model)[mode].radiation;
    sb_pattern_at(&patterns[mode], r, at);
    double square = at[0] * at[0] + at[1] * at[1];
    double more = sqrt(1 + (double)patterns[mode].rest / square);
    return more * (at[0] + I * at[1]);
}

/* --- A -------------------------------------------------------------------- */

/* The normal equations of all cosines and sines. */
static inline void law_add(const float *x, const double *hz, int m,
                           double *gram, double *right, double *row) {
    for (int t = 0; t < LAW_FRAMES; t++) {
        double w = 0.5 - 0.5 * cos(SB_TAU * (t + 0.5) / LAW_FRAMES);
        for (int i = 0; i < m; i += 2) {
            double angle = SB_TAU * fmod(hz[i / 2] * t / SB_DEFORM_RATE_HZ, 1);
            row[i] = cos(angle);
            row[i + 1] = sin(angle);
        }
        for (int i = 0; i < m; i++) {
            right[i] += w * row[i] * (double)x[t];
            for (int j = 0; j <= i; j++)
                gram[i * m + j] += w * row[i] * row[j];
        }
    }
}

/* By Cholesky, in place. */
static inline void law_solve(double *gram, double *right, int m) {
    for (int i = 0; i < m; i++) {
        double *row = gram + (ptrdiff_t)i * m, sum;
        row[i] *= 1 + 1e-9;
        for (int j = 0; j <= i; j++) {
            sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * gram[j * m + k];
            row[j] = j < i ? sum / gram[j * m + j] : sqrt(sum);
        }
        sum = right[i];
        for (int k = 0; k < i; k++)
            sum -= row[k] * right[k];
        right[i] = sum / row[i];
    }
    for (int i = m; i-- > 0;) {
        right[i] /= gram[i * m + i];
        for (int k = 0; k < i; k++)
            right[k] -= gram[i * m + k] * right[i];
    }
}

static inline sb_status law_read(sb_deform *deform, float *x, int count,
                                 sb_error *err) {
    enum { BLOCK = 480 };
    sb_status status = SB_OK;
    int64_t from = deform->state->frames_read;
    for (int done = 0; done < count && !status;) {
        int left = count - done < BLOCK ? count - done : BLOCK;
        status = deform_advance(deform, from + done + left, err);
        done += status ? 0 : sb_deform_read(deform, left, x + done);
    }
    return status;
}

/* Squares of amplitudes, added to those of A. */
static inline sb_status law_hear(sb_deform *deform, law_levels *out,
                                 sb_error *err) {
    int m = 2 * out->count;
    size_t n = (size_t)m;
    double hz[LAW_LINES];
    float *x = sb_alloc(LAW_FRAMES, sizeof *x);
    double *gram = sb_alloc(n * n + 2 * n, sizeof *gram);
    sb_status status = x && gram ? SB_OK : sb_no_memory(err, "law");
    for (int i = 0; i < out->count; i++) {
        double half = SB_PI * out->freq_hz[i] * deform->step_s;
        hz[i] = asin(half) / (SB_PI * deform->step_s); /* leapfrog */
    }
    if (!status) status = law_read(deform, x, LAW_SETTLE, err);
    if (!status) status = law_read(deform, x, LAW_FRAMES, err);
    if (!status) {
        double *right = gram + n * n;
        law_add(x, hz, m, gram, right, right + n);
        law_solve(gram, right, m);
        for (int i = 0; i < m; i++)
            out->a[i / 2] += right[i] * right[i];
    }
    sb_free_all(x, gram);
    return status;
}

#define LAW_IMPULSE 1e-7

/* Each direction in turn: nothing decays. */
static inline sb_status law_strike(const law_def *def, sb_deform *deform,
                                   const sb_model *model, sb_model_point at,
                                   law_levels *out, sb_error *err) {
    const sb_deform_strike_def strike = {
        .at_m = sb_model_position(model, at),
        .direction = sb_vec3_scale(sb_model_normal(model, at), -1),
        .mass_kg = LAW_IMPULSE,
        .speed_m_s = 1};
    sb_status status = sb_deform_strike(deform, &strike, NULL, err);
    for (int i = 0; i < def->directions && !status; i++) {
        sb_deform_set_ear(deform, sb_vec3_scale(law_direction(i), 100));
        status = law_hear(deform, out, err);
    }
    return status;
}

/* --- B and C ----------------------------------------------------------------- */

static inline void law_list(const sb_model *model, double highest_hz,
                            law_levels *out) {
    const sb_mode *modes = sb_model_modes(model);
    int count = sb_model_mode_count(model), k = 0;
    *out = (law_levels){0};
    while (k < count && modes[k].freq_hz < highest_hz &&
           out->count < LAW_LINES) {
        double hz = modes[k].freq_hz;
        out->freq_hz[out->count] = hz;
        out->first[out->count++] = k;
        while (k < count && modes[k].freq_hz < hz * (1 + 1e-5))
            k++;
    }
    out->first[out->count] = k;
}

#define CLOSE_HZ 20

/* What the impulse gives to a line, in one direction after the other; both per
 * N s and unit of weight. */
static inline void law_scale(const law_def *def, const sb_model *model,
                             sb_model_point at, law_levels *out) {
    static double weights[8192];
    double strongest = 0;
    sb_vec3 into = sb_vec3_scale(sb_model_normal(model, at), -1);
    sb_model_weights(model, at, &into, weights);
    for (int k = 0; k < out->first[out->count]; k++)
        strongest = fmax(strongest, fabs(weights[k]));
    for (int i = 0; i < out->count; i++) {
        const double *hz = &out->freq_hz[i];
        double given = 0, sum = 0;
        for (int k = out->first[i]; k < out->first[i + 1]; k++)
            given += weights[k] * weights[k];
        for (int d = 0; d < def->directions; d++) {
            double complex p = 0;
            for (int k = out->first[i]; k < out->first[i + 1]; k++)
                p += weights[k] * law_pressure(model, k, law_direction(d));
            sum += creal(p) * creal(p) + cimag(p) * cimag(p);
        }
        bool is_unclear = sqrt(given) < 0.05 * strongest ||
                          (i > 0 && hz[0] - hz[-1] < CLOSE_HZ) ||
                          (i + 1 < out->count && hz[1] - hz[0] < CLOSE_HZ);
        out->a[i] = is_unclear
                        ? NAN
                        : 10 * log10(out->a[i] / (LAW_IMPULSE * LAW_IMPULSE));
        out->b[i] = 10 * log10(sum);
    }
}

/* Normal parts of a mode over the surface. */
enum { LAW_SIDE = 7, LAW_POINTS = LAW_SIDE * LAW_SIDE };
typedef struct law_shape {
    double at[LAW_POINTS];
} law_shape;

static inline void law_sample(const sb_model *model, const sb_model *like,
                              law_shape *shapes, double *work) {
    for (int i = 0; i < LAW_POINTS; i++) {
        sb_model_point at =
            sb_model_point_at(like, (i % LAW_SIDE + 0.4) / LAW_SIDE,
                              (i / LAW_SIDE + 0.45) / LAW_SIDE);
        sb_vec3 into = sb_vec3_scale(sb_model_normal(like, at), -1);
        sb_vec3 place = sb_model_position(like, at);
        sb_model_weights(model, sb_model_nearest(model, place), &into, work);
        for (int k = 0; k < sb_model_mode_count(model); k++)
            shapes[k].at[i] = work[k];
    }
}

static inline double law_alike(const law_shape *a, const law_shape *b) {
    double both = 0, a2 = 0, b2 = 0;
    for (int i = 0; i < LAW_POINTS; i++) {
        both += a->at[i] * b->at[i];
        a2 += a->at[i] * a->at[i];
        b2 += b->at[i] * b->at[i];
    }
    return both * both / fmax(a2 * b2, 1e-300);
}

/* The mode of C that has the shape of one of B, or one of a pair that has; -1:
 * none. */
static inline int law_twin(const law_shape *own, double hz,
                           const sb_model *other, const law_shape *others) {
    const sb_mode *modes = sb_model_modes(other);
    int count = sb_model_mode_count(other), found = -1;
    double best = 0.8;
    for (int k = 0; k < count; k++) {
        if (fabs(modes[k].freq_hz / hz - 1) > 0.08) continue;
        double alike = law_alike(own, &others[k]);
        if (k + 1 < count && modes[k + 1].freq_hz < modes[k].freq_hz * 1.00001)
            alike += law_alike(own, &others[k + 1]);
        if (!(alike > best)) continue;
        best = alike;
        found = k;
    }
    return found;
}

static inline void law_compare(const sb_model *model, const sb_model *other,
                               law_levels *out) {
    int count = sb_model_mode_count(model), all = sb_model_mode_count(other);
    law_shape *own = sb_alloc((size_t)count, sizeof *own);
    law_shape *others = sb_alloc((size_t)all, sizeof *others);
    double *work = sb_alloc((size_t)(count + all), sizeof *work);
    if (own && others && work) {
        law_sample(model, other, own, work);
        law_sample(other, other, others, work);
    }
    for (int i = 0; i < out->count && own && others && work; i++) {
        int k = out->first[i];
        double moves = 0;
        for (int j = 0; j < LAW_POINTS; j++)
            moves += own[k].at[j] * own[k].at[j] / LAW_POINTS;
        /* Not those that move in their own plane. */
        int twin = moves * sb_model_mass_kg(model) < 0.1
                       ? -1
                       : law_twin(&own[k], out->freq_hz[i], other, others);
        if (twin < 0) continue;
        out->twin[i] = 20 * log10(sb_model_modes(model)[k].radiation /
                                  sb_model_modes(other)[twin].radiation);
        out->is_exact[i] = sb_model_patterns(model)[k].order >= 0 &&
                           sb_model_patterns(other)[twin].order >= 0;
    }
    sb_free_all(own, others, work);
}

/* --- all three ------------------------------------------------------------------ */

static inline sb_status law_compare_all(const law_def *def,
                                        const sb_shape *shape,
                                        const sb_model *model, law_levels *out,
                                        sb_error *err) {
    const sb_vec3 ear_m = {0, 100, 0};
    sb_model_point at = sb_model_point_at(model, def->u, def->v);
    sb_deform *deform = NULL;
    sb_deform_body_def body = sb_deform_body_def_default();
    body.shape = shape;
    body.material = law_steel;
    body.heard = model;
    body.hovers = true;
    sb_deform_def all = sb_deform_def_default();
    all.body_count = 1;
    all.bodies = &body;
    all.ear_m = &ear_m;
    all.threads = 1;
    sb_status status = sb_deform_create(&all, &deform, err);
    if (status) return status;
    double highest = def->highest_hz > 0 ? def->highest_hz : 18000;
    law_list(model, fmin(highest, 0.8 * deform->bodies[0].limit_hz), out);
    status = law_strike(def, deform, model, at, out, err);
    if (!status) law_scale(def, model, at, out);
    sb_deform_destroy(deform);
    return status;
}

static inline sb_status law_measure(const law_def *def, law_levels *out,
                                    sb_error *err) {
    sb_shape shape = def->shape, modal = def->shape;
    sb_model *model = NULL, *other = NULL;
    shape.is_for_deform = true;
    shape.radiation = SB_RADIATES_EXACT;
    sb_status status = sb_model_create(&shape, &law_steel, NULL, &model, err);
    if (status) return status;
    status = law_compare_all(def, &shape, model, out, err);
    modal.method = SB_METHOD_AUTO;
    modal.elements = 0;
    modal.radiation = SB_RADIATES_EXACT;
    modal.keeps_beats = true;
    for (int i = 0; i < LAW_LINES; i++)
        out->twin[i] = NAN;
    if (!status && def->has_c)
        status = sb_model_create(&modal, &law_steel, NULL, &other, err);
    if (other) law_compare(model, other, out);
    sb_model_release(other);
    sb_model_release(model);
    return status;
}
