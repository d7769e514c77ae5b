/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/known_impact.h -- an impact of known force on a modal bank.
 *
 * The force is an ideal impulse, or the half-sine of a linear spring (Menzies
 * 2.1.1). The pulse is applied in closed form: a jump of the state at its
 * start, one at its end, and a sinusoid shared by all modes in between
 * (bank.h). Start and end may fall between frames, and the sound is the
 * same at every sample rate.
 *
 * Nonlinear, two-way contacts are in striker.h and link.h.
 *
 * Thread: audio. Memory: the caller's; `weights` must outlive the impact.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_modal_bank sb_modal_bank;

typedef struct sb_impact {
    double impulse_ns;
    double duration_frames; /* 0: ideal impulse */
    double start_frame;     /* from the start of the coming block */
    const float *weights;   /* phi at the contact, one per mode */
    /* Set at the start of the pulse. */
    double pulse_rad_frame; /* pi / duration, per frame */
    double cos_part, sin_part;
    bool has_begun;
} sb_impact;

/* Add the effect of the impact during the block just rendered to `bank` and to
 * `out`, and advance by one block. True when the impact is over. */
bool sb_impact_advance(sb_impact *impact, sb_modal_bank *bank,
                       double sample_rate_hz, float *out) SB_RT;
