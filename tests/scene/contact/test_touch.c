/* SPDX-License-Identifier: MIT */
/* Touches damp like a dashpot, and their effect ends with them; strain and
 * wobble move pitches by their formulas, without a click. */
#include "tests/scene/scene_fixture.h"

enum { LATENCY = STAGE_LATENCY, FRAMES = 48000 };

#define LN_1000 6.907755278982137

static float stereo[2 * FRAMES];

/* One mode of unit weight, so that a dashpot c adds c / 2. */
static sb_body_def tone_def(double hz, double t60_s) {
    static sb_hand_mode mode;
    mode = (sb_hand_mode){hz, t60_s, 1};
    sb_body_def def = hand_def("tone");
    def.shape.modes = &mode;
    def.shape.mode_count = 1;
    def.gain = 0.001; /* far from the limiter */
    return def;
}

static sb_touch_id touch(stage on, sb_body_id id, double damping,
                         double time_s) {
    sb_touch_def def = {
        .place = {.u = 0.5, .v = 0.5}, .damping_ns_m = damping, .ramp_s = 0.02};
    sb_touch_id made = {{0, 0}, 0};
    ck_assert_int_eq(sb_scene_touch(on.scene, id, &def, time_s, &made, NULL),
                     SB_OK);
    return made;
}

static void lift(stage on, sb_touch_id id, double time_s) {
    ck_assert_int_eq(sb_scene_lift(on.scene, id, 0.02, time_s, NULL), SB_OK);
}

static double sigma_now(stage on, sb_body_id id, int k) {
    double hz, sigma;
    sb_scene_mode_now(on.scene, id, k, &hz, &sigma);
    return sigma;
}

/* Amplitude of a tone in a short stretch. */
static double level_at(double hz, double time_s) {
    int first = (int)(time_s * RATE_HZ) + LATENCY, count = 2400;
    double c = 0, s = 0;
    for (int n = 0; n < count; n++) {
        double window = 1 - cos(2 * SB_PI * (n + 0.5) / count);
        double angle = 2 * SB_PI * hz * n / RATE_HZ;
        c += window * (double)stereo[2 * (first + n)] * cos(angle);
        s += window * (double)stereo[2 * (first + n)] * sin(angle);
    }
    return sqrt(c * c + s * s);
}

static double sigma_between(double hz, double from_s, double to_s) {
    return log(level_at(hz, from_s) / level_at(hz, to_s)) / (to_s - from_s);
}

static void expect_sigma(double got, double wanted) {
    ck_assert_msg(fabs(got - wanted) < 2e-3 * wanted, "%.5g 1/s, not %.5g", got,
                  wanted);
}

START_TEST(a_dashpot_adds_half_of_itself_to_the_decay) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(440, 2));
    double own = LN_1000 / 2;
    strike(on, id, 0, 0.1);
    sb_touch_id one = touch(on, id, 10, 0.2);
    sb_touch_id two = touch(on, id, 6, 0.4);
    ck_assert_double_eq_tol(sigma_now(on, id, 0), own + 8, 1e-12);
    lift(on, one, 0.6);
    lift(on, two, 0.7);
    ck_assert(sigma_now(on, id, 0) == own);
    play(on, stereo, FRAMES);
    expect_sigma(sigma_between(440, 0.02, 0.14), own);
    expect_sigma(sigma_between(440, 0.23, 0.34), own + 5);
    expect_sigma(sigma_between(440, 0.43, 0.54), own + 8);
    expect_sigma(sigma_between(440, 0.73, 0.92), own);
    stage_free(on);
}
END_TEST

START_TEST(what_does_not_move_there_is_not_damped) {
    stage on = stage_new();
    sb_body_id id = add(on, bar_def("bar"));
    int count = sb_model_mode_count(sb_scene_body_model(on.scene, id));
    double before[64], weights[64];
    ck_assert_int_lt(count, 64);
    for (int k = 0; k < count; k++)
        before[k] = sigma_now(on, id, k);
    sb_place middle = {.u = 0.5, .v = 0.5};
    weights_at(on, id, &middle, weights);
    (void)touch(on, id, 3, 0);
    int still = 0, damped = 0;
    for (int k = 0; k < count; k++) {
        double added = sigma_now(on, id, k) - before[k];
        ck_assert_double_eq_tol(added, 1.5 * weights[k] * weights[k],
                                1e-9 * before[k]);
        still += fabs(added) < 1e-9 * before[k];
        damped += added > 0.1 * before[k];
    }
    ck_assert_int_ge(still, 2); /* those odd about the middle */
    ck_assert_int_ge(damped, 2);
    stage_free(on);
}
END_TEST

