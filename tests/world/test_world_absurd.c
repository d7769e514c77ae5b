/* SPDX-License-Identifier: MIT */
/* Absurd, invalid, too fast or too many solids. */
#include "runtime/base/memory.h"
#include "tests/world/world_fixture.h"

static const double G = 9.81;

START_TEST(nothing_goes_through_a_plate) {
    const double rates[] = {240, 1000}, speeds[] = {5, 20, 50};
    for (int r = 0; r < 2; r++)
        for (int v = 0; v < 3; v++)
            for (int kind = 0; kind < 12; kind++) {
                sb_world *world = world_at(rates[r]);
                sb_solid_def plate =
                    a_box((sb_vec3){20, .002, 20}, (sb_vec3){0, -.001, 0});
                plate.motion = SB_MOTION_FIXED;
                if (kind >= 6) plate = a_floor(0);
                put(world, &plate);
                sb_vec3 at = {0, 1.003 + .01 * kind, 0};
                sb_solid_def def = a_ball(.005, at);
                if (kind % 3 == 1) def = a_box((sb_vec3){.02, .01, .03}, at);
                if (kind % 3 == 2) def = a_ring(.03, .004, at);
                double side = kind % 2 ? .5 : 0;
                def.pose.velocity = (sb_vec3){side * speeds[v], -speeds[v], 0};
                def.pose.rotation = sb_quat_about((sb_vec3){1, 1, 0}, kind);
                sb_solid_id id = put(world, &def);
                for (int n = 0; n < (int)(.4 * rates[r]); n++) {
                    steps(world, 1);
                    double y = sb_world_pose(world, id).position.y;
                    ck_assert_msg(y > -.005, "kind %d at %g m/s, %g Hz: %g m",
                                  kind, speeds[v], rates[r], y);
                }
                sb_world_destroy(world);
            }
}
END_TEST

START_TEST(the_lost_are_told_once) {
    const sb_vec3 pushes[] = {
        {NAN, 0, 0}, {INFINITY, 0, 0}, {1e300, 0, 0}, {0, 1e7, 0}};
    for (int i = 0; i < 4; i++) {
        sb_world *world = world_at(1000);
        sb_solid_def ground = a_floor(0);
        put(world, &ground);
        sb_solid_def def = a_ball(.1, (sb_vec3){0, .1, 0});
        sb_solid_id id = put(world, &def), lost = {0, 0};
        def.pose.position.x = .15;
        sb_solid_id other = put(world, &def);
        steps(world, 10);
        sb_vec3 point = {0, .2, 0};
        sb_world_push(world, id, pushes[i], i % 2 ? &point : NULL);
        steps(world, 1000);
        ck_assert(sb_world_next_lost(world, &lost));
        ck_assert_uint_eq(lost.index, id.index);
        ck_assert(!sb_world_next_lost(world, &lost));
        ck_assert(isfinite(sb_world_pose(world, id).position.y));
        ck_assert(isfinite(sb_world_pose(world, other).position.y));
        sb_pose home = sb_pose_default();
        home.position.y = 1;
        sb_world_place(world, id, &home);
        steps(world, 100);
        ck_assert_double_eq_tol(sb_world_pose(world, id).position.y,
                                1 - G * .01 / 2, 1e-9);
        home.position.y = NAN;
        sb_world_place(world, id, &home);
        steps(world, 10);
        ck_assert(sb_world_next_lost(world, &lost));
        sb_world_destroy(world);
    }
}
END_TEST

START_TEST(one_may_be_lost_and_found_for_ever) {
    sb_world *world = world_at(1000);
    sb_solid_def def = a_ball(.1, (sb_vec3){0, .1, 0});
    sb_solid_id id = put(world, &def), lost = {0, 0};
    sb_pose home = def.pose, nowhere = def.pose;
    nowhere.position.x = NAN;
    for (int i = 0; i < 100; i++) {
        sb_world_place(world, id, &nowhere);
        sb_world_place(world, id, &home);
    }
    ck_assert(!sb_world_next_lost(world, &lost));
    sb_world_place(world, id, &nowhere);
    sb_world_place(world, id, &nowhere);
    ck_assert(sb_world_next_lost(world, &lost));
    ck_assert(!sb_world_next_lost(world, &lost));
    sb_world_place(world, id, &nowhere);
    sb_world_remove(world, id);
    ck_assert(!sb_world_next_lost(world, &lost));
    sb_world_destroy(world);
}
END_TEST

