/* SPDX-License-Identifier: MIT */
/* runtime/model/patterns.h -- the patterns of a list of modes.
 *
 * A mode without a pattern is alike in all directions: its order is -1, and
 * all of its g^2 is in `rest`. Modes have none by the quick law, where their
 * waves are too short for boundary elements, and where several plain modes
 * sound as one: their phases differ from strike to strike.
 *
 * Thread: control, workers. Memory: the list owns its coefs.
 */
#pragma once

#include "runtime/base/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_patterns {
    int count;
    sb_pattern *modes; /* [count] */
} sb_patterns;

/* All alike in all directions; NULL when out of memory. */
sb_patterns *sb_patterns_make(int count);
void sb_patterns_free(sb_patterns *patterns); /* NULL is allowed */

/* Copy the pattern of one mode; false when out of memory. */
bool sb_patterns_put(sb_patterns *patterns, int mode, const sb_pattern *from);

/* As they are stored: one head per mode, and the coefs of all of them. */
typedef struct sb_pattern_head {
    int32_t order;
    float rest;
} sb_pattern_head;

size_t sb_patterns_coef_count(const sb_patterns *patterns);
void sb_patterns_pack(const sb_patterns *patterns, sb_pattern_head *heads,
                      float (*coefs)[2]);
/* NULL when out of memory; or when the heads do not fit `coef_count`, or a
 * number is not finite: then *is_damaged. */
sb_patterns *sb_patterns_unpack(int count, const sb_pattern_head *heads,
                                const float (*coefs)[2], size_t coef_count,
                                bool *is_damaged);

/* Scale the pattern of a mode such that its power is g^2. */
void sb_patterns_match(sb_patterns *patterns, int mode, double g);
