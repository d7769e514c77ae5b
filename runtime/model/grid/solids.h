/* runtime/model/grid/solids.h -- spheres, boxes and cylinders as tetrahedra.
 *
 * A box is cut into cells, a cylinder into layers of a disk. A ball is made of
 * shells: one triangulated sphere in several sizes, and tetrahedra between each
 * and the next, so that no tetrahedron has two faces on the outside, where both
 * would be bent into one smooth surface. Middles of edges lie on the round
 * surface.
 *
 * `elements` is their number along the longest side; 0: as many as make the
 * lowest modes right to less than 1 % and are solved in about a second.
 * The shape has been checked. BAD_ARGUMENT for too many elements, NO_MEMORY.
 *
 * Thread: control, workers. Memory: the mesh belongs to the caller.
 */
#ifndef SB_MODEL_GRID_SOLIDS_H
#define SB_MODEL_GRID_SOLIDS_H

#include "runtime/model/fill/fill.h"
#include "runtime/model/shape.h"

SB_NODISCARD sb_status sb_grid_box(const sb_shape *shape, int elements,
                                   sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_cylinder(const sb_shape *shape, int elements,
                                        sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_ball(const sb_shape *shape, int elements,
                                    sb_solid_mesh *out, sb_error *err);

/* The outside of a box with sides along x, y, z, cut into cells[i] per side. */
SB_NODISCARD sb_status sb_grid_box_surface(const double sides_m[3],
                                           const int cells[3], sb_mesh *out,
                                           sb_error *err);

#endif
