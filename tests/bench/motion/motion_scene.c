/* SPDX-License-Identifier: MIT */
#include "tests/bench/motion/motion_scene.h"

#include "runtime/world/tracker/contact_point.h"

#include <math.h>

motion_scene motion_open(double rate_hz, sb_error *err) {
    sb_world_def def = sb_world_def_default();
    def.rate_hz = rate_hz;
    motion_scene scene = {.err = err, .step_s = 1.0 / rate_hz};
    scene.status = sb_world_create(&def, &scene.world, err);
    return scene;
}

sb_status motion_close(motion_scene *scene) {
    sb_world_destroy(scene->world);
    scene->world = NULL;
    return scene->status;
}

sb_solid_id motion_put(motion_scene *scene, const sb_solid_def *def) {
    sb_solid_id id = {0, 0};
    if (!scene->status)
        scene->status = sb_world_add(scene->world, def, &id, scene->err);
    return id;
}

sb_pose motion_pose(const motion_scene *scene, sb_solid_id id) {
    return scene->status ? sb_pose_default() : sb_world_pose(scene->world, id);
}

bool motion_is_asleep(const motion_scene *scene, sb_solid_id id) {
    return !scene->status && sb_world_is_asleep(scene->world, id);
}

bool motion_step(motion_scene *scene) {
    if (!scene->status) scene->status = sb_world_step(scene->world, scene->err);
    return !scene->status;
}

double motion_time_s(const motion_scene *scene) {
    if (scene->status) return INFINITY;
    return (double)sb_world_steps(scene->world) * scene->step_s;
}

double motion_depth_m(const motion_scene *scene) {
    if (scene->status) return 0.0;
    int count = 0;
    double deepest = 0.0;
    const sb_contact_point *points =
        sb_world_contact_points(scene->world, &count);
    for (int i = 0; i < count; i++)
        deepest = fmax(deepest, points[i].depth_m);
    return deepest;
}

/* --- solids --------------------------------------------------------------- */

sb_solid_def motion_solid(sb_collider collider, sb_vec3 position) {
    sb_solid_def def = {.motion = SB_MOTION_FREE,
                        .pose = sb_pose_default(),
                        .collider = collider,
                        .density = 1000.0,
                        .restitution = 0.5,
                        .friction = 0.5,
                        .user = 1};
    def.pose.position = position;
    return def;
}

sb_solid_def motion_ring(double radius, double wire, sb_vec3 position) {
    return motion_solid((sb_collider){.kind = SB_COLLIDER_RING,
                                      .radius = radius,
                                      .wire_radius = wire,
                                      .is_smooth = true},
                        position);
}

sb_solid_def motion_floor(void) {
    sb_solid_def def = motion_solid((sb_collider){.kind = SB_COLLIDER_FLOOR},
                                    (sb_vec3){0.0, 0.0, 0.0});
    def.motion = SB_MOTION_FIXED;
    def.user = 0;
    return def;
}

double motion_some(sb_random *random, double most) {
    return most * (2.0 * sb_random_unit(random) - 1.0);
}

bool motion_is_linked(const sb_pose *a, const sb_pose *b, double radius) {
    sb_vec3 n = sb_quat_turn(b->rotation, (sb_vec3){0, 1, 0});
    sb_vec3 x = sb_quat_turn(a->rotation, (sb_vec3){radius, 0, 0});
    sb_vec3 z = sb_quat_turn(a->rotation, (sb_vec3){0, 0, radius});
    sb_vec3 from = sb_vec3_sub(a->position, b->position);
    /* Height over the plane of b: off + h cos(angle - phase). */
    double along = sb_vec3_dot(x, n), across = sb_vec3_dot(z, n);
    double h = hypot(along, across), off = sb_vec3_dot(from, n);
    if (fabs(off) >= h) return false;
    double phase = atan2(across, along), half = acos(-off / h);
    int inside = 0;
    for (int side = -1; side <= 1; side += 2) {
        double angle = phase + side * half;
        sb_vec3 at = sb_vec3_add(from, sb_vec3_scale(x, cos(angle)));
        at = sb_vec3_add(at, sb_vec3_scale(z, sin(angle)));
        if (sb_vec3_length(at) < radius) inside++;
    }
    return inside == 1;
}
