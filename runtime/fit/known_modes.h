/* SPDX-License-Identifier: MIT */
/* runtime/fit/known_modes.h -- how loud modes that are known are in a sound.
 *
 *     x(t) = sum_k g_k exp(-6.91 t / T_k) cos(2 pi f_k t + a_k) + rest
 *
 * Frequencies and decays are given, and amplitudes follow by linear least
 * squares over the whole sound (refine_modes.h). They are those at the onset.
 *
 * Symbols: f -> freq_hz; T -> t60_s; g -> gains.
 * Thread:  control. Memory: the caller's.
 */
#pragma once

#include "runtime/fit/fit.h"

/* Fill `gains`. Of modes that the sound is too short to tell apart, the first
 * has the gain of all. NO_MODES for silence, BAD_ARGUMENT for less than 0.1 s or
 * for more than SB_FIT_MAX_MODES modes, NO_CONVERGENCE, NO_MEMORY. */
SB_NODISCARD sb_status sb_fit_known(const sb_recording *sound, int rate_hz,
                                    const sb_fit_mode *modes, int count,
                                    double *gains, sb_error *err);
