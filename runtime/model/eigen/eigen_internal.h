/* runtime/model/eigen/eigen_internal.h -- what the ways of eigen_sparse.h share.
 *
 * Each way leaves eigenvalues and vectors of any length and sign, in any
 * order; eigen_sparse.c sorts, scales and measures them.
 *
 * Thread, memory: as eigen_sparse.h.
 */
#ifndef SB_MODEL_EIGEN_EIGEN_INTERNAL_H
#define SB_MODEL_EIGEN_EIGEN_INTERNAL_H

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/eigen/pencil.h"

/* Appends room for `count` more; the caller fills it and raises
 * result->count. */
SB_NODISCARD sb_status sb_eigen_reserve(sb_eigen_result *result, int count,
                                        sb_error *err);
SB_NODISCARD sb_status sb_eigen_tell(const sb_eigen_def *def, const char *stage,
                                     int done, int expected, sb_error *err);

/* The mean of K_ii / M_ii: near the high end of the spectrum. */
double sb_eigen_stiffest(const sb_eigen_def *def);
/* Eigenvalues up to this are rigid motions, as far as rounding can tell. */
double sb_eigen_rigid(const sb_eigen_def *def);
/* A negative shift far below the wanted end of the spectrum and far above its
 * rounding errors. `is_known` is false when it is only a guess. */
double sb_eigen_shift(const sb_eigen_def *def, double stiffest, bool *is_known);

/* Gives the pencil its shift and factor. */
SB_NODISCARD sb_status sb_eigen_factor(const sb_eigen_def *def,
                                       sb_pencil *pencil, sb_error *err);

SB_NODISCARD sb_status sb_eigen_dense(const sb_eigen_def *def, double shift,
                                      sb_eigen_result *out, sb_error *err);
/* NO_CONVERGENCE with *is_dense set when the problem is too small, or too much
 * of it is wanted, for this way. */
SB_NODISCARD sb_status sb_eigen_lanczos(const sb_eigen_def *def,
                                        sb_eigen_result *out, bool *is_dense,
                                        sb_error *err);

/* Refines up to SB_PENCIL_COLUMNS vectors, if their residuals need it. */
SB_NODISCARD sb_status sb_eigen_polish(const sb_eigen_def *def,
                                       sb_pencil *pencil, const double *values,
                                       double *vectors, int count,
                                       bool *was_needed, sb_error *err);

/* Sorts the pairs, drops those beyond max_count, scales the vectors to
 * x' M x = 1 and measures worst_residual. */
SB_NODISCARD sb_status sb_eigen_finish(const sb_eigen_def *def,
                                       sb_eigen_result *result, sb_error *err);

#endif
