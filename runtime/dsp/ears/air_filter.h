/* SPDX-License-Identifier: MIT */
/* runtime/dsp/ears/air_filter.h -- sound absorption of the air.
 *
 * A table holds, for distances up to a kilometre, the symmetric filter
 *
 *     H(f) = c_0 + 2 sum over k of c_k cos(2 pi k f / rate) ~ 10^(-a(f) r / 20)
 *
 * that has the loss of the air and no phase except a constant delay of `half`
 * frames. It is fitted for the least relative error. Between the distances of
 * the table the coefficients are interpolated by cubics.
 *
 * Symbols: a -> dB/m, r -> distance_m, half -> half.
 * Thread:  any; sb_air_table_make allocates: control. sb_air_look: audio.
 * Memory:  the caller frees a table with sb_free.
 * Source:  ISO 9613-1:1993, 6.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_air sb_air;

/* Entry i is at the distance FIRST_M (q^(i - 1) - 1) / (q - 1), q = GROWTH: from
 * a little less than 0, for the cubic through the first four, up to a kilometre.
 * From one entry to the next no audible frequency loses more than some 8 dB, of
 * which a cubic through four entries misses less than a tenth. */
#define SB_AIR_FIRST_M 8.0
#define SB_AIR_GROWTH  1.06

enum {
    SB_AIR_HALF_MAX = 128, /* at 384 kHz */
    SB_AIR_STOPS = 42      /* distances in a table */
};

/* Half the length of the filter: a third of a millisecond. */
int sb_air_half(double sample_rate_hz) SB_RT;

typedef struct sb_air_table {
    int half;
    bool is_clear; /* no absorption: all filters are 1 */
    float coefs[]; /* SB_AIR_STOPS times half + 1 */
} sb_air_table;

/* NULL when out of memory. */
sb_air_table *sb_air_table_make(const sb_air *air, double sample_rate_hz);

/* c_0 .. c_half for a distance; limited to a kilometre. */
void sb_air_look(const sb_air_table *table, double distance_m,
                 float *coefs) SB_RT;
