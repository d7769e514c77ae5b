/* runtime/model/revolve/outline.h -- a profile as a curve: lengths along it,
 * normals, the outer side, mass.
 *
 * v is the length along the profile over its whole length, 0 at its first and
 * 1 at its last point. The outer side is the one away from the axis on the
 * average (for a bell or a bowl the convex one), the upper side of a flat
 * profile.
 *
 * Symbols: r, y a point in the middle of the wall; t its thickness.
 * Thread: any. Memory: an outline borrows the points.
 */
#ifndef SB_MODEL_REVOLVE_OUTLINE_H
#define SB_MODEL_REVOLVE_OUTLINE_H

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

#endif
