/* runtime/model/grid/sheet.h -- flat bodies of constant thickness as meshes.
 *
 * A sheet lies in the x-z plane about the origin, its thickness along y: a
 * plate, a disk, a bar. It becomes triangles in its middle surface or, swept
 * along its thickness, tetrahedra. Triangles are near-equilateral, as springs
 * need them.
 *
 * Thread: control, workers. Memory: the meshes belong to the caller.
 */
#ifndef SB_MODEL_GRID_SHEET_H
#define SB_MODEL_GRID_SHEET_H

#include "runtime/model/grain.h"
#include "runtime/model/shape.h"

typedef struct sb_mesh sb_mesh;
typedef struct sb_solid_mesh sb_solid_mesh;

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
                                      int resolution, sb_solid_mesh *out,
                                      sb_error *err);

SB_NODISCARD sb_status sb_sheet_fine_solid(const sb_sheet *sheet,
                                           sb_support support, sb_grain grain,
                                           sb_solid_mesh *out, sb_error *err);

/* The constraint that `support` puts on a node at this position. Clamped:
 * all nodes of a held end or edge; for a solid, of the whole face. Pinned:
 * only those at half the thickness, y = 0, so that the face can rotate about
 * them. That line is fixed in all directions. Bending does not stretch it,
 * but longitudinal and in-plane modes are those of a body that cannot slide.
 * Bars of springs or shell elements are hinged likewise. */
sb_hold sb_sheet_hold(const sb_sheet *sheet, sb_support support, sb_vec3 at);

#endif
