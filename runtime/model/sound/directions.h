/* runtime/model/sound/directions.h -- directions of far fields, and weights.
 *
 * Lebedev's 86 points of degree 15, as 43 pairs of opposite directions: means
 * over them are exact for far fields of up to the 7th order. They are rotated
 * away from the axes, where symmetric bodies have their nodal planes.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_MODEL_SOUND_DIRECTIONS_H
#define SB_MODEL_SOUND_DIRECTIONS_H

#include "runtime/base/vec3.h"

enum { SB_DIRECTION_PAIRS = 43 };

typedef struct sb_direction {
    sb_vec3 unit;
    double weight; /* of it, and of its opposite; all 86 sum to 1 */
} sb_direction;

void sb_directions(sb_direction pairs[SB_DIRECTION_PAIRS]);

#endif