/* Of a bar's two end thirds, phi^2 averaged by hand along the length. */
START_TEST(a_patch_damps_by_its_mean) {
    stage on = stage_new();
    sb_body_id id = add(on, bar_def("bar"));
    sb_touch_def def = {
        .place = {.u = 0.5, .v = 0.5}, .damping_ns_m = 4, .radius_m = 0.009};
    double before = sigma_now(on, id, 1), mean = 0, weights[64];
    sb_touch_id made;
    ck_assert_int_eq(sb_scene_touch(on.scene, id, &def, 0, &made, NULL), SB_OK);
    double added = sigma_now(on, id, 1) - before;
    /* The chord of the disk is the weight of a place along the bar. */
    for (int i = -50; i < 50; i++) {
        double x = (i + 0.5) / 50;
        sb_place at = {.u = 0.5 + x * 0.009 / 0.2, .v = 0.5};
        weights_at(on, id, &at, weights);
        mean += 2 / SB_PI * sqrt(1 - x * x) / 50 * weights[1] * weights[1];
    }
    ck_assert_double_gt(added, 0);
    ck_assert_msg(fabs(added - 2 * mean) < 0.1 * 2 * mean, "%g, not %g", added,
                  2 * mean);
    stage_free(on);
}
END_TEST

START_TEST(no_touch_damps_more_than_nearly_critically) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(440, 2));
    strike(on, id, 0, 0.1);
    (void)touch(on, id, 1e6, 0.1);
    ck_assert_double_eq_tol(sigma_now(on, id, 0), 0.9 * 2 * SB_PI * 440, 1e-9);
    play(on, stereo, FRAMES / 2);
    ck_assert_double_lt(level_at(440, 0.2), 1e-9);
    stage_free(on);
}
END_TEST

START_TEST(a_touch_is_identified_by_its_handle) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(440, 2));
    sb_touch_id first = touch(on, id, 1, 0), second = touch(on, id, 2, 0);
    sb_touch_def def = sb_scene_touch_def(on.scene, second);
    ck_assert(def.damping_ns_m == 2);
    def.damping_ns_m = 7;
    ck_assert_int_eq(sb_scene_set_touch(on.scene, second, &def, 0, NULL),
                     SB_OK);
    ck_assert_double_eq_tol(sigma_now(on, id, 0), LN_1000 / 2 + 4, 1e-12);
    lift(on, first, 0);
    ck_assert(!sb_scene_has_touch(on.scene, first));
    ck_assert(sb_scene_has_touch(on.scene, second));
    sb_error err;
    ck_assert_int_eq(sb_scene_lift(on.scene, first, 0, 0, &err),
                     SB_STALE_HANDLE);
    ck_assert_str_eq(err.message, "this touch has been lifted");
    take_away(on, id, 0);
    ck_assert(!sb_scene_has_touch(on.scene, second));
    ck_assert_int_eq(sb_scene_lift(on.scene, second, 0, 0, &err),
                     SB_STALE_HANDLE);
    stage_free(on);
}
END_TEST

START_TEST(a_body_that_does_not_ring_may_be_touched) {
    stage on = stage_new();
    sb_body_id id = add(on, rigid_def("rock"));
    sb_touch_id made = touch(on, id, 5, 0);
    sb_bend bend = {0};
    ck_assert_int_eq(sb_scene_deform(on.scene, id, 0.5, &bend, 0, 0, NULL),
                     SB_OK);
    lift(on, made, 0);
    stage_free(on);
}
END_TEST

/* --- loading again ------------------------------------------------------- */

