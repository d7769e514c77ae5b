/* SPDX-License-Identifier: MIT */
/* A belt and a bow against Coulomb's period (physics 2.6) and against the
 * energy that falling friction gives a mode. */
#include "runtime/base/pi.h"
#include "tests/dsp/contact/bristle_fixture.h"

static const double rates_hz[] = {44100, 48000, 96000, 192000};
enum { RATES = 4 };

/* --- the belt --------------------------------------------------------------*/

/* Nearly Coulomb friction: sticking ends within a tenth of a nanometre, and 0.1
 * mm/s is already sliding. */
static sb_bristle coulomb(void) {
    return sb_bristle_from(0.4, 0.25, 3e-5, 1e10);
}

static cycle belt(double load_n, double belt_m_s, double rate_hz) {
    rubbed o = {.law = coulomb(),
                .mass_kg = 0.01,
                .omega = sqrt(1000 / 0.01),
                .step_s = 1 / rate_hz,
                .v = belt_m_s};
    return measure(&o, load_n, belt_m_s, 0.25 * load_n / 1000, 0.06, 0.24);
}

START_TEST(a_belt_slips_with_coulombs_period) {
    const double load[] = {1, 0.5, 2, 1, 1}, speed[] = {.05, .05, .05, .02, .1};
    for (int r = 0; r < RATES; r++)
        for (int i = 0; i < 5; i++) {
            double w = sqrt(1000 / 0.01), apart = 0.15 * load[i] / 1000;
            double t = 2 * apart / speed[i] +
                       (SB_PI + 2 * atan(speed[i] / (w * apart))) / w;
            double got = belt(load[i], speed[i], rates_hz[r]).period_s;
            ck_assert_msg(fabs(got / t - 1) < 3e-3,
                          "%g N, %g m/s, %g Hz: %g s not %g", load[i], speed[i],
                          rates_hz[r], got, t);
            if (i == 0) ck_assert_double_eq_tol(1 / t, 47.4645, 1e-4);
        }
}
END_TEST

START_TEST(pressing_harder_swings_wider_and_slower) {
    cycle before = {0, 0};
    for (double load = 0.25; load < 9; load *= 2) {
        cycle now = belt(load, 0.05, 48000);
        double half = 0.15 * load / 1000, slide = 0.05 / sqrt(1000 / 0.01);
        double swing = 2 * sqrt(half * half + slide * slide);
        ck_assert_double_eq_tol(now.swing_m / swing, 1, 5e-3);
        ck_assert(now.swing_m > before.swing_m);
        ck_assert(now.period_s > before.period_s);
        before = now;
    }
}
END_TEST

/* --- steps and modes -------------------------------------------------------*/

START_TEST(finer_steps_come_nearer) {
    double q[5];
    for (int i = 0; i < 5; i++) {
        rubbed o = {.law = sb_bristle_from(0.4, 0.25, 0.02, 1e5),
                    .mass_kg = 0.01,
                    .omega = sqrt(1000 / 0.01),
                    .step_s = 1.0 / (12000 << (i < 4 ? i : 8))};
        int steps = (int)(0.05 / o.step_s + 0.5);
        for (int n = 0; n < steps; n++)
            rub(&o, 1, 0.05);
        q[i] = o.q;
    }
    for (int i = 0; i < 3; i++)
        ck_assert_msg(fabs(q[i + 1] - q[4]) < 0.4 * fabs(q[i] - q[4]),
                      "%g, then %g", q[i] - q[4], q[i + 1] - q[4]);
}
END_TEST

/* A bow on a mode of 300 Hz that slides where mu falls by mu' per m/s feeds it
 * with N |mu'| / m, of which damping takes 2 sigma. */
static rubbed bowed(double load_n, double belt_m_s) {
    rubbed o = {.law = sb_bristle_from(0.4, 0.2, 0.2, 1e7),
                .mass_kg = 0.05,
                .omega = 2 * SB_PI * 300,
                .sigma = 5,
                .step_s = 1.0 / 48000};
    double mu = steady_mu(&o.law, belt_m_s);
    o.q = mu * load_n / (o.mass_kg * o.omega * o.omega);
    o.v = 1e-4;
    o.bristles = (sb_bristle_state){mu / 1e7, belt_m_s, load_n};
    return o;
}

