/* SPDX-License-Identifier: MIT */
/* A body alone is its pressure at 1 m: the mix follows from it by the law of
 * the listener. */
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 9000 };

static float stereo[2 * FRAMES], mono[FRAMES], first[FRAMES];

/* A bar straight ahead of a listener without a head, who hears
 * gain mono / (SB_FULL_SCALE_PA r). */
static void check_law(double distance_m, double gain, float *dry) {
    stage on = stage_new();
    sb_body_def def = bar_def("bar");
    def.position = (sb_vec3){0, 0.6, 0.8 - distance_m};
    def.gain = gain;
    sb_body_id bar = add(on, def);
    strike(on, bar, 0.01, 1e-3);
    ck_assert_int_eq(sb_engine_open_bodies(on.engine, 1, NULL), SB_OK);
    ck_assert(sb_engine_flush(on.engine, FRAMES + SB_BLOCK_FRAMES));
    sb_voice_id voice = sb_scene_voice(on.scene, bar);
    sb_engine_pull_bodies(on.engine, &voice, (float *[1]){dry}, 1, stereo,
                          FRAMES);
    high_pass filter = {0};
    double peak = 0, worst = 0;
    for (int n = 0; n + STAGE_LATENCY < FRAMES; n++) {
        double heard = gain * (double)dry[n] / (SB_FULL_SCALE_PA * distance_m);
        double right = high_pass_next(&filter, heard);
        for (int ear = 0; ear < 2; ear++) {
            double got = (double)stereo[2 * (n + STAGE_LATENCY) + ear];
            worst = fmax(worst, fabs(got - right));
        }
        peak = fmax(peak, fabs(right));
    }
    ck_assert_double_gt(peak, 1e-4);
    ck_assert_double_le(worst, 3e-6 * peak);
    stage_free(on);
}

START_TEST(the_mix_follows_from_the_pressure_at_1_m) {
    check_law(1.0, 1.0, first);
    check_law(2.0, 0.5, mono);
    /* Neither distance nor gain is in it. */
    ck_assert_mem_eq(mono, first, sizeof mono);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("dry_body");
    TCase *tests = tcase_create("dry_body");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, the_mix_follows_from_the_pressure_at_1_m);
    return run_suite(suite);
}