START_TEST(absurd_solids_neither_crash_nor_hang) {
    const double sizes[] = {1e-5, 1e-3, .1, 10, 1000};
    const double masses[] = {1e-9, 1e-3, 1e3, 1e9};
    sb_world *world = world_at(240);
    sb_solid_def ground = a_floor(0);
    put(world, &ground);
    for (int i = 0; i < 60; i++) {
        sb_solid_def def = a_ball(sizes[i % 5], (sb_vec3){0, .01, 0});
        if (i % 3 == 1) {
            double s = sizes[i % 5];
            def =
                a_box((sb_vec3){s, sizes[(i + 1) % 5], s}, (sb_vec3){0, 0, 0});
        }
        if (i % 3 == 2) {
            def.collider.kind = SB_COLLIDER_CAPSULE;
            def.collider.length = sizes[(i + 2) % 5];
        }
        def.mass_kg = masses[i % 4];
        def.pose.velocity = (sb_vec3){0, i % 7 ? -1 : -9e4, 0};
        def.pose.spin.z = i % 5 ? 0 : 5e4;
        put(world, &def);
    }
    steps(world, 60);
    ck_assert_int_eq(sb_world_count(world), 61);
    sb_world_destroy(world);
}
END_TEST

START_TEST(a_crowd_in_one_place_is_no_hang) {
    sb_world *world = world_at(240);
    for (int i = 0; i < 150; i++) {
        sb_solid_def def = a_box((sb_vec3){.1, .1, .1}, (sb_vec3){0, 0, 0});
        if (i % 3 == 1) def = a_ball(.1, (sb_vec3){0, 0, 0});
        if (i % 3 == 2) def = a_ring(.1, .01, (sb_vec3){0, 0, 0});
        put(world, &def);
    }
    steps(world, 5);
    int count = 0;
    (void)sb_world_contact_points(world, &count);
    ck_assert_int_le(count, 6100);
    for (int i = 0; i < 150; i++) {
        sb_solid_id id = {(uint32_t)i, 1}, lost;
        double speed = sb_vec3_length(sb_world_pose(world, id).velocity);
        ck_assert_msg(speed < 10, "solid %d flies off at %g m/s", i, speed);
        ck_assert(!sb_world_next_lost(world, &lost));
    }
    sb_world_destroy(world);
}
END_TEST