static double swing(rubbed *o, double load_n, double belt_m_s, double mid) {
    return measure(o, load_n, belt_m_s, mid, 0, 1.0 / 300).swing_m;
}

START_TEST(a_bow_feeds_a_mode_as_fast_as_mu_falls) {
    const double belt_m_s = 0.15;
    double part = belt_m_s / 0.2;
    double falls = 0.2 * 2 * part / 0.2 * exp(-part * part);
    double threshold = 2 * 5 * 0.05 / falls;
    for (double of = 0.25; of < 4; of += 0.75) {
        rubbed o = bowed(of * threshold, belt_m_s);
        double mid = o.q, load = of * threshold;
        double first = swing(&o, load, belt_m_s, mid);
        for (int n = 0; n < 48000 / 20; n++)
            rub(&o, load, belt_m_s);
        double rate =
            log(swing(&o, load, belt_m_s, mid) / first) / (0.05 + 1.0 / 300);
        ck_assert_msg(fabs(rate - 5 * (of - 1)) < 0.1, "%g: %g /s not %g", of,
                      rate, 5 * (of - 1));
    }
}
END_TEST

START_TEST(a_bow_sounds_a_mode_if_it_presses_enough) {
    const double belt_m_s = 0.15;
    rubbed light = bowed(0.2, belt_m_s), well = bowed(2, belt_m_s);
    double mid = light.q;
    cycle faint = measure(&light, 0.2, belt_m_s, mid, 1.2, 0.1);
    ck_assert_double_lt(faint.swing_m, 0.03 * 2e-4 / light.omega);
    mid = well.q;
    cycle early = measure(&well, 2, belt_m_s, mid, 0.8, 0.2);
    cycle late = measure(&well, 2, belt_m_s, mid, 0.2, 0.2);
    ck_assert_double_eq_tol(1 / late.period_s, 300, 6);
    ck_assert_double_eq_tol(late.swing_m / early.swing_m, 1, 1e-3);
    /* It sticks for a while in every period: the mode gets as fast as the bow
     * and, by its sine, swings 2 V / w at least. */
    ck_assert_double_gt(late.swing_m, 2 * belt_m_s / (2 * SB_PI * 300));
    ck_assert_double_lt(late.swing_m, 4 * belt_m_s / (2 * SB_PI * 300));
}
END_TEST

START_TEST(a_bow_sounds_the_same_at_every_rate) {
    double swing_m[RATES], period_s[RATES];
    for (int r = 0; r < RATES; r++) {
        rubbed o = {.law = sb_bristle_from(0.8, 0.3, 0.2, 0),
                    .mass_kg = 0.09,
                    .omega = 2 * SB_PI * 349,
                    .sigma = 1.2,
                    .step_s = 1 / rates_hz[r]};
        cycle now = measure(&o, 5, 0.2, 0, 0.3, 0.1);
        swing_m[r] = now.swing_m;
        period_s[r] = now.period_s;
        ck_assert_msg(fabs(swing_m[r] / swing_m[0] - 1) < 5e-3,
                      "%g Hz: %g m not %g", rates_hz[r], swing_m[r],
                      swing_m[0]);
        ck_assert_msg(fabs(period_s[r] / period_s[0] - 1) < 2e-4,
                      "%g Hz: %g s not %g", rates_hz[r], period_s[r],
                      period_s[0]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bristle_belt");
    TCase *tests = tcase_create("bristle_belt");
    tcase_add_test(tests, a_belt_slips_with_coulombs_period);
    tcase_add_test(tests, pressing_harder_swings_wider_and_slower);
    tcase_add_test(tests, finer_steps_come_nearer);
    tcase_add_test(tests, a_bow_feeds_a_mode_as_fast_as_mu_falls);
    tcase_add_test(tests, a_bow_sounds_a_mode_if_it_presses_enough);
    tcase_add_test(tests, a_bow_sounds_the_same_at_every_rate);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
