/* SPDX-License-Identifier: MIT */
/* runtime/model/eigen/eigen.h -- dense symmetric eigenproblems.
 *
 *     A x = l x    or    A x = l B x,   B positive definite
 *
 * by LAPACK on one thread, so that the same problem always gives the same bits.
 *
 * Thread: control, workers. Memory: workspace is freed before the call returns.
 */
#pragma once

#include "runtime/base/status.h"

#include <stddef.h>

typedef struct sb_eigen_range {
    int first; /* the lowest is 0 */
    int count;
} sb_eigen_range;

/* The eigenvalues in `range`, ascending, and their vectors. `a` and `b` (NULL:
 * the identity) are n x n, both triangles filled, and are overwritten.
 * values[count]; vectors[count][n], one after the other, with x' B x = 1.
 * BAD_ARGUMENT when B is not positive definite, NO_CONVERGENCE, NO_MEMORY. */
SB_NODISCARD sb_status sb_eigen_symmetric(int n, double *a, double *b,
                                          sb_eigen_range range, double *values,
                                          double *vectors, sb_error *err);

/* The same of a symmetric tridiagonal matrix, by divide and conquer
 * (divide.c). diagonal[n] and beside[n - 1] are overwritten; q[n][n] is
 * workspace. Vectors have length 1. NO_CONVERGENCE, also for NaN; NO_MEMORY;
 * INTERRUPTED. */
SB_NODISCARD sb_status sb_eigen_tridiagonal(int n, double *diagonal,
                                            double *beside, double *q,
                                            sb_eigen_range range,
                                            double *values, double *vectors,
                                            sb_error *err);

/* The same pairs in the other order; vectors have `size` entries. */
void sb_eigen_reverse(double *values, double *vectors, int count, size_t size);
