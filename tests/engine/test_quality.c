/* SPDX-License-Identifier: MIT */
/* More sound than the budget: which modes are mixed, how cost stays within
 * the budget, and that omitted modes come back in phase without a click. */
#include "runtime/dsp/bank/diffuse.h"
#include "runtime/dsp/bank/modal_choice.h"
#include "runtime/engine/audio/quality.h"
#include "tests/engine/engine_fixture.h"

enum { CROWD = 200, CROWD_MODES = 32, FRAMES = 96 * BLOCK };

static double level_db_of(int i) { /* of a body of the crowd: 0 .. -50 dB */
    sb_random random = sb_random_make((uint64_t)i, 7);
    return -50 * sb_random_unit(&random);
}

typedef struct crowd {
    sb_engine *engine;
    sb_voice_id id[CROWD];
} crowd;

static void set_quality(sb_engine *engine, double time_frames,
                        sb_quality_def def) {
    sb_error err = {0};
    ck_assert_msg(sb_engine_set_quality(engine, time_frames, &def, &err) ==
                      SB_OK,
                  "%s", err.message);
}

/* One body of `modes` modes, like no other's, for the left ear or both. */
static sb_voice_id add_body(sb_engine *engine, int i, int modes, float gain,
                            bool is_right) {
    sb_bank_mode bank[64];
    for (int k = 0; k < modes; k++) {
        double hz = 150 + 1.37 * i + 170 * k;
        bank[k] = (sb_bank_mode){2 * SB_PI * hz, 5 + 0.2 * k, 1.0 / (1 + k)};
    }
    sb_path_knot knot = knot_of(gain, is_right ? gain : 0);
    sb_voice_def def = {.modes = bank, .mode_count = modes, .knot = &knot};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL), SB_OK);
    return id;
}

/* Struck in the first 30 ms, some softly; only `right` is heard on the
 * right. */
static crowd crowd_new(int right, const sb_quality_def *quality) {
    crowd c = {.engine = engine_new()};
    if (quality) set_quality(c.engine, 0, *quality);
    for (int i = 0; i < CROWD; i++) {
        float gain = (float)(1e-3 * pow(10, level_db_of(i) / 20));
        c.id[i] = add_body(c.engine, i, CROWD_MODES, gain, i == right);
        double soft_s = i % 3 == 0 ? 0.5e-3 : 0;
        ck_assert_int_eq(try_strike(c.engine, c.id[i], 7.3 * i, 1, soft_s),
                         SB_OK);
    }
    return c;
}

static sb_quality_def modes_of(int modes) {
    sb_quality_def def = sb_quality_default();
    def.tau = 0;
    def.modes = modes;
    return def;
}

static double rms_db(const float *stereo, int from, int frames, int ear) {
    double sum = 0;
    for (int n = from; n < from + frames; n++)
        sum += (double)stereo[2 * n + ear] * (double)stereo[2 * n + ear];
    return 10 * log10(sum / frames + 1e-30);
}

START_TEST(the_ramp_goes_from_equal_to_greedy) {
    for (double x = 0; x <= 1; x += 0.125) {
        ck_assert_double_eq_tol(sb_quality_ramp(0, x), x, 1e-12);
        ck_assert_double_eq_tol(sb_quality_ramp(1, x), x * (2 - x), 1e-12);
    }
    for (double slope = 0; slope < 1e9; slope = 2 * slope + 0.3) {
        double before = -1, step = 1;
        for (int i = 0; i <= 100; i++) {
            double at = sb_quality_ramp(slope, i / 100.0);
            ck_assert_double_le(at, 1 + 1e-12);
            if (i > 1) ck_assert_double_le(at - before, step + 1e-12);
            step = i > 0 ? at - before : 1;
            before = at;
        }
        ck_assert_double_eq_tol(before, 1, 1e-12);
    }
    ck_assert_double_eq(sb_quality_ramp((double)INFINITY, 1e-3), 1);
}
END_TEST

