/* runtime/model/grid/grid.h -- the closed-form shapes as meshes, so that every
 * method can be tried on one object.
 *
 * Axes and (u, v) are those of shape.h. Triangles are near-equilateral, as
 * springs need them. `resolution` is the number of edges along the longest
 * side, across a disk, or around a ring, 1 .. 2000; narrow shapes get more,
 * so that triangles stay compact.
 *
 * Thread: control, workers. Memory: the meshes are the caller's.
 */
#ifndef SB_MODEL_GRID_GRID_H
#define SB_MODEL_GRID_GRID_H

#include "runtime/model/fem/fem.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/shape.h"

/* Bar, plate, disk: the middle surface, y = 0, facing up. Ring: the outside of
 * the wire, closed. BAD_ARGUMENT for other kinds and for a shape that
 * sb_shape_check refuses. */
SB_NODISCARD sb_status sb_grid_surface(const sb_shape *shape, int resolution,
                                       sb_mesh *out, sb_error *err);

/* The same shapes full. Rims of disks and rings are round: the middles of
 * their edges lie on the circle. */
SB_NODISCARD sb_status sb_grid_solid(const sb_shape *shape, int resolution,
                                     sb_solid_mesh *out, sb_error *err);

/* How the shape's support holds nodes at these places; BAD_ARGUMENT for kinds
 * without a grid.
 *
 * Clamped: all nodes of a held end or edge, which of a solid is the whole face.
 * Pinned: only those at half the thickness, y = 0; the faces above and below
 * may turn about them. The line is held in all directions: bending does not
 * stretch it, but modes that do (along, or sideways in the plane) are those of
 * a body that cannot slide. A bar of springs or shell is hinged likewise. */
SB_NODISCARD sb_status sb_grid_holds(const sb_shape *shape,
                                     const sb_vec3 *nodes, int count,
                                     sb_hold *holds);

#endif
