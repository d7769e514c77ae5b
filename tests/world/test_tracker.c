/* SPDX-License-Identifier: MIT */
/* Impacts and lasting contacts from contact points without identity, against
 * closed forms (physics 2.6). The sequences are written down, not simulated. */
#include "runtime/base/pi.h"
#include "tests/world/tracker_fixture.h"

static const double rates_hz[] = {240, 500, 1000, 4000};
enum { RATES = 4 };

START_TEST(a_bouncing_ball_strikes_once_a_bounce) {
    /* h = 1 m, e = 0.8: times and speeds of physics 2.6. */
    const double times[] = {.451524,  1.173961, 1.751912,
                            2.214272, 2.584160, 2.880071};
    const double speeds[] = {4.42945, 3.54356, 2.83485, 2.26788};
    for (int r = 0; r < RATES; r++) {
        const double m = 0.2, e = 0.8, h = 1 / rates_hz[r];
        course c = course_start(h);
        double v = sqrt(2 * G), at = v / G, momentum = 0;
        int bounces = 0;
        for (int n = 0; n * h < 4.5; n++) {
            bool is_hit = at < (n + 1) * h;
            sb_contact_point p = on_floor(0, 0, m * G * h, m);
            if (is_hit && v > 4 * G * h) {
                p.time_s = at - n * h;
                p.approach_m_s = v;
                p.velocity[0] = p.centre[0] = (sb_vec3){0, -v, 0};
                p.restitution = e;
                p.impulse_ns = m * v * (1 + e);
                momentum += p.impulse_ns;
                v *= e;
                at += 2 * v / G;
                bounces++;
            }
            course_step(&c, &p, is_hit);
        }
        ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], bounces);
        ck_assert_double_eq_tol(c.impulse_ns, momentum, 1e-12);
        for (int i = 0; i < 6; i++)
            ck_assert_double_eq_tol(c.impact_s[i], times[i], 1e-6);
        for (int i = 0; i < 4; i++) {
            ck_assert_double_eq_tol(c.impacts[i].speed_m_s, speeds[i], 1e-5);
            ck_assert_double_eq_tol(c.impacts[i].impulse_ns,
                                    m * speeds[i] * 1.8, 1e-5);
            ck_assert_double_eq_tol(c.impacts[i].mass_kg, m, 1e-12);
            ck_assert_double_eq_tol(c.impacts[i].restitution, e, 1e-12);
        }
        ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
        ck_assert_int_eq(c.counts[SB_TRACKED_END], 0);
        ck_assert_double_eq_tol(c.last[SB_TRACKED_MOVE].force_n, m * G, 1e-6);
        course_end(&c);
    }
}
END_TEST

/* The corners of a standing box of mass m as a solver reports them: they
 * appear and disappear, in any order, move by half a millimetre, and share
 * the load unevenly. */
static int standing_box(sb_contact_point *points, double m, double h,
                        sb_random *random) {
    int count = 0;
    for (int k = 0; k < 4; k++) {
        if (sb_random_unit(random) < 0.2) continue;
        double share = m * G * h / 4 * (1 + 0.9 * swing(random));
        sb_contact_point p =
            on_floor(k & 1 ? 0.05 : -0.05, k & 2 ? 0.05 : -0.05, share, m / 4);
        p.point.x += 0.0005 * swing(random);
        p.point.z += 0.0005 * swing(random);
        p.approach_m_s = G * h * swing(random);
        p.velocity[0] = p.centre[0] = (sb_vec3){
            0.001 * swing(random), -p.approach_m_s, 0.001 * swing(random)};
        int at = count++;
        if (at > 0 && sb_random_unit(random) < 0.5) {
            points[at] = points[0];
            at = 0;
        }
        points[at] = p;
    }
    return count;
}