START_TEST(a_budget_that_is_not_used_up_changes_nothing) {
    static float with[2 * FRAMES], without[2 * FRAMES];
    sb_quality_def def = modes_of(CROWD * CROWD_MODES);
    crowd a = crowd_new(3, NULL), b = crowd_new(3, &def);
    play(a.engine, without, FRAMES);
    play(b.engine, with, FRAMES);
    ck_assert_mem_eq(with, without, sizeof with);
    sb_engine_stats s = sb_engine_read_stats(b.engine);
    ck_assert_int_eq(s.modes_wanted, s.modes_mixed);
    ck_assert_double_eq(s.dropped_db, -200);
    sb_engine_destroy(a.engine);
    sb_engine_destroy(b.engine);
}
END_TEST

/* Ranks of the crowd by level. */
static int nth_loudest(int n) {
    for (int i = 0; i < CROWD; i++) {
        int louder = 0;
        for (int j = 0; j < CROWD; j++)
            louder += level_db_of(j) > level_db_of(i);
        if (louder == n) return i;
    }
    return -1;
}

START_TEST(the_ten_loudest_keep_their_level_with_a_tenth_of_the_modes) {
    static float full[2 * FRAMES], scaled[2 * FRAMES];
    sb_quality_def def = modes_of(CROWD * CROWD_MODES / 10);
    for (int n = 0; n < 10; n++) {
        int who = nth_loudest(n);
        crowd a = crowd_new(who, NULL), b = crowd_new(who, &def);
        play(a.engine, full, FRAMES);
        play(b.engine, scaled, FRAMES);
        int from = (int)(7.3 * who) + LATENCY;
        double onset = rms_db(scaled, from, 2 * BLOCK, 1) -
                       rms_db(full, from, 2 * BLOCK, 1);
        double all = rms_db(scaled, 0, FRAMES, 1) - rms_db(full, 0, FRAMES, 1);
        ck_assert_msg(fabs(all) < 1, "number %d: %g dB", n, all);
        ck_assert_msg(fabs(onset) < 1, "number %d begins: %g dB", n, onset);
        sb_engine_destroy(a.engine);
        sb_engine_destroy(b.engine);
    }
}
END_TEST

START_TEST(no_more_modes_are_mixed_than_were_asked_for) {
    float stereo[2 * BLOCK];
    sb_quality_def def = modes_of(CROWD * CROWD_MODES / 10);
    crowd c = crowd_new(-1, &def);
    int most = 0;
    for (int n = 0; n < FRAMES / BLOCK; n++) {
        play(c.engine, stereo, BLOCK);
        sb_engine_stats s = sb_engine_read_stats(c.engine);
        ck_assert_int_le(s.modes_mixed, def.modes);
        ck_assert_int_le(s.modes_mixed, s.modes_wanted);
        if (s.modes_mixed > most) most = s.modes_mixed;
        bool is_short = s.modes_mixed < s.modes_wanted;
        ck_assert(is_short == (s.dropped_db > -200));
    }
    ck_assert_int_gt(most, def.modes * 3 / 4);
    sb_engine_destroy(c.engine);
}
END_TEST

START_TEST(the_cost_stays_within_the_budget_in_a_hail_of_strikes) {
    float stereo[2 * BLOCK];
    sb_quality_def def = modes_of(0);
    def.units = 30000;
    crowd c = crowd_new(-1, &def);
    sb_random random = sb_random_make(4, 1);
    double most = 0;
    for (int n = 0; n < 60; n++) {
        for (int i = 0; i < 400; i++) {
            int who = (int)(CROWD * sb_random_unit(&random));
            double when = (n + sb_random_unit(&random)) * BLOCK;
            ck_assert_int_eq(
                try_strike(c.engine, c.id[who], when, 1, i % 2 ? 1e-3 : 0),
                SB_OK);
        }
        play(c.engine, stereo, BLOCK);
        sb_engine_stats s = sb_engine_read_stats(c.engine);
        ck_assert_int_eq(s.budget_units, 30000);
        ck_assert_msg(s.units <= 30000, "block %d: %d", n, s.units);
        most = fmax(most, s.units);
    }
    ck_assert_double_gt(most, 20000);
    ck_assert_int_gt(sb_engine_read_stats(c.engine).dropped, 0);
    sb_engine_destroy(c.engine);
}
END_TEST

