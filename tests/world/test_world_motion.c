/* SPDX-License-Identifier: MIT */
/* Motion of solids against closed forms (physics 2.6). */
#include "runtime/base/pi.h"
#include "runtime/world/tracker/contact_point.h"
#include "tests/world/world_fixture.h"

static const double G = 9.81, DEG = SB_PI / 180;

START_TEST(free_flight_is_a_parabola) {
    const double rates[] = {60, 240, 1000};
    for (int r = 0; r < 3; r++) {
        sb_world *world = world_at(rates[r]);
        sb_solid_def def = a_box((sb_vec3){.1, .2, .3}, (sb_vec3){1, 2, 3});
        def.pose.velocity = (sb_vec3){3, 4, -5};
        sb_solid_id id = put(world, &def);
        for (int n = 1; n <= 60; n++) {
            steps(world, 1);
            double t = n * sb_world_step_s(world);
            sb_pose pose = sb_world_pose(world, id);
            ck_assert_double_eq_tol(pose.position.x, 1 + 3 * t, 1e-12);
            ck_assert_double_eq_tol(pose.position.y, 2 + 4 * t - G * t * t / 2,
                                    1e-12);
            ck_assert_double_eq_tol(pose.velocity.y, 4 - G * t, 1e-12);
        }
        sb_world_destroy(world);
    }
}
END_TEST

/* The reported first impacts of a ball that falls from 1 m. */
typedef struct impact {
    double time_s, speed;
} impact;

static int drop(double rate_hz, const sb_solid_def *ground, double radius,
                double height, impact *impacts, int most, double *rest_s) {
    sb_world *world = world_at(rate_hz);
    put(world, ground);
    sb_solid_def def = a_ball(radius, (sb_vec3){0, height + radius, 0});
    def.restitution = .64; /* the ground's is 1: e = .8 */
    put(world, &def);
    int count = 0;
    double h = sb_world_step_s(world);
    *rest_s = 0;
    while ((double)sb_world_steps(world) * h < 4.5) {
        double start = (double)sb_world_steps(world) * h;
        steps(world, 1);
        int n = 0;
        const sb_contact_point *touch = sb_world_contact_points(world, &n);
        for (int i = 0; i < n; i++) {
            if (touch[i].approach_m_s <= 3 * G * h) continue;
            *rest_s = start + touch[i].time_s;
            if (count == most) continue;
            impacts[count].time_s = start + touch[i].time_s;
            impacts[count++].speed = touch[i].approach_m_s;
        }
    }
    sb_world_destroy(world);
    return count;
}

static void check_bounces(double rate_hz, const sb_solid_def *ground,
                          double radius, double late_s, double loose) {
    const double times[] = {.451524,  1.173961, 1.751912,
                            2.214272, 2.584160, 2.880071};
    const double speeds[] = {4.42945, 3.54356, 2.83485, 2.26788};
    impact impacts[6] = {0};
    double rest_s = 0;
    int count = drop(rate_hz, ground, radius, 1, impacts, 6, &rest_s);
    ck_assert_int_eq(count, 6);
    for (int i = 0; i < 6; i++)
        ck_assert_msg(fabs(impacts[i].time_s - times[i]) < late_s,
                      "%g Hz: impact %d at %.6f s, not %.6f", rate_hz, i,
                      impacts[i].time_s, times[i]);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(fabs(impacts[i].speed / speeds[i] - 1) < loose,
                      "%g Hz: impact %d at %.6f m/s, not %.6f", rate_hz, i,
                      impacts[i].speed, speeds[i]);
    ck_assert_msg(rest_s < 4.064 && rest_s > 3.6, "%g Hz: last impact at %g s",
                  rate_hz, rest_s);
}

START_TEST(a_ball_bounces_as_restitution_says) {
    sb_solid_def ground = a_floor(0);
    check_bounces(1000, &ground, .02, 5e-4, 3e-3);
    check_bounces(240, &ground, .02, 2e-3, 1e-2);
}
END_TEST

START_TEST(a_ball_bounces_on_a_table_as_on_the_floor) {
    sb_solid_def table = a_box((sb_vec3){1, .02, 1}, (sb_vec3){0, -.01, 0});
    table.motion = SB_MOTION_FIXED;
    table.restitution = 1;
    check_bounces(1000, &table, .02, 5e-4, 3e-3);
    check_bounces(1000, &table, .003, 5e-4, 3e-3);
    check_bounces(240, &table, .01, 2e-3, 1e-2);
}
END_TEST

