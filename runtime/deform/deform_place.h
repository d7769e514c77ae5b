/* runtime/deform/deform_place.h -- points of triangles; private.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_DEFORM_DEFORM_PLACE_H
#define SB_DEFORM_DEFORM_PLACE_H

#include "runtime/base/vec3.h"

/* The shares of corners in the point of a triangle nearest to p, and its
 * distance. Shares that are not inside are exactly 0. */
double deform_shares(const sb_vec3 corners[3], sb_vec3 p, double shares[3]);

#endif