START_TEST(a_new_script_finds_the_body_untouched) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(440, 2));
    strike(on, id, 0, 0.1);
    sb_touch_id made = touch(on, id, 10, 0.1);
    ck_assert_int_eq(load_again(on, tone_def(440, 2), 0.4).kept, 1);
    ck_assert(!sb_scene_has_touch(on.scene, made));
    ck_assert_int_eq(load_again(on, tone_def(440, 4), 0.7).retuned, 1);
    play(on, stereo, FRAMES);
    expect_sigma(sigma_between(440, 0.13, 0.34), LN_1000 / 2 + 5);
    expect_sigma(sigma_between(440, 0.43, 0.64), LN_1000 / 2);
    expect_sigma(sigma_between(440, 0.73, 0.92), LN_1000 / 4);
    stage_free(on);
}
END_TEST

START_TEST(a_new_decay_and_the_end_of_a_touch_are_one_glide) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(440, 2));
    strike(on, id, 0, 0.1);
    (void)touch(on, id, 10, 0.1);
    ck_assert_int_eq(load_again(on, tone_def(440, 0.5), 0.4).retuned, 1);
    play(on, stereo, FRAMES);
    ck_assert_int_eq((int)sb_engine_read_stats(on.engine).retunes, 2);
    expect_sigma(sigma_between(440, 0.13, 0.34), LN_1000 / 2 + 5);
    expect_sigma(sigma_between(440, 0.43, 0.64), LN_1000 / 0.5);
    stage_free(on);
}
END_TEST

/* --- strain -------------------------------------------------------------- */

static void deform(stage on, sb_body_id id, double strain, double ramp_s,
                   double time_s) {
    sb_bend bend = {0};
    ck_assert_int_eq(
        sb_scene_deform(on.scene, id, strain, &bend, ramp_s, time_s, NULL),
        SB_OK);
}

START_TEST(strain_moves_low_modes_most) {
    stage on = stage_new();
    sb_body_id id = add(on, hand_def("pair"));
    double hz, sigma, own = LN_1000;
    deform(on, id, 0.5, 0.02, 0);
    sb_scene_mode_now(on.scene, id, 0, &hz, &sigma);
    ck_assert_double_eq_tol(hz, 440 * sqrt(1.5), 1e-9);
    sb_scene_mode_now(on.scene, id, 1, &hz, &sigma);
    ck_assert_double_eq_tol(hz, 1234.5 * sqrt(1 + 0.5 * 440 / 1234.5), 1e-9);
    ck_assert_double_eq_tol(sigma, own, 1e-12);
    double items[] = {2.0};
    sb_bend bend = {items, 1, true};
    ck_assert_int_eq(sb_scene_deform(on.scene, id, 0.5, &bend, 0, 0, NULL),
                     SB_OK);
    sb_scene_mode_now(on.scene, id, 1, &hz, &sigma);
    ck_assert_double_eq_tol(hz, 1234.5 * sqrt(2.0), 1e-9);
    deform(on, id, 0, 0, 0);
    sb_scene_mode_now(on.scene, id, 1, &hz, &sigma);
    ck_assert(hz == 1234.5);
    stage_free(on);
}
END_TEST

/* Compares the phase of the output, by demodulation, with the integral of the
 * requested pitch. */
static double phase_error(double (*pitch)(double time_s), double from_s,
                          double to_s) {
    double angle = 0, first = 0, worst = 0, c = 0, s = 0;
    int counted = 0;
    for (int n = 0; n < FRAMES - LATENCY; n++) {
        double t = n / RATE_HZ;
        c += (double)stereo[2 * (n + LATENCY)] * cos(angle);
        s += (double)stereo[2 * (n + LATENCY)] * sin(angle);
        angle += 2 * SB_PI * pitch(t + 0.5 / RATE_HZ) / RATE_HZ;
        if (n % 480 != 479) continue;
        double lag = atan2(s, c);
        c = s = 0;
        if (t < from_s || t > to_s) continue;
        if (counted++ == 0) first = lag;
        worst = fmax(worst, fabs(remainder(lag - first, 2 * SB_PI)));
    }
    return worst;
}

/* Every ramp of 20 ms is overtaken by the next after 10: it lags by 14. */
static double asked_pitch(double t) {
    return 1000 * sqrt(1 + 0.2 * sin(2 * SB_PI * 2 * fmax(t - 0.014, 0)));
}

