/* SPDX-License-Identifier: MIT */
/* Poles of each way to sample a mode, against closed forms and against the
 * recursions themselves. */
#include "runtime/base/pi.h"
#include "runtime/model/sound/discretise.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static const double rate = 44100.0;

static double played_hz(sb_discretisation how, double hz, double at_rate) {
    return sb_discretise(how, SB_TAU * hz, 0.0, at_rate).omega_rad_s / SB_TAU;
}

START_TEST(exact_is_exact) {
    sb_played_mode m = sb_discretise(SB_DISCRETISE_EXACT, 2764.6, 3.25, rate);
    ck_assert_double_eq(m.omega_rad_s, 2764.6);
    ck_assert_double_eq(m.sigma_per_s, 3.25);
    ck_assert_double_eq(m.cents, 0.0);
    ck_assert(
        sb_discretise(SB_DISCRETISE_EXACT, SB_TAU * 23000, 1, rate).is_silent);
}
END_TEST

/* fd = (fs / pi) atan(pi f / fs); the values are those of the tables. */
START_TEST(bilinear_warps) {
    const double table[][3] = {{1000, 998.314, -2.92},
                               {2000, 1986.630, -11.61},
                               {5000, 4803.316, -69.48},
                               {10000, 8688.995, -243.29}};
    for (int i = 0; i < 4; i++) {
        double hz = table[i][0];
        sb_played_mode m =
            sb_discretise(SB_DISCRETISE_BILINEAR, SB_TAU * hz, 0.0, rate);
        double form = rate / SB_PI * atan(SB_PI * hz / rate);
        ck_assert_double_eq_tol(m.omega_rad_s / SB_TAU, form, 1e-7);
        ck_assert_double_eq_tol(m.omega_rad_s / SB_TAU, table[i][1], 6e-4);
        ck_assert_double_eq_tol(m.cents, table[i][2], 6e-3);
    }
}
END_TEST

/* f' = (fs / pi) asin(pi f / fs) without damping, and no sound from fs / pi
 * on, where the method grows. */
START_TEST(euler_is_sharp_and_ends) {
    for (double hz = 20; hz < rate / SB_PI; hz *= 1.3) {
        double form = rate / SB_PI * asin(SB_PI * hz / rate);
        ck_assert_double_eq_tol(played_hz(SB_DISCRETISE_EULER, hz, rate) / form,
                                1.0, 1e-8);
    }
    ck_assert(
        sb_discretise(SB_DISCRETISE_EULER, 2.001 * rate, 0.1, rate).is_silent);
    ck_assert(
        !sb_discretise(SB_DISCRETISE_EULER, 1.99 * rate, 0.1, rate).is_silent);
}
END_TEST

START_TEST(naive_folds) {
    ck_assert_double_eq_tol(played_hz(SB_DISCRETISE_NAIVE, 30000, 48000), 18000,
                            1e-6);
    ck_assert_double_eq_tol(played_hz(SB_DISCRETISE_NAIVE, 50000, 48000), 2000,
                            1e-6);
    ck_assert_double_eq_tol(played_hz(SB_DISCRETISE_NAIVE, 1000, 48000), 1000,
                            1e-9);
}
END_TEST

/* The largest detuning within a semitone about the frequency. */
static double worst_cents(double hz) {
    double worst = 0.0;
    for (int i = -500; i <= 500; i++) {
        double at = hz * exp2(i / 6000.0);
        double cents =
            sb_discretise(SB_DISCRETISE_DIRECT, SB_TAU * at, 0.5, 48000).cents;
        worst = fmax(worst, fabs(cents));
    }
    return worst;
}

/* Coefficients in float at 48 kHz: +-11.4 cents at 20 Hz, 1.8 at 50, 0.37 at
 * 110, 0.09 at 220. */
START_TEST(direct_is_detuned_where_low) {
    ck_assert_double_eq_tol(worst_cents(20), 11.4, 1.5);
    ck_assert_double_eq_tol(worst_cents(50), 1.8, 0.3);
    ck_assert_double_eq_tol(worst_cents(110), 0.37, 0.06);
    ck_assert_double_eq_tol(worst_cents(220), 0.09, 0.02);
}
END_TEST

/* Run a recursion for `frames` and return what a mode would be by then. */
static double envelope_after(sb_discretisation how, double w, double s,
                             int frames) {
    double t = 1.0 / rate, q = 0.0, v = 1.0;
    for (int i = 0; i < frames; i++) {
        if (how == SB_DISCRETISE_EULER) {
            v += t * (-2 * s * v - w * w * q);
            q += t * v;
        } else { /* trapezoid, solved for the next velocity */
            double c = 0.5 * t;
            double from =
                v * (1 - 2 * s * c - c * c * w * w) - 2 * c * w * w * q;
            double next = from / (1 + 2 * s * c + c * c * w * w);
            q += c * (v + next);
            v = next;
        }
    }
    return 0.5 * log(v * v + w * w * q * q);
}

/* The decay of the recursions is that of the poles. */
START_TEST(recursions_have_these_poles) {
    const sb_discretisation list[] = {SB_DISCRETISE_EULER,
                                      SB_DISCRETISE_BILINEAR};
    for (int i = 0; i < 2; i++) {
        double w = SB_TAU * 1500, s = 12.0;
        sb_played_mode m = sb_discretise(list[i], w, s, rate);
        /* Whole periods of the played mode, so that the phase is the same. */
        double damped =
            sqrt(m.omega_rad_s * m.omega_rad_s - m.sigma_per_s * m.sigma_per_s);
        int frames = (int)lround(2000 * SB_TAU / damped * rate);
        double fell = -envelope_after(list[i], w, s, frames);
        ck_assert_double_eq_tol(fell * rate / frames / m.sigma_per_s, 1.0,
                                0.02);
    }
}
END_TEST

/* No method makes a mode that grows. */
START_TEST(nothing_grows) {
    for (int how = 0; how < SB_DISCRETISATIONS; how++)
        for (double hz = 1; hz < 90000; hz *= 1.07)
            for (double s = 1e-3; s < 1e6; s *= 7) {
                sb_played_mode m =
                    sb_discretise((sb_discretisation)how, SB_TAU * hz, s, rate);
                ck_assert(m.is_silent || m.sigma_per_s >= 0.0);
                ck_assert(m.is_silent || m.omega_rad_s > 0.0);
                ck_assert(isfinite(m.omega_rad_s) && isfinite(m.cents));
            }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("discretise");
    TCase *all = tcase_create("all");
    tcase_add_test(all, exact_is_exact);
    tcase_add_test(all, bilinear_warps);
    tcase_add_test(all, euler_is_sharp_and_ends);
    tcase_add_test(all, naive_folds);
    tcase_add_test(all, direct_is_detuned_where_low);
    tcase_add_test(all, recursions_have_these_poles);
    tcase_add_test(all, nothing_grows);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