START_TEST(a_box_at_rest_is_silent) {
    for (int r = 0; r < RATES; r++) {
        const double h = 1 / rates_hz[r], m = 1;
        sb_random random = sb_random_make(7, (uint64_t)r);
        course c = course_start(h);
        sb_contact_point points[4];
        for (int k = 0; k < 4; k++) {
            points[k] = on_floor(k & 1 ? 0.05 : -0.05, k & 2 ? 0.05 : -0.05,
                                 m * 1.5 / 4, m / 4);
            points[k].approach_m_s = 1;
        }
        course_step(&c, points, 4);
        ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 4);
        ck_assert_double_eq_tol(c.impulse_ns, 1.5, 1e-12);
        for (int n = 0; n * h < 0.2; n++)
            course_step(&c, points, standing_box(points, m, h, &random));
        ck_assert_int_eq(sb_tracker_count(c.tracker), 4);
        ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 4);
        ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 4);
        ck_assert_int_eq(c.counts[SB_TRACKED_MOVE], 4);
        course_forget_counts(&c);
        for (int n = 0; n * h < 10; n++)
            course_step(&c, points, standing_box(points, m, h, &random));
        for (int k = 0; k < 4; k++)
            ck_assert_int_eq(c.counts[k], 0);
        /* The box is lifted. */
        for (int n = 0; n * h < 0.1; n++)
            course_step(&c, NULL, 0);
        ck_assert_int_eq(c.counts[SB_TRACKED_END], 4);
        ck_assert_int_eq(sb_tracker_count(c.tracker), 0);
        course_end(&c);
    }
}
END_TEST

START_TEST(a_rolling_ball_goes_over_both_alike) {
    const double h = 1e-3, m = 0.1, v = 0.7;
    course c = course_start(h);
    for (int n = 0; n < 300; n++) {
        sb_contact_point p = on_floor(v * n * h, 0, m * G * h, m);
        p.centre[0] = (sb_vec3){v, 0, 0};
        p.approach_m_s = G * h;
        course_step(&c, &p, n % 17 != 5);
        if (c.counts[SB_TRACKED_BEGIN] == 0) continue;
        ck_assert_int_ge(c.event_count, 1);
        const sb_tracked *e = &c.events[c.event_count - 1];
        ck_assert_int_eq(e->state, SB_ROLLING);
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq_tol(e->surface_m_s[i].x, v, 1e-9);
            ck_assert_double_eq_tol(e->surface_m_s[i].z, 0, 1e-9);
        }
        ck_assert_double_eq_tol(length(e->slip_m_s), 0, 1e-9);
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 0);
    ck_assert_int_eq(c.counts[SB_TRACKED_END], 0);
    course_end(&c);
}
END_TEST

START_TEST(a_sliding_block_takes_its_contacts_along) {
    const double h = 1e-3, m = 0.4, v = 1.3;
    sb_random random = sb_random_make(1, 1);
    course c = course_start(h);
    for (int n = 0; n < 300; n++) {
        sb_contact_point points[4];
        int count = 0;
        for (int k = 0; k < 4; k++) {
            if (n > 3 && sb_random_unit(&random) < 0.2) continue;
            sb_contact_point p = on_floor((k & 1) * 0.1 + v * n * h,
                                          (k & 2) * 0.04, m * G * h / 4, m / 4);
            p.velocity[0] = p.centre[0] = (sb_vec3){v, 0, 0};
            points[count++] = p;
        }
        course_step(&c, points, count);
        for (int i = 0; i < c.event_count; i++) {
            const sb_tracked *e = &c.events[i];
            ck_assert_int_eq(e->state, SB_SLIDING);
            ck_assert_double_eq_tol(length(e->surface_m_s[0]), 0, 1e-9);
            ck_assert_double_eq_tol(e->surface_m_s[1].x, v, 1e-9);
            ck_assert_double_eq_tol(e->slip_m_s.x, v, 1e-9);
        }
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 4);
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 0);
    ck_assert_int_eq(c.counts[SB_TRACKED_END], 0);
    course_end(&c);
}
END_TEST

/* A small block whose points are so close that they are one contact: its
 * place jumps as they flicker, but its velocity must not. */
START_TEST(jumps_of_the_place_are_no_speed) {
    const double h = 1e-3, m = 0.01, v = 0.3;
    sb_random random = sb_random_make(3, 1);
    course c = course_start(h);
    for (int n = 0; n < 500; n++) {
        double jump = 0.001 * (sb_random_unit(&random) < 0.3);
        sb_contact_point p = on_floor(v * n * h + jump, 0, m * G * h, m);
        p.velocity[0] = p.centre[0] = (sb_vec3){v, 0, 0};
        course_step(&c, &p, 1);
        if (n < 2) continue;
        ck_assert_int_eq(c.event_count, 1);
        ck_assert_int_eq(c.events[0].state, SB_SLIDING);
        ck_assert_double_eq_tol(c.events[0].slip_m_s.x, v, 1e-9);
        ck_assert_double_eq_tol(c.events[0].surface_m_s[0].x, 0, 0.05 * v);
    }
    course_end(&c);
}
END_TEST

/* A coin that settles on its rim hardly moves, but its contact runs round: from
 * 15 turns per second to 120, when it lies nearly flat. */
