/* SPDX-License-Identifier: MIT */
/* tests/bench/motion/motion_mesh.h -- small meshes for bench motion.
 *
 * Thread: control. Memory: the caller releases the source.
 */
#pragma once

#include "runtime/model/mesh_source.h"

/* The part of a sphere about the origin within `angle_rad` of its lowest point:
 * an open bowl of `rings` rings of `sectors` vertices. */
SB_NODISCARD sb_status motion_cap_mesh(double radius, double angle_rad,
                                       int rings, int sectors,
                                       sb_mesh_source **out, sb_error *err);
/* A closed cone with its tip at the origin and its base below. */
SB_NODISCARD sb_status motion_cone_mesh(double radius, double height,
                                        int sectors, sb_mesh_source **out,
                                        sb_error *err);
/* A double pyramid over a triangle, about `radius` in size. */
SB_NODISCARD sb_status motion_gem_mesh(double radius, sb_mesh_source **out,
                                       sb_error *err);