/* Acceleration on a slope of 10 degrees, from the speed after 1 s. */
static double acceleration(double rate_hz, sb_solid_def def, double friction) {
    sb_world *world = world_at(rate_hz);
    sb_solid_def ground = a_floor(10);
    put(world, &ground);
    def.friction = friction * friction;
    def.restitution = 0;
    sb_vec3 up = {-sin(10 * DEG), cos(10 * DEG), 0};
    def.pose.position = sb_vec3_scale(up, def.pose.position.y);
    sb_solid_id id = put(world, &def);
    seconds(world, 1);
    sb_pose pose = sb_world_pose(world, id);
    double speed = sb_vec3_length(pose.velocity);
    double way = sb_vec3_length(sb_vec3_sub(pose.position, def.pose.position));
    sb_world_destroy(world);
    ck_assert_msg(fabs(2 * way / speed - 1) < 5e-3,
                  "%g m after 1 s, but %g m/s", way, speed);
    return speed;
}

static void check_slope(double got, double exact, double loose,
                        const char *what) {
    ck_assert_msg(fabs(got / exact - 1) < loose, "%s: %g m/s^2, not %g", what,
                  got, exact);
}

START_TEST(things_roll_and_slide_down_a_slope) {
    const double rates[] = {240, 1000};
    for (int r = 0; r < 2; r++) {
        sb_solid_def ball = a_ball(.05, (sb_vec3){0, .05, 0});
        sb_solid_def box = a_box((sb_vec3){.1, .05, .1}, (sb_vec3){0, .025, 0});
        box.pose.rotation = sb_quat_about((sb_vec3){0, 0, 1}, 10 * DEG);
        sb_solid_def hoop = a_ring(.05, .0005, (sb_vec3){0, .0505, 0});
        hoop.pose.rotation = sb_quat_about((sb_vec3){1, 0, 0}, 90 * DEG);
        check_slope(acceleration(rates[r], ball, 1), 1.21678, .005, "ball");
        check_slope(acceleration(rates[r], hoop, 1), .85174, .01, "hoop");
        check_slope(acceleration(rates[r], box, .1), .73739, .01, "box");
    }
}
END_TEST

/* Two balls that collide in the air, at all fractions of a step. */
START_TEST(two_balls_keep_momentum_and_part_by_restitution) {
    for (int n = 0; n < 10; n++) {
        sb_world *world = world_at(240);
        sb_world_set_gravity(world, (sb_vec3){0, -G, 0});
        sb_solid_def def = a_ball(.02, (sb_vec3){0, 5, 0});
        def.restitution = .7;
        def.mass_kg = .1;
        def.pose.velocity.x = 3;
        sb_solid_id a = put(world, &def);
        double gap = .1 + .0013 * n;
        def.pose.position.x = .04 + gap;
        def.pose.velocity.x = -1;
        def.mass_kg = .3;
        def.user = 2;
        sb_solid_id b = put(world, &def);
        int count = 0;
        while (count == 0) {
            steps(world, 1);
            (void)sb_world_contact_points(world, &count);
        }
        double h = sb_world_step_s(world);
        const sb_contact_point *touch = sb_world_contact_points(world, &count);
        double at = (double)(sb_world_steps(world) - 1) * h + touch->time_s;
        ck_assert_double_eq_tol(at, gap / 4, 1e-6);
        ck_assert_double_eq_tol(touch->approach_m_s, 4, 1e-9);
        /* m v (1 + e), m the reduced mass */
        ck_assert_double_eq_tol(touch->impulse_ns, .075 * 4 * 1.7, 1e-6);
        ck_assert_double_eq_tol(touch->normal.x, -1, 1e-9);
        sb_pose p = sb_world_pose(world, a), q = sb_world_pose(world, b);
        ck_assert_double_eq_tol(.1 * p.velocity.x + .3 * q.velocity.x, 0,
                                1e-12);
        ck_assert_double_eq_tol(q.velocity.x - p.velocity.x, 2.8, 1e-6);
        double t = (double)sb_world_steps(world) * h;
        ck_assert_double_eq_tol(q.position.x - p.position.x - .04,
                                2.8 * (t - at), 1e-5);
        ck_assert_double_eq_tol(p.position.y, 5 - G * t * t / 2, 1e-9);
        sb_world_destroy(world);
    }
}
END_TEST

