/* runtime/model/solve/deform_cut.h -- the mesh of a deformable body.
 *
 * Every element is computed in every step, and the smallest one decides how
 * long a step is, so the mesh is coarser than one for modes: one layer of
 * tetrahedra through bars and plates, right triangles on rectangles. `elements`
 * is along the longest side; by default bars are within 1 % of their pitch and
 * plates within 1.5 %.
 *
 * Thread: control, workers. Memory: sb_discrete_free.
 */
#ifndef SB_MODEL_SOLVE_DEFORM_CUT_H
#define SB_MODEL_SOLVE_DEFORM_CUT_H

#include "runtime/model/solve/discrete.h"

/* Errors as sb_discrete_make. */
SB_NODISCARD sb_status sb_deform_cut(const sb_shape *shape, sb_discrete *out,
                                     sb_error *err);

#endif
