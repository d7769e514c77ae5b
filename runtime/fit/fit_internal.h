/* runtime/fit/fit_internal.h -- shared by the files that implement
 * modes_fit.h. */
#ifndef SB_FIT_FIT_INTERNAL_H
#define SB_FIT_FIT_INTERNAL_H

#include "runtime/base/pi.h"
#include "runtime/fit/modes_fit.h"
#include "runtime/fit/refine_modes.h"

#include <math.h>

/* A component whose T60 exceeds this many recording lengths is taken for
 * hum. */
#define MOST_T60_LENGTHS 20.0
#define LEAST_T60_S      0.008

/* The noise level is measured over the whole residual and over its beginnings,
 * each a quarter as long as the one before, so that decaying noise is not taken
 * for modes. */
enum { SPAN_COUNT = 4 };
#define LEAST_SPAN_S 0.04

typedef struct sb_fitter {
    sb_takes takes;
    sb_fit_def def;
    sb_refine *refine;
    double **rests;                   /* residual of each take */
    sb_density densities[SPAN_COUNT]; /* of the residuals, from the onset on */
    double spans_s[SPAN_COUNT];
    sb_refine_trust *trusts;
    sb_pole *found;
} sb_fitter;

static inline double decay_of_t60(const sb_fitter *f, double t60_s) {
    return log(1000.0) / (t60_s * f->takes.rate_hz);
}

static inline double t60_of_decay(const sb_fitter *f, double decay) {
    return log(1000.0) / (decay * f->takes.rate_hz);
}

static inline double hz_of(const sb_fitter *f, double turn) {
    return turn * f->takes.rate_hz / (2.0 * SB_PI);
}

static inline double most_t60_s(const sb_fitter *f) {
    return MOST_T60_LENGTHS * sb_takes_length(&f->takes) / f->takes.rate_hz;
}

/* Compute the residual of each take and its noise density. */
SB_NODISCARD sb_status sb_fitter_find_rests(sb_fitter *f, sb_error *err);

/* The highest noise level during the audible part of a mode with this decay. */
double sb_fitter_noise(const sb_fitter *f, double freq_hz, double t60_s);

/* The largest gain of mode k in any recording. */
double sb_fitter_loudness(const sb_fitter *f, int k);

/* Refine by up to `steps` steps and drop untrustworthy modes, repeatedly, until
 * none is dropped. */
SB_NODISCARD sb_status sb_fitter_settle(sb_fitter *f, int steps, sb_error *err);

#endif
