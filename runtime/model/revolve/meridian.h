/* runtime/model/revolve/meridian.h -- a profile cut into elements.
 *
 * Elements have three nodes in the middle of the wall. At each node a director
 * crosses the wall: the normal of the profile, or the mean of two normals where
 * the profile bends by less than SB_MERIDIAN_FOLD. At a sharper fold both
 * sides have their own director: the wall turns about the fold as one, but what
 * leans along the fold on one side does not on the other.
 *
 * Thread: any. Memory: sb_meridian_free frees the arrays.
 */
#ifndef SB_MODEL_REVOLVE_MERIDIAN_H
#define SB_MODEL_REVOLVE_MERIDIAN_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_outline sb_outline;

#define SB_MERIDIAN_FOLD 0.7 /* radians, 40 degrees */

typedef struct sb_meridian_node {
    double r, y; /* m */
    double at_m; /* along the profile */
} sb_meridian_node;

typedef struct sb_director {
    double unit[2];    /* across the wall, (r, y) */
    double tangent[2]; /* at right angles to it, along the profile */
    double wall_m;     /* length of the director */
    int lean;          /* which number describes its lean round the axis */
} sb_director;

typedef struct sb_meridian {
    int element_count;
    int node_count; /* 2 element_count + 1, or 1 less for a ring */
    int lean_count; /* node_count and one more for each fold */
    sb_meridian_node *nodes;
    sb_director (*directors)[3]; /* of each element's nodes */
    bool starts_on_axis, ends_on_axis;
    int held_nodes; /* up to the second point of the profile */
} sb_meridian;

/* Elements not longer than `element_m`, except that there are at least two.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_meridian_make(const sb_outline *outline,
                                        double element_m, sb_meridian *out,
                                        sb_error *err);
void sb_meridian_free(sb_meridian *meridian);

/* The node of the whole: j is 0, 1, 2. */
int sb_meridian_node_of(const sb_meridian *meridian, int element, int j);

#endif
