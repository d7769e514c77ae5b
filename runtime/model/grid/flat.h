/* runtime/model/grid/flat.h -- plane triangle meshes, and the solids swept
 * from them. Thread: control, workers. Memory: sb_flat_free frees the
 * arrays. */
#ifndef SB_MODEL_GRID_FLAT_H
#define SB_MODEL_GRID_FLAT_H

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>

typedef struct sb_solid_mesh sb_solid_mesh;

typedef struct sb_flat {
    int vertex_count;
    int face_count;
    double (*vertices)[2]; /* (a, b) */
    int (*faces)[3];       /* counter-clockwise, a to the right, b up */
    double radius;         /* of a disk; 0: straight edges */
} sb_flat;

/* Rectangle centred at the origin: a from -width / 2, b from -depth / 2.
 * Triangles are near-equilateral: rows of `along` edges in the direction of
 * a, every other row shifted by half an edge. `rows` is even, so that the
 * mesh is symmetric. */
SB_NODISCARD sb_status sb_flat_rectangle(double width, double depth, int along,
                                         int rows, sb_flat *out, sb_error *err);
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
typedef sb_vec3 (*sb_place)(const void *context, double a, double b, double c);

/* The solid swept by `flat`: `layers` layers of prisms, three tetrahedra
 * each. Mid-edge nodes lie where `place` puts them, those of a disk's rim on
 * the rim, so that round bodies are round. Closed: c = 1 coincides with c =
 * 0, which needs at least three layers. BAD_ARGUMENT for too many vertices. */
SB_NODISCARD sb_status sb_flat_sweep(const sb_flat *flat, int layers,
                                     bool is_closed, sb_place place,
                                     const void *context, sb_solid_mesh *out,
                                     sb_error *err);

/* Splits a prism with corners 0 1 2 below and 3 4 5 above into three
 * tetrahedra. Each side is cut from the lowest-numbered of its four
 * vertices, so that two prisms with a common side conform. */
void sb_flat_split_prism(const int corners[6], int tets[3][4]);

#endif
