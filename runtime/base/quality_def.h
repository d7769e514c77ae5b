/* SPDX-License-Identifier: MIT */
/* runtime/base/quality_def.h -- limits for the amount of sound.
 *
 * The parameters that script, scene and engine share; see quality.h.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include "runtime/base/field.h"

#include <stdbool.h>

/* Ranges and meanings are in sb_quality_fields. */
typedef struct sb_quality_def {
    double budget, slope, tau;
    int modes;
    double units; /* most units of cost per block, live or not: for tests */
} sb_quality_def;

extern const sb_field sb_quality_fields[];

/* BAD_ARGUMENT: a number that its row does not allow. */
SB_NODISCARD sb_status sb_quality_check(const sb_quality_def *def,
                                        sb_error *err);

static inline bool sb_quality_is_same(const sb_quality_def *a,
                                      const sb_quality_def *b) {
    return a->budget == b->budget && a->slope == b->slope && a->tau == b->tau &&
           a->modes == b->modes && a->units == b->units;
}

static inline sb_quality_def sb_quality_default(void) {
    return (sb_quality_def){.budget = 0.6, .slope = 8.0, .tau = 0.01};
}
