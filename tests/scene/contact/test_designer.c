/* SPDX-License-Identifier: MIT */
/* Strike fields for sound designers: curves, limits, onsets, micro-impacts
 * and grazing, against their formulas. */
#include "runtime/base/pi.h"
#include "runtime/scene/strike/designer.h"
#include "runtime/scene/strike/strike.h"

#include "tests/suite.h"

#include <math.h>

/* Harder than any surface, so that only the other spring matters. */
#define WALL 1e300

/* --- level --------------------------------------------------------------- */

START_TEST(a_curve_is_straight_between_and_flat_after) {
    sb_level_curve curve = {{{1, 3}, {2, 1}, {4, 7}}, 3};
    const double speed[] = {0, 0.5, 1, 1.5, 2, 3, 4, 4.001, 1e9};
    const double level[] = {0, 1.5, 3, 2, 1, 4, 7, 7, 7};
    for (int i = 0; i < 9; i++)
        ck_assert_double_eq_tol(sb_level_read(&curve, speed[i]), level[i],
                                1e-14);
    curve.points[0] = (sb_level_point){0, 0.25}; /* heard from the start */
    ck_assert_double_eq(sb_level_read(&curve, 0), 0.25);
    curve.count = 0;
    for (double v = 0; v < 100; v += 0.37)
        ck_assert_double_eq(sb_level_read(&curve, v), v);
}
END_TEST

static sb_impact_estimate nonlinear(const sb_strike_def *strike_def,
                                    double inverse_mass) {
    sb_hertz hertz =
        sb_indenter_hertz(&strike_def->striker, sb_material_find("glass"));
    sb_strike_harden(strike_def, inverse_mass, &hertz);
    return sb_strike_press(strike_def, &hertz, inverse_mass);
}

static sb_impact_estimate of_model(const sb_strike_def *strike_def,
                                   double inverse_mass) {
    return sb_impact_model_is_nonlinear(sb_strike_model(strike_def))
               ? nonlinear(strike_def, inverse_mass)
               : sb_strike_push(strike_def, inverse_mass, 1e7);
}

START_TEST(a_strike_is_played_at_the_speed_its_curve_says) {
    for (int model = SB_IMPACT_MODEL_IMPULSE; model < SB_IMPACT_MODELS; model++)
        for (double v = 0.1; v < 20; v *= 1.7) {
            sb_strike_def plain = {.striker.mass_kg = 0.01,
                                   .model = (sb_impact_model)model};
            sb_strike_def bent = plain;
            bent.curve = (sb_level_curve){{{2, 1}, {10, 3}}, 2};
            bent.speed_m_s = v;
            plain.speed_m_s = sb_level_read(&bent.curve, v);
            sb_impact_estimate p = of_model(&plain, 3), b = of_model(&bent, 3);
            ck_assert_double_eq(p.impulse_ns, b.impulse_ns);
            ck_assert_double_eq(p.duration_s, b.duration_s);
            ck_assert_double_eq(p.speed_m_s, b.speed_m_s);
            ck_assert_double_eq(b.strength_m_s, v);
        }
}
END_TEST

START_TEST(no_impulse_exceeds_its_limit) {
    for (int model = SB_IMPACT_MODEL_IMPULSE; model < SB_IMPACT_MODELS; model++)
        for (double lambda = 0; lambda < 1e14; lambda = 100 * lambda + 1e6)
            for (double v = 1e-4; v < 1e3; v *= 3) {
                sb_strike_def strike_def = {.speed_m_s = v,
                                            .striker.mass_kg = 0.01,
                                            .striker.lambda = lambda,
                                            .model = (sb_impact_model)model};
                double free = of_model(&strike_def, 5).impulse_ns;
                strike_def.limit_ns = 0.004;
                double got = of_model(&strike_def, 5).impulse_ns;
                double wanted = fmin(free, 0.004);
                /* For small losses e has only 9 correct digits. */
                ck_assert_msg(fabs(got / wanted - 1) < 1e-7,
                              "model %d, %g m/s: %.15g N s not %.15g", model, v,
                              got, wanted);
            }
}
END_TEST

/* --- hardness ------------------------------------------------------------ */

