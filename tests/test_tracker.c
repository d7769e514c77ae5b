/* Impacts and lasting contacts out of nameless points, held to closed forms
 * (physics 2.6). The sequences are written down, not simulated. */
#include "tests/tracker_fixture.h"

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
            sb_touch_point p = on_floor(0, 0, m * G * h, m);
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

/* The corners of a box of mass m that stands, as a solver tells them: they come
 * and go, in any order, move by half a millimetre, bear now more and now less. */
static int standing_box(sb_touch_point *points, double m, double h,
                        sb_random *random) {
    int count = 0;
    for (int k = 0; k < 4; k++) {
        if (sb_random_unit(random) < 0.2) continue;
        double share = m * G * h / 4 * (1 + 0.9 * swing(random));
        sb_touch_point p =
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
        sb_touch_point points[4];
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
        /* It is lifted. */
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
        sb_touch_point p = on_floor(v * n * h, 0, m * G * h, m);
        p.centre[0] = (sb_vec3){v, 0, 0};
        p.approach_m_s = G * h;
        course_step(&c, &p, n % 17 != 5);
        if (c.counts[SB_TRACKED_BEGIN] == 0) continue;
        ck_assert_int_ge(c.event_count, 1);
        const sb_tracked *e = &c.events[c.event_count - 1];
        ck_assert_int_eq(e->way, SB_WAY_ROLL);
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
        sb_touch_point points[4];
        int count = 0;
        for (int k = 0; k < 4; k++) {
            if (n > 3 && sb_random_unit(&random) < 0.2) continue;
            sb_touch_point p = on_floor((k & 1) * 0.1 + v * n * h,
                                        (k & 2) * 0.04, m * G * h / 4, m / 4);
            p.velocity[0] = p.centre[0] = (sb_vec3){v, 0, 0};
            points[count++] = p;
        }
        course_step(&c, points, count);
        for (int i = 0; i < c.event_count; i++) {
            const sb_tracked *e = &c.events[i];
            ck_assert_int_eq(e->way, SB_WAY_SLIDE);
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

/* A small block whose points lie so near that they are one contact: its place
 * jumps as they flicker, its speed does not. */
START_TEST(jumps_of_the_place_are_no_speed) {
    const double h = 1e-3, m = 0.01, v = 0.3;
    sb_random random = sb_random_make(3, 1);
    course c = course_start(h);
    for (int n = 0; n < 500; n++) {
        double jump = 0.001 * (sb_random_unit(&random) < 0.3);
        sb_touch_point p = on_floor(v * n * h + jump, 0, m * G * h, m);
        p.velocity[0] = p.centre[0] = (sb_vec3){v, 0, 0};
        course_step(&c, &p, 1);
        if (n < 2) continue;
        ck_assert_int_eq(c.event_count, 1);
        ck_assert_int_eq(c.events[0].way, SB_WAY_SLIDE);
        ck_assert_double_eq_tol(c.events[0].slip_m_s.x, v, 1e-9);
        ck_assert_double_eq_tol(c.events[0].surface_m_s[0].x, 0, 0.05 * v);
    }
    course_end(&c);
}
END_TEST

START_TEST(ways_follow_one_another_once) {
    /* Rolls at 0.5 m/s for 0.3 s, then slides, then stands. */
    const double h = 1e-3, m = 0.1, v = 0.5;
    sb_random random = sb_random_make(5, 1);
    course c = course_start(h);
    sb_tracked_way ways[8];
    int way_count = 0;
    double x = 0;
    for (int n = 0; n < 900; n++) {
        sb_touch_point p = on_floor(x, 0, m * G * h, m);
        double moving = n < 600 ? v : 0;
        x += moving * h;
        p.centre[0] = (sb_vec3){moving, 0, 0};
        if (n >= 300) p.velocity[0] = p.centre[0];
        p.velocity[0].x += 0.02 * v * swing(&random);
        if (n >= 600) p.velocity[0].x = 0.002 * swing(&random);
        course_step(&c, &p, 1);
        for (int i = 0; i < c.event_count; i++)
            if (way_count == 0 || ways[way_count - 1] != c.events[i].way) {
                ck_assert_int_lt(way_count, 8);
                ways[way_count++] = c.events[i].way;
            }
    }
    ck_assert_int_eq(way_count, 3);
    ck_assert_int_eq(ways[0], SB_WAY_ROLL);
    ck_assert_int_eq(ways[1], SB_WAY_SLIDE);
    ck_assert_int_eq(ways[2], SB_WAY_REST);
    ck_assert_double_eq(length(c.last[SB_TRACKED_MOVE].slip_m_s), 0);
    ck_assert_double_eq(length(c.last[SB_TRACKED_MOVE].surface_m_s[1]), 0);
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
    ck_assert_int_le(c.counts[SB_TRACKED_MOVE], 650);
    course_end(&c);
}
END_TEST

/* A wheel with `corners` that rolls upright: it stands on a corner until the
 * next one comes down (rimless wheel), on two as it does. */
static course roll_wheel(int corners, double spin, double seconds,
                         bool is_smooth) {
    const double h = 1e-3, radius = 0.05, m = 0.2;
    course c = course_start(h);
    double edge = 2 * radius * sin(M_PI / corners), v = radius * spin;
    double period = 2 * M_PI / (corners * spin);
    int corner = 0;
    for (int n = 0; n * h < seconds; n++) {
        int now = (int)(n * h / period);
        sb_touch_point points[2];
        int count = 0;
        if (now != corner) {
            sb_touch_point p = on_floor(now * edge, 0, m * 0.4 * v, m / 2);
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
    double expected = 2 * 32 * spin / (2 * M_PI);
    ck_assert_double_eq_tol(c.counts[SB_TRACKED_IMPACT], expected, 1);
    course_end(&c);
    c = roll_wheel(12, spin, 2, false);
    expected = 2 * 12 * spin / (2 * M_PI);
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
        ck_assert_int_eq(e.way, SB_WAY_ROLL);
        ck_assert_double_eq_tol(e.surface_m_s[0].x, v, 0.2 * v);
        ck_assert_double_eq_tol(e.surface_m_s[1].x, v, 0.2 * v);
        /* A blow that no facet explains is one all the same. */
        sb_touch_point p = on_floor(e.point.x, 0, 0.5, 0.2);
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
    const double h = 1e-3, m = 1, blow = 0.6;
    course c = course_start(h);
    for (int n = 0; n < 200; n++) {
        sb_touch_point p = on_floor(0, 0, m * G * h, m);
        if (n >= 100 && n < 103) { /* told three times, struck once */
            p.impulse_ns += blow;
            p.approach_m_s = 0.5;
        }
        course_step(&c, &p, 1);
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 1);
    ck_assert_double_eq_tol(c.impulse_ns, blow, 1e-9);
    ck_assert_double_eq_tol(c.impact_s[0], 0.1, 1e-9);
    ck_assert_uint_eq(c.impacts[0].contact, c.last[SB_TRACKED_BEGIN].contact);
    course_end(&c);
}
END_TEST

START_TEST(grazing_is_no_impact) {
    /* Maunsbach and Serafin 4.4: onto the next plank at 3 m/s, level. */
    course c = course_start(1e-3);
    for (int n = 0; n < 200; n++) {
        sb_touch_point p = on_floor(0.003 * n, 0, 0.1 * G * 1e-3, 0.1);
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

/* Boxes that bounce about on 1 to 8 points each. */
static int crowd(sb_touch_point *points, int most, int boxes,
                 sb_random *random) {
    int count = 0;
    for (int b = 0; b < boxes; b++)
        for (int k = 0; k < 8 && count < most; k++) {
            if (sb_random_unit(random) < 0.3) continue;
            sb_touch_point p =
                on_floor(b + 0.02 * (k & 3) + 0.001 * swing(random),
                         0.02 * (k >> 2), 0.01 * sb_random_unit(random), 0.1);
            p.user[0] = (uint32_t)(1 + b);
            p.user[1] = 100000;
            p.time_s = 1e-3 * sb_random_unit(random);
            p.approach_m_s = 0.2 * swing(random);
            p.velocity[0] = (sb_vec3){swing(random), 0, swing(random)};
            points[count++] = p;
        }
    return count;
}

START_TEST(the_order_of_the_points_does_not_matter) {
    enum { MOST = 400 };
    static sb_touch_point points[MOST], mixed[MOST];
    sb_random random = sb_random_make(11, 1);
    course a = course_start(1e-3), b = course_start(1e-3);
    for (int n = 0; n < 300; n++) {
        int count = crowd(points, MOST, 40, &random);
        memcpy(mixed, points, sizeof mixed);
        for (int i = count - 1; i > 0; i--) {
            int k = (int)(sb_random_unit(&random) * (i + 1));
            sb_touch_point swap = mixed[i];
            mixed[i] = mixed[k];
            mixed[k] = swap;
        }
        course_step(&a, points, count);
        course_step(&b, mixed, count);
        ck_assert_int_eq(a.event_count, b.event_count);
        for (int i = 0; i < a.event_count; i++) {
            const sb_tracked *e = &a.events[i], *f = &b.events[i];
            ck_assert(
                e->kind == f->kind && e->way == f->way &&
                e->contact == f->contact && e->time_s == f->time_s &&
                e->impulse_ns == f->impulse_ns && e->force_n == f->force_n &&
                e->slip_m_s.x == f->slip_m_s.x && e->point.x == f->point.x);
        }
    }
    ck_assert_int_gt(a.counts[SB_TRACKED_IMPACT], 100);
    course_end(&a);
    course_end(&b);
}
END_TEST

/* Whatever comes: a contact begins once, moves while it lives, ends once, and
 * its number is not seen again. */
START_TEST(every_contact_has_one_life) {
    enum { MOST = 400, NUMBERS = 200000 };
    static sb_touch_point points[MOST];
    static char state[NUMBERS]; /* 0 new, 1 living, 2 over */
    memset(state, 0, sizeof state);
    sb_random random = sb_random_make(13, 1);
    course c = course_start(1e-3);
    for (int n = 0; n < 1000; n++) {
        bool is_quiet = n / 50 % 3 == 2;
        int count = is_quiet ? 0 : crowd(points, MOST, 30, &random);
        for (int i = 0; i < count; i++) /* places of its own now and then */
            points[i].point.z += 0.2 * (n / 7 % 5);
        if (n % 31 == 0) sb_tracker_forget(c.tracker, (uint32_t)(n % 30 + 1));
        course_step(&c, points, count);
        for (int i = 0; i < c.event_count; i++) {
            const sb_tracked *e = &c.events[i];
            if (e->contact >= NUMBERS) ck_abort_msg("contact %u", e->contact);
            char *s = &state[e->contact];
            bool is_right = e->kind == SB_TRACKED_IMPACT  ? *s != 2
                            : e->kind == SB_TRACKED_BEGIN ? *s == 0
                                                          : *s == 1;
            if (!is_right)
                ck_abort_msg("contact %u, kind %d in state %d", e->contact,
                             e->kind, *s);
            if (e->kind != SB_TRACKED_IMPACT)
                *s = e->kind == SB_TRACKED_END ? 2 : 1;
        }
        int living = 0;
        for (int i = 0; i < NUMBERS && n % 100 == 99; i++)
            living += state[i] == 1;
        if (n % 100 == 99)
            ck_assert_int_eq(living, sb_tracker_count(c.tracker));
    }
    ck_assert_int_gt(c.counts[SB_TRACKED_END], 100);
    course_end(&c);
}
END_TEST

START_TEST(what_is_forgotten_ends_with_the_next_step) {
    course c = course_start(1e-3);
    sb_touch_point p[2] = {on_floor(0, 0, G * 1e-3, 1),
                           on_floor(1, 0, G * 1e-3, 1)};
    p[1].user[0] = 5;
    for (int n = 0; n < 100; n++)
        course_step(&c, p, 2);
    ck_assert_int_eq(sb_tracker_count(c.tracker), 2);
    sb_tracker_forget(c.tracker, 5);
    sb_tracker_forget(c.tracker, 5);
    ck_assert_int_eq(sb_tracker_count(c.tracker), 1);
    p[1].approach_m_s = 1;
    p[1].impulse_ns = 1;
    course_step(&c, p, 2);
    ck_assert_int_eq(c.event_count, 2);
    ck_assert_int_eq(c.events[0].kind, SB_TRACKED_END);
    ck_assert_uint_eq(c.events[0].user[0], 5);
    ck_assert_double_eq(c.events[0].time_s, 0);
    ck_assert_int_eq(c.events[1].kind, SB_TRACKED_IMPACT);
    ck_assert_uint_ne(c.events[1].contact, c.events[0].contact);
    sb_tracker_forget(c.tracker, 2);
    course_step(&c, NULL, 0);
    ck_assert_int_eq(sb_tracker_count(c.tracker), 0);
    course_end(&c);
}
END_TEST

START_TEST(what_is_no_number_is_passed_over) {
    course c = course_start(1e-3);
    for (int n = 0; n < 60; n++) {
        sb_touch_point p[8];
        for (int i = 0; i < 8; i++)
            p[i] = on_floor(0.1 * i, 0, G * 1e-3, 1);
        p[1].point.x = NAN;
        p[2].impulse_ns = INFINITY;
        p[3].velocity[1].z = NAN;
        p[4].normal = (sb_vec3){0, 0, 0};
        p[5].approach_m_s = INFINITY;
        p[6].time_s = NAN;
        p[7].inverse_mass[0] = NAN;
        course_step(&c, p, 8);
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 1);
    ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 0);
    course_end(&c);
}
END_TEST

/* A wide area has a few contacts, and they bear the whole load. */
START_TEST(many_points_of_a_pair_are_a_few_contacts) {
    enum { RING = 64 };
    const double m = 0.5, h = 1e-3;
    course c = course_start(h);
    sb_touch_point p[RING];
    double load_n = 0;
    for (int n = 0; n < 200; n++) {
        for (int i = 0; i < RING; i++) {
            double a = 2 * M_PI * i / RING;
            p[i] =
                on_floor(0.05 * cos(a), 0.05 * sin(a), m * G * h / RING, m / 2);
        }
        course_step(&c, p, RING);
        for (int i = 0; i < c.event_count; i++)
            if (c.events[i].kind == SB_TRACKED_MOVE)
                load_n += c.events[i].force_n;
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 4);
    ck_assert_int_eq(c.counts[SB_TRACKED_MOVE], 4);
    ck_assert_double_eq_tol(load_n, m * G, 1e-9);
    course_end(&c);
}
END_TEST

START_TEST(thousands_of_contacts_keep_their_memory) {
    enum { MOST = 5000 };
    static sb_touch_point points[MOST];
    sb_random random = sb_random_make(17, 1);
    course c = course_start(1e-3);
    long blocks = sb_memory_live_blocks();
    for (int n = 0; n < 40; n++) {
        int count = crowd(points, MOST, 900, &random);
        course_step(&c, points, count);
        if (n == 19) /* it has all that it needs by now */
            sb_memory_fail_after(0);
    }
    sb_memory_fail_after(-1);
    ck_assert_int_ge(sb_tracker_count(c.tracker), 1500);
    ck_assert_int_le(sb_memory_live_blocks() - blocks, 8);
    course_end(&c);
}
END_TEST

START_TEST(a_step_without_memory_changes_nothing) {
    for (int n = 0; n < 9; n++) {
        course c = course_start(1e-3);
        sb_touch_point p = on_floor(0, 0, 2, 1);
        p.approach_m_s = 1;
        sb_error err;
        sb_memory_fail_after(n);
        sb_status status =
            sb_tracker_step(c.tracker, &p, 1, &c.events, &c.event_count, &err);
        sb_memory_fail_after(-1);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        if (status != SB_OK) {
            ck_assert_str_eq(err.message,
                             "no memory for the contacts of 1 touch points");
            course_step(&c, &p, 1);
            ck_assert_int_eq(c.counts[SB_TRACKED_IMPACT], 1);
        }
        course_end(&c);
    }
}
END_TEST

START_TEST(a_bad_definition_is_told) {
    const sb_tracker_def bad[] = {
        {0, G}, {NAN, G}, {2, G}, {1e-3, -1}, {1e-3, NAN}};
    for (int i = 0; i < 5; i++) {
        sb_tracker *tracker = NULL;
        sb_error err;
        ck_assert_int_eq(sb_tracker_create(&bad[i], &tracker, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_ptr_null(tracker);
        ck_assert_ptr_nonnull(strstr(err.message, "expected"));
    }
    sb_tracker_destroy(NULL);
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
    tcase_add_test(tc, ways_follow_one_another_once);
    tcase_add_test(tc, corners_of_a_wheel_are_heard);
    tcase_add_test(tc, facets_of_what_is_smooth_are_not);
    tcase_add_test(tc, a_loaded_contact_can_be_struck);
    tcase_add_test(tc, grazing_is_no_impact);
    tcase_add_test(tc, the_order_of_the_points_does_not_matter);
    tcase_add_test(tc, every_contact_has_one_life);
    tcase_add_test(tc, what_is_forgotten_ends_with_the_next_step);
    tcase_add_test(tc, what_is_no_number_is_passed_over);
    tcase_add_test(tc, many_points_of_a_pair_are_a_few_contacts);
    tcase_add_test(tc, thousands_of_contacts_keep_their_memory);
    tcase_add_test(tc, a_step_without_memory_changes_nothing);
    tcase_add_test(tc, a_bad_definition_is_told);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
