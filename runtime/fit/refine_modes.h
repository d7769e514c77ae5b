/* SPDX-License-Identifier: MIT */
/* runtime/fit/refine_modes.h -- the poles that fit all recordings best.
 *
 *     x_r[n] = sum_k Re(c_kr p_k^n) + noise of variance 1,   p = exp(-d + i w)
 *
 * Given the poles, the amplitudes follow by linear least squares. The remaining
 * sum of squares, a function of the poles alone, is minimised by Gauss-Newton
 * steps, which are damped when a step increases it. With white noise no other
 * unbiased estimate of the poles has less variance. All products of
 * exponentials are sums
 *     sum_n n^j q^n,   j = 0, 1, 2,
 * in closed form; only products with the recordings iterate over samples.
 *
 * The basis of mode k is u = Re p^n and v = -Im p^n; n u and n v are its
 * derivatives by the pole. With the Gram matrix of bases and derivatives
 * factored as L L', the lower right block of L belongs to the part of the
 * derivatives that is orthogonal to the bases.
 *
 * Symbols: p -> poles; c -> amplitudes; d -> decay; w -> turn.
 * Thread:  control. Memory: sb_refine_destroy.
 * Source:  G. H. Golub & V. Pereyra, The Differentiation of Pseudo-Inverses and
 *          Nonlinear Least Squares Problems Whose Variables Separate, SIAM J.
 *          Numer. Anal. 10(2), 1973.
 */
#pragma once

#include "runtime/base/cmplx.h"
#include "runtime/fit/search.h"

#include <stdbool.h>

typedef struct sb_refine sb_refine;

/* `takes` must outlive the object. NO_MEMORY. */
SB_NODISCARD sb_status sb_refine_create(sb_refine **out, const sb_takes *takes,
                                        int capacity, double least_decay,
                                        double most_decay, sb_error *err);
void sb_refine_destroy(sb_refine *refine); /* NULL is allowed */

int sb_refine_count(const sb_refine *refine);
const sb_pole *sb_refine_poles(const sb_refine *refine);

/* False when `capacity` is reached. */
bool sb_refine_add(sb_refine *refine, sb_pole pole);
void sb_refine_remove(sb_refine *refine, int mode);
/* Discard cached products; call it when onsets or lengths of the takes have
 * changed. */
void sb_refine_forget(sb_refine *refine);
/* Up to `steps` steps of all poles. False when two modes are so similar that
 * their amplitudes are indeterminate: remove one. */
bool sb_refine_run(sb_refine *refine, int steps);

/* The residual sum of squares over all recordings, after a run. */
double sb_refine_rest(const sb_refine *refine);
double complex sb_refine_amplitude(const sb_refine *refine, int take, int mode);

/* Valid after a run: the increase of the residual without a mode, and the
 * standard deviations of its decay and turn. */
typedef struct sb_refine_trust {
    double gain;
    double decay_deviation, turn_deviation;
} sb_refine_trust;
bool sb_refine_weigh(sb_refine *refine, sb_refine_trust *out);

/* The residual of a take: out[n] = x[n] - sum_k ..., n < length. */
void sb_refine_residual(const sb_refine *refine, int take, double *out);

/* How much of the power of `signals`, which have the lengths of the takes, one
 * exponential explains. */
double sb_refine_strength(const sb_takes *takes, const double *const *signals,
                          sb_pole pole);