START_TEST(the_onset_is_independent_of_mass_and_hardness) {
    const double ratio[] = {1e-9, 0.1, 1, 10, 1000, 1e9};
    for (int i = 0; i < 6; i++) {
        double a = sb_strike_shortening(ratio[i]);
        ck_assert_double_eq_tol(a * a + 2.0 / 3 * ratio[i] * a * a * a, 1,
                                1e-12);
        for (double m = 1e-4; m < 10; m *= 13)
            for (int model = SB_IMPACT_MODEL_PULSE; model < SB_IMPACT_MODELS;
                 model++) {
                sb_strike_def strike_def = {.speed_m_s = 2,
                                            .striker.mass_kg = m,
                                            .striker.lambda = 1e5,
                                            .striker.hardness_n_m = 1e3 / m,
                                            .model = (sb_impact_model)model};
                sb_impact_estimate soft = of_model(&strike_def, 0.3);
                strike_def.onset_m_s = 2 / ratio[i];
                sb_impact_estimate hard = of_model(&strike_def, 0.3);
                ck_assert_double_eq_tol(hard.duration_s / soft.duration_s, a,
                                        1e-9);
                ck_assert_double_eq_tol(hard.impulse_ns / soft.impulse_ns, 1,
                                        1e-9);
            }
    }
}
END_TEST

START_TEST(an_onset_is_the_stiffening_that_doubles_there) {
    sb_strike_def strike_def = {
        .speed_m_s = 3, .striker.mass_kg = 0.02, .striker.hardness_n_m = 1e5};
    sb_strike_def other = strike_def;
    strike_def.onset_m_s = 0.7;
    other.stiffening_per_m = 1 / (0.7 * sqrt(0.02 / 1e5));
    ck_assert_double_eq_tol(sb_strike_push(&strike_def, 0, WALL).duration_s /
                                sb_strike_push(&other, 0, WALL).duration_s,
                            1, 1e-12);
}
END_TEST

START_TEST(a_limited_level_still_reports_its_strength) {
    sb_strike_def strike_def = {.striker.mass_kg = 0.01,
                                .striker.hardness_n_m = 1e5,
                                .onset_m_s = 1,
                                .curve = {{{1, 1}}, 1}};
    double last = INFINITY, level = 0;
    for (double v = 1; v < 100; v *= 2) {
        strike_def.speed_m_s = v;
        sb_impact_estimate r = sb_strike_push(&strike_def, 0, WALL);
        ck_assert_double_lt(r.duration_s, last);
        if (v > 1) ck_assert_double_eq(r.impulse_ns, level);
        last = r.duration_s;
        level = r.impulse_ns;
    }
}
END_TEST

/* --- micro-impacts ------------------------------------------------------- */

START_TEST(micro_impacts_are_a_poisson_process) {
    enum { STRIKES = 20000 };
    sb_scatter scatter = {2, 0.03, 0.4};
    for (double v = 0.25; v <= 4; v *= 2) {
        sb_random random = sb_random_make(3, 1);
        double sum = 0, squares = 0, late = 0, share = 0;
        for (int i = 0; i < STRIKES; i++) {
            sb_micro_impact hits[SB_SCATTER_IMPACTS];
            int n = sb_scatter_draw(&scatter, v, &random, hits);
            sum += n;
            squares += (double)n * n;
            for (int k = 0; k < n; k++) {
                ck_assert(hits[k].share >= 0 && hits[k].share < 0.4);
                ck_assert(k == 0 || hits[k].after_s >= hits[k - 1].after_s);
                late += hits[k].after_s;
                share += hits[k].share;
            }
        }
        double mean = sum / STRIKES, dispersion = squares / sum - mean;
        /* Five standard errors of each. */
        double wide = 5 / sqrt(STRIKES);
        ck_assert_msg(fabs(mean / (2 * v) - 1) < wide / sqrt(2 * v),
                      "%g hits at %g m/s", mean, v);
        ck_assert_msg(fabs(dispersion - 1) < wide * 1.6, "dispersion %g at %g",
                      dispersion, v);
        ck_assert_double_eq_tol(late / sum / 0.03, 1, wide / sqrt(2 * v));
        ck_assert_double_eq_tol(share / sum / 0.2, 1, wide / sqrt(2 * v));
    }
}
END_TEST

START_TEST(no_strength_scatters_nothing) {
    sb_random random = sb_random_make(3, 1), before = random;
    sb_micro_impact hits[SB_SCATTER_IMPACTS];
    sb_scatter some = {2, 0.03, 0.4}, none = {0, 0.03, 0.4},
               wild = {1e3, 0.03, 0.4};
    ck_assert_int_eq(sb_scatter_draw(&some, 0, &random, hits), 0);
    ck_assert_int_eq(sb_scatter_draw(&none, 5, &random, hits), 0);
    ck_assert_uint_eq(random.state, before.state); /* no number was drawn */
    ck_assert_int_eq(sb_scatter_draw(&wild, 1e3, &random, hits),
                     SB_SCATTER_IMPACTS);
}
END_TEST

