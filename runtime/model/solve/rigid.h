/* runtime/model/solve/rigid.h -- motions without deformation: how many a body
 * should have, and how many its matrices have.
 *
 * A free part has six such motions, a part that is held at some nodes fewer.
 * Eigenvalues below 1e-6 of the first one above them count as zero.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOLVE_RIGID_H
#define SB_MODEL_SOLVE_RIGID_H

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/solve/discrete.h"

/* The number expected, over all parts. */
SB_NODISCARD sb_status sb_rigid_expected(const sb_discrete *discrete,
                                         int *count, sb_error *err);

/* The number of eigenvalues that count as zero, at least `expected`. */
int sb_rigid_found(const double *values, int count, int expected);

/* NO_CONVERGENCE naming the part that moves without being deformed. */
SB_NODISCARD sb_status sb_rigid_blame(const sb_discrete *discrete,
                                      const sb_fem *fem,
                                      const sb_eigen_result *modes, int zeros,
                                      int expected, sb_error *err);

#endif
