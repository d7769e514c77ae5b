/* SPDX-License-Identifier: MIT */
/* Two ears: distance, side, and constant power between them. */
#include "runtime/base/pi.h"
#include "runtime/scene/plan/listener.h"

#include "tests/suite.h"

static sb_listener at_origin(void) {
    return (sb_listener){.facing = {0, 0, -1}, .gain = 1};
}

static double power(const float gain[2]) {
    return (double)gain[0] * (double)gain[0] +
           (double)gain[1] * (double)gain[1];
}

/* Gains of both ears of a listener that pans. */
static void pan_gains(const sb_listener *listener, sb_vec3 source,
                      float gain[2]) {
    sb_listener pan = *listener;
    pan.ears = SB_EARS_PAN;
    for (int ear = 0; ear < 2; ear++)
        gain[ear] = (float)sb_listener_listen(&pan, ear, source).full;
}

static double level_db(const sb_listener *listener, sb_vec3 source) {
    float gain[2];
    pan_gains(listener, source, gain);
    return 10 * log10(power(gain) / 2);
}

START_TEST(a_pascal_a_metre_ahead_is_its_share_of_full_scale) {
    float gain[2];
    sb_listener listener = at_origin();
    pan_gains(&listener, (sb_vec3){0, 0, -1}, gain);
    ck_assert_double_eq_tol((double)gain[0], 1 / SB_FULL_SCALE_PA, 1e-8);
    ck_assert_double_eq_tol((double)gain[1], 1 / SB_FULL_SCALE_PA, 1e-8);
}
END_TEST

START_TEST(twice_as_far_is_six_decibels_softer) {
    sb_listener listener = at_origin();
    sb_vec3 toward = {0.3, -0.5, -0.7};
    for (double r = 0.2; r < 1000; r *= 2) {
        double near = level_db(&listener, sb_vec3_scale(toward, r));
        double far = level_db(&listener, sb_vec3_scale(toward, 2 * r));
        ck_assert_double_eq_tol(near - far, 6.0206, 0.00005);
    }
}
END_TEST

START_TEST(nearer_than_the_nearest_is_as_near) {
    sb_listener listener = at_origin();
    double nearest = level_db(&listener, (sb_vec3){0, 0, -SB_NEAREST_M});
    for (double r = 0.09; r > 1e-12; r /= 3)
        ck_assert_double_eq_tol(level_db(&listener, (sb_vec3){0, 0, -r}),
                                nearest, 1e-5);
    float gain[2];
    pan_gains(&listener, listener.position, gain);
    ck_assert_float_eq(gain[0], gain[1]);
    ck_assert_double_eq_tol(10 * log10(power(gain) / 2), nearest, 1e-5);
    /* And just outside it is softer. */
    ck_assert_double_lt(level_db(&listener, (sb_vec3){0, 0, -0.11}), nearest);
}
END_TEST

START_TEST(a_body_keeps_its_power_all_around) {
    sb_listener listener = at_origin();
    for (int i = 0; i < 360; i++) {
        double t = i * SB_PI / 180;
        sb_vec3 source = {2 * cos(t), 0, 2 * sin(t)};
        /* A float's rounding of each gain, in decibels. */
        ck_assert_double_eq_tol(level_db(&listener, source),
                                -20 * log10(2 * SB_FULL_SCALE_PA), 1e-6);
    }
}
END_TEST

static void expect_side(sb_vec3 facing, sb_vec3 source, int louder) {
    sb_listener listener = at_origin();
    listener.facing = facing;
    float gain[2];
    pan_gains(&listener, source, gain);
    ck_assert_msg(gain[louder] > 1e3f * fabsf(gain[!louder]),
                  "%g and %g where ear %d should hear it", (double)gain[0],
                  (double)gain[1], louder);
}

START_TEST(right_is_right_in_every_facing) {
    expect_side((sb_vec3){0, 0, -1}, (sb_vec3){1, 0, 0}, 1);
    expect_side((sb_vec3){0, 0, -1}, (sb_vec3){-1, 0, 0}, 0);
    expect_side((sb_vec3){0, 0, 1}, (sb_vec3){1, 0, 0}, 0);
    expect_side((sb_vec3){1, 0, 0}, (sb_vec3){0, 0, 1}, 1);
    expect_side((sb_vec3){-5, 0, 0}, (sb_vec3){0, 0, 3}, 0);
    expect_side((sb_vec3){0, -0.3, -1}, (sb_vec3){2, 0, 0}, 1);
    /* Straight up and down. */
    expect_side((sb_vec3){0, 1, 0}, (sb_vec3){1, 0, 0}, 1);
    expect_side((sb_vec3){0, -1, 0}, (sb_vec3){-1, 0, 0}, 0);
}
END_TEST

START_TEST(the_pan_follows_the_angle) {
    sb_listener listener = at_origin();
    for (int i = -90; i <= 90; i++) {
        double t = i * SB_PI / 180, side = sin(t);
        float gain[2];
        pan_gains(&listener, (sb_vec3){sin(t), 0, -cos(t)}, gain);
        double level = sqrt(2) / SB_FULL_SCALE_PA;
        ck_assert_double_eq_tol((double)gain[0],
                                level * cos((1 + side) * SB_PI / 4), 1e-8);
        ck_assert_double_eq_tol((double)gain[1],
                                level * sin((1 + side) * SB_PI / 4), 1e-8);
    }
}
END_TEST

START_TEST(moving_both_changes_nothing) {
    sb_listener here = at_origin(), there = at_origin();
    there.position = (sb_vec3){3, -4, 5};
    sb_vec3 source = {0.7, 0.1, -1.2};
    float a[2], b[2];
    pan_gains(&here, source, a);
    pan_gains(&there, sb_vec3_add(source, there.position), b);
    ck_assert_float_eq_tol(a[0], b[0], 1e-7f);
    ck_assert_float_eq_tol(a[1], b[1], 1e-7f);
    ck_assert_float_ne(a[0], a[1]);
}
END_TEST

