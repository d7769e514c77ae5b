/* SPDX-License-Identifier: MIT */
/* runtime/model/moments.h -- mass and inertia of the volume that a surface
 * encloses, or of a sheet.
 *
 * Integrals of 1, x and x x' over the body, added up face by face: exact for
 * straight faces. Unit density.
 *
 * Thread: any.
 */
#pragma once

#include "runtime/base/vec3.h"

typedef struct sb_moments {
    double volume;
    double first[3];
    double second[6]; /* xx yy zz xy yz zx */
} sb_moments;

/* Add a triangle: of a sheet of this thickness or, if `thickness_m` is 0, of a
 * closed surface. The latter adds the tetrahedron between it and the origin,
 * and all of them add up to the enclosed volume. */
void sb_moments_add(sb_moments *sum, const sb_vec3 corners[3],
                    double thickness_m);

/* The centre, and the inertia about it (xx yy zz xy yz zx) times `scale`. */
void sb_moments_inertia(const sb_moments *sum, double scale, sb_vec3 *centre_m,
                        double inertia_m5[6]);

/* The largest entry of an inverse inertia, 1/(kg m^2): a steel ball of 10 um
 * has 1e20. Beyond it a body has no size, and does not turn. */
#define SB_INVERSE_INERTIA_MOST 1e30

/* The inverse of a symmetric matrix xx yy zz xy yz zx; zeros if it is
 * singular, or larger than SB_INVERSE_INERTIA_MOST. */
void sb_moments_invert(const double m[6], double out[6]);
