/* runtime/model/eigen/divide.h -- eigenpairs of a symmetric tridiagonal matrix
 * by divide and conquer.
 *
 * The matrix is cut into two, up to one entry b that couples them:
 *
 *     T = diag(T1, T2) + |b| v v',   v = (0 .. 0 1 +-1 0 .. 0)
 *
 * With T1 = Q1 D1 Q1' and T2 = Q2 D2 Q2', the eigenvalues l of T solve the
 * secular equation of D + rho z z' with z = diag(Q1, Q2)' v, and its
 * eigenvectors are Q1 and Q2 times those of D + rho z z'. An entry of z that
 * is nearly 0, and one of two nearly equal entries of D, leaves its eigenpair
 * as it was (deflation). LAPACK solves the equation and the smallest parts.
 *
 * LAPACK's own dstedc computes all pairs in one call, which takes a second for
 * 3,000 unknowns. Here the last and largest merge computes only the vectors
 * that are wanted, and sb_stop_check is asked some hundred times per second.
 *
 * Thread: control, workers. Memory: workspace is freed before the call returns.
 * Source: Cuppen, Numer. Math. 36 (1981); Gu and Eisenstat, SIAM J. Matrix
 * Anal. Appl. 16 (1995), section 3, for vectors that are orthogonal.
 */
#ifndef SB_MODEL_EIGEN_DIVIDE_H
#define SB_MODEL_EIGEN_DIVIDE_H

#include "runtime/base/status.h"
#include "runtime/model/eigen/eigen.h"

/* The pairs in `range`, ascending. diagonal[n] and beside[n - 1] are
 * overwritten; q[n][n] is workspace. values[count]; vectors[count][n] of
 * length 1. NO_CONVERGENCE, also for NaN; NO_MEMORY; INTERRUPTED. */
SB_NODISCARD sb_status sb_eigen_tridiagonal(int n, double *diagonal,
                                            double *beside, double *q,
                                            sb_eigen_range range,
                                            double *values, double *vectors,
                                            sb_error *err);

#endif
