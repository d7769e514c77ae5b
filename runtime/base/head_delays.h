/* SPDX-License-Identifier: MIT */
/* runtime/base/head_delays.h -- how much later a measured head hears with each
 * ear: a sum of spherical harmonics of the direction (dsp/ears/head.h).
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include "runtime/base/harmonics.h"

enum {
    SB_HEAD_ORDER = 10,
    SB_HEAD_HARMONICS = (SB_HEAD_ORDER + 1) * (SB_HEAD_ORDER + 1)
};

typedef struct sb_head_delays {
    double c_s[2][SB_HEAD_HARMONICS]; /* left, right */
} sb_head_delays;

/* The delay at an ear, relative to the middle of the head without one; straight
 * ahead the mean of both ears is 0. `toward` is of unit length: x right, y up, z
 * straight ahead. */
static inline double sb_head_delay_s(const sb_head_delays *delays, int ear,
                                     sb_vec3 toward) {
    float weights[SB_HEAD_HARMONICS];
    sb_harmonics(SB_HEAD_ORDER, toward, weights);
    double sum = 0.0;
    for (int k = 0; k < SB_HEAD_HARMONICS; k++)
        sum += delays->c_s[ear][k] * (double)weights[k];
    return sum;
}
