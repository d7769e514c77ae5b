/* SPDX-License-Identifier: MIT */
/* The filters of a measured head in one direction. Thread: audio. */
#include "runtime/dsp/ears/head.h"

#define TAPS_S 0.002667

/* Between two directions of unit length, on a path that bends, there is no
 * vector as short as this. */
#define LEAST_LENGTH 0.25

int sb_head_taps(double sample_rate_hz) {
    int taps = 8 * (int)(sample_rate_hz * TAPS_S / 8.0 + 0.5);
    return taps > SB_HEAD_TAPS_MAX ? SB_HEAD_TAPS_MAX : taps;
}

/* Adds `share` of the harmonics in this direction; returns the share of a filter
 * that is 1. */
static double add_weights(sb_vec3 toward, double share, float *weights) {
    double length = sb_vec3_length(toward);
    if (share == 0.0) return 0.0;
    if (!(length > LEAST_LENGTH)) return share;
    float some[SB_HEAD_HARMONICS];
    sb_harmonics(SB_HEAD_ORDER, sb_vec3_scale(toward, 1.0 / length), some);
    for (int k = 0; k < SB_HEAD_HARMONICS; k++)
        weights[k] += (float)share * some[k];
    return 0.0;
}

void sb_head_find(const sb_head *head, const sb_hear_kernel *kernel,
                  const sb_head_place *place, float *filters) {
    float weights[SB_HEAD_HARMONICS] = {0};
    double open = add_weights(place->now, place->share, weights) +
                  add_weights(place->old, 1.0 - place->share, weights);
    kernel->weigh(head->rows, weights, SB_HEAD_HARMONICS, filters,
                  2 * head->taps);
    filters[0] += (float)open;
    filters[head->taps] += (float)open;
}
