/* SPDX-License-Identifier: MIT */
/* Bristles that stick and slip, held to the Stribeck curve and to the energy
 * they are given. */
#include "runtime/base/pi.h"
#include "tests/dsp/contact/bristle_fixture.h"

/* --- the law ---------------------------------------------------------------*/

START_TEST(steady_sliding_is_the_stribeck_curve) {
    sb_bristle law = sb_bristle_from(0.4, 0.25, 0.1, 0);
    for (int sign = -1; sign <= 1; sign += 2)
        for (double v = 3e-3; v < 3; v *= 1.7) {
            sb_bristle_state now = {0};
            double force = 0, gives = 0, slip = sign * v, drag = 0.2;
            law.viscous_s_per_m = drag;
            double mu = 0.25 + 0.15 * exp(-(v / 0.1) * (v / 0.1)) + drag * v;
            for (int n = 0; n < 4000; n++)
                force = sb_bristle_force(&law, &now, 2e-5, 3, slip, 0, &now);
            ck_assert_double_eq_tol(force, sign * 3 * mu, 1e-12);
            ck_assert_double_eq(now.slip_m_s, slip);
            /* The same steady state from the slip without its own force. */
            for (int n = 0; n < 10; n++)
                gives = sb_bristle_force(&law, &now, 2e-5, 3,
                                         slip + 1e-4 * force, 1e-4, &now);
            ck_assert_double_eq_tol(gives, force, 1e-12);
        }
}
END_TEST

/* The bristles of slow sliding are stretched too far for fast sliding. */
START_TEST(bristles_relax_alike_in_one_step_or_many) {
    sb_bristle law = sb_bristle_from(0.4, 0.25, 0.05, 1e5);
    sb_bristle_state slow = {0};
    for (int n = 0; n < 4000; n++)
        sb_bristle_force(&law, &slow, 1e-4, 1, 0.01, 0, &slow);
    for (double h = 1e-7; h < 1e-3; h *= 10) {
        sb_bristle_state one, many = slow;
        double sum = 0, f = sb_bristle_force(&law, &slow, h, 1, 0.2, 0, &one);
        for (int n = 0; n < 7; n++)
            sum += sb_bristle_force(&law, &many, h / 7, 1, 0.2, 0, &many) / 7;
        ck_assert_double_eq_tol(f, sum, 1e-12);
        ck_assert_double_gt(f, 0);
        ck_assert_double_eq_tol(one.stretch_m, many.stretch_m, 1e-17);
        /* z' = v (1 - z / zs), whose solution is an exponential. */
        double zs = steady_mu(&law, 0.2) / 1e5;
        double z = zs + (slow.stretch_m - zs) * exp(-0.2 * h / zs);
        ck_assert_double_eq_tol(one.stretch_m, z, 1e-17);
    }
}
END_TEST

/* A free mass that is pushed along the surface it lies on. */
typedef struct sled {
    sb_bristle law;
    sb_bristle_state bristles;
    double x, v;
} sled;

static void push(sled *s, double push_n, double load_n, double step_s) {
    double mass = 0.02, free = s->v + 0.5 * push_n / mass * step_s;
    double f = sb_bristle_force(&s->law, &s->bristles, step_s, load_n, free,
                                0.5 * step_s / mass, &s->bristles);
    double now = s->v + (push_n - f) / mass * step_s;
    s->x += 0.5 * (s->v + now) * step_s;
    s->v = now;
}

static double push_for(sled *s, double mean_n, double shake_n, double for_s) {
    double h = 1.0 / 48000;
    for (int n = 0; n < (int)(for_s / h); n++)
        push(s, mean_n + shake_n * sin(2 * SB_PI * 180 * n * h), 2, h);
    return s->x;
}

START_TEST(what_sticks_does_not_creep) {
    sled s = {.law = sb_bristle_from(0.4, 0.3, 0.02, 0)};
    /* Break-away is at 0.7 mk N = 0.42 N, letting go at ms N = 0.8 N. */
    double held = push_for(&s, 0.2, 0, 0.2);
    ck_assert_double_eq_tol(held, 0.2 / (2 * 1e5), 1e-12);
    double shaken = push_for(&s, 0.2, 0.05, 0.5);
    ck_assert_double_eq_tol(push_for(&s, 0.2, 0.05, 0.5), shaken, 1e-15);
    ck_assert_double_eq_tol(push_for(&s, 0, 0, 0.2), 0, 1e-18);
    /* Beyond break-away it gives way for good, and then holds. */
    push_for(&s, 0.7, 0, 0.2);
    double at = s.x;
    ck_assert_double_eq_tol(push_for(&s, 0.7, 0, 0.5), at, 1e-17);
    double kept = push_for(&s, 0, 0, 0.2);
    ck_assert(kept > 1e-8 && kept < at);
    ck_assert_double_gt(push_for(&s, 0.82, 0, 0.5), 1e-2);
}
END_TEST