/* --- grazing ------------------------------------------------------------- */

static sb_graze_split at_angle(double degrees, double turn, double v) {
    double t = degrees * SB_PI / 180;
    /* Onto a slope, with vectors that are not of unit length. */
    sb_vec3 normal = sb_vec3_normalised((sb_vec3){0.3, 1, -0.2});
    sb_vec3 side =
        sb_vec3_normalised(sb_vec3_cross(normal, (sb_vec3){1, 0, 0}));
    sb_vec3 other = sb_vec3_cross(normal, side);
    sb_vec3 along = sb_vec3_add(sb_vec3_scale(side, cos(turn)),
                                sb_vec3_scale(other, sin(turn)));
    sb_vec3 direction = sb_vec3_add(sb_vec3_scale(normal, -cos(t)),
                                    sb_vec3_scale(along, sin(t)));
    return sb_graze_split_of(sb_vec3_scale(normal, 7),
                             sb_vec3_scale(direction, 0.2), v);
}

START_TEST(energy_splits_by_the_angle) {
    sb_vec3 normal = sb_vec3_normalised((sb_vec3){0.3, 1, -0.2});
    for (double degrees = 0; degrees <= 90; degrees += 7.5)
        for (double turn = 0; turn < 6; turn += 1.1) {
            double c = cos(degrees * SB_PI / 180),
                   s = sin(degrees * SB_PI / 180);
            sb_graze_split split = at_angle(degrees, turn, 3);
            ck_assert_double_eq_tol(split.into_m_s, 3 * c, 1e-14);
            ck_assert_double_eq_tol(split.along_m_s, 3 * s, 1e-14);
            ck_assert_double_eq_tol(split.along_share, s * s, 1e-14);
            ck_assert_double_eq_tol(sb_vec3_dot(split.along, normal), 0, 1e-12);
        }
    /* A striker that moves away strikes nothing. */
    ck_assert_double_eq(at_angle(120, 1, 3).into_m_s, 0);
}
END_TEST

START_TEST(straight_in_is_a_plain_impact) {
    sb_graze_def def = sb_graze_def_default();
    sb_graze_split split = at_angle(0, 0, 2);
    sb_graze graze = sb_graze_of(&def, &split, 0.01, 0.3);
    ck_assert_double_eq_tol(split.into_m_s, 2, 1e-14);
    ck_assert_double_eq(graze.time_s, 0);
    ck_assert_double_eq(graze.force_n, 0);
    /* Nearly straight in, the slide is nearly nothing. */
    split = at_angle(1, 0, 2);
    graze = sb_graze_of(&def, &split, 0.01, 0.3);
    ck_assert_double_lt(graze.time_s, 1e-3 * def.time_s);
    ck_assert_double_lt(graze.force_n * graze.time_s / 2, 1e-3 * 0.01);
}
END_TEST

START_TEST(right_along_is_all_slide) {
    sb_graze_def def = sb_graze_def_default();
    def.slide = 0.25;
    sb_graze_split split = at_angle(90, 0.4, 2);
    sb_graze graze = sb_graze_of(&def, &split, 0, 0.3);
    ck_assert_double_eq_tol(split.into_m_s, 0, 1e-15);
    ck_assert_double_eq_tol(graze.time_s, def.time_s, 1e-15);
    ck_assert_double_eq_tol(graze.contact_m_s, 2, 1e-14);
    ck_assert_double_eq_tol(graze.slip_m_s, 0.5, 1e-14);
    ck_assert_double_eq(graze.force_n, 0.3); /* its weight alone */
}
END_TEST

int main(void) {
    Suite *suite = suite_create("designer");
    TCase *tcase = tcase_create("designer");
    tcase_add_test(tcase, a_curve_is_straight_between_and_flat_after);
    tcase_add_test(tcase, a_strike_is_played_at_the_speed_its_curve_says);
    tcase_add_test(tcase, no_impulse_exceeds_its_limit);
    tcase_add_test(tcase, the_onset_is_independent_of_mass_and_hardness);
    tcase_add_test(tcase, an_onset_is_the_stiffening_that_doubles_there);
    tcase_add_test(tcase, a_limited_level_still_reports_its_strength);
    tcase_add_test(tcase, micro_impacts_are_a_poisson_process);
    tcase_add_test(tcase, no_strength_scatters_nothing);
    tcase_add_test(tcase, energy_splits_by_the_angle);
    tcase_add_test(tcase, straight_in_is_a_plain_impact);
    tcase_add_test(tcase, right_along_is_all_slide);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
