/* SPDX-License-Identifier: MIT */
/* tests/deform/one_law.h -- is a deformable body as loud as its linear modes?
 *
 * A: a deformable body without losses, struck by a small impulse, heard from
 * some directions far away, one after the other. B: the modes of its own mesh,
 * as body:linear() has them, after the same impulse. C: the same shape as a
 * body of modes.
 *
 * Of A the amplitudes of all modes are found by least squares; those within
 * `close_hz` of another, and those that are hardly struck, are left out. Levels are powers over all directions.
 */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/deform/sound/sound_modes.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "tests/deform/deform_motion.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum {
    LAW_MODES = 96,
    LAW_DIRECTIONS = 10, /* at most */
    LAW_SETTLE = 480,    /* frames */
    LAW_FRAMES = 4800
};

/* Modes of B, lowest first: levels of all three, Pa m per N s, in dB; NAN: not
 * known. */
typedef struct law_levels {
    int count;
    double freq_hz[LAW_MODES];
    double a[LAW_MODES], b[LAW_MODES], c[LAW_MODES];
    bool is_exact[LAW_MODES]; /* B and C, by boundary elements */
} law_levels;

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

static inline double law_square(const sb_model *model, int mode, sb_vec3 r) {
    const sb_pattern *patterns = sb_model_patterns(model);
    double g = sb_model_modes(model)[mode].radiation, at[2];
    if (!patterns || patterns[mode].order < 0) return g * g;
    sb_pattern_at(&patterns[mode], r, at);
    return at[0] * at[0] + at[1] * at[1] + (double)patterns[mode].rest;
}

/* Of B or C, over all directions. */
static inline double law_power(const sb_model *model, int mode,
                               int directions) {
    double sum = 0;
    for (int i = 0; i < directions; i++)
        sum += law_square(model, mode, law_direction(i));
    return sum / directions;
}

