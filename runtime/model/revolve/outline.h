/* SPDX-License-Identifier: MIT */
/* runtime/model/revolve/outline.h -- a profile as a curve: lengths along it,
 * normals, the outer side, mass; cut into elements; and through points.
 *
 * v is the length along the profile over its whole length, 0 at its first and
 * 1 at its last point. The outer side is the one away from the axis on the
 * average (for a bell or a bowl the convex one), the upper side of a flat
 * profile.
 *
 * Symbols: r, y a point in the middle of the wall; t its thickness.
 * Thread: any. Memory: an outline borrows the points.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/profile.h"

#include <stdbool.h>

typedef struct sb_outline {
    int count;
    int second; /* the point that the script gave as its second */
    const sb_profile_point *points;
    double length_m;
    double outward; /* +1: the outer normal is (dy, -dr) / ds; or -1 */
    bool starts_on_axis, ends_on_axis;
    bool is_ring; /* its last point is its first one */
} sb_outline;

/* How the first and the last ring of a profile are held. */
typedef enum sb_rim {
    SB_RIM_FREE,
    SB_RIM_CLAMPED,
    /* Round and in its plane, but free to move along the axis and to lean. */
    SB_RIM_PINNED
} sb_rim;

/* A wall turned about y. A first ring on the axis is held up to the second
 * point. */
typedef struct sb_turned_def {
    const sb_profile_point *points; /* those of the profile, or `two` */
    int count, second;
    sb_rim first, last;
    sb_profile_point two[2]; /* for walls that are straight */
} sb_turned_def;

sb_outline sb_outline_of(const sb_profile_point *points, int count, int second);

/* Without border: it encloses air. */
bool sb_outline_is_closed(const sb_outline *outline);

/* A place on the curve. `normal` is the outer one, `tangent` points along it;
 * each is (r, y). */
typedef struct sb_outline_place {
    int segment;
    double r, y, t;
    double tangent[2], normal[2];
} sb_outline_place;

sb_outline_place sb_outline_at(const sb_outline *outline, double v);
double sb_outline_nearest(const sb_outline *outline, double r, double y);

/* The angle by which the direction changes at an inner point, radians. */
double sb_outline_turn(const sb_outline *outline, int point);

/* Of unit density: volume, height of its centre, moments of inertia about the
 * axis and about a horizontal line through the centre; and the area of both
 * faces and the rims. */
typedef struct sb_outline_mass {
    double volume_m3, centre_m, axial_m5, across_m5, area_m2;
} sb_outline_mass;

sb_outline_mass sb_outline_weigh(const sb_outline *outline);

/* A profile cut into elements.
 *
 * Elements have three nodes in the middle of the wall. At each node a director
 * crosses the wall: the normal of the profile, or the mean of two normals where
 * the profile bends by less than SB_MERIDIAN_FOLD. At a sharper fold both
 * sides have their own director: the wall turns about the fold as one, but what
 * leans along the fold on one side does not on the other. */

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

/* A smooth curve through the points of a profile.
 *
 * A polygon in place of a curve is softer than it: a sphere of twelve straight
 * pieces by 13 %. So points are joined by arcs: where the profile turns by at
 * most SB_MERIDIAN_FOLD (40 degrees) both arcs there have one tangent, shared
 * out so that points on a circle give that circle, and so that a piece much
 * longer than its neighbour stays straight; where it turns more it has a fold.
 * On the axis a profile that is nearly level is level. */

typedef struct sb_profile sb_profile;
/* Pieces that an arc is at most divided into. */
enum { SB_SMOOTH_PIECES = 24 };

/* The curve as straight pieces that turn by about two degrees each; `out` has
 * room for (count - 1) * SB_SMOOTH_PIECES + 1 points. Returns their number;
 * `second` receives where the second of `points` is among them. */
int sb_profile_smooth(const sb_profile_point *points, int count,
                      sb_profile_point *out, int *second);

/* The same as a profile. NO_MEMORY. */
SB_NODISCARD sb_status sb_profile_create_curve(const sb_profile_point *points,
                                               int count, sb_profile **out,
                                               sb_error *err);
