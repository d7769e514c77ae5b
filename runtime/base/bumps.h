/* SPDX-License-Identifier: MIT */
/* runtime/base/bumps.h -- how long the bumps of a surface are where only their
 * height is known: machined and polished surfaces have slopes of one or two
 * degrees. Thread: any. */
#pragma once

#include <math.h>

static inline double sb_bump_length_m(double roughness_m) {
    return fmax(40.0 * roughness_m, 2e-5);
}
