/* SPDX-License-Identifier: MIT */
/* Events of the tracker for the contact points that the world's solver
 * reports. */
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/world/tracker/tracker.h"
#include "tests/world/world_fixture.h"

typedef struct heard {
    int impacts, begins, moves, ends;
    double last_s; /* of an impact or a move with a speed */
    double impact_s[32], speed_m_s[32], impulse_ns[32];
} heard;

static heard listen(sb_world *world, double time_s) {
    heard h = {0};
    double step_s = sb_world_step_s(world);
    sb_tracker_def def = {step_s, 9.81};
    sb_tracker *tracker = NULL;
    ck_assert_int_eq(sb_tracker_create(&def, &tracker, NULL), SB_OK);
    for (int n = 0; n * step_s < time_s; n++) {
        steps(world, 1);
        int count = 0, event_count = 0;
        const sb_contact_point *points = sb_world_contact_points(world, &count);
        const sb_tracked *e = NULL;
        if (sb_tracker_step(tracker, points, count, &e, &event_count, NULL))
            ck_abort_msg("no memory");
        for (int i = 0; i < event_count; i++) {
            double at = n * step_s + e[i].time_s;
            if (e[i].kind == SB_TRACKED_IMPACT && h.impacts < 32) {
                h.impact_s[h.impacts] = at;
                h.speed_m_s[h.impacts] = e[i].speed_m_s;
                h.impulse_ns[h.impacts] = e[i].impulse_ns;
            }
            h.impacts += e[i].kind == SB_TRACKED_IMPACT;
            h.begins += e[i].kind == SB_TRACKED_BEGIN;
            h.moves += e[i].kind == SB_TRACKED_MOVE;
            h.ends += e[i].kind == SB_TRACKED_END;
            if (e[i].kind == SB_TRACKED_IMPACT ||
                (e[i].kind == SB_TRACKED_MOVE && e[i].state != SB_RESTING))
                h.last_s = at;
        }
    }
    sb_tracker_destroy(tracker);
    return h;
}

static sb_world *world_with_floor(double rate_hz) {
    sb_world *world = world_at(rate_hz);
    sb_solid_def ground = a_floor(0);
    ground.user = 1000;
    (void)put(world, &ground);
    return world;
}

START_TEST(a_dropped_ball_keeps_its_times) {
    /* h = 1 m, e = 0.8: physics 2.6; at rest at 4.06 s. */
    const double times[] = {.451524,  1.173961, 1.751912,
                            2.214272, 2.584160, 2.880071};
    const double rates_hz[] = {240, 1000};
    for (int r = 0; r < 2; r++) {
        sb_world *world = world_with_floor(rates_hz[r]);
        sb_solid_def ball = a_ball(0.02, (sb_vec3){0, 1.02, 0});
        ball.restitution = 0.64; /* the geometric mean is used */
        ball.mass_kg = 0.3;
        (void)put(world, &ball);
        heard h = listen(world, 6);
        ck_assert_int_ge(h.impacts, 10);
        for (int i = 0; i < 6; i++) {
            double v = sqrt(2 * 9.81) * pow(0.8, i);
            ck_assert_double_eq_tol(h.impact_s[i], times[i], 2e-4);
            ck_assert_double_eq_tol(h.speed_m_s[i], v, 2e-3 * v);
            ck_assert_double_eq_tol(h.impulse_ns[i], 0.3 * v * 1.8, 2e-3 * v);
        }
        ck_assert_int_eq(h.begins, 1);
        ck_assert_double_lt(h.last_s, 4.1);
        sb_world_destroy(world);
    }
}
END_TEST

START_TEST(a_box_dropped_on_its_edge_falls_silent) {
    sb_world *world = world_with_floor(1000);
    sb_solid_def box = a_box((sb_vec3){0.1, 0.1, 0.1}, (sb_vec3){0, 0.2, 0});
    box.mass_kg = 1;
    box.pose.rotation = sb_quat_about((sb_vec3){0, 0, 1}, 0.6);
    (void)put(world, &box);
    heard h = listen(world, 4);
    ck_assert_int_ge(h.impacts, 4);
    ck_assert_int_le(h.impacts, 100);
    ck_assert_double_lt(h.last_s, 2.5);
    sb_world_destroy(world);
}
END_TEST

START_TEST(a_pile_falls_silent) {
    sb_world *world = world_with_floor(500);
    sb_random random = sb_random_make(3, 1);
    for (int i = 0; i < 20; i++) {
        double x = 0.03 * (sb_random_unit(&random) - 0.5);
        double z = 0.03 * (sb_random_unit(&random) - 0.5);
        sb_solid_def box =
            a_box((sb_vec3){0.06, 0.04, 0.05}, (sb_vec3){x, 0.1 + 0.07 * i, z});
        box.user = (uint32_t)(i + 1);
        box.mass_kg = 0.2;
        box.pose.rotation =
            sb_quat_about((sb_vec3){0, 0, 1}, 6 * sb_random_unit(&random));
        (void)put(world, &box);
    }
    heard h = listen(world, 7);
    ck_assert_int_ge(h.impacts, 20);
    ck_assert_int_ge(h.begins, 20);
    ck_assert_double_lt(h.last_s, 5);
    sb_world_destroy(world);
}
END_TEST

START_TEST(a_ball_rolls_down_and_over_both_alike) {
    /* 10 degrees: a = 5/7 g sin (physics 2.6). */
    sb_world *world = world_at(1000);
    sb_solid_def slope = a_floor(-10);
    slope.user = 1000;
    (void)put(world, &slope);
    double a = 10 * SB_PI / 180;
    sb_solid_def ball =
        a_ball(0.02, (sb_vec3){0.02 * sin(a), 0.02 * cos(a), 0});
    ball.mass_kg = 0.3;
    ball.friction = 1;
    (void)put(world, &ball);
    sb_tracker_def def = {1e-3, 9.81};
    sb_tracker *tracker = NULL;
    ck_assert_int_eq(sb_tracker_create(&def, &tracker, NULL), SB_OK);
    sb_tracked last = {0};
    for (int n = 0; n < 1000; n++) {
        steps(world, 1);
        int count = 0, event_count = 0;
        const sb_contact_point *points = sb_world_contact_points(world, &count);
        const sb_tracked *e = NULL;
        if (sb_tracker_step(tracker, points, count, &e, &event_count, NULL))
            ck_abort_msg("no memory");
        if (event_count > 0) last = e[event_count - 1];
    }
    ck_assert_int_eq(last.kind, SB_TRACKED_MOVE);
    ck_assert_int_eq(last.state, SB_ROLLING);
    for (int i = 0; i < 2; i++) { /* the low-pass delays by 5 ms */
        ck_assert_double_eq_tol(sb_vec3_length(last.surface_m_s[i]), 1.21678,
                                0.015);
    }
    ck_assert_double_lt(sb_vec3_length(last.slip_m_s), 0.01);
    ck_assert_double_eq_tol(last.force_n, 0.3 * 9.81 * cos(a), 0.02);
    sb_tracker_destroy(tracker);
    sb_world_destroy(world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("contact_tracker_world");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, a_dropped_ball_keeps_its_times);
    tcase_add_test(tc, a_box_dropped_on_its_edge_falls_silent);
    tcase_add_test(tc, a_pile_falls_silent);
    tcase_add_test(tc, a_ball_rolls_down_and_over_both_alike);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
