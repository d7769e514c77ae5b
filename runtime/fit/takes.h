/* SPDX-License-Identifier: MIT */
/* runtime/fit/takes.h -- recordings prepared for a fit.
 *
 * Each recording becomes one channel without its mean. It begins
 * 1.5 ms after the onset, when the impact itself and the response of
 * the recording equipment's filters are over. It is divided by the standard
 * deviation of its noise, so that each recording is weighted by its accuracy.
 * The noise level is the median of the spectrum: with a window of low side
 * lobes, partials occupy few bins.
 *
 * Thread: control. Memory: sb_takes_free.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdint.h>

enum { SB_FIT_MAX_TAKES = 64 };

typedef struct sb_take {
    double *all; /* the whole recording, `all_count` samples */
    int all_count;
    int onset;    /* sample of the impact */
    int skip;     /* samples after the onset that are not used */
    int length;   /* number of samples used, after `skip` */
    double scale; /* recording = scale * samples */
} sb_take;

typedef struct sb_takes {
    sb_take items[SB_FIT_MAX_TAKES];
    int count;
    int rate_hz;
} sb_takes;

/* One channel of a recording, as read from a file. */
typedef struct sb_recording {
    const float *samples;
    int count;
} sb_recording;

/* Copies the samples. NO_MODES when all are silent, NO_MEMORY. A recording
 * needs at least 0.1 s after its onset: BAD_ARGUMENT. */
SB_NODISCARD sb_status sb_takes_make(sb_takes *out,
                                     const sb_recording *recordings, int count,
                                     int rate_hz, sb_error *err);
void sb_takes_free(sb_takes *takes);

/* The first sample that is used: its index, and a pointer to it. */
static inline int sb_take_start(const sb_take *take) {
    return take->onset + take->skip;
}
static inline const double *sb_take_samples(const sb_take *take) {
    return take->all + sb_take_start(take);
}

/* Recompute lengths after onsets have moved. Nearly equal lengths are made
 * equal, which saves work; see refine_modes.h. */
void sb_takes_set_lengths(sb_takes *takes);

/* The length of the longest take. */
int sb_takes_length(const sb_takes *takes);

/* Power density, averaged over signals; 1 is white noise of variance 1. */
typedef struct sb_density {
    double *power; /* bins from 0 to half the rate */
    int bin_count;
    double bin_hz;
    int signal_count;
} sb_density;

/* Density of the first `span` samples of signals with the takes' lengths. */
SB_NODISCARD sb_status sb_density_make(sb_density *out, const sb_takes *takes,
                                       const double *const *signals, int span,
                                       sb_error *err);
void sb_density_free(sb_density *density);

/* The noise level between `low_hz` and `high_hz`. */
double sb_density_noise(const sb_density *density, double low_hz,
                        double high_hz);
