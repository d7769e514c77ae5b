/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/inside.h -- how thick the inside of a closed surface is.
 *
 * From points spread evenly over the area a ray runs inward along the normal to
 * the opposite side. The median of their lengths is the thickness: at half of
 * the area, at least, the inside is that thin. A bar or a plate has its
 * thickness, since its narrow sides are less than half of its area; a tube has
 * its wall, a ball its diameter, a box with nearly equal sides one of them. The
 * measure turns and scales with the surface.
 *
 * Thread: control, workers. Memory: none is kept.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_mesh sb_mesh;

/* The mesh must be closed and clean (mesh.h). 0 if no ray meets an opposite
 * side. NO_MEMORY. */
SB_NODISCARD sb_status sb_inside_measure(const sb_mesh *mesh,
                                         double *thickness_m, sb_error *err);