START_TEST(springs_swing_without_loss) {
    sled s = {.law = sb_bristle_from(0.4, 0.3, 0.02, 0)};
    s.law.damping_s_per_m = 0;
    push_for(&s, 0.2, 0, 0.2);
    double most = 0;
    for (int n = 0; n < 4800; n++) {
        push(&s, 0.2, 2, 1.0 / 48000);
        most = fmax(most, s.x);
    }
    ck_assert_double_eq_tol(most, 2 * 0.2 / 2e5, 1e-3 * 2e-6);
}
END_TEST

START_TEST(both_ways_are_alike) {
    sb_bristle law = sb_bristle_from(0.5, 0.2, 0.05, 3e5);
    sb_bristle_state a = {0}, b = {0};
    for (int n = 0; n < 2000; n++) {
        double free = 0.3 * sin(0.011 * n), load = 2 + sin(0.007 * n);
        double f = sb_bristle_force(&law, &a, 2e-5, load, free, 0.1, &a);
        double g = sb_bristle_force(&law, &b, 2e-5, load, -free, 0.1, &b);
        ck_assert_double_eq(f, -g);
    }
}
END_TEST

/* With so much compliance that mu falls faster than the rest can rise, there is
 * a range in which both sticking and slipping are solutions. */
START_TEST(it_sticks_until_it_must_slip_and_slips_until_it_must_stick) {
    const double give = 2, load = 1, vs = 0.1;
    sb_bristle law = sb_bristle_from(0.4, 0.2, vs, 1e7);
    sb_bristle_state now = {0};
    double most = 0, least = 1, up = 0, down = 0;
    for (double v = 1e-5; v < 1; v += 1e-5) {
        double needed = v + give * load * steady_mu(&law, v);
        if (v < 0.5 * vs) most = fmax(most, needed);
        least = fmin(least, needed);
    }
    for (int n = 0; n <= 20000 && up == 0; n++) {
        double free = n * 5e-5;
        sb_bristle_force(&law, &now, 1e-3, load, free, give, &now);
        if (now.slip_m_s > 0.5 * vs) up = free;
    }
    for (double free = up; free > 0 && down == 0; free -= 5e-5) {
        sb_bristle_force(&law, &now, 1e-3, load, free, give, &now);
        if (now.slip_m_s < 0.5 * vs) down = free;
    }
    ck_assert_double_eq_tol(up, most, 1e-3);
    ck_assert_double_eq_tol(down, least, 1e-3);
    ck_assert_double_gt(up, down + 0.05);
}
END_TEST

START_TEST(loads_come_and_go_without_a_gain) {
    sb_bristle law = sb_bristle_from(0.4, 0.3, 0.02, 0);
    sb_bristle_state now = {0}, next;
    for (int n = 0; n < 200; n++)
        sb_bristle_force(&law, &now, 2e-5, 1, 0.1, 0, &now);
    double held = sb_bristle_energy_j(&law, &now);
    ck_assert_double_gt(held, 0);
    /* More load: the same force from stiffer bristles. */
    double f = sb_bristle_force(&law, &now, 2e-5, 4, 0, 0, &next);
    ck_assert_double_eq_tol(f, 1e5 * now.stretch_m, 1e-14);
    ck_assert_double_eq_tol(sb_bristle_energy_j(&law, &next), held / 4, 1e-18);
    /* Less load: fewer bristles, each as before. */
    f = sb_bristle_force(&law, &now, 2e-5, 0.25, 0, 0, &next);
    ck_assert_double_eq_tol(f, 0.25e5 * now.stretch_m, 1e-14);
    ck_assert_double_eq_tol(sb_bristle_energy_j(&law, &next), held / 4, 1e-18);
    ck_assert_double_eq(sb_bristle_force(&law, &now, 2e-5, 0, 1, 1, &now), 0);
    ck_assert_double_eq(now.stretch_m, 0);
}
END_TEST

/* --- energy ----------------------------------------------------------------*/

static unsigned long long dice = 1;

static double any(void) {
    dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(dice >> 11) * 0x1p-53;
}

static double decades(double from, double to) {
    return from * pow(to / from, any());
}

