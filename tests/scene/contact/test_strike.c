/* SPDX-License-Identifier: MIT */
/* Strikes of a mallet, compared with closed forms of springs (physics 2.5). */
#include "runtime/base/pi.h"
#include "runtime/scene/strike/strike.h"

#include "tests/suite.h"

#include <math.h>

/* Harder than any surface, so that only the other spring matters. */
#define WALL 1e300

START_TEST(a_spring_on_a_wall_matches_the_table) {
    sb_strike_def strike_def = {
        .speed_m_s = 1, .striker.mass_kg = 0.01, .striker.hardness_n_m = 1e5};
    sb_impact_estimate result = sb_strike_push(&strike_def, 0, WALL);
    double depth_m = result.duration_s * strike_def.speed_m_s / SB_PI;
    ck_assert_double_eq_tol(result.duration_s, 0.993459e-3, 0.5e-9);
    ck_assert_double_eq_tol(depth_m, 0.316228e-3, 0.5e-9);
    ck_assert_double_eq_tol(result.peak_force_n, 31.6228, 0.5e-4);
    ck_assert_double_eq_tol(result.impulse_ns, 0.02, 1e-15);
}
END_TEST

START_TEST(two_springs_and_two_masses_match_the_table) {
    sb_strike_def strike_def = {
        .speed_m_s = 1, .striker.mass_kg = 0.01, .striker.hardness_n_m = 1e5};
    sb_impact_estimate result = sb_strike_push(&strike_def, 1 / 0.02, 3e5);
    ck_assert_double_eq_tol(result.duration_s, 0.936642e-3, 0.5e-9);
    ck_assert_double_eq_tol(result.impulse_ns, 2.0 / 150, 1e-15);
    ck_assert_double_eq_tol(result.peak_force_n, sqrt(75000.0 / 150), 1e-12);
}
END_TEST

START_TEST(duration_and_force_follow_the_closed_form_everywhere) {
    for (double m = 1e-4; m < 10; m *= 7)
        for (double k = 1e3; k < 1e10; k *= 13)
            for (double v = 1e-3; v < 100; v *= 11) {
                sb_strike_def strike_def = {.speed_m_s = v,
                                            .striker.mass_kg = m,
                                            .striker.hardness_n_m = k};
                sb_impact_estimate r = sb_strike_push(&strike_def, 0, WALL);
                double t = SB_PI * sqrt(m / k), f = v * sqrt(m * k);
                ck_assert_double_eq_tol(r.duration_s / t, 1, 1e-14);
                ck_assert_double_eq_tol(r.peak_force_n / f, 1, 1e-14);
                /* The area of a half-sine. */
                ck_assert_double_eq_tol(2 / SB_PI * r.peak_force_n *
                                            r.duration_s / r.impulse_ns,
                                        1, 1e-14);
            }
}
END_TEST

START_TEST(equal_masses_last_shorter_by_the_root_of_two) {
    sb_strike_def strike_def = {
        .speed_m_s = 1, .striker.mass_kg = 0.02, .striker.hardness_n_m = 1e5};
    double held = sb_strike_push(&strike_def, 0, WALL).duration_s;
    double loose = sb_strike_push(&strike_def, 1 / 0.02, WALL).duration_s;
    ck_assert_double_eq_tol(held / loose, sqrt(2), 1e-12);
}
END_TEST

START_TEST(stiffening_balances_the_energy_exactly) {
    for (double s = 1e-3; s < 1e10; s *= 31)
        for (double v = 1e-4; v < 1e3; v *= 9) {
            sb_strike_def strike_def = {.speed_m_s = v,
                                        .striker.mass_kg = 0.01,
                                        .striker.hardness_n_m = 1e5,
                                        .stiffening_per_m = s};
            sb_impact_estimate result = sb_strike_push(&strike_def, 0, WALL);
            double a = result.duration_s * v / SB_PI;
            double stored = 1e5 * a * a / 2 + 1e5 * s * a * a * a / 3;
            double brought = 0.01 * v * v / 2;
            ck_assert_msg(fabs(stored / brought - 1) < 1e-12,
                          "s %g v %g: %g of the energy", s, v,
                          stored / brought);
            ck_assert_double_eq_tol(result.impulse_ns / (0.02 * v), 1, 1e-14);
        }
}
END_TEST

