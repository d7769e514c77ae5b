/* runtime/model/revolve/smooth.h -- a smooth curve through the points of a
 * profile.
 *
 * A polygon in place of a curve is softer than it: a sphere of twelve straight
 * pieces by 13 %. So points are joined by arcs: where the profile turns by at
 * most SB_MERIDIAN_FOLD (40 degrees) both arcs there have one tangent, shared
 * out so that points on a circle give that circle, and so that a piece much
 * longer than its neighbour stays straight; where it turns more it has a fold.
 * On the axis a profile that is nearly level is level.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_MODEL_REVOLVE_SMOOTH_H
#define SB_MODEL_REVOLVE_SMOOTH_H

#include "runtime/base/status.h"

typedef struct sb_profile sb_profile;
typedef struct sb_profile_point sb_profile_point;

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

#endif
