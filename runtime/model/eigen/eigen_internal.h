/* SPDX-License-Identifier: MIT */
/* runtime/model/eigen/eigen_internal.h -- shared by the methods of
 * eigen_sparse.h.
 *
 * A method returns eigenpairs in any order, with vectors of any length and
 * sign; eigen_sparse.c sorts and scales them.
 *
 * Thread, memory: as eigen_sparse.h.
 */
#pragma once

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/eigen/pencil.h"

/* Makes room for `count` more pairs; the caller fills it and raises
 * result->count. */
SB_NODISCARD sb_status sb_eigen_reserve(sb_eigen_result *result, int count,
                                        sb_error *err);
/* Calls def->progress; INTERRUPTED when it returns false. */
SB_NODISCARD sb_status sb_eigen_tell(const sb_eigen_def *def, const char *stage,
                                     int done, int expected, sb_error *err);

/* The mean of K_ii / M_ii: near the high end of the spectrum. */
double sb_eigen_stiffest(const sb_eigen_def *def);
/* A negative shift, small compared with the wanted eigenvalues and large
 * compared with their rounding errors. `is_known` is false when it is a
 * guess. */
double sb_eigen_shift(const sb_eigen_def *def, double stiffest, bool *is_known);

/* Reports the cost, and refuses what is over the limit. */
SB_NODISCARD sb_status sb_eigen_afford(const sb_eigen_def *def,
                                       const sb_pencil *pencil, int count,
                                       sb_error *err);

/* Gives the pencil its shift and factor. */
SB_NODISCARD sb_status sb_eigen_factor(const sb_eigen_def *def,
                                       sb_pencil *pencil, sb_error *err);

/* NO_CONVERGENCE with *is_dense set when the problem is too small, or too many
 * of its eigenvalues are wanted, for this method. */
SB_NODISCARD sb_status sb_eigen_lanczos(const sb_eigen_def *def,
                                        sb_eigen_result *out, bool *is_dense,
                                        sb_error *err);

/* Sorts the pairs, drops those beyond max_count, scales the vectors to
 * x' M x = 1. */
SB_NODISCARD sb_status sb_eigen_finish(const sb_eigen_def *def,
                                       sb_eigen_result *result, sb_error *err);