/* All are struck at the same frame, with a limit of units or none; the onset of
 * `who` at the right ear. */
static double crash_db(int who, double units, sb_engine_stats *first,
                       sb_engine_stats *last) {
    static float stereo[2 * 64 * BLOCK];
    sb_quality_def def = modes_of(0);
    def.units = units;
    sb_engine *engine = engine_new();
    set_quality(engine, 0, def);
    for (int i = 0; i < CROWD; i++) {
        float gain = (float)(1e-3 * pow(10, level_db_of(i) / 20));
        sb_voice_id id = add_body(engine, i, CROWD_MODES, gain, i == who);
        ck_assert_int_eq(try_strike(engine, id, 10, 1, 0), SB_OK);
    }
    play(engine, stereo, BLOCK);
    *first = sb_engine_read_stats(engine);
    play(engine, stereo + 2 * BLOCK, 63 * BLOCK);
    *last = sb_engine_read_stats(engine);
    sb_engine_destroy(engine);
    return rms_db(stereo, LATENCY + 10, 2 * BLOCK, 1);
}

START_TEST(a_crash_begins_with_the_loudest_and_loses_nobody) {
    sb_engine_stats first, last;
    int loudest = nth_loudest(0);
    double full_db = crash_db(loudest, 0, &first, &last);
    ck_assert_int_eq(first.strikes, CROWD);
    double part_db = crash_db(loudest, 20000, &first, &last);
    ck_assert_double_eq_tol(part_db, full_db, 1);
    ck_assert_int_lt(first.strikes, CROWD / 2);
    ck_assert_int_gt(first.strikes, 0);
    ck_assert_int_le(first.units, 20000);
    ck_assert_int_eq(last.strikes, CROWD);
    ck_assert_int_eq(last.dropped, 0);
}
END_TEST

START_TEST(the_bytes_are_the_same_again_and_with_any_block_size) {
    static float first[2 * FRAMES], again[2 * FRAMES];
    static const int sizes[] = {1, 37, 128, 480};
    sb_quality_def def = modes_of(500);
    def.units = 25000;
    def.slope = _i;
    crowd a = crowd_new(0, &def), b = crowd_new(0, &def);
    play(a.engine, first, FRAMES);
    for (int n = 0, take; n < FRAMES; n += take) {
        take = sizes[n % 4];
        if (take > FRAMES - n) take = FRAMES - n;
        play(b.engine, again + 2 * n, take);
    }
    ck_assert_mem_eq(first, again, sizeof first);
    sb_engine_destroy(a.engine);
    sb_engine_destroy(b.engine);
}
END_TEST

/* Nothing is heard of the crowd from block 10 on, then all again. */
static double worst_after_the_silence(double soft_s, double from_frames) {
    static float full[2 * FRAMES], scaled[2 * FRAMES];
    sb_quality_def none = modes_of(1), all = modes_of(0);
    sb_engine *engine[2];
    float *out[2] = {full, scaled};
    for (int e = 0; e < 2; e++) {
        engine[e] = engine_new();
        sb_voice_id id = add_body(engine[e], 0, 40, 0.01f, true);
        strike(engine[e], id, 5.5, 1);
        ck_assert_int_eq(try_strike(engine[e], id, 20.4 * BLOCK, 1, soft_s),
                         SB_OK);
        if (e == 1) set_quality(engine[e], 10 * BLOCK, none);
        if (e == 1) set_quality(engine[e], 60 * BLOCK, all);
        play(engine[e], out[e], FRAMES);
        sb_engine_destroy(engine[e]);
    }
    double quiet = 0, worst = 0, peak = 0;
    for (int n = LATENCY + 12 * BLOCK; n < LATENCY + 60 * BLOCK; n++)
        quiet = fmax(quiet, fabs((double)scaled[2 * n]));
    ck_assert_double_eq(quiet, 0);
    for (int n = LATENCY + (int)from_frames; n < FRAMES; n++) {
        worst = fmax(worst, fabs((double)(scaled[2 * n] - full[2 * n])));
        peak = fmax(peak, fabs((double)full[2 * n]));
    }
    return worst / peak;
}

