/* runtime/fit/refine.h -- poles that fit all recordings best.
 *
 *     x_r[n] = sum_k Re(c_kr p_k^n) + noise of variance 1,   p = exp(-d + i w)
 *
 * Amplitudes follow from the poles by linear least squares; what remains,
 * a function of the poles alone, is made least by Gauss-Newton steps, damped
 * when one leads up. With white noise no other unbiased estimate of the poles
 * is better. All products of exponentials are geometric sums,
 *     sum_n n^j q^n,   j = 0, 1, 2,
 * in closed form: only their products with the recordings pass over samples.
 *
 * The basis of mode k is u = Re p^n and v = -Im p^n, and n u and n v for its
 * derivatives by the pole. With the Gram matrix of bases and derivatives
 * factored as L L', L's lower right block belongs to what the derivatives have
 * beyond the bases.
 *
 * Symbols: p -> poles; c -> amplitudes; d -> decay; w -> turn.
 * Thread:  control. Memory: sb_refine_destroy.
 * Source:  G. H. Golub & V. Pereyra, The Differentiation of Pseudo-Inverses and
 *          Nonlinear Least Squares Problems Whose Variables Separate, SIAM J.
 *          Numer. Anal. 10(2), 1973.
 */
#ifndef SB_FIT_REFINE_H
#define SB_FIT_REFINE_H

#include "runtime/fit/search.h"

#include <complex.h>
#include <stdbool.h>

typedef struct sb_refine sb_refine;

/* Keeps the pointer. NO_MEMORY. */
SB_NODISCARD sb_status sb_refine_create(sb_refine **out, const sb_takes *takes,
                                        int capacity, double least_decay,
                                        double most_decay, sb_error *err);
void sb_refine_destroy(sb_refine *refine); /* NULL is allowed */

int sb_refine_count(const sb_refine *refine);
const sb_pole *sb_refine_poles(const sb_refine *refine);

/* False when it is full. */
bool sb_refine_add(sb_refine *refine, sb_pole pole);
void sb_refine_remove(sb_refine *refine, int mode);
/* To be called when onsets or lengths of the takes have changed. */
void sb_refine_forget(sb_refine *refine);
/* Up to `steps` steps of all poles. False when modes are so alike that their
 * amplitudes cannot be told apart: remove one. */
bool sb_refine_run(sb_refine *refine, int steps);

/* The sum of squares that is left, over all recordings, after a run. */
double sb_refine_rest(const sb_refine *refine);
double complex sb_refine_amplitude(const sb_refine *refine, int take, int mode);

/* How much the rest grows without each mode, and the standard deviations of
 * its decay and turn; after a run. */
typedef struct sb_refine_trust {
    double gain;
    double decay_deviation, turn_deviation;
} sb_refine_trust;
bool sb_refine_weigh(sb_refine *refine, sb_refine_trust *out);

/* What the modes do not tell: out[n] = x[n] - sum_k ..., n < length. */
void sb_refine_residual(const sb_refine *refine, int take, double *out);

/* How much of signals with the takes' lengths one exponential explains. */
double sb_refine_strength(const sb_takes *takes, const double *const *signals,
                          sb_pole pole);

#endif
