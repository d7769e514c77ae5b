/* runtime/model/moments.h -- mass and inertia of what a surface encloses, or of
 * a sheet on it.
 *
 * Integrals of 1, x and x x' over the body, added up face by face: exact for
 * straight faces. Unit density.
 *
 * Thread: any.
 */
#ifndef SB_MODEL_MOMENTS_H
#define SB_MODEL_MOMENTS_H

#include "runtime/base/vec3.h"

typedef struct sb_moments {
    double volume;
    double first[3];
    double second[6]; /* xx yy zz xy yz zx */
} sb_moments;

/* `thickness_m` 0: the cone from the origin, so that a closed surface adds up
 * to its inside. */
void sb_moments_add(sb_moments *sum, const sb_vec3 corners[3],
                    double thickness_m);

/* The centre, and the inertia about it (xx yy zz xy yz zx) times `scale`. */
void sb_moments_inertia(const sb_moments *sum, double scale, sb_vec3 *centre_m,
                        double inertia_m5[6]);

/* The inverse of a symmetric matrix so given; zeros where there is none. */
void sb_moments_invert(const double m[6], double out[6]);

#endif
