/* runtime/model/solve/hanging.h -- pieces of a sheet that touch the rest in points.
 *
 * Triangles that share edges are a piece. A vertex of a shell carries moments,
 * so two pieces that meet in one would be as stiff as the triangles there
 * happen to be small: a joint made by the mesh, where the thing has a hinge.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOLVE_HANGING_H
#define SB_MODEL_SOLVE_HANGING_H

#include "runtime/model/solve/discrete.h"

/* NO_CONVERGENCE naming the smallest piece that is not held and hangs on one
 * or two points. Solids and springs are told by their motions (rigid.h). */
SB_NODISCARD sb_status sb_hanging_check(const sb_discrete *discrete,
                                        sb_error *err);

#endif
