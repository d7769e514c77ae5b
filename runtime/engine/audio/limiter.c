/* SPDX-License-Identifier: MIT */
#include "runtime/engine/audio/limiter.h"

#include "runtime/base/select.h"

#include <math.h>
#include <string.h>

/* Short enough that a single peak does not duck the following sound for long,
 * long enough that a low note is not distorted within its period. */
#define RELEASE_S 0.08

void sb_limiter_init(sb_limiter *limiter, double sample_rate_hz,
                     float ceiling) {
    memset(limiter, 0, sizeof *limiter);
    limiter->ceiling = ceiling;
    limiter->release = 1.0 - exp(-1.0 / (RELEASE_S * sample_rate_hz));
    limiter->held = 1.0;
    limiter->lowest = 1.0;
    for (int i = 0; i < SB_LIMITER_LATENCY; i++)
        limiter->m[i] = 1.0;
    limiter->sum = SB_LIMITER_LATENCY;
}

static uint32_t wrap(uint32_t i) {
    return i & (SB_LIMITER_QUEUE - 1);
}

/* The smallest of the last SB_LIMITER_WINDOW gains. Each gain enters and
 * leaves the queue once, so the work per block is bounded. */
static double windowed_minimum(sb_limiter *l, double gain) {
    while (l->queue_tail != l->queue_head &&
           l->queue_gain[wrap(l->queue_tail - 1)] >= gain) {
        l->queue_tail--;
    }
    l->queue_gain[wrap(l->queue_tail)] = gain;
    l->queue_time[wrap(l->queue_tail)] = l->now;
    l->queue_tail++;
    if (l->queue_time[wrap(l->queue_head)] + SB_LIMITER_WINDOW <= l->now) {
        l->queue_head++;
    }
    return l->queue_gain[wrap(l->queue_head)];
}

static float finite_or_zero(float x) {
    return isfinite(x) ? x : 0.0f;
}

/* m[n]: falls at once, rises by the release, and ends at exactly 1. */
static double held_gain(sb_limiter *l, double minimum) {
    double rising = l->held + (1.0 - l->held) * l->release;
    if (rising > 1.0 - 1e-6) rising = 1.0;
    l->held = sb_min(minimum, rising);
    return l->held;
}

void sb_limiter_process(sb_limiter *l, float *stereo, int frames) {
    for (int n = 0; n < frames; n++) {
        float left = finite_or_zero(stereo[2 * n]);
        float right = finite_or_zero(stereo[2 * n + 1]);
        float peak = sb_maxf(fabsf(left), fabsf(right));
        double gain =
            peak > l->ceiling ? (double)l->ceiling / (double)peak : 1.0;

        double m = held_gain(l, windowed_minimum(l, gain));
        uint32_t place = (uint32_t)(l->now % SB_LIMITER_LATENCY);
        l->sum += m - l->m[place];
        l->m[place] = m;
        double mean = l->sum / SB_LIMITER_LATENCY;
        if (mean < l->lowest) l->lowest = mean;

        /* In float a gain within rounding of 1 is exactly 1. */
        float applied = (float)sb_min(mean, 1.0);
        float ceiling = l->ceiling;
        float out_left = l->delay[place][0] * applied;
        float out_right = l->delay[place][1] * applied;
        stereo[2 * n] = sb_maxf(sb_minf(out_left, ceiling), -ceiling);
        stereo[2 * n + 1] = sb_maxf(sb_minf(out_right, ceiling), -ceiling);
        l->delay[place][0] = left;
        l->delay[place][1] = right;
        l->now++;
    }
}

double sb_limiter_take_lowest(sb_limiter *limiter) {
    double lowest = limiter->lowest;
    limiter->lowest = 1.0;
    return lowest;
}
