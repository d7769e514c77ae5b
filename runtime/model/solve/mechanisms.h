/* SPDX-License-Identifier: MIT */
/* runtime/model/solve/mechanisms.h -- motions without deformation: how many a
 * body should have, and how many its matrices have.
 *
 * A free part has six such motions, a part that is held at some nodes fewer.
 * Eigenvalues below 1e-6 of the first one above them count as zero.
 *
 * Thread: control, workers.
 */
#pragma once

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

/* Triangles that share edges form a piece. A vertex of a shell carries moments:
 * a piece on two vertices would be joined with a stiffness that depends on the
 * size of the triangles there, where the real body has a hinge. One on a single
 * vertex is cut off when the mesh is cleaned. NO_CONVERGENCE naming the
 * smallest piece that is not held and hangs on two points; in solids and
 * springs sb_rigid_blame finds such pieces. */
SB_NODISCARD sb_status sb_hanging_check(const sb_discrete *discrete,
                                        sb_error *err);