START_TEST(a_louder_impact_is_shorter_where_surfaces_stiffen) {
    double last = INFINITY, soft = 0;
    for (double v = 0.01; v < 20; v *= 1.5) {
        sb_strike_def strike_def = {.speed_m_s = v,
                                    .striker.mass_kg = 0.01,
                                    .striker.hardness_n_m = 1e5,
                                    .stiffening_per_m = 1e4};
        double duration = sb_strike_push(&strike_def, 0, WALL).duration_s;
        ck_assert_double_lt(duration, last);
        if (soft == 0) soft = duration;
        last = duration;
    }
    ck_assert_double_lt(last, 0.5 * soft);
    /* And equally long where they do not. */
    sb_strike_def soft_strike = {.speed_m_s = 0.01,
                                 .striker.hardness_n_m = 1e5};
    sb_strike_def loud_strike = {.speed_m_s = 20, .striker.hardness_n_m = 1e5};
    ck_assert_double_eq_tol(
        sb_strike_push(&soft_strike, 0, WALL).duration_s /
            sb_strike_push(&loud_strike, 0, WALL).duration_s,
        1, 1e-14);
}
END_TEST

START_TEST(an_impulse_given_alone_is_ideal) {
    sb_strike_def strike_def = {.impulse_ns = 0.01};
    sb_impact_estimate result = sb_strike_push(&strike_def, 1 / 0.157, 1e6);
    ck_assert_double_eq_tol(result.impulse_ns, 0.01, 1e-17);
    ck_assert_double_eq(result.duration_s, 0);
    ck_assert_double_eq(result.peak_force_n, 0);
}
END_TEST

START_TEST(an_impulse_with_a_mallet_is_a_pulse_of_that_impulse) {
    sb_strike_def strike_def = {.impulse_ns = 0.03,
                                .striker.mass_kg = 0.01,
                                .striker.hardness_n_m = 1e5};
    sb_impact_estimate result = sb_strike_push(&strike_def, 1 / 0.02, 3e5);
    ck_assert_double_eq_tol(result.impulse_ns, 0.03, 1e-16);
    ck_assert_double_eq_tol(result.duration_s, 0.936642e-3, 0.5e-9);
}
END_TEST

START_TEST(the_model_may_be_chosen_by_hand) {
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .striker.mass_kg = 0.01,
                                .striker.hardness_n_m = 1e5,
                                .model = SB_IMPACT_MODEL_IMPULSE};
    sb_impact_estimate ideal = sb_strike_push(&strike_def, 0, WALL);
    ck_assert_double_eq(ideal.duration_s, 0);
    ck_assert_double_eq_tol(ideal.impulse_ns, 0.02, 1e-16);
    sb_strike_def other = {.impulse_ns = 0.02, .model = SB_IMPACT_MODEL_PULSE};
    sb_impact_estimate pulse = sb_strike_push(&other, 0, 1e6);
    double k = 5e5, m = SB_STRIKER_MASS_KG; /* a mallet as hard as the body */
    ck_assert_double_eq_tol(pulse.duration_s, SB_PI * sqrt(m / k), 1e-12);
}
END_TEST

START_TEST(no_speed_is_no_strike) {
    sb_strike_def strike_def = {.striker.mass_kg = 0.01,
                                .striker.hardness_n_m = 1e5};
    sb_impact_estimate result = sb_strike_push(&strike_def, 0, 1e6);
    ck_assert_double_eq(result.impulse_ns, 0);
    ck_assert_double_eq(result.duration_s, 0);
    ck_assert_double_eq(result.peak_force_n, 0);
}
END_TEST

