/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/directions.h -- directions in which far fields are taken.
 *
 * Lebedev's 86 points of degree 15, as 43 pairs of opposite directions: means
 * over them are exact for far fields of up to the 7th order. They are rotated
 * away from the axes, where symmetric bodies have their nodal planes.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/base/vec3.h"

enum { SB_DIRECTION_PAIRS = 43 };

typedef struct sb_direction {
    sb_vec3 unit;
    double weight; /* of it, and of its opposite; all 86 sum to 1 */
} sb_direction;

/* One direction of each pair. */
void sb_directions(sb_direction pairs[SB_DIRECTION_PAIRS]);
