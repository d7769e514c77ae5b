/* SPDX-License-Identifier: MIT */
/* runtime/engine/impact_def.h -- a strike on a voice.
 *
 * Thread: control. Memory: the engine copies it.
 */
#pragma once

#include "runtime/base/voice_types.h"
#include "runtime/dsp/contact/striker.h"

#include <stdbool.h>

typedef struct sb_impact_def {
    double impulse_ns;     /* finite */
    double duration_s;     /* 0: ideal impulse; else a half-sine this long */
    const double *weights; /* phi . direction, one per mode of the voice */
    /* A moving mass instead of a known force: the caller's part of striker.h,
     * without start_frame and weights. NULL: the force above. */
    const sb_striker *striker;
    /* The mass may be a voice that rings itself: its id and its weights toward
     * the contact. All zeros: it does not ring. */
    sb_voice_id second;
    const double *second_weights;
    /* The record that sb_engine_next_impact returns for a known force; its time
     * is filled in. It is only returned if its label is not 0. */
    sb_impact_record record;
    bool is_watched; /* see sb_engine_trace */
} sb_impact_def;
