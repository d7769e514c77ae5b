/* SPDX-License-Identifier: MIT */
/* A mass on a body that is struck (strike/shake.h), against closed forms. */
#include "runtime/base/pi.h"
#include "runtime/scene/strike/shake.h"
#include "tests/suite.h"

#include <math.h>

/* One slow mode under a light mass on a hard contact. The surface starts at
 * `speed_m_s`, up or down. */
static sb_shake_def on_one_mode(double freq_hz, double speed_m_s) {
    return (sb_shake_def){
        .modes = {{2 * SB_PI * freq_hz, 1, 0.5, speed_m_s > 0 ? 0.5 : -0.5}},
        .mode_count = 1,
        .impulse_ns = 4 * fabs(speed_m_s),
        .duration_s = 2e-5,
        .law = {.stiffness = 1e9, .exponent = 1.5},
        .restitution = 0.5,
        .mass_kg = 0.01,
        .gravity_m_s2 = 9.81};
}

/* (1 + e) u, at once. */
START_TEST(a_surface_that_jumps_up_throws_what_lies_on_it) {
    static const double speeds[] = {0.05, 0.3, 2.0}, kept[] = {0.2, 0.5, 0.9};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            sb_shake_def def = on_one_mode(2, speeds[i]);
            def.restitution = kept[j];
            sb_shake shake = sb_shake_of(&def);
            double wanted = (1 + kept[j]) * speeds[i];
            ck_assert_msg(fabs(shake.speed_m_s / wanted - 1) < 0.06,
                          "thrown at %g m/s, wanted %g", shake.speed_m_s,
                          wanted);
            ck_assert_double_lt(shake.start_s, 1e-4);
            ck_assert_double_ge(sb_shake_most_m_s(&def), 0.94 * wanted);
        }
}
END_TEST

/* It stays in the air while the surface goes down, x = u sin(w t) / w, falls by
 * g t^2 / 2, and is met on the way up. */
START_TEST(a_surface_that_goes_down_meets_it_on_the_way_back) {
    double u = 0.4, w = 2 * SB_PI * 60, t = 1e-3, step = 1e-7;
    while (9.81 * t * t / 2 < u / w * sin(w * t))
        t += step;
    double up = -u * cos(w * t), falls = 9.81 * t;
    sb_shake_def def = on_one_mode(60, -u);
    def.modes[0].sigma_per_s = 0;
    sb_shake shake = sb_shake_of(&def);
    ck_assert_double_eq_tol(shake.start_s, t, 2e-4);
    ck_assert_double_eq_tol(shake.speed_m_s, up + 0.5 * (up + falls), 0.06 * u);
}
END_TEST

/* Slower than g: it follows the surface. */
START_TEST(what_is_lifted_gently_stays_on) {
    sb_shake_def def = on_one_mode(20, 0.05); /* at most 6.3 m/s^2 */
    def.duration_s = 5e-3;
    ck_assert_double_eq(sb_shake_of(&def).speed_m_s, 0);
    def.impulse_ns *= 10;
    ck_assert_double_gt(sb_shake_of(&def).speed_m_s, 0.1);
}
END_TEST

/* A thing much heavier than the modes stops them instead. */
START_TEST(a_heavy_thing_is_thrown_less) {
    sb_shake_def light = on_one_mode(30, 0.3), heavy = light;
    heavy.mass_kg = 40; /* the mode has 4 kg */
    double few = sb_shake_of(&heavy).speed_m_s;
    ck_assert_double_lt(few, 0.3 * sb_shake_of(&light).speed_m_s);
    /* 1 / (1/m + 1/M) (1 + e) u / m */
    ck_assert_double_le(few, 1.1 * 1.5 * 0.3 * 4 / 44);
}
END_TEST

/* Nothing to vibrate, or a node under the thing. */
START_TEST(without_motion_nothing_is_thrown) {
    sb_shake_def def = on_one_mode(30, 0.3);
    def.modes[0].thrown = 0;
    ck_assert_double_eq(sb_shake_of(&def).speed_m_s, 0);
    def.mode_count = 0;
    ck_assert_double_eq(sb_shake_of(&def).speed_m_s, 0);
    ck_assert_double_eq(sb_shake_most_m_s(&def), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shake");
    TCase *tcase = tcase_create("shake");
    tcase_add_test(tcase, a_surface_that_jumps_up_throws_what_lies_on_it);
    tcase_add_test(tcase, a_surface_that_goes_down_meets_it_on_the_way_back);
    tcase_add_test(tcase, what_is_lifted_gently_stays_on);
    tcase_add_test(tcase, a_heavy_thing_is_thrown_less);
    tcase_add_test(tcase, without_motion_nothing_is_thrown);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
