/* SPDX-License-Identifier: MIT */
/* Falling solids do not pass through others, and come to rest. */
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/world/tracker/contact_point.h"
#include "tests/world/world_fixture.h"

static const double G = 9.81;

static double some(sb_random *random, double most) {
    return most * (2 * sb_random_unit(random) - 1);
}

/* Random rotation and spin. */
static void toss(sb_random *random, sb_solid_def *def) {
    sb_vec3 axis = {some(random, 1), some(random, 1), some(random, 1)};
    def->pose.rotation = sb_quat_about(axis, some(random, 3));
    def->pose.spin =
        (sb_vec3){some(random, 6), some(random, 6), some(random, 6)};
    def->density = 8700;
    def->friction = .4;
    def->restitution = .7;
    def->rolling = .002;
}

static void drop_on_plate(sb_random *random, int kind, double height,
                          double plate_m) {
    sb_world *world = world_at(240);
    sb_solid_def plate =
        a_box((sb_vec3){900, plate_m, 900}, (sb_vec3){0, -.5 * plate_m, 0});
    plate.motion = SB_MOTION_FIXED;
    put(world, &plate);
    sb_vec3 at = {some(random, .1), height, some(random, .1)};
    sb_solid_def def = a_ring(.045, .003, at);
    if (kind == 1) def = a_box((sb_vec3){.06, .04, .05}, at);
    if (kind == 2) def = a_box((sb_vec3){.3, .002, .2}, at);
    toss(random, &def);
    sb_solid_id id = put(world, &def);
    double most_ns = 2 * mass_of(world, id) * sqrt(2 * G * (height + .1));
    for (int n = 0; n < 600; n++) {
        steps(world, 1);
        int count;
        const sb_contact_point *points = sb_world_contact_points(world, &count);
        double sum_ns = 0;
        for (int i = 0; i < count; i++)
            sum_ns += points[i].impulse_ns;
        ck_assert_msg(sum_ns <= most_ns, "kind %d from %g m: %g N s", kind,
                      height, sum_ns);
    }
    ck_assert_msg(sb_world_pose(world, id).position.y > 0,
                  "kind %d from %g m went through", kind, height);
    sb_world_destroy(world);
}

START_TEST(what_turns_fast_does_not_go_through_a_plate) {
    sb_random random = sb_random_make(7, 0);
    for (int n = 0; n < 40; n++)
        drop_on_plate(&random, n % 3, 1 + 19 * n / 39., n % 2 ? .01 : .02);
}
END_TEST

/* Time until all solids sleep; fails when they do not. */
static double rest_s(sb_world *world, double most_s, const char *what) {
    int n = (int)(most_s / sb_world_step_s(world));
    for (int i = 0; i < n; i++) {
        steps(world, 1);
        if (sb_world_awake_count(world) == 0) return i * sb_world_step_s(world);
    }
    ck_abort_msg("%s: %d are awake after %g s", what,
                 sb_world_awake_count(world), most_s);
    return 0;
}

/* A box from which nothing rolls out. */
static sb_world *a_tray(double rate_hz) {
    sb_world *world = world_at(rate_hz);
    sb_solid_def ground = a_floor(0);
    ground.restitution = ground.friction = .5;
    ground.rolling = .01;
    put(world, &ground);
    for (int i = 0; i < 4; i++) {
        double x = i < 2 ? .3 * (2 * i - 1) : 0,
               z = i < 2 ? 0 : .3 * (2 * i - 5);
        sb_solid_def wall =
            a_box((sb_vec3){i < 2 ? .1 : .7, .4, i < 2 ? .7 : .1},
                  (sb_vec3){x, .2, z});
        wall.motion = SB_MOTION_FIXED;
        put(world, &wall);
    }
    return world;
}

