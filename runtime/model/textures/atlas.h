/* SPDX-License-Identifier: MIT */
/* runtime/model/textures/atlas.h -- texture coordinates for a mesh.
 *
 * The surface is cut into charts: from the largest face that is left, over
 * edges, as far as faces have nearly the same normal. A chart is projected
 * along that direction, so its faces shrink by the cosine of their angle to it;
 * a face that would overlap another one of the same chart starts a new chart.
 * Charts are rotated to need little room and placed in rows, the highest first,
 * all at the same scale.
 *
 * Thread: control, workers. The same mesh gives the same bits.
 * Memory: sb_atlas_free frees the coordinates.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_mesh sb_mesh;

typedef struct sb_atlas {
    float (*uvs)[3][2]; /* one (u, v) per corner, 0 .. 1 */
    int chart_count;
    double margin; /* between charts, of the square's side */
    double used;   /* share of the square that faces cover */
} sb_atlas;

SB_NODISCARD sb_status sb_atlas_make(const sb_mesh *mesh, sb_atlas *out,
                                     sb_error *err);
void sb_atlas_free(sb_atlas *atlas); /* an empty one is allowed */