START_TEST(a_coin_runs_round_its_rim) {
    const double h = 1e-3, m = 0.01, radius = 0.012;
    const double hz[] = {15, 70, 120};
    for (int k = 0; k < 3; k++) {
        double turn = 2 * SB_PI * hz[k];
        course c = course_start(h);
        for (int n = 0; n < 500; n++) {
            double a = turn * n * h;
            sb_contact_point p =
                on_floor(radius * cos(a), radius * sin(a), m * G * h, m / 3);
            p.centre[0] = (sb_vec3){0.001 * cos(a), 0, 0.001 * sin(a)};
            course_step(&c, &p, 1);
        }
        ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
        ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 0);
        sb_tracked e = c.last[SB_TRACKED_MOVE];
        ck_assert_int_eq(e.state, SB_ROLLING);
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq_tol(length(e.surface_m_s[i]), radius * turn,
                                    0.01 * radius * turn);
        }
        course_end(&c);
    }
}
END_TEST

/* A place that alternates between two corners, or goes round three, rests. */
START_TEST(corners_in_turn_are_no_motion) {
    const double h = 1e-3, m = 0.01, radius = 0.0015;
    for (int corners = 2; corners <= 3; corners++) {
        course c = course_start(h);
        for (int n = 0; n < 500; n++) {
            double a = 2 * SB_PI * n / corners;
            sb_contact_point p =
                on_floor(radius * cos(a), radius * sin(a), m * G * h, m / 3);
            course_step(&c, &p, 1);
        }
        ck_assert_int_eq(c.last[SB_TRACKED_MOVE].state, SB_RESTING);
        course_end(&c);
    }
}
END_TEST

/* At the end a solver reports contact in every other step, each time a few
 * millimetres further and with a closing speed. */
START_TEST(a_whirling_coin_is_not_hammered) {
    const double h = 1e-3, m = 0.01, radius = 0.012, turn = 2 * SB_PI * 22;
    course c = course_start(h);
    for (int n = 0; n < 1000; n++) {
        double a = turn * n * h;
        sb_contact_point p =
            on_floor(radius * cos(a), radius * sin(a), 3 * m * G * h, m / 4);
        p.approach_m_s = 5 * G * h;
        course_step(&c, &p, n % 2 == 0);
    }
    ck_assert_int_le(c.counts[SB_TRACKED_IMPACT], 5);
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
    ck_assert_int_eq(c.last[SB_TRACKED_MOVE].state, SB_ROLLING);
    course_end(&c);
}
END_TEST

/* In the corner between the floor and the wall of one mesh. */
START_TEST(faces_of_one_solid_are_told_apart) {
    const double h = 1e-3, m = 0.1;
    course c = course_start(h);
    for (int n = 0; n < 100; n++) {
        sb_contact_point p[2] = {on_floor(0, 0, m * G * h, m),
                                 on_floor(0.001, 0, m * G * h / 2, m)};
        p[1].normal = (sb_vec3){1, 0, 0};
        if (n == 50) { /* against the wall alone */
            p[1].impulse_ns = 0.2;
            p[1].approach_m_s = 1;
        }
        course_step(&c, p, 2);
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 2);
    ck_assert_int_eq(c.counts[SB_TRACKED_END], 0);
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 1);
    ck_assert_double_eq_tol(c.impacts[0].normal.x, 1, 1e-12);
    course_end(&c);
}
END_TEST

START_TEST(ways_follow_one_another_once) {
    /* Rolls at 0.5 m/s for 0.3 s, then slides, then rests. */
    const double h = 1e-3, m = 0.1, v = 0.5;
    sb_random random = sb_random_make(5, 1);
    course c = course_start(h);
    sb_contact_state ways[8];
    int way_count = 0;
    double x = 0;
    for (int n = 0; n < 900; n++) {
        sb_contact_point p = on_floor(x, 0, m * G * h, m);
        double moving = n < 600 ? v : 0;
        x += moving * h;
        p.centre[0] = (sb_vec3){moving, 0, 0};
        if (n >= 300) p.velocity[0] = p.centre[0];
        p.velocity[0].x += 0.02 * v * swing(&random);
        if (n >= 600) p.velocity[0].x = 0.002 * swing(&random);
        course_step(&c, &p, 1);
        for (int i = 0; i < c.event_count; i++) {
            if (way_count == 0 || ways[way_count - 1] != c.events[i].state) {
                ck_assert_int_lt(way_count, 8);
                ways[way_count++] = c.events[i].state;
            }
        }
    }
    ck_assert_int_eq(way_count, 3);
    ck_assert_int_eq(ways[0], SB_ROLLING);
    ck_assert_int_eq(ways[1], SB_SLIDING);
    ck_assert_int_eq(ways[2], SB_RESTING);
    ck_assert_double_eq(length(c.last[SB_TRACKED_MOVE].slip_m_s), 0);
    ck_assert_double_eq(length(c.last[SB_TRACKED_MOVE].surface_m_s[1]), 0);
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
    ck_assert_int_le(c.counts[SB_TRACKED_MOVE], 650);
    course_end(&c);
}
END_TEST