START_TEST(the_gain_scales_both_ears) {
    sb_listener plain = sb_listener_default(), loud = plain;
    ck_assert_double_eq(plain.gain, 1);
    loud.gain = 4;
    float a[2], b[2];
    pan_gains(&plain, (sb_vec3){1, 2, -3}, a);
    pan_gains(&loud, (sb_vec3){1, 2, -3}, b);
    ck_assert_float_eq(b[0], 4 * a[0]);
    ck_assert_float_eq(b[1], 4 * a[1]);
}
END_TEST

/* --- heads and microphones ----------------------------------------------- */

static sb_vec3 at_angle(double degrees, double r) {
    double t = degrees * SB_PI / 180;
    return (sb_vec3){r * sin(t), 0, -r * cos(t)};
}

START_TEST(straight_ahead_both_ears_receive_it_after_the_travel_time) {
    sb_listener listener = at_origin();
    listener.air = sb_air_default();
    for (int ear = 0; ear < 2; ear++) {
        sb_heard heard =
            sb_listener_listen(&listener, ear, (sb_vec3){0, 0, -4});
        ck_assert_double_eq_tol(heard.delay_s, 4 / sb_air_speed(&listener.air),
                                1e-15);
        ck_assert_double_eq_tol(heard.full, 0.25 / SB_FULL_SCALE_PA, 1e-12);
        ck_assert_double_eq_tol(heard.dull, 0, 1e-12);
        ck_assert_double_eq(heard.distance_m, 4);
    }
}
END_TEST

START_TEST(low_tones_are_as_loud_at_both_ears_of_a_head) {
    sb_listener listener = at_origin();
    listener.air = sb_air_default();
    for (int i = 0; i < 360; i += 5) {
        sb_vec3 source = at_angle(i, 2);
        for (int ear = 0; ear < 2; ear++) {
            sb_heard heard = sb_listener_listen(&listener, ear, source);
            ck_assert_double_eq_tol(heard.full + heard.dull,
                                    0.5 / SB_FULL_SCALE_PA, 1e-12);
            /* At most 6 dB louder, and never silent. */
            double alpha = heard.full / (heard.full + heard.dull);
            ck_assert_double_le(alpha, 2);
            ck_assert_double_ge(alpha, 0.1);
        }
    }
}
END_TEST

START_TEST(a_head_is_the_same_seen_in_a_mirror) {
    sb_listener listener = at_origin();
    listener.air = sb_air_default();
    for (int i = -175; i < 180; i += 10) {
        sb_heard left = sb_listener_listen(&listener, 0, at_angle(i, 3));
        sb_heard right = sb_listener_listen(&listener, 1, at_angle(-i, 3));
        ck_assert_double_eq_tol(left.delay_s, right.delay_s, 1e-15);
        ck_assert_double_eq_tol(left.full, right.full, 1e-15);
    }
}
END_TEST

START_TEST(each_microphone_has_its_own_distance) {
    sb_listener listener = at_origin();
    listener.air = sb_air_default();
    listener.ears = SB_EARS_PAIR;
    listener.spacing_m = 1;
    sb_vec3 source = {1.5, 0, 0};
    sb_heard left = sb_listener_listen(&listener, 0, source);
    sb_heard right = sb_listener_listen(&listener, 1, source);
    ck_assert_double_eq(left.distance_m, 2);
    ck_assert_double_eq(right.distance_m, 1);
    ck_assert_double_eq_tol(left.full / right.full, 0.5, 1e-12);
    ck_assert_double_eq(left.dull, 0);
}
END_TEST

START_TEST(a_pan_is_heard_at_once_with_its_gains) {
    sb_listener listener = at_origin();
    listener.air = sb_air_default();
    listener.ears = SB_EARS_PAN;
    for (int i = 0; i < 360; i += 15) {
        sb_vec3 source = at_angle(i, 3);
        double angle = (1 + source.x / 3) * SB_PI / 4;
        double level = sqrt(2) / (3 * SB_FULL_SCALE_PA);
        double gain[2] = {level * cos(angle), level * sin(angle)};
        for (int ear = 0; ear < 2; ear++) {
            sb_heard heard = sb_listener_listen(&listener, ear, source);
            ck_assert_double_eq(heard.delay_s, 0);
            ck_assert_double_eq(heard.distance_m, 0);
            ck_assert_double_eq_tol(heard.full, gain[ear], 1e-12);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("listener");
    TCase *tcase = tcase_create("listener");
    tcase_add_test(tcase, a_pascal_a_metre_ahead_is_its_share_of_full_scale);
    tcase_add_test(tcase, twice_as_far_is_six_decibels_softer);
    tcase_add_test(tcase, nearer_than_the_nearest_is_as_near);
    tcase_add_test(tcase, a_body_keeps_its_power_all_around);
    tcase_add_test(tcase, right_is_right_in_every_facing);
    tcase_add_test(tcase, the_pan_follows_the_angle);
    tcase_add_test(tcase, moving_both_changes_nothing);
    tcase_add_test(tcase, the_gain_scales_both_ears);
    tcase_add_test(tcase,
                   straight_ahead_both_ears_receive_it_after_the_travel_time);
    tcase_add_test(tcase, low_tones_are_as_loud_at_both_ears_of_a_head);
    tcase_add_test(tcase, a_head_is_the_same_seen_in_a_mirror);
    tcase_add_test(tcase, each_microphone_has_its_own_distance);
    tcase_add_test(tcase, a_pan_is_heard_at_once_with_its_gains);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