/* Two balls of 1 m/s each collide; returns the fraction of their speed that
 * is left. */
static double bounce_of(double a, bool a_says, double b, bool b_says) {
    sb_world *world = world_at(500);
    sb_world_set_gravity(world, (sb_vec3){0, 0, 0});
    sb_solid_def left = a_ball(.05, (sb_vec3){-.2, 0, 0});
    sb_solid_def right = a_ball(.05, (sb_vec3){.2, 0, 0});
    left.pose.velocity.x = 1, right.pose.velocity.x = -1;
    left.restitution = a, left.given.restitution = a_says;
    right.restitution = b, right.given.restitution = b_says;
    sb_solid_id id = put(world, &left);
    put(world, &right);
    seconds(world, .4);
    double kept = -sb_world_pose(world, id).velocity.x;
    sb_world_destroy(world);
    return kept;
}

START_TEST(who_says_its_restitution_is_heeded) {
    ck_assert_double_eq_tol(bounce_of(.8, false, .2, false), .4, 1e-6);
    ck_assert_double_eq_tol(bounce_of(.8, true, .2, false), .8, 1e-6);
    ck_assert_double_eq_tol(bounce_of(.8, false, .2, true), .2, 1e-6);
    ck_assert_double_eq_tol(bounce_of(.8, true, .2, true), .4, 1e-6);
}
END_TEST

START_TEST(an_elastic_ball_keeps_its_height) {
    const double rates[] = {240, 1000};
    for (int r = 0; r < 2; r++) {
        sb_world *world = world_at(rates[r]);
        sb_solid_def ground = a_floor(0);
        put(world, &ground);
        sb_solid_def def = a_ball(.02, (sb_vec3){0, 1.02, 0});
        def.restitution = 1;
        sb_solid_id id = put(world, &def);
        for (int n = 0; n < 10 * (int)rates[r]; n++) {
            steps(world, 1);
            sb_pose p = sb_world_pose(world, id);
            double energy = G * (p.position.y - .02) +
                            sb_vec3_dot(p.velocity, p.velocity) / 2;
            ck_assert_double_eq_tol(energy / G, 1, 2e-3);
        }
        sb_world_destroy(world);
    }
}
END_TEST

START_TEST(rolling_friction_brakes_a_ball) {
    sb_world *world = world_at(1000);
    sb_solid_def ground = a_floor(0);
    ground.rolling = .04;
    put(world, &ground);
    sb_solid_def def = a_ball(.05, (sb_vec3){0, .05, 0});
    def.rolling = .01;
    def.restitution = 0;
    def.pose.velocity.x = 1;
    def.pose.spin.z = -20;
    sb_solid_id id = put(world, &def);
    seconds(world, 2);
    /* 5/7 c g, c = .02 the geometric mean */
    ck_assert_double_eq_tol(sb_world_pose(world, id).velocity.x,
                            1 - 5. / 7 * .02 * G * 2, 5e-3);
    sb_world_destroy(world);
}
END_TEST

/* A cylinder on its side is thrown onto a table: it grips, and no blow takes spin
 * from it; then it slows down as its radius says, whatever its length. */
START_TEST(a_cylinder_lands_on_a_table_and_rolls) {
    const double radii[] = {.015, .006, .04}, lengths[] = {.2, .05, .02};
    for (int i = 0; i < 3; i++) {
        double r = radii[i], c = .01;
        sb_world *world = world_at(1000);
        sb_solid_def table = a_box((sb_vec3){3, .02, 1}, (sb_vec3){1, -.01, 0});
        table.motion = SB_MOTION_FIXED;
        put(world, &table);
        sb_solid_def def = a_ball(r, (sb_vec3){0, r + .2, 0});
        def.collider = sb_collider_cylinder(r, lengths[i]);
        def.pose.rotation = sb_quat_about((sb_vec3){1, 0, 0}, SB_PI / 2);
        def.pose.velocity.x = .7;
        def.restitution = .4;
        def.rolling = c;
        def.given.restitution = def.given.rolling = true;
        sb_solid_id id = put(world, &def);
        seconds(world, .25);
        ck_assert_double_eq_tol(sb_world_pose(world, id).spin.z, -.7 / 1.5 / r,
                                1e-3 * .7 / 1.5 / r);
        seconds(world, .75);
        double v = sb_world_pose(world, id).velocity.x;
        seconds(world, .5);
        sb_pose pose = sb_world_pose(world, id);
        ck_assert_double_eq_tol(pose.velocity.x, v - .5 * c * G / 1.5, 1e-4);
        ck_assert_double_eq_tol(pose.spin.z, -pose.velocity.x / r, 1e-3 / r);
        sb_world_destroy(world);
    }
}
END_TEST