START_TEST(what_was_not_heard_comes_back_in_phase) {
    ck_assert_double_lt(worst_after_the_silence(0, 61 * BLOCK), 1e-6);
    /* A pulse becomes one impulse: some modes get a little less, or nothing. */
    ck_assert_double_lt(worst_after_the_silence(0.4e-3, 61 * BLOCK), 0.1);
}
END_TEST

START_TEST(what_goes_and_comes_back_does_not_click) {
    enum { MODES = 48, BLOCKS = 30 };
    static _Alignas(64) char memory[1 << 15];
    float out[BLOCKS * BLOCK] = {0}, weights[MODES];
    sb_bank_mode modes[MODES];
    for (int k = 0; k < MODES; k++) {
        modes[k] = (sb_bank_mode){2 * SB_PI * (60 + 0.3 * k), 1, 1};
        weights[k] = 1;
    }
    ck_assert_uint_le(sb_modal_bank_bytes(MODES), sizeof memory);
    sb_modal_bank *bank = sb_modal_bank_init(memory, MODES, RATE_HZ);
    ck_assert_int_eq(sb_modal_bank_set_modes(bank, modes, MODES), SB_OK);
    sb_modal_bank_impulse(bank, &(sb_bank_impulse){1, 0, 0, weights}, out);
    for (int i = 1; i < BLOCKS; i++) {
        sb_bank_room room = {0, 0, 16, 4};
        if (i == 10 || i == 15) {
            (void)sb_modal_bank_measure(bank);
            room.units = i == 15 ? 24 : 0; /* one group, or none */
            room.modes = 100;
            sb_bank_choice choice = sb_modal_bank_choose(bank, &room);
            ck_assert_int_eq(choice.heard_groups, i == 15);
            ck_assert_int_eq(choice.going_groups, i == 10 ? 3 : 0);
        }
        if (i == 20) sb_modal_bank_choose_all(bank, true);
        sb_modal_bank_render(bank, out + i * BLOCK);
        ck_assert(sb_modal_bank_is_partial(bank) == (i >= 10 && i < 20));
    }
    double largest = 0;
    for (int n = BLOCK; n < BLOCKS * BLOCK; n++)
        largest = fmax(largest, fabs((double)(out[n] - out[n - 1])));
    /* At most the slope of 75 Hz, and of a fade of 128 frames. */
    ck_assert_double_lt(largest,
                        MODES * (2 * SB_PI * 75 / RATE_HZ + 1.5 / BLOCK));
    for (int n = 11 * BLOCK; n < 15 * BLOCK; n++)
        ck_assert_double_eq((double)out[n], 0);
}
END_TEST

START_TEST(all_modes_get_their_turn_when_shares_are_equal) {
    float stereo[2 * BLOCK];
    sb_quality_def def = modes_of(CROWD * 16 * 8 / 7 + 16);
    def.slope = 0; /* half of each body: one of its two groups */
    crowd c = crowd_new(-1, &def);
    for (int n = 0; n < 40; n++)
        play(c.engine, stereo, BLOCK);
    sb_engine_stats s = sb_engine_read_stats(c.engine);
    ck_assert_int_ge(s.modes_mixed, CROWD * 16);
    sb_engine_destroy(c.engine);
}
END_TEST

