/* runtime/fit/esprit.h -- damped exponentials that several signals share.
 *
 *     y_r[m] = sum_k c_kr p_k^m + noise,   r = 0 .. R-1
 *
 * Apart from noise, the windows of `rows` successive samples of all signals
 * span one K-dimensional space. Its basis U consists of eigenvectors of the sum
 * of all y y^H. Moving the window by one sample multiplies each exponential by
 * its pole: U without its first row equals U without its last row times a
 * matrix whose eigenvalues are the p_k. Amplitudes and phases do not enter, so
 * signals need not be aligned.
 *
 * K is the number of eigenvalues above the level that noise alone reaches.
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

#include "runtime/base/cmplx.h"
#include "runtime/base/status.h"

typedef struct sb_esprit_def {
    const double complex *signals; /* contiguous, `stride` samples apart */
    int stride;
    int signal_count;
    int length;         /* samples used of each signal */
    int rows;           /* samples per window, < length */
    double noise_level; /* largest eigenvalue that noise may reach */
    int most;           /* maximum number of poles, < rows */
} sb_esprit_def;

/* Write the poles, in no particular order; `*count_out` may be 0. NO_MEMORY,
 * NO_CONVERGENCE. */
SB_NODISCARD sb_status sb_esprit(const sb_esprit_def *def,
                                 double complex *poles, int *count_out,
                                 sb_error *err);

#endif
