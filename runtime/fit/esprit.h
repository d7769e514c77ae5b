/* runtime/fit/esprit.h -- damped exponentials that several signals share.
 *
 *     y_r[m] = sum_k c_kr p_k^m + noise,   r = 0 .. R-1
 *
 * The windows of `rows` successive samples of all signals span, apart from the
 * noise, the same K-dimensional space, whose basis U is eigenvectors of the sum
 * of all y y^H. A window one sample later is the same one with each exponential
 * multiplied by its pole: U without its first row is U without its last row
 * times a matrix whose eigenvalues are the p_k. Amplitudes and phases do not
 * enter, so signals need not be aligned.
 *
 * How many there are: the eigenvalues that noise alone does not reach.
 *
 * Symbols: p -> poles; K -> count; R -> signal_count.
 * Thread:  control. Memory: the caller's.
 * Source:  R. Roy & T. Kailath, ESPRIT, IEEE Trans. ASSP 37(7), 1989;
 *          R. Badeau, B. David & G. Richard, A New Perturbation Analysis for
 *          Signal Enumeration in Rotational Invariance Techniques, IEEE Trans.
 *          SP 54(2), 2006.
 */
#ifndef SB_FIT_ESPRIT_H
#define SB_FIT_ESPRIT_H

#include "runtime/base/status.h"

#include <complex.h>

typedef struct sb_esprit_def {
    const double complex *signals; /* one after the other, `stride` apart */
    int stride;
    int signal_count;
    int length;         /* samples used of each */
    int rows;           /* of a window, < length */
    double noise_level; /* largest eigenvalue that noise may reach */
    int most;           /* poles wanted at most, < rows */
} sb_esprit_def;

/* The poles, in no order; `*count_out` may be 0. NO_MEMORY, NO_CONVERGENCE. */
SB_NODISCARD sb_status sb_esprit(const sb_esprit_def *def,
                                 double complex *poles, int *count_out,
                                 sb_error *err);

#endif
