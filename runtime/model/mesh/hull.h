/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/hull.h -- the convex hull of points.
 *
 * Thread: any but audio.
 * Memory: sb_hull_free.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

typedef struct sb_hull {
    sb_vec3 *points;
    int (*corners)[3]; /* of its faces, facing outward */
    int point_count, face_count;
} sb_hull;

/* Exact up to 256 points or extreme points; of more, with 128 corners.
 * BAD_ARGUMENT if the points lie in a plane; NO_MEMORY. */
SB_NODISCARD sb_status sb_hull_make(const sb_vec3 *points, int count,
                                    sb_hull *out, sb_error *err);
void sb_hull_free(sb_hull *hull); /* leaves it empty */
