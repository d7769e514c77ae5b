/* SPDX-License-Identifier: MIT */
/* tests/world/world_fixture.h -- builds small worlds, one line each. */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static inline sb_world *world_at(double rate_hz) {
    sb_world_def def = sb_world_def_default();
    def.rate_hz = rate_hz;
    sb_world *world = NULL;
    sb_error err = {0};
    ck_assert_msg(sb_world_create(&def, &world, &err) == SB_OK, "%s",
                  err.message);
    return world;
}

static inline sb_solid_id put(sb_world *world, const sb_solid_def *def) {
    sb_solid_id id = {0, 0};
    sb_error err = {0};
    ck_assert_msg(sb_world_add(world, def, &id, &err) == SB_OK, "%s",
                  err.message);
    return id;
}

/* In kg; 0: not free. */
static inline double mass_of(const sb_world *world, sb_solid_id id) {
    return world->solids[sb_world_find(world, id)].mass.mass_kg;
}

static inline double inverse_mass_of(const sb_world *world, sb_solid_id id,
                                     sb_vec3 point, sb_vec3 direction) {
    const sb_solid *solid = &world->solids[sb_world_find(world, id)];
    if (solid->motion != SB_MOTION_FREE) return 0.0;
    sb_vec3 n = sb_vec3_normalised(direction);
    sb_vec3 arm = sb_vec3_cross(sb_vec3_sub(point, solid->position), n);
    return solid->inverse_mass +
           sb_vec3_dot(arm, sb_sym_times(solid->inverse_inertia, arm));
}

/* Free, at the origin. */
static inline sb_solid_def default_solid(void) {
    return (sb_solid_def){.motion = SB_MOTION_FREE,
                          .pose = sb_pose_default(),
                          .density = 1000.0,
                          .restitution = 0.5,
                          .friction = 0.5};
}

static inline void steps(sb_world *world, int count) {
    sb_error err = {0};
    for (int i = 0; i < count; i++)
        ck_assert_msg(sb_world_step(world, &err) == SB_OK, "%s", err.message);
}

static inline void seconds(sb_world *world, double time_s) {
    steps(world, (int)round(time_s / sb_world_step_s(world)));
}

/* The half-space below y = 0, rotated about z by `slope_deg`. */
static inline sb_solid_def a_floor(double slope_deg) {
    sb_solid_def def = default_solid();
    def.motion = SB_MOTION_FIXED;
    def.collider.kind = SB_COLLIDER_FLOOR;
    def.pose.rotation =
        sb_quat_about((sb_vec3){0, 0, 1}, slope_deg * SB_PI / 180);
    def.restitution = 1;
    def.friction = 1;
    return def;
}

static inline sb_solid_def a_ball(double radius, sb_vec3 position) {
    sb_solid_def def = default_solid();
    def.collider.kind = SB_COLLIDER_SPHERE;
    def.collider.radius = radius;
    def.pose.position = position;
    def.user = 1;
    return def;
}

static inline sb_solid_def a_box(sb_vec3 sides, sb_vec3 position) {
    sb_solid_def def = default_solid();
    def.collider.kind = SB_COLLIDER_BOX;
    def.collider.width = sides.x;
    def.collider.height = sides.y;
    def.collider.depth = sides.z;
    def.pose.position = position;
    def.user = 1;
    return def;
}

static inline sb_solid_def a_ring(double radius, double wire,
                                  sb_vec3 position) {
    sb_solid_def def = default_solid();
    def.collider.kind = SB_COLLIDER_RING;
    def.collider.radius = radius;
    def.collider.wire_radius = wire;
    def.collider.is_smooth = true;
    def.pose.position = position;
    def.user = 1;
    return def;
}
