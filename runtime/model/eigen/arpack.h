/* runtime/model/eigen/arpack.h -- ARPACK, to compare ourselves with.
 *
 * The same shift-inverted problem and factor (pencil.h), one vector at a time,
 * by implicitly restarted Lanczos.
 *
 * Thread: one at a time in the whole program, since ARPACK keeps its state in
 * static variables. Memory: the caller's arrays.
 */
#ifndef SB_MODEL_EIGEN_ARPACK_H
#define SB_MODEL_EIGEN_ARPACK_H

#include "runtime/base/status.h"
#include "runtime/model/eigen/pencil.h"

/* The `count` highest eigenvalues of C, in any order, and their vectors
 * [count][dim]. */
SB_NODISCARD sb_status sb_arpack(sb_pencil *pencil, int count, double *values,
                                 double *vectors, sb_error *err);

#endif
