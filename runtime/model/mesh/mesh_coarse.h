/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/mesh_coarse.h -- a surface with fewer vertices.
 *
 * Edges are collapsed, the cheapest first, one vertex onto the other: those
 * that stay are vertices of the fine surface, so that what is given at the vertices can be
 * carried over. The cost of an edge is
 *
 *     length^2 + 100 (mean square distance of the kept vertex from the planes of
 *                    the faces that either has taken over),
 *
 * so that edges become equally long, and creases, corners and the free edge of
 * a sheet stay. Collapses that would turn a face over, make an edge much longer
 * than the others, or change how the surface hangs together are left out.
 *
 * The surface is then blown up, each vertex along its normal, to the volume
 * that it had, a sheet to that of the cone from its middle: corners that lie on
 * a curved surface enclose too little, and a tube's air would be 10 dB off near
 * its resonances.
 *
 * The diagonals of flat rectangles, of grids, are turned to point to the middle,
 * so that a symmetric surface has a symmetric mesh.
 *
 * Vertices at the same place count as one. Closed parts that look inward are
 * cavities, and are left out.
 *
 * Thread: control, workers. Memory: sb_coarse_free.
 * Source: Garland and Heckbert, Surface simplification using quadric error
 *         metrics, 1997.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_coarse {
    int vertex_count, face_count;
    int32_t *origins; /* the number of each vertex on the fine surface */
    float (*vertices)[3];
    int32_t (*faces)[3]; /* as they were seen */
    bool is_sheet;       /* all of its parts have a free edge */
    double edge_m;       /* root of the mean square of its edges */
} sb_coarse;

/* At most `most` vertices, if they can be had. BAD_FORMAT, with the reason, for
 * a surface with edges of three faces or more, with faces that look to both
 * sides, or with both closed parts and sheets. NO_MEMORY. */
SB_NODISCARD sb_status sb_coarse_make(const float (*vertices)[3],
                                      int vertex_count,
                                      const int32_t (*faces)[3], int face_count,
                                      int most, sb_coarse *out, sb_error *err);
void sb_coarse_free(sb_coarse *coarse); /* an empty one is allowed */