/* By quadrature: | integral of sin(pi t / T) e^(i w t) | over that of w = 0. */
static double half_sine_share(double duration_s, double omega) {
    enum { STEPS = 20000 };
    double re = 0, im = 0, area = 0, h = duration_s / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double t = (i + 0.5) * h, f = sin(SB_PI * t / duration_s);
        re += f * cos(omega * t) * h;
        im += f * sin(omega * t) * h;
        area += f * h;
    }
    return hypot(re, im) / area;
}

START_TEST(a_mode_yields_by_its_share_of_the_pulse) {
    const double turns[] = {0, 0.1, 1, 3, SB_PI, 3.2, 5, 10, 30};
    double t = 1e-3;
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        double share = half_sine_share(t, turns[i] / t);
        double yield = sb_impact_mode_yield(t, 3, turns[i] / t);
        ck_assert_double_eq_tol(yield, 9 * share * share, 1e-7);
    }
    ck_assert_double_eq(sb_impact_mode_yield(0, 3, 1e5), 9); /* ideal */
    ck_assert_double_eq(sb_impact_mode_yield(t, 0, 1e3), 0); /* at a node */
}
END_TEST

START_TEST(no_strike_gives_more_energy_than_it_had) {
    for (double m = 1e-3; m < 10; m *= 3)
        for (double inverse = 0; inverse < 1000; inverse = 5 * inverse + 0.1)
            for (double modes = 0.01; modes < 1e4; modes *= 7) {
                sb_strike_def strike_def = {.speed_m_s = 2,
                                            .striker.mass_kg = m,
                                            .striker.hardness_n_m = 1e6};
                sb_impact_estimate plain =
                    sb_strike_push(&strike_def, inverse, 1e6);
                sb_impact_estimate r =
                    sb_strike_yield(&strike_def, plain, inverse, modes);
                double j = r.impulse_ns, had = m * 2 * 2 / 2;
                double given = j * j / 2 * (inverse + modes);
                ck_assert_double_le(given, had * (1 + 1e-12));
                ck_assert_double_lt(j, plain.impulse_ns);
                ck_assert_double_eq_tol(j / plain.impulse_ns,
                                        r.peak_force_n / plain.peak_force_n,
                                        1e-12);
            }
}
END_TEST

START_TEST(a_given_impulse_does_not_yield) {
    sb_strike_def strike_def = {.impulse_ns = 0.03, .striker.mass_kg = 0.01};
    sb_impact_estimate plain = sb_strike_push(&strike_def, 10, 1e6);
    sb_impact_estimate r = sb_strike_yield(&strike_def, plain, 10, 500);
    ck_assert_double_eq(r.impulse_ns, plain.impulse_ns);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("strike");
    TCase *tcase = tcase_create("strike");
    tcase_add_test(tcase, a_spring_on_a_wall_matches_the_table);
    tcase_add_test(tcase, two_springs_and_two_masses_match_the_table);
    tcase_add_test(tcase, duration_and_force_follow_the_closed_form_everywhere);
    tcase_add_test(tcase, equal_masses_last_shorter_by_the_root_of_two);
    tcase_add_test(tcase, stiffening_balances_the_energy_exactly);
    tcase_add_test(tcase, a_louder_impact_is_shorter_where_surfaces_stiffen);
    tcase_add_test(tcase, an_impulse_given_alone_is_ideal);
    tcase_add_test(tcase, an_impulse_with_a_mallet_is_a_pulse_of_that_impulse);
    tcase_add_test(tcase, the_model_may_be_chosen_by_hand);
    tcase_add_test(tcase, no_speed_is_no_strike);
    tcase_add_test(tcase, a_mode_yields_by_its_share_of_the_pulse);
    tcase_add_test(tcase, no_strike_gives_more_energy_than_it_had);
    tcase_add_test(tcase, a_given_impulse_does_not_yield);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
