/* SPDX-License-Identifier: MIT */
/* runtime/world/collider_choice.h -- the shape that a body has for collisions.
 *
 * Derived from its shape, or given. Local axes are the shape's (shape.h): y up.
 *
 *   shape                                  collider
 *   sphere, rigid with a radius            sphere
 *   box, bar, plate, rectangular membrane  box
 *   cylinder, disk, round membrane         cylinder, its axis along y
 *   string                                 capsule along x
 *   ring                                   a ring of capsules in the x-z plane
 *   mesh                                   its convex hull; a free concave body
 *                                          can select its triangles instead
 *   floor                                  the half-space below y = 0
 *   modes by hand, rigid without a radius  none: nothing collides with it
 *
 * Thread: any. Memory: plain values; a mesh is borrowed from the shape.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/collider.h"

typedef struct sb_shape sb_shape;

const char *sb_collider_kind_name(sb_collider_kind kind);

/* The collider of a shape, which may be free. Never AUTO. A mesh is its hull;
 * one with hollows, or a flat open one, which has no hull, collides with its
 * faces. */
sb_collider sb_collider_of(const sb_shape *shape);

/* Is it a mesh with borders, a sheet? */
bool sb_collider_is_open(const sb_shape *shape);

/* BAD_ARGUMENT names a size that is missing, not finite or outside 1e-5 ..
 * 1e3 m, or reports a hull or mesh collider for a shape without a mesh. */
SB_NODISCARD sb_status sb_collider_check(const sb_collider *collider,
                                         const sb_shape *shape, sb_error *err);
