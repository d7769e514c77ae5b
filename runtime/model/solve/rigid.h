/* runtime/model/solve/rigid.h -- motions without deformation: which there should be,
 * and which there are.
 *
 * A part that is not held moves in six ways; what holds some of its nodes
 * leaves fewer. Eigenvalues below 1e-6 of the first one above them count as
 * zero.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOLVE_RIGID_H
#define SB_MODEL_SOLVE_RIGID_H

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/solve/discrete.h"

/* How many there should be, over all parts. */
SB_NODISCARD sb_status sb_rigid_expected(const sb_discrete *discrete,
                                         int *count, sb_error *err);

/* How many of the values are zeros, when `expected` should be. */
int sb_rigid_found(const double *values, int count, int expected);

/* NO_CONVERGENCE naming the part that moves without being deformed. */
SB_NODISCARD sb_status sb_rigid_blame(const sb_discrete *discrete,
                                      const sb_fem *fem,
                                      const sb_eigen_result *modes, int zeros,
                                      int expected, sb_error *err);

#endif