START_TEST(tau_is_the_threshold_and_may_change_while_it_rings) {
    sb_engine_def def = sb_engine_def_default();
    int left[2];
    for (int e = 0; e < 2; e++) {
        sb_engine *engine = NULL;
        ck_assert_int_eq(sb_engine_create(&def, &engine, NULL), SB_OK);
        sb_voice_id id = add_body(engine, 0, 40, 0.01f, true);
        strike(engine, id, 0, 1);
        play_unheard(engine, 20 * BLOCK);
        sb_quality_def quality = sb_quality_default();
        quality.tau = e ? 20 : 0.01;
        set_quality(engine, 20 * BLOCK, quality);
        play_unheard(engine, 2 * BLOCK);
        left[e] = sb_engine_read_stats(engine).active_modes;
        sb_engine_destroy(engine);
    }
    ck_assert_int_eq(left[0], 40);
    /* 0.01 / (1 + k) fades to 20 / 32768 after a while: those with k + 1 below
     * 16.4 e^(-(5 + 0.2 k) 2560 / 48000) are left. */
    int expected = 0;
    for (int k = 0; k < 40; k++) {
        double level = 0.01 / (1 + k) * exp(-(5 + 0.2 * k) * 2560 / 48000.0);
        expected += level > 20 / 32768.0;
    }
    ck_assert_int_le(abs(left[1] - expected), 1);
}
END_TEST

/* Bodies are added, glide, are struck, strike each other, and leave, while the
 * budget is too small for most of it and changes; nothing is leaked. */
START_TEST(whatever_happens_meanwhile_energy_and_memory_balance) {
    long before = sb_memory_live_blocks();
    sb_engine *engine = engine_new();
    sb_random random = sb_random_make(9, 2);
    sb_bank_mode modes[40];
    double weights[40];
    sb_diffuse_def diffuse = {.band_count = 1,
                              .bands = {{500, 1000, 1e-6, 20}}};
    sb_voice_id id[30] = {{0, 0}};
    float stereo[2 * BLOCK];
    for (int k = 0; k < 40; k++) {
        modes[k] = (sb_bank_mode){2 * SB_PI * (200 + 400 * k), 20, 1e-3};
        weights[k] = 1;
    }
    modes[3].sigma_per_s = 5 * modes[3].omega_rad_s; /* strongly damped */
    sb_engine_count_energy(engine);
    for (int n = 0; n < 500; n++) {
        double now = n * (double)BLOCK;
        int i = (int)(30 * sb_random_unit(&random));
        sb_path_knot knot = knot_of(1, (float)sb_random_unit(&random));
        sb_voice_def def = {.modes = modes,
                            .mode_count = 40,
                            .knot = &knot,
                            .diffuse = i % 5 == 0 ? &diffuse : NULL};
        if (!sb_engine_has_voice(engine, id[i])) {
            ck_assert_int_eq(
                sb_engine_add_voice(engine, &def, now, &id[i], NULL), SB_OK);
        } else if (n % 7 == 0) {
            leave(engine, id[i], now, 0.02);
        } else if (n % 7 == 1) {
            retune(engine, id[i], now + 3, modes, 40, 1.01);
        }
        for (int s = 0; s < 6; s++) {
            int who = (int)(30 * sb_random_unit(&random));
            int with = (who + 1) % 30;
            sb_striker ball = {.mass_kg = 0.01,
                               .speed_m_s = 1,
                               .limit_s = 1,
                               .law = {1e6, 1.5, 0}};
            sb_impact_def strike = {.impulse_ns = sb_random_unit(&random),
                                    .duration_s = s % 2 ? 3e-3 : 0,
                                    .weights = weights};
            if (s == 5 && n % 20 == 0) strike.striker = &ball;
            if (s == 5 && n % 40 == 0 && sb_engine_has_voice(engine, id[with]))
                strike.second = id[with], strike.second_weights = weights;
            sb_status status =
                sb_engine_strike(engine, id[who], now + 20 * s, &strike, NULL);
            ck_assert(status == SB_OK || status == SB_STALE_HANDLE);
        }
        sb_quality_def quality = modes_of(n % 90 < 60 ? 80 : 0);
        quality.units = n % 50 < 25 ? 4000 : 0;
        if (n % 10 == 0) set_quality(engine, now, quality);
        play(engine, stereo, BLOCK);
        for (int f = 0; f < 2 * BLOCK; f++)
            ck_assert(isfinite(stereo[f]));
    }
    sb_engine_energy energy = sb_engine_read_energy(engine);
    ck_assert_double_gt(energy.in_j, 0);
    ck_assert_double_eq_tol(energy.drift, 0, 1e-6);
    ck_assert_int_eq(sb_engine_read_stats(engine).muted, 0);
    sb_engine_destroy(engine);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
}
END_TEST

