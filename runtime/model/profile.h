/* SPDX-License-Identifier: MIT */
/* runtime/model/profile.h -- the wall of a body of revolution, cut by a half
 * plane through its axis.
 *
 * A profile is a list of points (r, y) in the middle of the wall, joined by
 * straight lines (curves are made of many: revolve/outline.h), each with the
 * thickness t of the wall there; between points the thickness varies linearly.
 * Turned about y it is the body.
 *
 * Thread: any. Immutable once made.
 * Memory: retain and release count users; the last release frees it.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_profile_point {
    double r, y, t; /* m */
} sb_profile_point;

/* A script gives 2 to this many points; a curve through them has more. */
enum { SB_PROFILE_MOST = 256 };

typedef struct sb_profile sb_profile;

/* Copies the points, at least two; `second` is which of them the script gave
 * as its second. NO_MEMORY. */
SB_NODISCARD sb_status sb_profile_create(const sb_profile_point *points,
                                         int count, int second,
                                         sb_profile **out, sb_error *err);
sb_profile *sb_profile_retain(const sb_profile *profile);
void sb_profile_release(const sb_profile *profile); /* NULL is allowed */

int sb_profile_count(const sb_profile *profile);
int sb_profile_second(const sb_profile *profile);
const sb_profile_point *sb_profile_points(const sb_profile *profile);

/* The lengths of `b` over those of `a` if both differ in size only (to 1e-9);
 * else 0. */
double sb_profile_ratio(const sb_profile *a, const sb_profile *b);
