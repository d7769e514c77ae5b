/* SPDX-License-Identifier: MIT */
/* runtime/fit/search.h -- the first step of a fit: poles found band by band.
 *
 * Each band is searched by sb_esprit with all signals at once. Wide bands and
 * short spans resolve fast decays; narrow bands and full-length signals resolve
 * close frequencies.
 *
 * Symbols: a pole is exp(-decay + i turn) per sample.
 * Thread:  control. Memory: the caller's.
 */
#pragma once

#include "runtime/fit/takes.h"

typedef struct sb_pole {
    double decay; /* nepers per sample, > 0 */
    double turn;  /* radians per sample */
} sb_pole;

typedef struct sb_search_def {
    double band_rate_hz;
    double span_s; /* searched length, from the onset */
    int rows;      /* of an sb_esprit window, in samples of a band */
    double low_hz, high_hz;
    double least_t60_s, most_t60_s;
    double margin;             /* above the noise level, in power */
    const sb_density *density; /* of the whole signals */
} sb_search_def;

/* Find up to `capacity` poles in `signals`, which have the lengths and the rate
 * of `takes`. */
SB_NODISCARD sb_status sb_search_poles(const sb_takes *takes,
                                       const double *const *signals,
                                       const sb_search_def *def, sb_pole *poles,
                                       int capacity, int *count_out,
                                       sb_error *err);
