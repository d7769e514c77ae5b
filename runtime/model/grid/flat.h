/* runtime/model/grid/flat.h -- triangles in a plane, and bodies swept by them.
 *
 * Thread: control, workers. Memory: sb_flat_free frees the arrays.
 */
#ifndef SB_MODEL_GRID_FLAT_H
#define SB_MODEL_GRID_FLAT_H

#include "runtime/model/fill/fill.h"

#include <stdbool.h>

typedef struct sb_flat {
    int vertex_count;
    int face_count;
    double (*vertices)[2]; /* (a, b) */
    int (*faces)[3];       /* counter-clockwise, a to the right, b up */
    double radius;         /* of a disk; 0: its edges are straight */
} sb_flat;

/* a from -width / 2, b from -depth / 2. Near-equilateral: rows of `along`
 * edges in the direction of a, every other one shifted by half an edge; `rows`
 * is even, so that all four sides of the rectangle look alike. */
SB_NODISCARD sb_status sb_flat_rectangle(double width, double depth, int along,
                                         int rows, sb_flat *out, sb_error *err);
/* The same rectangle in along x rows cells, each cut in two by diagonals that
 * alternate. Right angles suffer less than equal ones when a cell is long. */
SB_NODISCARD sb_status sb_flat_cells(double width, double depth, int along,
                                     int rows, sb_flat *out, sb_error *err);
/* About the origin: a hexagon's lattice with its rings drawn round, the k-th
 * with 6 k vertices. */
SB_NODISCARD sb_status sb_flat_disk(double radius, int rings, sb_flat *out,
                                    sb_error *err);
void sb_flat_free(sb_flat *flat);

/* Where (a, b) is when it has moved along by c, 0 .. 1. */
typedef sb_vec3 (*sb_place)(const void *context, double a, double b, double c);

/* The body that `flat` sweeps: `layers` layers of prisms, three tetrahedra
 * each. Middles of edges lie where `place` has them, those of a disk's rim on
 * the rim, so that the body is as round as the place is. Closed: c = 1 is
 * c = 0; needs three layers. BAD_ARGUMENT when the sizes are absurd. */
SB_NODISCARD sb_status sb_flat_sweep(const sb_flat *flat, int layers,
                                     bool is_closed, sb_place place,
                                     const void *context, sb_solid_mesh *out,
                                     sb_error *err);

/* Three tetrahedra of a prism with corners 0 1 2 and 3 4 5 above them. Each
 * side is cut from the lowest of its four vertices, which both prisms that
 * share it see alike. */
void sb_flat_split_prism(const int corners[6], int tets[3][4]);

#endif
