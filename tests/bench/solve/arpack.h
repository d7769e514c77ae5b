/* SPDX-License-Identifier: MIT */
/* tests/bench/solve/arpack.h -- ARPACK on the problems of eigen_sparse.h, to compare
 * with our own solver.
 *
 * It gets the same shift, factor and inverted problem (pencil.h) as ours, one
 * vector at a time, and iterates by implicitly restarted Lanczos. The program
 * does not link it.
 *
 * Thread: one at a time in the whole process: ARPACK keeps its state in static
 * variables. Memory: sb_eigen_result_free frees the result.
 */
#pragma once

#include "runtime/model/eigen/eigen_sparse.h"

/* The lowest max_count eigenvalues, less those above max_value. def->method is
 * not used, and the number found is not checked by inertia. */
SB_NODISCARD sb_status arpack_solve(const sb_eigen_def *def,
                                    sb_eigen_result *out, sb_error *err);
