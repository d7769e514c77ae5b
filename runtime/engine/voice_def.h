/* SPDX-License-Identifier: MIT */
/* runtime/engine/voice_def.h -- what a voice begins with.
 *
 * Thread: control. Memory: the engine copies it.
 */
#pragma once

#include "runtime/base/pattern.h"
#include "runtime/base/voice_types.h"

#include <stdbool.h>

typedef struct sb_bank_mode sb_bank_mode;
typedef struct sb_diffuse_def sb_diffuse_def;
typedef struct sb_path_knot sb_path_knot;

/* A spring or a distortion inside a body, at one point of it (link.h). */
typedef struct sb_spring_def {
    sb_spring spring;
    bool is_distortion;
    const double *weights; /* phi . direction, one per mode */
} sb_spring_def;

typedef struct sb_voice_def {
    const sb_bank_mode *modes;
    int mode_count;           /* at least 1 */
    const sb_path_knot *knot; /* where it is heard from; NULL: silent */
    const sb_spring_def *springs;
    int spring_count;              /* at most SB_VOICE_SPRINGS, 5 */
    const sb_diffuse_def *diffuse; /* NULL: no diffuse part */
    /* The directions of the first `pattern_count` modes; or NULL. */
    const sb_pattern *patterns;
    int pattern_count;
    int stem; /* from sb_engine_add_stem, or 0: none */
} sb_voice_def;