/* A script that sets the strain in every control step. */
START_TEST(strain_follows_a_script_that_moves_it_all_the_time) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(1000, 10));
    strike(on, id, 0, 0.1);
    for (int i = 0; i < 100; i++)
        deform(on, id, 0.2 * sin(2 * SB_PI * 2 * i * 0.01), 0.02, i * 0.01);
    play(on, stereo, FRAMES);
    double error = phase_error(asked_pitch, 0.1, 0.9);
    (void)printf("a strain of the script's: %.2f rad off\n", error);
    ck_assert_msg(error < 0.6, "%.2f rad off", error);
    stage_free(on);
}
END_TEST

static double wobbling_pitch(double t) {
    double since =
        t - 9728 / RATE_HZ; /* the start of the block that holds 0.2 */
    if (since < 0) return 1000;
    double strain =
        0.3 * exp(-LN_1000 / 2 * since) * sin(2 * SB_PI * 5 * since);
    return 1000 * sqrt(1 + strain);
}

static const sb_wobble wobble = {5, LN_1000 / 2, 0.3};

START_TEST(a_wobble_swings_as_its_formula_says) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(1000, 10));
    strike(on, id, 0, 0.1);
    sb_bend bend = {0};
    ck_assert_int_eq(
        sb_scene_flex(on.scene, id, &wobble, &bend, 9728 / RATE_HZ, NULL),
        SB_OK);
    /* A touch in the meantime must not disturb it. */
    sb_touch_id made = touch(on, id, 0.01, 0.4);
    lift(on, made, 0.5);
    play(on, stereo, FRAMES);
    double error = phase_error(wobbling_pitch, 0.05, 0.95);
    (void)printf("a wobble: %.3f rad off\n", error);
    ck_assert_msg(error < 0.05, "%.3f rad off", error);
    stage_free(on);
}
END_TEST

START_TEST(a_wobble_goes_on_while_nothing_rings) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(1000, 10));
    sb_bend bend = {0};
    ck_assert_int_eq(
        sb_scene_flex(on.scene, id, &wobble, &bend, 9728 / RATE_HZ, NULL),
        SB_OK);
    strike(on, id, 0.3, 0.1);
    play(on, stereo, FRAMES);
    double error = phase_error(wobbling_pitch, 0.32, 0.95);
    ck_assert_msg(error < 0.05, "%.3f rad off", error);
    stage_free(on);
}
END_TEST

START_TEST(a_new_script_ends_the_wobble) {
    stage on = stage_new();
    sb_body_id id = add(on, tone_def(1000, 10));
    strike(on, id, 0, 0.1);
    sb_bend bend = {0};
    ck_assert_int_eq(sb_scene_flex(on.scene, id, &wobble, &bend, 0.1, NULL),
                     SB_OK);
    ck_assert_int_eq(load_again(on, tone_def(1000, 10), 0.2).kept, 1);
    play(on, stereo, FRAMES);
    expect_sigma(sigma_between(1000, 0.25, 0.9), LN_1000 / 10);
    stage_free(on);
}
END_TEST

int main(void) {
    TCase *touches = tcase_create("touches");
    tcase_add_test(touches, a_dashpot_adds_half_of_itself_to_the_decay);
    tcase_add_test(touches, what_does_not_move_there_is_not_damped);
    tcase_add_test(touches, a_patch_damps_by_its_mean);
    tcase_add_test(touches, no_touch_damps_more_than_nearly_critically);
    tcase_add_test(touches, a_touch_is_identified_by_its_handle);
    tcase_add_test(touches, a_body_that_does_not_ring_may_be_touched);
    tcase_add_test(touches, a_new_script_finds_the_body_untouched);
    tcase_add_test(touches, a_new_decay_and_the_end_of_a_touch_are_one_glide);
    TCase *strain = tcase_create("strain");
    tcase_add_test(strain, strain_moves_low_modes_most);
    tcase_add_test(strain, strain_follows_a_script_that_moves_it_all_the_time);
    tcase_add_test(strain, a_wobble_swings_as_its_formula_says);
    tcase_add_test(strain, a_wobble_goes_on_while_nothing_rings);
    tcase_add_test(strain, a_new_script_ends_the_wobble);
    Suite *suite = suite_create("touch");
    suite_add_tcase(suite, touches);
    suite_add_tcase(suite, strain);
    return run_suite(suite);
}