static sb_bristle any_law(void) {
    double ms = decades(1e-3, 10);
    return (sb_bristle){ms,
                        any() < 0.1 ? 0 : ms * any(),
                        decades(1e-6, 1e2),
                        decades(1e-2, 1e10),
                        any() < 0.3 ? 0 : decades(1e-6, 1e6),
                        any() < 0.5 ? 0 : decades(1e-6, 1e3),
                        any()};
}

START_TEST(no_law_and_no_drive_makes_energy) {
    for (int set = 0; set < 10000; set++) {
        sb_bristle law = any_law();
        sb_bristle_state now = {0};
        double h = decades(1e-7, 1e-3), most = decades(1e-6, 1e6);
        double give = any() < 0.1 ? 0 : decades(1e-12, 1);
        double fast = decades(1e-6, 1e2), load = most, lost = 0, moved = 0;
        for (int n = 0; n < 40; n++) {
            if (any() < 0.3) load = any() < 0.1 ? 0 : most * any();
            double free = fast * (any() - 0.5);
            if (any() < 0.2) free = 2.4 * (any() - 0.5) * give * load;
            double held = sb_bristle_energy_j(&law, &now);
            double y = law.stiffness_per_m * fabs(now.stretch_m);
            double f = sb_bristle_force(&law, &now, h, load, free, give, &now);
            double v = now.slip_m_s, scale = fabs(free) + give * load * y;
            /* An assertion that holds costs more than the step. */
            if (!isfinite(f) || !isfinite(now.stretch_m))
                ck_abort_msg("set %d: %g N", set, f);
            double miss = load > 0 ? v - (free - give * f) : 0;
            if (fabs(miss) > 1e-12 * (scale + give * fabs(f)))
                ck_abort_msg("set %d: a slip of %g is off by %g", set, v, miss);
            moved += fabs(f * v * h) + held;
            lost += f * v * h + held - sb_bristle_energy_j(&law, &now);
        }
        ck_assert_msg(lost >= -1e-9 * moved, "set %d: %g of %g J", set, lost,
                      moved);
    }
}
END_TEST

START_TEST(a_rubbed_mass_has_no_more_than_the_belt_gave) {
    for (int set = 0; set < 200; set++) {
        rubbed o = {.law = any_law(),
                    .mass_kg = decades(1e-4, 10),
                    .omega = decades(10, 1e5),
                    .step_s = 1.0 / 48000};
        double load = decades(1e-3, 1e3), belt = decades(1e-3, 10);
        double most = 0;
        for (int n = 0; n < 300; n++) {
            rub(&o, load, n % 100 < 70 ? belt : -0.3 * belt);
            most = fmax(most, fabs(o.work_j));
            if (energy(&o) > o.work_j + 1e-9 * most)
                ck_abort_msg("set %d, step %d: %g of %g J", set, n, energy(&o),
                             o.work_j);
        }
    }
}
END_TEST

START_TEST(nonsense_makes_no_force) {
    sb_bristle law = sb_bristle_from(0.4, 0.3, 0.02, 0);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        sb_bristle_state now = {0};
        double f = sb_bristle_force(&law, &now, 2e-5, 1, bad[i], 0.1, &now);
        ck_assert(isfinite(f) && isfinite(now.stretch_m));
        now = (sb_bristle_state){bad[i], bad[i], 1};
        f = sb_bristle_force(&law, &now, 2e-5, 1, 0.1, 0.1, &now);
        ck_assert(isfinite(f) && isfinite(now.stretch_m));
        f = sb_bristle_force(&law, &now, bad[i], 1, 0.1, 0.1, &now);
        ck_assert(isfinite(f) && isfinite(now.stretch_m));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bristle");
    TCase *tests = tcase_create("bristle");
    tcase_add_test(tests, steady_sliding_is_the_stribeck_curve);
    tcase_add_test(tests, bristles_relax_alike_in_one_step_or_many);
    tcase_add_test(tests, what_sticks_does_not_creep);
    tcase_add_test(tests, springs_swing_without_loss);
    tcase_add_test(tests, both_ways_are_alike);
    tcase_add_test(tests,
                   it_sticks_until_it_must_slip_and_slips_until_it_must_stick);
    tcase_add_test(tests, loads_come_and_go_without_a_gain);
    tcase_add_test(tests, no_law_and_no_drive_makes_energy);
    tcase_add_test(tests, a_rubbed_mass_has_no_more_than_the_belt_gave);
    tcase_add_test(tests, nonsense_makes_no_force);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
