/* SPDX-License-Identifier: MIT */
/* runtime/model/grid/grid.h -- generated meshes: sheets, spheres, boxes,
 * cylinders, rings of wire and walls of revolution.
 *
 * A sheet lies in the x-z plane about the origin, its thickness along y: a
 * plate, a disk, a bar. It becomes triangles in its middle surface or, swept
 * along its thickness, tetrahedra. Triangles are near-equilateral, as springs
 * need them. A box is cut into cells, a cylinder into layers of a disk. A ball
 * consists of shells: one triangulated sphere in several sizes, with tetrahedra
 * between consecutive ones, so that no tetrahedron has two faces on the
 * surface, where both would be curved into one smooth surface. Mid-edge nodes
 * lie on the round surface.
 *
 * Thread: control, workers. Memory: the meshes belong to the caller.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/grain.h"
#include "runtime/model/shape.h"

#include <stdbool.h>

typedef struct sb_mesh sb_mesh;
typedef struct sb_outline sb_outline;
typedef struct sb_solid_mesh sb_solid_mesh;

/* --- plane triangle meshes, and the solids swept from them; sb_flat_free frees
 * the arrays --- */

typedef struct sb_flat {
    int vertex_count;
    int face_count;
    double (*vertices)[2]; /* (a, b) */
    int (*faces)[3];       /* counter-clockwise, a to the right, b up */
    double radius;         /* of a disk; 0: straight edges */
} sb_flat;

/* The same rectangle as along x rows cells, each cut in two by alternating
 * diagonals. For long cells right triangles are better than equilateral
 * ones. */
SB_NODISCARD sb_status sb_flat_cells(double width, double depth, int along,
                                     int rows, sb_flat *out, sb_error *err);
/* Disk about the origin: a hexagonal lattice whose rings are made circular;
 * ring k has 6 k vertices. */
SB_NODISCARD sb_status sb_flat_disk(double radius, int rings, sb_flat *out,
                                    sb_error *err);
void sb_flat_free(sb_flat *flat);

/* The position of (a, b) at fraction c, 0 .. 1, of the sweep. */
typedef sb_vec3 (*sb_flat_place)(const void *context, double a, double b,
                                 double c);

/* The solid swept by `flat`: `layers` layers of prisms, three tetrahedra
 * each. Mid-edge nodes lie where `place` puts them, those of a disk's rim on
 * the rim, so that round bodies are round. Closed: c = 1 coincides with c =
 * 0, which needs at least three layers. BAD_ARGUMENT for too many vertices. */
SB_NODISCARD sb_status sb_flat_sweep(const sb_flat *flat, int layers,
                                     bool is_closed, sb_flat_place place,
                                     const void *context, sb_solid_mesh *out,
                                     sb_error *err);

/* --- sheets --- */

typedef struct sb_sheet {
    double x_m, z_m; /* sides; for a disk, its diameter */
    double radius_m; /* for a disk; 0: a rectangle */
    double thickness_m;
    bool holds_sides; /* a support holds all four sides, not only the ends */
    int least_rows;   /* least cells along z for solids; 0: 1 */
    int least_layers; /* least cells along y; 0: 1 */
} sb_sheet;

/* Default number of elements along the longer side of a solid. */
enum { SB_SHEET_SOLID_ELEMENTS = 40 };

/* The middle surface, y = 0, facing up. (u, v) run along x and z.
 * `resolution` is the number of edges along the longer side, at least 1. */
SB_NODISCARD sb_status sb_sheet_surface(const sb_sheet *sheet, int resolution,
                                        sb_mesh *out, sb_error *err);

/* The same of a rectangle in right triangles, two across at least. */
SB_NODISCARD sb_status sb_sheet_cells(const sb_sheet *sheet, int resolution,
                                      sb_mesh *out, sb_error *err);

/* The same body as a solid. Rims of disks are round: the mid-edge nodes lie
 * on the circle. */
SB_NODISCARD sb_status sb_sheet_solid(const sb_sheet *sheet, sb_support support,
                                      sb_grain grain, sb_solid_mesh *out,
                                      sb_error *err);

/* The constraint that `support` puts on a node at this position. Clamped:
 * all nodes of a held end or edge; for a solid, of the whole face. Pinned:
 * only those at half the thickness, y = 0, so that the face can rotate about
 * them. That line is fixed in all directions. Bending does not stretch it,
 * but longitudinal and in-plane modes are those of a body that cannot slide.
 * Bars of springs or shell elements are hinged likewise. */
sb_hold sb_sheet_hold(const sb_sheet *sheet, sb_support support, sb_vec3 at);

/* --- spheres, boxes, cylinders ---
 *
 * The grain's elements are along the longest side; 0: enough for errors below
 * 1 % in the lowest modes, solved in about a second. The shape must have been
 * checked. BAD_ARGUMENT for too many elements, NO_MEMORY. */

SB_NODISCARD sb_status sb_grid_box(const sb_shape *shape, sb_grain grain,
                                   sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_cylinder(const sb_shape *shape, sb_grain grain,
                                        sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_ball(const sb_shape *shape, sb_grain grain,
                                    sb_solid_mesh *out, sb_error *err);

/* The surface of a box with sides along x, y, z, cut into cells[i] per side. */
SB_NODISCARD sb_status sb_grid_box_surface(const double sides_m[3],
                                           const int cells[3], sb_mesh *out,
                                           sb_error *err);

/* --- rings of wire, walls of revolution --- */

/* The shape is a ring that has been checked. `resolution` is the number of
 * edges around it; at least 24 are made. */
SB_NODISCARD sb_status sb_grid_ring_surface(const sb_shape *ring,
                                            int resolution, sb_mesh *out,
                                            sb_error *err);
SB_NODISCARD sb_status sb_grid_ring_solid(const sb_shape *ring, sb_grain grain,
                                          sb_solid_mesh *out, sb_error *err);

/* Of a wall of revolution: its middle, facing outward, with (u, v) of shape.h.
 * Edges round the widest ring and along the profile are about 1 / `resolution`
 * of the longer of its height and its width; every point of the profile has a
 * ring of vertices unless such rings are closer than half. NO_MEMORY. */
SB_NODISCARD sb_status sb_grid_turned(const sb_outline *outline, int resolution,
                                      sb_mesh *out, sb_error *err);
