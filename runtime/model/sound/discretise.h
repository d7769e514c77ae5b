/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/discretise.h -- oscillators as other programs compute
 * them, for ears only.
 *
 * A mode q'' + 2 s q' + w^2 q = 0 has the poles -s +- i wd, wd^2 = w^2 - s^2.
 * Sampled with the step T, an oscillator has the poles z of
 *
 *     z^2 - a z + b = 0,
 *
 * and sounds like a mode with s' = -ln|z| / T and wd' = |arg z| / T. A method
 * differs from another only in a and b:
 *
 *     exact     a = 2 e^(-sT) cos(wd T)             b = e^(-2sT)
 *     direct    the same, each rounded to single precision
 *     euler     a = 2 - 2sT - (wT)^2                b = 1 - 2sT
 *               (semi-implicit: the new velocity moves the place)
 *     bilinear  a = 2 (1 - c^2) / d                 b = (1 - sT + c^2) / d,
 *               c = wT / 2, d = 1 + sT + c^2
 *     naive     exact, and without a limit at the Nyquist frequency: wd folds
 *
 * The bank of modes is exact, so it plays each method by its poles. Rounding of
 * the state, which is noise, is not imitated. Where a method is unstable (euler
 * from about w = 2 / T on), the mode is silent.
 *
 * Symbols: w omega_rad_s, s sigma_per_s, T = 1 / rate_hz.
 * Thread: any; pure functions.
 */
#pragma once

#include "runtime/model/method.h"

#include <stdbool.h>

/* Names in the order of the enumeration; NULL-ended. */
extern const char *const sb_discretisation_names[];

/* A mode as it is played. */
typedef struct sb_played_mode {
    double omega_rad_s, sigma_per_s; /* undamped; decay */
    bool is_silent; /* unstable, or above the Nyquist frequency */
    double cents;   /* of its damped frequency, above the true one; or 0 */
} sb_played_mode;

sb_played_mode sb_discretise(sb_discretisation how, double omega_rad_s,
                             double sigma_per_s, double rate_hz);
