/* SPDX-License-Identifier: MIT */
/* runtime/fit/refine_sums.h -- products of exponentials with recordings and
 * with each other, for refine_modes.c. Control thread. */
#pragma once

#include "runtime/fit/search.h"

enum { SB_LANES = 4 };

/* For each of `count` <= SB_LANES poles the sums over n < length of u x, v x,
 * n u x and n v x. */
void sb_correlate_lanes(const sb_pole *poles, int count, const double *x,
                        int length, double sums[SB_LANES][4]);

/* The Gram matrix of the 4 count functions u, v, n u, n v over `length`
 * samples. */
void sb_exponential_gram(const sb_pole *poles, int count, int length,
                         double *gram);
