/* SPDX-License-Identifier: MIT */
/* Rules for any input of a tracker: order, ids, life cycle, memory. */
#include "runtime/base/pi.h"
#include "tests/world/tracker_fixture.h"

/* Boxes that bounce about on 1 to 8 points each. */
static int crowd(sb_contact_point *points, int most, int boxes,
                 sb_random *random) {
    int count = 0;
    for (int b = 0; b < boxes; b++) {
        for (int k = 0; k < 8 && count < most; k++) {
            if (sb_random_unit(random) < 0.3) continue;
            sb_contact_point p =
                on_floor(b + 0.02 * (k & 3) + 0.001 * swing(random),
                         0.02 * (k >> 2), 0.01 * sb_random_unit(random), 0.1);
            p.user[0] = (uint32_t)(1 + b);
            p.user[1] = 100000;
            p.time_s = 1e-3 * sb_random_unit(random);
            p.approach_m_s = 0.2 * swing(random);
            p.velocity[0] = (sb_vec3){swing(random), 0, swing(random)};
            points[count++] = p;
        }
    }
    return count;
}

START_TEST(the_order_of_the_points_does_not_matter) {
    enum { MOST = 400 };
    static sb_contact_point points[MOST], mixed[MOST];
    sb_random random = sb_random_make(11, 1);
    course a = course_start(1e-3), b = course_start(1e-3);
    for (int n = 0; n < 300; n++) {
        int count = crowd(points, MOST, 40, &random);
        memcpy(mixed, points, sizeof mixed);
        for (int i = count - 1; i > 0; i--) {
            int k = (int)(sb_random_unit(&random) * (i + 1));
            sb_contact_point swap = mixed[i];
            mixed[i] = mixed[k];
            mixed[k] = swap;
        }
        course_step(&a, points, count);
        course_step(&b, mixed, count);
        ck_assert_int_eq(a.event_count, b.event_count);
        for (int i = 0; i < a.event_count; i++) {
            const sb_tracked *e = &a.events[i], *f = &b.events[i];
            ck_assert(
                e->kind == f->kind && e->state == f->state &&
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

/* For any input: a contact begins once, moves while it lives and ends once,
 * and its id is not reused. */
START_TEST(every_contact_has_one_life) {
    enum { MOST = 400, NUMBERS = 200000 };
    static sb_contact_point points[MOST];
    static char state[NUMBERS]; /* 0 new, 1 begun, 2 ended */
    memset(state, 0, sizeof state);
    sb_random random = sb_random_make(13, 1);
    course c = course_start(1e-3);
    for (int n = 0; n < 1000; n++) {
        bool is_quiet = n / 50 % 3 == 2;
        int count = is_quiet ? 0 : crowd(points, MOST, 30, &random);
        for (int i = 0; i < count; i++) /* sometimes at unrelated places */
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
            if (!is_right) {
                ck_abort_msg("contact %u, kind %d in state %d", e->contact,
                             e->kind, *s);
            }
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
    sb_contact_point p[2] = {on_floor(0, 0, G * 1e-3, 1),
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
        sb_contact_point p[8];
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
    sb_contact_point p[RING];
    double load_n = 0;
    for (int n = 0; n < 200; n++) {
        for (int i = 0; i < RING; i++) {
            double a = 2 * SB_PI * i / RING;
            p[i] =
                on_floor(0.05 * cos(a), 0.05 * sin(a), m * G * h / RING, m / 2);
        }
        course_step(&c, p, RING);
        for (int i = 0; i < c.event_count; i++) {
            if (c.events[i].kind == SB_TRACKED_MOVE)
                load_n += c.events[i].force_n;
        }
    }
    ck_assert_int_eq(c.counts[SB_TRACKED_BEGIN], 4);
    ck_assert_int_eq(c.counts[SB_TRACKED_MOVE], 4);
    ck_assert_double_eq_tol(load_n, m * G, 1e-9);
    course_end(&c);
}
END_TEST

START_TEST(thousands_of_contacts_keep_their_memory) {
    enum { MOST = 5000 };
    static sb_contact_point points[MOST];
    sb_random random = sb_random_make(17, 1);
    course c = course_start(1e-3);
    long blocks = sb_memory_live_blocks();
    for (int n = 0; n < 40; n++) {
        int count = crowd(points, MOST, 900, &random);
        course_step(&c, points, count);
        if (n == 19) /* all memory is allocated by now */
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
        sb_contact_point p = on_floor(0, 0, 2, 1);
        p.approach_m_s = 1;
        sb_error err;
        sb_memory_fail_after(n);
        sb_status status =
            sb_tracker_step(c.tracker, &p, 1, &c.events, &c.event_count, &err);
        sb_memory_fail_after(-1);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        if (status != SB_OK) {
            ck_assert_str_eq(err.message, "out of memory for 1 contact points");
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
    Suite *suite = suite_create("contact_tracker_rules");
    TCase *tc = tcase_create("all");
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
