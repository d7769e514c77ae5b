/* runtime/model/solve/hinged_pieces.h -- pieces of a sheet that hang on points.
 *
 * Triangles that share edges form a piece. A vertex of a shell carries moments:
 * a piece on two vertices would be joined with a stiffness that depends on the
 * size of the triangles there, where the real body has a hinge. One on a single
 * vertex is cut off when the mesh is cleaned.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOLVE_HINGED_PIECES_H
#define SB_MODEL_SOLVE_HINGED_PIECES_H

#include "runtime/model/solve/discrete.h"

/* NO_CONVERGENCE naming the smallest piece that is not held and hangs on two
 * points. In solids and springs rigid.h finds such pieces. */
SB_NODISCARD sb_status sb_hanging_check(const sb_discrete *discrete,
                                        sb_error *err);

#endif
