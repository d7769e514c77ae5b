/* SPDX-License-Identifier: MIT */
/* runtime/base/pattern.h -- what each mode radiates into which direction.
 *
 * The far field of mode k per unit of modal velocity q', at the distance R in
 * the direction r (a unit vector in the body's frame), is, time e^{iwt},
 *
 *     p R e^{ikR} = sum over l, m of c_lm Y_lm(r),     l = 0 .. order,
 *
 * with the real harmonics of runtime/base/harmonics.h; R is counted from the
 * body's centre of mass. So sum |c_lm|^2 is g^2 of model.h. What higher
 * orders hold is left out; `rest` is its part of g^2, which is heard alike
 * in all directions: the gain towards r is
 *
 *     p(r) sqrt((|p(r)|^2 + rest) / |p(r)|^2).
 *
 * Symbols: c_lm coefs, (real, imaginary), Pa m per (kg^1/2 m/s).
 * Thread:  any. Immutable.
 * Memory:  of the model.
 */
#pragma once

#include "runtime/base/harmonics.h"

#include <stdbool.h>

typedef struct sb_pattern {
    int order;
    float rest;              /* Pa^2 m^2 / (kg m^2/s^2) */
    const float (*coefs)[2]; /* [(order + 1)^2] */
} sb_pattern;

/* g^2 */
static inline double sb_pattern_power(const sb_pattern *pattern) {
    double sum = (double)pattern->rest;
    for (int i = 0; i < 2 * sb_harmonics_count(pattern->order); i++) {
        double c = (double)pattern->coefs[i / 2][i % 2];
        sum += c * c;
    }
    return sum;
}

/* The power that is real once the pattern is turned back by `phase`, which is
 * chosen such that this is the most. The rest is imaginary then. */
static inline double sb_pattern_real(const sb_pattern *pattern, double *phase) {
    double re = 0, im = 0, power = 0;
    for (int i = 0; i < sb_harmonics_count(pattern->order); i++) {
        double x = (double)pattern->coefs[i][0];
        double y = (double)pattern->coefs[i][1];
        re += x * x - y * y;
        im += 2 * x * y;
        power += x * x + y * y;
    }
    /* Multiples of 90 degrees are common and must not be on the edge. */
    *phase = 0.5 * atan2(im, re);
    if (*phase < -0.7853981633974483) *phase += 3.141592653589793;
    return 0.5 * (power + hypot(re, im));
}

/* The sum of the orders that it has, without the rest: real, imaginary. */
static inline void sb_pattern_at(const sb_pattern *pattern, sb_vec3 unit,
                                 double out[2]) {
    float y[(SB_HARMONICS_ORDER_MOST + 1) * (SB_HARMONICS_ORDER_MOST + 1)] = {
        0};
    sb_harmonics(pattern->order, unit, y);
    out[0] = out[1] = 0;
    for (int i = 0; i < 2 * sb_harmonics_count(pattern->order); i++)
        out[i % 2] += (double)(pattern->coefs[i / 2][i % 2] * y[i / 2]);
}

/* The gain above relative to g; 1 without a pattern. */
static inline double sb_pattern_gain(const sb_pattern *pattern, sb_vec3 unit) {
    double p[2];
    double mean = pattern->order < 0 ? 0.0 : sb_pattern_power(pattern);
    if (!(mean > 0.0)) return 1.0;
    sb_pattern_at(pattern, unit, p);
    return sqrt((p[0] * p[0] + p[1] * p[1] + (double)pattern->rest) / mean);
}

/* The phase by which it is turned back and the power that is then real, g^2 at
 * most; false: less than half is, and the mode is heard alike everywhere. */
static inline bool sb_pattern_turn(const sb_pattern *pattern, double *phase,
                                   double *real) {
    if (pattern->order < 1) return false;
    *real = sb_pattern_real(pattern, phase);
    return *real > 0 && *real >= 0.5 * sb_pattern_power(pattern);
}

/* With a sign: what a bank plays that is heard from there (dsp/bank/modal_aim.h),
 * relative to g. */
static inline double sb_pattern_aim(const sb_pattern *pattern, sb_vec3 unit) {
    double p[2], phase, real;
    if (!sb_pattern_turn(pattern, &phase, &real)) return 1.0;
    sb_pattern_at(pattern, unit, p);
    return (p[0] * cos(phase) + p[1] * sin(phase)) / sqrt(real);
}
