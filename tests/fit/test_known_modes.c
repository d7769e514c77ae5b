/* SPDX-License-Identifier: MIT */
/* How loud known modes are in a sound, of which all is known. */
#include "runtime/fit/known_modes.h"

#include "runtime/base/memory.h"
#include "tests/fit/fit_fixture.h"
#include "tests/suite.h"

static sb_error err;

static made make(void) {
    made it = {.modes = {{300.0, 0.5, {1.0}, {0.3}},
                         {1100.0, 0.2, {0.05}, {2.0}},
                         {1106.0, 0.3, {0.4}, {-1.0}},
                         {7000.0, 0.08, {0.7}, {1.1}}},
               .mode_count = 4,
               .take_count = 1,
               .rate_hz = 48000,
               .length_s = 1.0,
               .noise_db = 70.0,
               .before_s = {0.05}};
    sb_random random = sb_random_make(7, 3);
    made_play(&it, &random);
    return it;
}

/* The fixture plays a tenth of the gains. */
START_TEST(each_has_its_gain_and_one_that_is_not_there_has_none) {
    made it = make();
    sb_fit_mode modes[5] = {{.freq_hz = 2500.0, .t60_s = 0.2}};
    double gains[5];
    for (int k = 0; k < 4; k++)
        modes[k + 1] = (sb_fit_mode){.freq_hz = it.modes[k].freq_hz,
                                     .t60_s = it.modes[k].t60_s};
    ck_assert_int_eq(
        sb_fit_known(&it.recordings[0], it.rate_hz, modes, 5, gains, &err),
        SB_OK);
    ck_assert_double_lt(gains[0], 1e-4);
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq_tol(gains[k + 1] / (0.1 * it.modes[k].gains[0]),
                                1.0, 0.02);
    made_free(&it);
}
END_TEST

START_TEST(of_two_that_are_one_the_first_has_all) {
    made it = make();
    sb_fit_mode modes[2] = {{.freq_hz = 300.0, .t60_s = 0.5},
                            {.freq_hz = 300.0001, .t60_s = 0.5}};
    double gains[2];
    ck_assert_int_eq(
        sb_fit_known(&it.recordings[0], it.rate_hz, modes, 2, gains, &err),
        SB_OK);
    ck_assert_double_eq_tol(gains[0], 0.1, 0.001);
    ck_assert_double_eq(gains[1], 0.0);
    made_free(&it);
}
END_TEST

START_TEST(silence_and_too_many_are_refused) {
    static const float silence[48000];
    sb_recording sound = {silence, 48000};
    sb_fit_mode mode = {.freq_hz = 300.0, .t60_s = 0.5};
    double gain;
    ck_assert_int_eq(sb_fit_known(&sound, 48000, &mode, 1, &gain, &err),
                     SB_NO_MODES);
    ck_assert_int_eq(
        sb_fit_known(&sound, 48000, &mode, SB_FIT_MAX_MODES + 1, &gain, &err),
        SB_BAD_ARGUMENT);
}
END_TEST

START_TEST(without_memory_nothing_is_left) {
    made it = make();
    sb_fit_mode mode = {.freq_hz = 300.0, .t60_s = 0.5};
    double gain;
    sb_status status = SB_NO_MEMORY;
    long before = sb_memory_live_blocks();
    for (long n = 0; status == SB_NO_MEMORY; n++) {
        sb_memory_fail_after(n);
        status =
            sb_fit_known(&it.recordings[0], it.rate_hz, &mode, 1, &gain, &err);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    ck_assert_int_eq(status, SB_OK);
    made_free(&it);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("known_modes");
    TCase *tcase = tcase_create("known_modes");
    tcase_add_test(tcase, each_has_its_gain_and_one_that_is_not_there_has_none);
    tcase_add_test(tcase, of_two_that_are_one_the_first_has_all);
    tcase_add_test(tcase, silence_and_too_many_are_refused);
    tcase_add_test(tcase, without_memory_nothing_is_left);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
