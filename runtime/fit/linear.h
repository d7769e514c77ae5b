/* SPDX-License-Identifier: MIT */
/* runtime/fit/linear.h -- the LAPACK functions that a fit uses.
 *
 * Matrices are stored by columns, without gaps. LAPACK runs on one thread, so
 * that the same recordings always give the same bits.
 *
 * Thread: control. Memory: the caller's; workspace is freed before returning.
 */
#pragma once

#include "runtime/base/cmplx.h"
#include "runtime/base/status.h"

#include <stdbool.h>

/* Eigenvalues of the Hermitian n x n matrix `a`, ascending; `a` is replaced by
 * the eigenvectors. NO_CONVERGENCE, NO_MEMORY. */
SB_NODISCARD sb_status sb_linear_hermitian(int n, double complex *a,
                                           double *values, sb_error *err);

/* Eigenvalues of any complex n x n matrix, which is overwritten. */
SB_NODISCARD sb_status sb_linear_general(int n, double complex *a,
                                         double complex *values, sb_error *err);

/* A = L L', L in the lower half of `a`; false when A is not positive definite.
 */
bool sb_linear_factor(int n, double *a);

/* x = L^-1 x, or L^-T x, where L is the upper left n x n block of a factor of
 * size `wide` x `wide`. */
void sb_linear_forward(int n, int wide, const double *factor, double *x);
void sb_linear_backward(int n, int wide, const double *factor, double *x);

/* Replace the factor of A by the inverse of A, both halves. */
bool sb_linear_invert(int n, double *factor);