START_TEST(a_live_engine_knows_what_a_unit_takes) {
    sb_engine_def def = sb_engine_def_default();
    def.is_live = true;
    sb_engine *engine = NULL;
    float stereo[2 * BLOCK];
    ck_assert_int_eq(sb_engine_create(&def, &engine, NULL), SB_OK);
    sb_voice_id id = add_body(engine, 0, 40, 0.01f, true);
    strike(engine, id, 0, 1);
    play(engine, stereo, BLOCK);
    sb_engine_stats s = sb_engine_read_stats(engine);
    ck_assert_double_gt(s.unit_s, 1e-10);
    ck_assert_double_lt(s.unit_s, 1e-5);
    double block_s = BLOCK / 48000.0;
    ck_assert_double_eq_tol(s.budget_units * s.unit_s / (0.6 * block_s), 1,
                            0.01);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(slow_callbacks_make_the_budget_smaller) {
    static sb_quality q;
    sb_quality_def def = sb_quality_default();
    sb_quality_init(&q, &def, 48000, 10);
    for (int i = 0; i < 1000; i++) {
        q.unpaid_units = 10000;
        sb_quality_report_duration(&q, 10000 * 25);
    }
    ck_assert_double_eq_tol(q.unit_ns, 25, 0.5);
    for (int i = 0; i < 1000; i++) { /* occasional disturbances */
        q.unpaid_units = 10000;
        sb_quality_report_duration(&q, i % 8 ? 10000 * 20 : 1e9);
    }
    ck_assert_double_eq_tol(q.unit_ns, 20, 1);
    for (int i = 0; i < 10000; i++) {
        q.unpaid_units = 10000;
        sb_quality_report_duration(&q, 1);
    }
    ck_assert_double_eq_tol(q.unit_ns, 5, 1e-9); /* no less than half */
}
END_TEST

START_TEST(what_is_out_of_range_is_refused_with_a_reason) {
    sb_engine *engine = engine_new();
    sb_quality_def bad[] = {{.budget = -1}, {.budget = 2},  {.slope = -1},
                            {.tau = -1},    {.tau = 1e6},   {.modes = -1},
                            {.slope = NAN}, {.budget = NAN}};
    for (int i = 0; i < 8; i++) {
        sb_error err = {0};
        ck_assert_int_eq(sb_engine_set_quality(engine, 0, &bad[i], &err),
                         SB_BAD_ARGUMENT);
        ck_assert(strstr(err.message, "must be"));
    }
    sb_engine_destroy(engine);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("quality");
    TCase *tests = tcase_create("quality");
    tcase_add_test(tests, the_ramp_goes_from_equal_to_greedy);
    tcase_add_test(tests, a_budget_that_is_not_used_up_changes_nothing);
    tcase_add_test(tests,
                   the_ten_loudest_keep_their_level_with_a_tenth_of_the_modes);
    tcase_add_test(tests, no_more_modes_are_mixed_than_were_asked_for);
    tcase_add_test(tests,
                   the_cost_stays_within_the_budget_in_a_hail_of_strikes);
    tcase_add_test(tests, a_crash_begins_with_the_loudest_and_loses_nobody);
    tcase_add_loop_test(
        tests, the_bytes_are_the_same_again_and_with_any_block_size, 0, 3);
    tcase_add_test(tests, what_was_not_heard_comes_back_in_phase);
    tcase_add_test(tests, what_goes_and_comes_back_does_not_click);
    tcase_add_test(tests, all_modes_get_their_turn_when_shares_are_equal);
    tcase_add_test(tests, tau_is_the_threshold_and_may_change_while_it_rings);
    tcase_add_test(tests, whatever_happens_meanwhile_energy_and_memory_balance);
    tcase_add_test(tests, a_live_engine_knows_what_a_unit_takes);
    tcase_add_test(tests, slow_callbacks_make_the_budget_smaller);
    tcase_add_test(tests, what_is_out_of_range_is_refused_with_a_reason);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
