/* runtime/model/grid/grid_full.h -- spheres, boxes and cylinders in elements.
 *
 * A box is cut into cells, a cylinder into layers of a disk. A ball is made of
 * shells: one triangulated sphere, of many sizes, and tetrahedra between each
 * and the next, so that none has two faces on the outside, which would be bent
 * flat against each other there. Middles of edges lie on the round surface.
 *
 * Thread: control, workers. Memory: the mesh is the caller's.
 */
#ifndef SB_MODEL_GRID_GRID_FULL_H
#define SB_MODEL_GRID_GRID_FULL_H

#include "runtime/model/fill/fill.h"
#include "runtime/model/shape.h"

/* `elements` is their number along the longest side; 0: as many as make the
 * lowest modes right to less than 1 % and are solved in about a second.
 * BAD_ARGUMENT for other kinds and for absurd numbers. */
SB_NODISCARD sb_status sb_grid_full(const sb_shape *shape, int elements,
                                    sb_solid_mesh *out, sb_error *err);

#endif