/* A wheel with `corners` that rolls upright (rimless wheel): it pivots on
 * one corner until the next touches the ground, and then touches with both. */
static course roll_wheel(int corners, double spin, double seconds,
                         bool is_smooth) {
    const double h = 1e-3, radius = 0.05, m = 0.2;
    course c = course_start(h);
    double edge = 2 * radius * sin(SB_PI / corners), v = radius * spin;
    double period = 2 * SB_PI / (corners * spin);
    int corner = 0;
    for (int n = 0; n * h < seconds; n++) {
        int now = (int)(n * h / period);
        sb_contact_point points[2];
        int count = 0;
        if (now != corner) {
            sb_contact_point p = on_floor(now * edge, 0, m * 0.4 * v, m / 2);
            p.time_s = now * period - n * h;
            p.time_s = p.time_s < 0 ? 0 : p.time_s;
            p.approach_m_s = spin * edge;
            p.velocity[0] = (sb_vec3){0, -p.approach_m_s, 0};
            points[count++] = p;
        } else
            points[count++] = on_floor(corner * edge, 0, m * G * h, m);
        for (int i = 0; i < count; i++) {
            points[i].centre[0] = (sb_vec3){v, 0, 0};
            points[i].is_smooth = is_smooth;
        }
        corner = now;
        course_step(&c, points, count);
    }
    return c;
}

START_TEST(corners_of_a_wheel_are_heard) {
    const double spin = 11.55;
    course c = roll_wheel(32, spin, 2, false);
    double expected = 2 * 32 * spin / (2 * SB_PI);
    ck_assert_double_eq_tol(c.counts[SB_TRACKED_IMPACT], expected, 1);
    course_end(&c);
    c = roll_wheel(12, spin, 2, false);
    expected = 2 * 12 * spin / (2 * SB_PI);
    ck_assert_double_eq_tol(c.counts[SB_TRACKED_IMPACT], expected, 1);
    course_end(&c);
}
END_TEST

START_TEST(facets_of_what_is_smooth_are_not) {
    for (int corners = 12; corners <= 32; corners += 10) {
        const double spin = 11.55, v = 0.05 * spin;
        course c = roll_wheel(corners, spin, 2, true);
        ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 0);
        ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
        ck_assert_int_eq(c.counts[SB_TRACKED_END], 0);
        sb_tracked e = c.last[SB_TRACKED_MOVE];
        ck_assert_int_eq(e.state, SB_ROLLING);
        ck_assert_double_eq_tol(e.surface_m_s[0].x, v, 0.2 * v);
        ck_assert_double_eq_tol(e.surface_m_s[1].x, v, 0.2 * v);
        /* An impact that the facets do not explain is still reported. */
        sb_contact_point p = on_floor(e.point.x, 0, 0.5, 0.2);
        p.approach_m_s = 2;
        p.centre[0] = (sb_vec3){v, -2, 0};
        p.is_smooth = true;
        course_step(&c, &p, 1);
        ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 1);
        course_end(&c);
    }
}
END_TEST

START_TEST(a_loaded_contact_can_be_struck) {
    const double h = 1e-3, m = 1, impact_ns = 0.6;
    course c = course_start(h);
    for (int n = 0; n < 200; n++) {
        sb_contact_point p = on_floor(0, 0, m * G * h, m);
        if (n >= 100 && n < 103) { /* three points, one impact */
            p.impulse_ns += impact_ns;
            p.approach_m_s = 0.5;
        }
        course_step(&c, &p, 1);
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 1);
    ck_assert_double_eq_tol(c.impulse_ns, impact_ns, 1e-9);
    ck_assert_double_eq_tol(c.impact_s[0], 0.1, 1e-9);
    ck_assert_uint_eq(c.impacts[0].contact, c.last[SB_TRACKED_BEGIN].contact);
    course_end(&c);
}
END_TEST

