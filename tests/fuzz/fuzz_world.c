/* SPDX-License-Identifier: MIT */
/* tests/fuzz/fuzz_world.c -- random worlds: solids of all kinds and sizes,
 * joints, pushes, places, removals and rays, from the documented ranges.
 *
 * No step may take long, crash, or leave a pose that is not finite. Blows in a
 * jam have a budget (world_blow.c). */
#include "runtime/base/clock.h"
#include "runtime/world/world_internal.h"
#include "tests/fuzz/bytes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SOLIDS = 24, STEPS = 60 };

/* Processor time of one step, far above that of a heap of so few solids. */
#define LONGEST_STEP_S 2.0

static void demand(bool is_so, const char *what) {
    if (is_so) return;
    (void)fprintf(stderr, "a world broke its word: %s\n", what);
    abort();
}

static sb_vec3 take_vector(fuzz_bytes *b, double least, double most) {
    double x = take_signed(b, least, most), y = take_signed(b, least, most);
    return (sb_vec3){x, y, take_signed(b, least, most)};
}

static sb_pose take_pose(fuzz_bytes *b, double farthest) {
    sb_pose pose = sb_pose_default();
    pose.position = take_vector(b, 1e-4, farthest);
    pose.velocity = take_vector(b, 1e-3, take_byte(b) % 4 ? 20 : 9e5);
    pose.spin = take_vector(b, 1e-2, take_byte(b) % 4 ? 100 : 9e5);
    pose.rotation = sb_quat_about(
        (sb_vec3){1, take_signed(b, .1, 10), take_signed(b, .1, 10)},
        take_signed(b, .01, 10));
    return pose;
}

static sb_solid_def take_solid(fuzz_bytes *b) {
    static const sb_collider_kind kinds[] = {
        SB_COLLIDER_SPHERE,  SB_COLLIDER_BOX,  SB_COLLIDER_CYLINDER,
        SB_COLLIDER_CAPSULE, SB_COLLIDER_RING, SB_COLLIDER_FLOOR};
    bool is_usual = take_byte(b) % 2;
    double least = is_usual ? .01 : 1e-5, most = is_usual ? .3 : 1e3;
    sb_solid_def def = {.motion = (sb_motion)take_below(b, 3),
                        .pose = take_pose(b, is_usual ? 1 : 1e5),
                        .density = take_log(b, 1, 2e4),
                        .restitution = take_below(b, 101) / 100.0,
                        .friction = take_log(b, 1e-3, 10),
                        .rolling = take_below(b, 11) / 1000.0};
    def.collider.kind = kinds[take_below(b, 6)];
    def.collider.radius = take_log(b, least, most);
    def.collider.wire_radius = take_log(b, least, most);
    def.collider.width = take_log(b, least, most);
    def.collider.height = take_log(b, least, most);
    def.collider.depth = take_log(b, least, most);
    def.collider.length = take_log(b, least, most);
    if (take_byte(b) % 3 == 0) def.mass_kg = take_log(b, 1e-9, 1e9);
    if (def.collider.kind == SB_COLLIDER_FLOOR) def.motion = SB_MOTION_FIXED;
    return def;
}

static void take_joint(fuzz_bytes *b, sb_world *world, const sb_solid_id *ids,
                       int count) {
    sb_world_joint_def def = {.kind = (sb_joint_kind)take_below(b, 3),
                              .anchor = take_vector(b, 1e-3, 10),
                              .axis = take_vector(b, .1, 1),
                              .has_limits = take_byte(b) % 2,
                              .low = -take_log(b, 1e-3, 10),
                              .high = take_log(b, 1e-3, 10),
                              .friction = take_log(b, 1e-6, 1e6)};
    sb_world_joint_id id;
    def.solid[0] = ids[take_below(b, count)];
    if (take_byte(b) % 3) def.solid[1] = ids[take_below(b, count)];
    (void)!sb_world_add_joint(world, &def, &id, NULL);
}

static void disturb(fuzz_bytes *b, sb_world *world, const sb_solid_id *ids,
                    int count) {
    sb_solid_id id = ids[take_below(b, count)];
    sb_vec3 v = take_vector(b, 1e-6, 1e6), point = take_vector(b, 1e-3, 10);
    sb_ray_hit hit;
    switch (take_below(b, 4)) {
    case 0:
        sb_world_push(world, id, v, take_byte(b) % 2 ? &point : NULL);
        break;
    case 1: {
        sb_pose pose = take_pose(b, 1e5);
        sb_world_place(world, id, &pose);
        break;
    }
    case 2:
        sb_world_set_gravity(world, take_vector(b, 1e-3, 1e3));
        break;
    default:
        if (sb_world_raycast(world, point, v, take_log(b, 1e-3, 1e6), 7, &hit))
            demand(isfinite(hit.distance_m), "a ray of no length");
    }
}

/* Points that may be struck in a step of the world: what is saved up, what is
 * earned, and for every pair four iterations of 32 points per substep. */
static void check_knocks(const sb_world *world, long long before) {
    double most = 1e6 + 1e7 * world->step_s +
                  4.0 * 32.0 * world->substeps_now * world->pair_count;
    demand((double)(world->blows.count - before) <= most, "a jam hangs");
}

static void step(sb_world *world) {
    double began_s = sb_clock_thread_s();
    long long knocks = world->blows.count;
    sb_error err = {0};
    if (sb_world_step(world, &err))
        demand(err.status == SB_NO_MEMORY, err.message);
    demand(sb_clock_thread_s() - began_s < LONGEST_STEP_S, "a step hangs");
    check_knocks(world, knocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    fuzz_bytes b = {bytes, bytes + count};
    sb_world_def world_def = sb_world_def_default();
    world_def.rate_hz = take_log(&b, 60, 2000);
    sb_world *world = NULL;
    if (sb_world_create(&world_def, &world, NULL)) return 0;
    sb_solid_id ids[MOST_SOLIDS];
    int solids = 0, wanted = 1 + take_below(&b, MOST_SOLIDS);
    for (int i = 0; i < wanted; i++) {
        sb_solid_def def = take_solid(&b);
        solids += !sb_world_add(world, &def, &ids[solids], NULL);
    }
    int joints = take_below(&b, 8);
    for (int i = 0; i < joints && solids > 0; i++)
        take_joint(&b, world, ids, solids);
    for (int i = 0; i < STEPS && solids > 0; i++) {
        step(world);
        if (take_byte(&b) % 8 == 1) disturb(&b, world, ids, solids);
    }
    for (int i = 0; i < solids; i++) {
        sb_vec3 at = sb_world_pose(world, ids[i]).position;
        demand(isfinite(at.x + at.y + at.z), "a pose that is not finite");
    }
    sb_world_destroy(world);
    return 0;
}