START_TEST(a_heap_of_rings_comes_to_rest) {
    for (int seed = 1; seed <= 2; seed++) {
        sb_random random = sb_random_make((uint64_t)seed, 0);
        sb_world *world = a_tray(seed == 2 ? 240 : 400);
        for (int i = 0; i < 12; i++) {
            sb_solid_def def =
                a_ring(.05, .004,
                       (sb_vec3){some(&random, .12), .1 + .06 * i,
                                 some(&random, .12)});
            toss(&random, &def);
            put(world, &def);
        }
        rest_s(world, 6, "rings");
        sb_world_destroy(world);
    }
}
END_TEST

/* A ring on other rings lies where their circles touch, not in between. */
START_TEST(a_ring_lies_on_rings) {
    sb_world *world = world_at(500);
    sb_solid_def ground = a_floor(0);
    put(world, &ground);
    sb_solid_id ids[3];
    for (int i = 0; i < 3; i++) {
        sb_solid_def def = a_ring(.05, .004, (sb_vec3){0, .005 + .01 * i, 0});
        def.pose.rotation = sb_quat_about((sb_vec3){0, 1, 0}, .3 * i);
        if (i == 2) def.pose.position.x = .04;
        def.restitution = 0;
        ids[i] = put(world, &def);
    }
    rest_s(world, 2, "a pile");
    for (int i = 0; i < 2; i++)
        ck_assert_double_eq_tol(sb_world_pose(world, ids[i]).position.y,
                                .004 + .008 * i, 1e-4);
    /* The third ring leans on the wire of the second. */
    sb_pose top = sb_world_pose(world, ids[2]);
    double least = INFINITY;
    for (int i = 0; i < 3600; i++) {
        double a = i * SB_PI / 1800;
        sb_vec3 p =
            sb_vec3_add(top.position,
                        sb_quat_turn(top.rotation,
                                     (sb_vec3){.05 * cos(a), 0, .05 * sin(a)}));
        double out = hypot(p.x, p.z) - .05, up = p.y - .012;
        least = fmin(least, hypot(out, up));
    }
    ck_assert_double_eq_tol(least, .008, 1e-4);
    sb_world_destroy(world);
}
END_TEST

/* A ball that rocks slightly between two slopes is at rest. A ball that
 * rolls slowly is not, nor is one that falls. */
START_TEST(what_rocks_by_a_hair_falls_asleep) {
    sb_world *world = world_at(400);
    sb_solid_def ground = a_floor(0);
    put(world, &ground);
    sb_solid_def def = a_ball(.05, (sb_vec3){0, .05, 0});
    def.pose.velocity.x = .012;
    def.pose.spin.z = -.24;
    sb_solid_id rolls = put(world, &def);
    def.pose.position.y = 1e4;
    sb_solid_id falls = put(world, &def);
    sb_solid_def slope = a_box((sb_vec3){.2, .02, .2}, (sb_vec3){0, 0, 0});
    slope.motion = SB_MOTION_FIXED;
    for (int i = -1; i <= 1; i += 2) {
        slope.pose.position = (sb_vec3){5 + i * .09, .1, 0};
        slope.pose.rotation = sb_quat_about((sb_vec3){0, 0, 1}, i * .3);
        put(world, &slope);
    }
    def.restitution = .9;
    def.pose.velocity.x = .02;
    def.pose.position = (sb_vec3){5, .15, 0};
    sb_solid_id rocks = put(world, &def);
    seconds(world, 3);
    ck_assert(sb_world_is_asleep(world, rocks));
    ck_assert(!sb_world_is_asleep(world, rolls));
    ck_assert(!sb_world_is_asleep(world, falls));
    sb_world_destroy(world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_rest");
    TCase *rest = tcase_create("rest");
    tcase_add_test(rest, what_turns_fast_does_not_go_through_a_plate);
    tcase_add_test(rest, a_heap_of_rings_comes_to_rest);
    tcase_add_test(rest, a_ring_lies_on_rings);
    tcase_add_test(rest, what_rocks_by_a_hair_falls_asleep);
    suite_add_tcase(suite, rest);
    return run_suite(suite);
}
