/* SPDX-License-Identifier: MIT */
/* Bodies that are heard along a path are ranked and put to rest as others
 * are. */
#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/base/quality_def.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/ears/path.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/impact_def.h"
#include "runtime/engine/voice_def.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = SB_BLOCK_FRAMES, MODES = 40, FRAMES = 60 * BLOCK };

static sb_engine *engine_new(void) {
    sb_engine_def def = sb_engine_def_default();
    sb_engine *engine;
    ck_assert_int_eq(sb_engine_create(&def, &engine, NULL), SB_OK);
    sb_air air = sb_air_default();
    ck_assert_int_eq(sb_engine_open_ears(engine, &air, NULL), SB_OK);
    return engine;
}

static double slope_of_modes = 1; /* 0: all are as loud */

/* Heard by one ear, at once. */
static void add_struck(sb_engine *engine, int i, int ear, float gain) {
    sb_bank_mode bank[MODES];
    double weights[MODES];
    for (int k = 0; k < MODES; k++) {
        double hz = 150 + 31.0 * i + 170 * k;
        bank[k] = (sb_bank_mode){2 * SB_PI * hz, 5 + 0.2 * k,
                                 1.0 / (1 + slope_of_modes * k)};
        weights[k] = 1;
    }
    sb_path_knot knot = {0};
    knot.ear[ear].full = gain;
    sb_voice_def def = {.modes = bank, .mode_count = MODES, .knot = &knot};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL), SB_OK);
    sb_impact_def strike = {.impulse_ns = 1, .weights = weights};
    ck_assert_int_eq(sb_engine_strike(engine, id, 0, &strike, NULL), SB_OK);
}

static void set_quality(sb_engine *engine, double frames, sb_quality_def def) {
    ck_assert_int_eq(sb_engine_set_quality(engine, frames, &def, NULL), SB_OK);
}

static void play(sb_engine *engine, float *stereo, int frames) {
    ck_assert(sb_engine_flush(engine, sb_engine_clock(engine) + frames));
    for (int n = 0; n < frames; n += BLOCK)
        sb_engine_pull(engine, stereo + 2 * n, BLOCK);
}

static float stereo[2 * FRAMES];

START_TEST(tau_may_change_while_it_rings) {
    int left[2];
    for (int e = 0; e < 2; e++) {
        sb_engine *engine = engine_new();
        add_struck(engine, 0, 0, 0.01f);
        play(engine, stereo, 20 * BLOCK);
        sb_quality_def quality = sb_quality_default();
        quality.tau = e ? 20 : 0.01;
        set_quality(engine, 20 * BLOCK, quality);
        play(engine, stereo, 2 * BLOCK);
        left[e] = sb_engine_read_stats(engine).active_modes;
        sb_engine_destroy(engine);
    }
    int expected = 0;
    for (int k = 0; k < MODES; k++) {
        double level = 0.01 / (1 + k) * exp(-(5 + 0.2 * k) * 2560 / 48000.0);
        expected += level > 20 / 32768.0;
    }
    ck_assert_int_eq(left[0], MODES);
    ck_assert_int_le(abs(left[1] - expected), 1);
}
END_TEST

/* What the right ear hears of the last of twenty bodies, which is the
 * loudest. */
static double right_db(bool is_scaled) {
    sb_engine *engine = engine_new();
    sb_quality_def quality = sb_quality_default();
    quality.tau = 0;
    quality.modes = is_scaled ? 2 * MODES : 0;
    set_quality(engine, 0, quality);
    for (int i = 0; i < 20; i++)
        add_struck(engine, i, i == 19, i == 19 ? 1e-3f : 1e-5f);
    play(engine, stereo, FRAMES);
    sb_engine_destroy(engine);
    double sum = 0;
    for (int n = 0; n < FRAMES; n++)
        sum += (double)stereo[2 * n + 1] * (double)stereo[2 * n + 1];
    return 10 * log10(sum);
}

/* The same of 200 bodies with modes that are all as loud: ranking those alone
 * takes much of the budget. */
static double flat_db(bool is_scaled) {
    sb_engine *engine = engine_new();
    sb_quality_def quality = sb_quality_default();
    quality.tau = 0;
    set_quality(engine, 0, quality);
    quality.units = is_scaled ? 7000 : 0;
    set_quality(engine, 10 * BLOCK, quality); /* all have been struck */
    slope_of_modes = 0;
    for (int i = 0; i < 200; i++)
        add_struck(engine, i, i == 150, i == 150 ? 1e-3f : 1e-5f);
    slope_of_modes = 1;
    play(engine, stereo, FRAMES);
    sb_engine_stats stats = sb_engine_read_stats(engine);
    if (is_scaled) ck_assert_int_lt(2 * stats.modes_mixed, stats.modes_wanted);
    sb_engine_destroy(engine);
    double sum = 0;
    for (int n = FRAMES / 2; n < FRAMES; n++)
        sum += (double)stereo[2 * n + 1] * (double)stereo[2 * n + 1];
    return 10 * log10(sum);
}

START_TEST(the_loudest_does_not_pay_for_the_ranking) {
    ck_assert_double_eq_tol(flat_db(true), flat_db(false), 0.1);
}
END_TEST

START_TEST(the_loudest_keeps_its_level) {
    ck_assert_double_eq_tol(right_db(true), right_db(false), 0.1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("quality_path");
    TCase *tests = tcase_create("quality_path");
    tcase_add_test(tests, tau_may_change_while_it_rings);
    tcase_add_test(tests, the_loudest_keeps_its_level);
    tcase_add_test(tests, the_loudest_does_not_pay_for_the_ranking);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