START_TEST(an_opening_of_one_step_is_none) {
    for (int gap = 1; gap <= 2; gap++) {
        course c = course_start(1e-3);
        for (int n = 0; n < 150; n++) {
            sb_contact_point p = on_floor(0, 0, G * 1e-3, 1);
            if (n == 100 || n == 101 + gap) {
                p.impulse_ns += 0.5;
                p.approach_m_s = 0.4;
            }
            course_step(&c, &p, n <= 100 || n > 100 + gap);
        }
        ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], gap);
        ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
        course_end(&c);
    }
}
END_TEST

START_TEST(a_wide_box_may_wander_on_its_points) {
    const double h = 1e-3, m = 1;
    sb_random random = sb_random_make(19, 1);
    course c = course_start(h);
    for (int n = 0; n < 2000; n++) {
        sb_contact_point p[4];
        for (int k = 0; k < 4; k++) {
            p[k] =
                on_floor((k & 1) * 0.1, (k & 2) * 0.05, m * G * h / 4, m / 4);
            p[k].point.x += 0.006 * swing(&random);
            p[k].point.z += 0.006 * swing(&random);
        }
        course_step(&c, p, 4);
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 4);
    ck_assert_int_eq(c.counts[SB_TRACKED_MOVE], 4);
    ck_assert_int_eq(c.counts[SB_TRACKED_END], 0);
    course_end(&c);
}
END_TEST

/* A solver that never comes to rest: a hop of 4 g h every 7 ms. */
START_TEST(hops_that_do_not_die_away_fall_silent) {
    const double h = 1e-3, m = 0.05;
    course c = course_start(h);
    for (int n = 0; n < 5000; n++) {
        sb_contact_point p = on_floor(0, 0, m * G * h, m);
        if (n > 100 && n % 7 == 0) {
            p.approach_m_s = 4 * G * h;
            p.impulse_ns = 7 * m * G * h;
        }
        course_step(&c, &p, n < 100 || n % 7 < 3);
    }
    ck_assert_int_ge(c.counts[SB_TRACKED_IMPACT], 1);
    ck_assert_int_le(c.counts[SB_TRACKED_IMPACT], 8);
    ck_assert_double_lt(c.impact_s[c.counts[SB_TRACKED_IMPACT] - 1], 0.2);
    ck_assert_int_eq(c.counts[SB_TRACKED_END], 0);
    /* A real impact is reported at once. */
    sb_contact_point p = on_floor(0, 0, 2 * m, m);
    p.approach_m_s = 1.5;
    course_forget_counts(&c);
    course_step(&c, &p, 1);
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 1);
    course_end(&c);
}
END_TEST

START_TEST(grazing_is_no_impact) {
    /* Maunsbach and Serafin 4.4: onto the next plank at 3 m/s, level. */
    course c = course_start(1e-3);
    for (int n = 0; n < 200; n++) {
        sb_contact_point p = on_floor(0.003 * n, 0, 0.1 * G * 1e-3, 0.1);
        p.user[1] = n < 100 ? 2 : 3;
        p.centre[0] = (sb_vec3){3, 0, 0};
        course_step(&c, &p, 1);
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 0);
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 2);
    ck_assert_int_eq(c.counts[SB_TRACKED_END], 1);
    course_end(&c);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("contact_tracker");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, a_bouncing_ball_strikes_once_a_bounce);
    tcase_add_test(tc, a_box_at_rest_is_silent);
    tcase_add_test(tc, a_rolling_ball_goes_over_both_alike);
    tcase_add_test(tc, a_sliding_block_takes_its_contacts_along);
    tcase_add_test(tc, jumps_of_the_place_are_no_speed);
    tcase_add_test(tc, a_coin_runs_round_its_rim);
    tcase_add_test(tc, corners_in_turn_are_no_motion);
    tcase_add_test(tc, a_whirling_coin_is_not_hammered);
    tcase_add_test(tc, faces_of_one_solid_are_told_apart);
    tcase_add_test(tc, ways_follow_one_another_once);
    tcase_add_test(tc, corners_of_a_wheel_are_heard);
    tcase_add_test(tc, facets_of_what_is_smooth_are_not);
    tcase_add_test(tc, a_loaded_contact_can_be_struck);
    tcase_add_test(tc, an_opening_of_one_step_is_none);
    tcase_add_test(tc, a_wide_box_may_wander_on_its_points);
    tcase_add_test(tc, hops_that_do_not_die_away_fall_silent);
    tcase_add_test(tc, grazing_is_no_impact);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
