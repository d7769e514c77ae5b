/* SPDX-License-Identifier: MIT */
/* runtime/base/select.h -- maximum and minimum of two numbers in one
 * instruction, and a range check of many.
 *
 * The C library's fmax and fmin are function calls unless the compiler may
 * ignore NaN; in the audio thread's inner loops these calls took more time than
 * the arithmetic around them. Here the second argument must not be NaN; if the
 * first is NaN the result is the second, as with fmax and fmin.
 *
 * Thread: any.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline double sb_max(double x, double bound) {
    return x > bound ? x : bound;
}

static inline double sb_min(double x, double bound) {
    return x < bound ? x : bound;
}

static inline float sb_maxf(float x, float bound) {
    return x > bound ? x : bound;
}

static inline float sb_minf(float x, float bound) {
    return x < bound ? x : bound;
}

/* Whether no value lies farther from zero than `most`, or is NaN. */
static inline bool sb_are_within(const float *values, size_t count,
                                 float most) {
    int beyond = 0;
    for (size_t i = 0; i < count; i++)
        beyond |= !(fabsf(values[i]) <= most);
    return !beyond;
}
