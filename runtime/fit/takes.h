/* runtime/fit/takes.h -- recordings made ready for a fit.
 *
 * Each is one channel without its mean, begins a moment after the thing was hit,
 * when the blow itself and what a recording's own filters make of it are over
 * (SB_FIT_ATTACK_S), and is divided by the standard deviation of its noise, so
 * that all weigh as much as they can be trusted. The noise is told from the spectrum: with a window whose
 * lobes are low, partials fill few of its bins, and the median is noise.
 *
 * Thread: control. Memory: sb_takes_free.
 */
#ifndef SB_FIT_TAKES_H
#define SB_FIT_TAKES_H

#include "runtime/base/status.h"

#include <stdint.h>

enum { SB_FIT_MAX_TAKES = 64 };

typedef struct sb_take {
    double *all; /* the whole recording, `all_count` samples */
    int all_count;
    int onset;    /* where it is hit */
    int skip;     /* samples after that that are not used */
    int length;   /* samples from there on that are */
    double scale; /* of the recording: what 1 here is there */
} sb_take;

typedef struct sb_takes {
    sb_take items[SB_FIT_MAX_TAKES];
    int count;
    int rate_hz;
} sb_takes;

/* A recording as it was read: one channel. */
typedef struct sb_recording {
    const float *samples;
    int count;
} sb_recording;

/* Copies the samples. NO_MODES when all are silent, NO_MEMORY. A recording
 * needs at least SB_FIT_LEAST_S seconds after its onset: BAD_ARGUMENT. */
#define SB_FIT_LEAST_S  0.1
#define SB_FIT_ATTACK_S 0.0015
SB_NODISCARD sb_status sb_takes_make(sb_takes *out,
                                     const sb_recording *recordings, int count,
                                     int rate_hz, sb_error *err);
void sb_takes_free(sb_takes *takes);

/* Where the samples that are used begin, and these. */
static inline int sb_take_start(const sb_take *take) {
    return take->onset + take->skip;
}
static inline const double *sb_take_samples(const sb_take *take) {
    return take->all + sb_take_start(take);
}

/* Lengths again after onsets have moved. Those that are nearly equal become so,
 * which saves work; see refine.h. */
void sb_takes_set_lengths(sb_takes *takes);

/* The longest. */
int sb_takes_length(const sb_takes *takes);

/* Power density: the mean over signals, 1 is white noise of variance 1. */
typedef struct sb_density {
    double *power; /* bins from 0 to half the rate */
    int bin_count;
    double bin_hz;
    int signal_count;
} sb_density;

/* Of the first `span` samples of signals that have the takes' lengths. */
SB_NODISCARD sb_status sb_density_make(sb_density *out, const sb_takes *takes,
                                       const double *const *signals, int span,
                                       sb_error *err);
void sb_density_free(sb_density *density);

/* The level of noise from `low_hz` to `high_hz`. */
double sb_density_noise(const sb_density *density, double low_hz,
                        double high_hz);

#endif
