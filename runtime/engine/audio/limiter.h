/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/limiter.h -- the look-ahead limiter at the output.
 *
 * No sample leaves above the ceiling, and the gain has already been reduced
 * smoothly when a peak arrives.
 *
 *     g[n] = min(1, ceiling / peak of the channels at n)
 *     m[n] = min of g over the last 129 samples, rising at most as
 *            e^(-t/release)
 *     out[n] = x[n - 128] * mean of m over the last 128 samples
 *
 * The mean of values that are each at most g[n - 128] is at most g[n - 128].
 * While nothing exceeds the ceiling the signal passes bit for bit.
 *
 * Thread: audio. Memory: the caller's struct.
 * Source: D. Menzies, Physical audio for virtual environments, 2.4.4.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdint.h>

enum {
    SB_LIMITER_LATENCY = 128, /* frames between input and output */
    SB_LIMITER_WINDOW = SB_LIMITER_LATENCY + 1,
    SB_LIMITER_QUEUE = 256 /* a power of two above the window */
};

typedef struct sb_limiter {
    float ceiling;
    double release; /* share of the distance to 1 recovered per sample */
    double held;    /* m[n] */
    double sum;     /* of the last SB_LIMITER_LATENCY values of m */
    double lowest;  /* smallest gain since it was last read */
    uint64_t now;   /* samples taken so far */
    float delay[SB_LIMITER_LATENCY][2];
    double m[SB_LIMITER_LATENCY];
    /* Candidates for the minimum: rising gains, oldest first. */
    double queue_gain[SB_LIMITER_QUEUE];
    uint64_t queue_time[SB_LIMITER_QUEUE];
    uint32_t queue_head, queue_tail;
} sb_limiter;

void sb_limiter_init(sb_limiter *limiter, double sample_rate_hz, float ceiling);

/* In place, interleaved stereo. NaN and infinities count as 0. */
void sb_limiter_process(sb_limiter *limiter, float *stereo, int frames) SB_RT;

/* The smallest gain applied since the last call, 1 when it did nothing. */
double sb_limiter_take_lowest(sb_limiter *limiter) SB_RT;
