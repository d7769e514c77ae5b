/* runtime/fit/linear.h -- the linear algebra that a fit asks of LAPACK.
 *
 * Matrices are stored by columns, without gaps. All on one thread, so that the
 * same recordings give the same bits each time.
 *
 * Thread: control. Memory: the caller's; workspace comes and goes.
 */
#ifndef SB_FIT_LINEAR_H
#define SB_FIT_LINEAR_H

#include "runtime/base/status.h"

#include <complex.h>
#include <stdbool.h>

/* Eigenvalues of the Hermitian n x n matrix `a`, ascending, and in the place of
 * `a` their vectors. NO_CONVERGENCE, NO_MEMORY. */
SB_NODISCARD sb_status sb_linear_hermitian(int n, double complex *a,
                                           double *values, sb_error *err);

/* Eigenvalues of any complex n x n matrix, which is destroyed. */
SB_NODISCARD sb_status sb_linear_general(int n, double complex *a,
                                         double complex *values, sb_error *err);

/* A = L L', L in the lower half of `a`; false when A is not positive definite.
 */
bool sb_linear_factor(int n, double *a);

/* x = L^-1 x, or L^-T x, with the upper left n x n of a factor that is
 * `wide` x `wide`. */
void sb_linear_forward(int n, int wide, const double *factor, double *x);
void sb_linear_backward(int n, int wide, const double *factor, double *x);

/* The inverse of A from its factor, which it replaces, both halves. */
bool sb_linear_invert(int n, double *factor);

#endif