START_TEST(wrong_solids_are_named) {
    sb_world *world = world_at(1000);
    sb_solid_def wrong[9];
    for (int i = 0; i < 9; i++)
        wrong[i] = a_ball(.1, (sb_vec3){0, 0, 0});
    const char *says[] = {"pose",         "restitution",   "friction",
                          "radius",       "no mass",       "mass is",
                          "needs a mesh", "no valid kind", "rolling"};
    wrong[0].pose.position.x = NAN;
    wrong[1].restitution = 1.5;
    wrong[2].friction = -1;
    wrong[3].collider.radius = 1e-6;
    wrong[4].collider.kind = SB_COLLIDER_FLOOR;
    wrong[5].mass_kg = 1e10;
    wrong[6].collider.kind = SB_COLLIDER_HULL;
    wrong[7].collider.kind = SB_COLLIDER_AUTO;
    wrong[8].rolling = NAN;
    for (int i = 0; i < 9; i++) {
        sb_solid_id id = {5, 5};
        sb_error err = {0};
        ck_assert_int_eq(sb_world_add(world, &wrong[i], &id, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_msg(strstr(err.message, says[i]) != NULL, "%d: %s", i,
                      err.message);
        ck_assert_uint_eq(id.index, 5);
    }
    ck_assert_int_eq(sb_world_count(world), 0);
    sb_world_destroy(world);
}
END_TEST

START_TEST(ten_thousand_come_and_go) {
    sb_world *world = world_at(240);
    sb_solid_def ground = a_floor(0);
    put(world, &ground);
    long live = 0;
    sb_solid_id first = {0, 0};
    for (int i = 0; i < 10000; i++) {
        sb_solid_def def = a_ring(.1, .01, (sb_vec3){0, .2, 0});
        sb_solid_id id = put(world, &def);
        if (i == 0) first = id;
        if (i % 50 == 0) steps(world, 1);
        sb_world_remove(world, id);
        sb_world_remove(world, id);
        if (i == 100) live = sb_memory_live_blocks();
    }
    ck_assert_int_eq(sb_memory_live_blocks(), live);
    ck_assert(sb_world_find(world, first) < 0);
    ck_assert(sb_world_find(world, (sb_solid_id){0, 0}) < 0);
    ck_assert_int_eq(sb_world_count(world), 1);
    sb_world_destroy(world);
}
END_TEST

START_TEST(memory_may_fail_anywhere) {
    long before = sb_memory_live_blocks();
    for (long n = 0; n < 40; n++) {
        sb_memory_fail_after(n);
        sb_world_def def = sb_world_def_default();
        sb_world *world = NULL;
        sb_solid_id id;
        if (sb_world_create(&def, &world, NULL) == SB_OK) {
            sb_solid_def ground = a_floor(0),
                         ball = a_ball(.1, (sb_vec3){0, .09, 0});
            (void)!sb_world_add(world, &ground, &id, NULL);
            if (sb_world_add(world, &ball, &id, NULL) == SB_OK)
                (void)!sb_world_step(world, NULL);
            sb_world_destroy(world);
        }
        sb_memory_fail_after(-1);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
}
END_TEST

/* A ray along x meets the foremost point of a small solid however far away
 * it is: the collision library takes differences of squares, in which a ball
 * of 10 um at 1.5 km has no size. After a step of the world, too: the handlers
 * of the library's errors do not outlive the call that sets them. */
START_TEST(rays_meet_what_is_small_and_far) {
    const double size = 1e-5;
    const double far[] = {1e-3, 1.5, 150, 1.5e3, 1.5e5, 9e5};
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < 6; i++) {
            sb_world *world = world_at(1000);
            sb_vec3 at = {far[i], 0, 0};
            sb_solid_def def = a_ball(size, at);
            def.collider.kind = (sb_collider_kind[]){
                SB_COLLIDER_SPHERE, SB_COLLIDER_BOX, SB_COLLIDER_CYLINDER,
                SB_COLLIDER_CAPSULE}[kind];
            def.collider.width = def.collider.height = def.collider.depth =
                2 * size;
            def.collider.length = 2 * size;
            def.motion = SB_MOTION_FIXED;
            put(world, &def);
            sb_solid_def other = a_ball(.1, (sb_vec3){0, 5, 0});
            put(world, &other);
            double front = far[i] - (kind == 3 ? 2 * size : size);
            for (int n = 0; n < 2; n++) {
                sb_ray_hit hit = {0};
                sb_vec3 x = {1, 0, 0}, from = {0, 0, 0};
                ck_assert_msg(sb_world_raycast(world, from, x, 1e6, 77, &hit),
                              "kind %d, %g m: missed", kind, far[i]);
                ck_assert_double_eq_tol(hit.distance_m, front, .01 * size);
                ck_assert_double_eq_tol(hit.normal.x, -1, 1e-3);
                ck_assert(
                    !sb_world_raycast(world, from, x, front - size, 77, &hit));
                steps(world, 1);
            }
            sb_world_destroy(world);
        }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_absurd");
    TCase *absurd = tcase_create("absurd");
    tcase_add_test(absurd, nothing_goes_through_a_plate);
    tcase_add_test(absurd, the_lost_are_told_once);
    tcase_add_test(absurd, one_may_be_lost_and_found_for_ever);
    tcase_add_test(absurd, absurd_solids_neither_crash_nor_hang);
    tcase_add_test(absurd, a_crowd_in_one_place_is_no_hang);
    tcase_add_test(absurd, wrong_solids_are_named);
    tcase_add_test(absurd, ten_thousand_come_and_go);
    tcase_add_test(absurd, memory_may_fail_anywhere);
    tcase_add_test(absurd, rays_meet_what_is_small_and_far);
    suite_add_tcase(suite, absurd);
    return run_suite(suite);
}