/* Without gravity and contacts: rotation about the intermediate axis is
 * unstable. */
START_TEST(what_tumbles_keeps_its_energy) {
    sb_world *world = world_at(1000);
    sb_world_set_gravity(world, (sb_vec3){0, 0, 0});
    sb_solid_def def = a_box((sb_vec3){.1, .2, .3}, (sb_vec3){0, 0, 0});
    def.mass_kg = 12;
    def.pose.spin = (sb_vec3){.01, 10, .01};
    sb_solid_id id = put(world, &def);
    const sb_vec3 inertia = {.13, .1, .05};
    double first = 0, least = 10;
    for (int n = 0; n < 3000; n++) {
        steps(world, 1);
        sb_pose pose = sb_world_pose(world, id);
        sb_vec3 w = sb_quat_turn_back(pose.rotation, pose.spin);
        double energy = inertia.x * w.x * w.x + inertia.y * w.y * w.y +
                        inertia.z * w.z * w.z;
        if (n == 0) first = energy;
        least = fmin(least, w.y);
        ck_assert_msg(fabs(energy / first - 1) < .03, "step %d: %g of it left",
                      n, energy / first);
    }
    ck_assert_double_lt(least, -9); /* it has turned over */
    sb_world_destroy(world);
}
END_TEST

/* --- which solids collide ------------------------------------------------- */

static bool is_touched(sb_world *world, uint32_t user) {
    int count;
    const sb_contact_point *points = sb_world_contact_points(world, &count);
    for (int i = 0; i < count; i++) {
        if (points[i].user[0] == user || points[i].user[1] == user) return true;
    }
    return false;
}

/* 81 balls rest on a plate of any size. */
START_TEST(a_plate_is_met_everywhere) {
    enum { SIDE = 9, FIRST = 2 };
    double side = 0.1 * (_i + 2);
    sb_world *world = world_at(1000);
    sb_solid_def plate =
        a_box((sb_vec3){side, 0.01, side}, (sb_vec3){0, 0.1, 0});
    plate.motion = SB_MOTION_FIXED;
    put(world, &plate);
    for (int i = 0; i < SIDE * SIDE; i++) {
        sb_vec3 at = {side * (i % SIDE - 4) / SIDE, 0.1149,
                      side * (i / SIDE - 4) / SIDE};
        sb_solid_def ball = a_ball(0.01, at);
        ball.user = (uint32_t)i + FIRST;
        put(world, &ball);
    }
    steps(world, 1);
    for (int i = 0; i < SIDE * SIDE; i++)
        ck_assert_msg(is_touched(world, (uint32_t)i + FIRST),
                      "ball %d lies on nothing", i);
    sb_world_destroy(world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_motion");
    TCase *motion = tcase_create("motion");
    tcase_add_test(motion, free_flight_is_a_parabola);
    tcase_add_test(motion, a_ball_bounces_as_restitution_says);
    tcase_add_test(motion, a_ball_bounces_on_a_table_as_on_the_floor);
    tcase_add_test(motion, things_roll_and_slide_down_a_slope);
    tcase_add_test(motion, two_balls_keep_momentum_and_part_by_restitution);
    tcase_add_test(motion, who_says_its_restitution_is_heeded);
    tcase_add_test(motion, an_elastic_ball_keeps_its_height);
    tcase_add_test(motion, rolling_friction_brakes_a_ball);
    tcase_add_test(motion, a_cylinder_lands_on_a_table_and_rolls);
    tcase_add_test(motion, what_tumbles_keeps_its_energy);
    tcase_add_loop_test(motion, a_plate_is_met_everywhere, 0, 12);
    suite_add_tcase(suite, motion);
    return run_suite(suite);
}
