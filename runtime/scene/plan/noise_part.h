/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/noise_part.h -- what is heard in place of modes.
 *
 * Thread: as the plan. Memory: plain values.
 */
#pragma once

#include "runtime/base/vec3.h"
#include "runtime/dsp/bank/diffuse.h"

/* A mode, heavily damped, that stands for many: its weight at a place is
 * `weight` times the factor of the place (dsp/bank/diffuse.h). It is silent, or heard
 * (beyond_part.c); then its shape is a wave as well. */
enum { SB_YIELD_MODES = 96, SB_YIELD_MOST = 256 };
typedef struct sb_yield_mode {
    double freq_hz, sigma_per_s;
    double weight; /* kg^-1/2 */
    bool is_heard;
    double radiation; /* as of sb_mode */
    sb_vec3 wave_per_m;
    double phase;
} sb_yield_mode;

/* What is heard, and yields to a force, in place of modes. */
typedef struct sb_noise_part {
    sb_diffuse_def bands;
    /* What the modes that it does not have yield to a force (beyond_part.c). */
    sb_yield_mode yields[SB_YIELD_MOST];
    int yield_count; /* 0, the silent ones, or all */
    /* The last modes of the model, and what phi^2 of each counts: the sum is 1
     * in the mean over the surface. */
    int first_last, last_count;
    float last[SB_DIFFUSE_PLACES];
} sb_noise_part;
