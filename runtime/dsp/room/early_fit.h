/* SPDX-License-Identifier: MIT */
/* runtime/dsp/room/early_fit.h -- gains of the parts of a sound (early.h) for a
 * wanted loss by frequency.
 *
 * H(f) = gain_0 + sum over k of gain_k L_k(f), L_k being the low-passes. Given
 * |H| at some frequencies, the phase of the last solution is taken for that of
 * the next, which solves a linear problem for the least relative error.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/room/early.h"

enum { SB_EARLY_FREQS = 8 };

typedef struct sb_early_fit {
    double sample_rate_hz;
    int count; /* <= SB_EARLY_FREQS; below half the rate */
    double freq_hz[SB_EARLY_FREQS];
} sb_early_fit;

/* Gains for these magnitudes, 0 to 1. */
void sb_early_fit_loss(const sb_early_fit *fit, const double *magnitude,
                       float gain[SB_EARLY_PARTS]);

/* Gains for what a first-order low-pass leaves of that. */
void sb_early_fit_low(const sb_early_fit *fit, const float from[SB_EARLY_PARTS],
                      double corner_hz, float gain[SB_EARLY_PARTS]);

/* |H|, as a check. */
double sb_early_response(double sample_rate_hz,
                         const float gain[SB_EARLY_PARTS], double freq_hz);
