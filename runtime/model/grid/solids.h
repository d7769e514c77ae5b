/* runtime/model/grid/solids.h -- spheres, boxes and cylinders as tetrahedra.
 *
 * A box is cut into cells, a cylinder into layers of a disk. A ball consists of
 * shells: one triangulated sphere in several sizes, with tetrahedra between
 * consecutive ones, so that no tetrahedron has two faces on the surface, where
 * both would be curved into one smooth surface. Mid-edge nodes lie on the
 * round surface.
 *
 * `elements` is their number along the longest side; 0: enough for errors
 * below 1 % in the lowest modes, solved in about a second. The shape must have
 * been checked. BAD_ARGUMENT for too many elements, NO_MEMORY.
 *
 * Thread: control, workers. Memory: the mesh belongs to the caller.
 */
#ifndef SB_MODEL_GRID_SOLIDS_H
#define SB_MODEL_GRID_SOLIDS_H

#include "runtime/base/status.h"
#include "runtime/model/grain.h"

typedef struct sb_mesh sb_mesh;
typedef struct sb_shape sb_shape;
typedef struct sb_solid_mesh sb_solid_mesh;

SB_NODISCARD sb_status sb_grid_box(const sb_shape *shape, int elements,
                                   sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_cylinder(const sb_shape *shape, int elements,
                                        sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_ball(const sb_shape *shape, int elements,
                                    sb_solid_mesh *out, sb_error *err);

/* The same by a grain. */
SB_NODISCARD sb_status sb_grid_fine_box(const sb_shape *shape, sb_grain grain,
                                        sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_fine_cylinder(const sb_shape *shape,
                                             sb_grain grain, sb_solid_mesh *out,
                                             sb_error *err);
SB_NODISCARD sb_status sb_grid_fine_ball(const sb_shape *shape, sb_grain grain,
                                         sb_solid_mesh *out, sb_error *err);

/* The surface of a box with sides along x, y, z, cut into cells[i] per side. */
SB_NODISCARD sb_status sb_grid_box_surface(const double sides_m[3],
                                           const int cells[3], sb_mesh *out,
                                           sb_error *err);

#endif