/* Squares of amplitudes at some frequencies; `work` has room for 4 n^2 + 4 n. */
static inline void law_fit(const float *x, const double *hz, int n,
                           double *work, double *squares) {
    int m = 2 * n;
    double *gram = work, *right = work + (size_t)m * (size_t)m;
    double *row = right + m;
    memset(work, 0, ((size_t)m * (size_t)m + (size_t)m) * sizeof *work);
    for (int t = 0; t < LAW_FRAMES; t++) {
        double w = 0.5 - 0.5 * cos(SB_TAU * (t + 0.5) / LAW_FRAMES);
        for (int k = 0; k < n; k++) {
            double angle = fmod(hz[k] * t / SB_DEFORM_RATE_HZ, 1) * SB_TAU;
            row[2 * k] = cos(angle);
            row[2 * k + 1] = sin(angle);
        }
        for (int i = 0; i < m; i++) {
            double by = w * row[i];
            right[i] += by * (double)x[t];
            for (int j = 0; j <= i; j++)
                gram[i * m + j] += by * row[j];
        }
    }
    for (int i = 0; i < m; i++) {
        gram[i * m + i] *= 1 + 1e-9;
        for (int j = 0; j <= i; j++) {
            double sum = gram[i * m + j];
            for (int k = 0; k < j; k++)
                sum -= gram[i * m + k] * gram[j * m + k];
            gram[i * m + j] = j < i ? sum / gram[j * m + j] : sqrt(sum);
        }
        double sum = right[i];
        for (int k = 0; k < i; k++)
            sum -= gram[i * m + k] * right[k];
        right[i] = sum / gram[i * m + i];
    }
    for (int i = m; i-- > 0;) {
        right[i] /= gram[i * m + i];
        for (int k = 0; k < i; k++)
            right[k] -= gram[i * m + k] * right[i];
    }
    for (int k = 0; k < n; k++)
        squares[k] =
            right[2 * k] * right[2 * k] + right[2 * k + 1] * right[2 * k + 1];
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

/* Each direction in turn: nothing decays. */
static inline sb_status law_play(sb_deform *deform, int directions,
                                 law_levels *out, sb_error *err) {
    size_t n = (size_t)out->count;
    float *x = sb_alloc(LAW_FRAMES, sizeof *x);
    double *work = sb_alloc(4 * n * n + 4 * n, sizeof *work);
    double hz[LAW_MODES], squares[LAW_MODES];
    sb_status status = x && work ? SB_OK : sb_no_memory(err, "law");
    for (int k = 0; k < out->count; k++) {
        double half = SB_PI * out->freq_hz[k] * deform->step_s;
        hz[k] = asin(half) / (SB_PI * deform->step_s); /* leapfrog */
        out->a[k] = 0;
    }
    for (int i = 0; i < directions && !status; i++) {
        sb_deform_set_ear(deform, sb_vec3_scale(law_direction(i), 100));
        status = law_read(deform, x, LAW_SETTLE, err);
        if (!status) status = law_read(deform, x, LAW_FRAMES, err);
        if (!status) law_fit(x, hz, out->count, work, squares);
        for (int k = 0; k < out->count && !status; k++)
            out->a[k] += squares[k] / directions;
    }
    sb_free_all(x, work);
    return status;
}

/* Which mode of `other` has the shape of one of `model`; -1: none. */
static inline int law_twin(const sb_model *model, int mode,
                           const sb_model *other,
                           const double (*own)[LAW_MODES], const double *others,
                           int points) {
    double hz = sb_model_modes(model)[mode].freq_hz, best = 0.8, moves = 0;
    int count = sb_model_mode_count(other), found = -1;
    for (int i = 0; i < points; i++)
        moves += own[i][mode] * own[i][mode] / points;
    /* In its own plane. */
    if (moves * sb_model_mass_kg(model) < 0.1) return -1;
    for (int k = 0; k < count; k++) {
        double both = 0, a2 = 0, b2 = 0;
        if (fabs(sb_model_modes(other)[k].freq_hz / hz - 1) > 0.08) continue;
        for (int i = 0; i < points; i++) {
            double a = own[i][mode],
                   b = others[(size_t)i * (size_t)count + (size_t)k];
            both += a * b;
            a2 += a * a;
            b2 += b * b;
        }
        double alike = both * both / (a2 * b2);
        if (!(alike > best)) continue;
        best = alike;
        found = k;
    }
    return found;
}

static inline void law_compare(const sb_model *model, const sb_model *other,
                               int directions, law_levels *out) {
    enum { SIDE = 7, POINTS = SIDE * SIDE };
    static double own[POINTS][LAW_MODES], mine[8192];
    int count = sb_model_mode_count(other), modes = sb_model_mode_count(model);
    double *others = sb_alloc((size_t)(POINTS * count), sizeof *others);
    if (!others || modes > 8192) return;
    for (int i = 0; i < POINTS; i++) {
        sb_model_point at = sb_model_point_at(other, (i % SIDE + 0.4) / SIDE,
                                              (i / SIDE + 0.45) / SIDE);
        sb_vec3 place = sb_model_position(other, at);
        sb_vec3 into = sb_vec3_scale(sb_model_normal(other, at), -1);
        sb_model_weights(other, at, &into, others + (size_t)(i * count));
        sb_model_weights(model, sb_model_nearest(model, place), &into, mine);
        memcpy(own[i], mine, (size_t)out->count * sizeof *mine);
    }
    for (int k = 0; k < out->count; k++) {
        int twin = law_twin(model, k, other, (const double(*)[LAW_MODES])own,
                            others, POINTS);
        out->is_exact[k] = twin >= 0 && sb_model_patterns(model) &&
                           sb_model_patterns(model)[k].order >= 0 &&
                           sb_model_patterns(other)[twin].order >= 0;
        out->c[k] =
            twin < 0 ? NAN : 10 * log10(law_power(other, twin, directions));
    }
    sb_free(others);
}

typedef struct law_def {
    sb_shape shape; /* with the method of the deformable body */
    sb_radiating radiation;
    double u, v;       /* where it is struck */
    double highest_hz; /* 0: all that it resolves */
    int directions;
    bool has_c;
} law_def;

static inline sb_status law_measure(const law_def *def, law_levels *out,
                                    sb_error *err) {
    const double impulse_ns = 1e-7, close_hz = 20;
    static double weights[8192];
    sb_shape shape = def->shape;
    sb_model *model = NULL, *other = NULL;
    sb_deform *deform = NULL;
    shape.is_for_deform = true;
    shape.radiation = def->radiation;
    shape.keeps_beats = true;
    sb_status status = sb_model_create(&shape, &law_steel, NULL, &model, err);
    if (status) return status;
    sb_model_point at = sb_model_point_at(model, def->u, def->v);
    sb_vec3 into = sb_vec3_scale(sb_model_normal(model, at), -1);
    sb_deform_body_def body = sb_deform_body_def_default();
    body.shape = &shape;
    body.material = law_steel;
    body.heard = model;
    body.hovers = true;
    sb_deform_def all = sb_deform_def_default();
    const sb_vec3 ear_m = {0, 100, 0};
    all.body_count = 1;
    all.bodies = &body;
    all.ear_m = &ear_m;
    all.threads = 1;
    status = sb_deform_create(&all, &deform, err);
    const sb_deform_strike_def strike = {.at_m = sb_model_position(model, at),
                                         .direction = into,
                                         .mass_kg = impulse_ns,
                                         .speed_m_s = 1};
    if (!status) status = sb_deform_strike(deform, &strike, NULL, err);
    double highest = def->highest_hz > 0 ? def->highest_hz : 18000;
    if (!status) highest = fmin(highest, 0.8 * deform->bodies[0].limit_hz);
    *out = (law_levels){0};
    while (!status && out->count < LAW_MODES &&
           out->count < sb_model_mode_count(model) &&
           sb_model_modes(model)[out->count].freq_hz < highest) {
        out->freq_hz[out->count] = sb_model_modes(model)[out->count].freq_hz;
        out->count++;
    }
    if (!status) status = law_play(deform, def->directions, out, err);
    sb_deform_destroy(deform);
    sb_model_weights(model, at, &into, weights);
    double strongest = 0;
    for (int k = 0; k < out->count; k++)
        strongest = fmax(strongest, fabs(weights[k]));
    for (int k = 0; k < out->count; k++) {
        double by = impulse_ns * weights[k];
        bool is_unclear =
            fabs(weights[k]) < 0.05 * strongest ||
            (k > 0 && out->freq_hz[k] - out->freq_hz[k - 1] < close_hz) ||
            (k + 1 < out->count &&
             out->freq_hz[k + 1] - out->freq_hz[k] < close_hz);
        out->a[k] = is_unclear ? NAN : 10 * log10(out->a[k] / (by * by));
        out->b[k] = 10 * log10(law_power(model, k, def->directions));
        out->c[k] = NAN;
    }
    if (!status && def->has_c) {
        sb_shape modal = def->shape;
        modal.method = SB_METHOD_AUTO;
        modal.elements = 0;
        modal.radiation = SB_RADIATES_EXACT;
        modal.keeps_beats = true;
        status = sb_model_create(&modal, &law_steel, NULL, &other, err);
        if (!status) law_compare(model, other, def->directions, out);
        sb_model_release(other);
    }
    sb_model_release(model);
    return status;
}
