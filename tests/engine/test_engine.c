/* SPDX-License-Identifier: MIT */
/* Commands in the audio thread: exact times, any callback size, isolation of
 * broken bodies, no subnormals. */
#include "tests/engine/engine_fixture.h"

#include "runtime/base/air.h"
#include "runtime/dsp/vector/isa.h"
#include "runtime/engine/audio/audio.h"
#include "runtime/engine/audio/float_mode.h"

enum { FRAMES = 3 * 4096 };

static float a[2 * FRAMES], b[2 * FRAMES];

/* Some tests run once for each instruction set. */
static bool use_isa(int index) {
    static const char *const names[] = {"portable", "avx2", "avx512"};
    return sb_isa_choose(names[index]) != NULL;
}

/* --- time ------------------------------------------------------------------*/

START_TEST(a_strike_sounds_from_its_exact_time_on) {
    const double times[] = {0, 1, 0.5, 127, 127.75, 128, 1000.125, 4095.999};
    for (int i = 0; i < 8; i++) {
        sb_engine *engine = engine_new();
        strike(engine, voice_new(engine, 700), times[i], 0.3);
        play(engine, a, FRAMES);
        for (int n = 0; n < FRAMES; n++) {
            double t = (n - LATENCY - times[i]) / RATE_HZ;
            double exact = 0.3 * ring_of(700, t);
            double error = fabs((double)a[2 * n] - exact);
            if (!(error <= (t < 0 ? 0 : 1e-6)) || a[2 * n] != a[2 * n + 1])
                ck_abort_msg("struck at %g, frame %d: %g instead of %g",
                             times[i], n, (double)a[2 * n], exact);
        }
        sb_engine_destroy(engine);
    }
}
END_TEST

START_TEST(a_limiter_that_is_none_is_refused) {
    static const double pairs[][2] = {{-0.1, 1}, {1.1, 1},   {NAN, 1},
                                      {0.5, 0},  {0.5, 1.5}, {0.5, NAN}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        sb_engine_def def = sb_engine_def_default();
        sb_engine *engine = NULL;
        sb_error err = {0};
        def.threshold = pairs[i][0];
        def.ceiling = pairs[i][1];
        ck_assert_int_eq(sb_engine_create(&def, &engine, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(err.message, "must be 0 to 1, got"));
        ck_assert_ptr_null(engine);
    }
}
END_TEST

START_TEST(commands_are_sorted_by_their_time) {
    sb_engine *forward = engine_new(), *backward = engine_new();
    sb_voice_id f = voice_new(forward, 500), g = voice_new(backward, 500);
    for (int i = 0; i < 50; i++) {
        strike(forward, f, 100.3 * i, 0.01);
        strike(backward, g, 100.3 * (49 - i), 0.01);
    }
    play(forward, a, FRAMES);
    play(backward, b, FRAMES);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert_int_eq(sb_engine_read_stats(backward).strikes, 50);
    ck_assert_int_eq(sb_engine_read_stats(backward).late, 0);
    sb_engine_destroy(forward);
    sb_engine_destroy(backward);
}
END_TEST

START_TEST(a_late_command_is_counted_and_heard_at_once) {
    sb_engine *engine = engine_new();
    sb_voice_id id = voice_new(engine, 700);
    play(engine, a, 1024);
    ck_assert_int_eq(sb_engine_read_stats(engine).late, 0);
    strike(engine, id, 500, 0.3);
    strike(engine, id, 1023.9, 0.3);
    strike(engine, id, 1500, 0.3); /* in time */
    play(engine, a, FRAMES);
    ck_assert_int_eq(sb_engine_read_stats(engine).late, 2);
    ck_assert_int_eq(sb_engine_read_stats(engine).strikes, 3);
    ck_assert(a[2 * LATENCY - 2] == 0);
    ck_assert_double_eq_tol((double)a[2 * LATENCY], 0.6, 1e-6);
    sb_engine_destroy(engine);
}
END_TEST

static void set_path(sb_engine *engine, sb_voice_id id, double time, float left,
                     float right) {
    sb_path_knot knot = knot_of(left, right);
    knot.time_frames = time + 333.3;
    ck_assert_int_eq(sb_engine_set_path(engine, id, time, &knot, NULL), SB_OK);
}

/* Everything that commands can do, at odd times. */
static sb_engine *busy_engine(void) {
    sb_engine *engine = engine_new();
    sb_air air = sb_air_default();
    ck_assert_int_eq(sb_engine_open_ears(engine, &air, NULL), SB_OK);
    sb_random random = sb_random_make(3, 1);
    for (int i = 0; i < 20; i++) {
        sb_bank_mode modes[MODES_MAX];
        int count = 1 + i * 3;
        for (int k = 0; k < count; k++)
            modes[k] = (sb_bank_mode){2 * SB_PI * (80 + 300 * i + 71.7 * k),
                                      2.0 + k, 0.02};
        sb_voice_id id = voice_of(engine, modes, count, 10 * i);
        for (int j = 0; j < 6; j++) {
            double time = 300 + FRAMES * 0.9 * sb_random_unit(&random);
            double duration = j % 2 ? 5e-3 * sb_random_unit(&random) : 0;
            ck_assert_int_eq(try_strike(engine, id, time, 0.5, duration),
                             SB_OK);
        }
        set_path(engine, id, 2000.7 + 400 * i, 0.1f * (float)i, 0.5f);
        if (i % 5 == 3) retune(engine, id, 3000.5 * i, modes, count, 1.06);
        if (i == 7) strike(engine, id, 3333.3, (double)NAN);
        if (i % 5 == 1) leave(engine, id, 4000.5 + 300 * i, 0.05);
    }
    ck_assert(sb_engine_flush(engine, FRAMES + BLOCK));
    return engine;
}

START_TEST(the_callback_size_does_not_matter) {
    if (!use_isa(_i)) return;
    const int sizes[] = {1, 7, 64, 480, 4096, 0, 0, 0};
    sb_engine *engine = busy_engine();
    for (int n = 0; n < FRAMES; n += 128)
        sb_engine_pull(engine, a + 2 * n, 128);
    ck_assert_int_eq(sb_engine_read_stats(engine).muted, 1);
    ck_assert_int_eq(sb_engine_read_stats(engine).voices, 16);
    sb_engine_destroy(engine);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sb_random random = sb_random_make(i, 2);
        engine = busy_engine();
        memset(b, 0xff, sizeof b);
        int n = 0;
        while (n < FRAMES) {
            int take = sizes[i];
            if (take == 0) take = (int)(sb_random_unit(&random) * 700);
            if (take > FRAMES - n) take = FRAMES - n;
            sb_engine_pull(engine, b + 2 * n, take);
            n += take;
        }
        ck_assert_mem_eq(a, b, sizeof a);
        sb_engine_destroy(engine);
    }
}
END_TEST

/* --- sick bodies -----------------------------------------------------------*/

typedef struct illness {
    double impulse, time, duration_s;
} illness;

/* Two healthy voices, and one between them that is broken or absent. */
static sb_engine *ward(const illness *ill) {
    sb_engine *engine = engine_new();
    sb_voice_id first = voice_new(engine, 300), patient = {0, 0};
    if (ill) patient = voice_new(engine, 500);
    sb_voice_id last = voice_new(engine, 800);
    strike(engine, first, 10, 0.2);
    strike(engine, last, 300.3, 0.2);
    if (ill)
        ck_assert_int_eq(try_strike(engine, patient, ill->time, ill->impulse,
                                    ill->duration_s),
                         SB_OK);
    strike(engine, first, 2000, 0.1);
    return engine;
}

START_TEST(a_body_that_is_no_number_is_muted_alone) {
    if (!use_isa(_i)) return;
    const illness ills[] = {
        {(double)NAN, 500, 0},
        {(double)INFINITY, 500, 0},
        {-(double)INFINITY, 500, 0},
        {1e30, 500, 0},
        {1e300, 500, 0},
        {(double)NAN, 511.5, 0},
        {(double)NAN, 511.5, 0.01},
        {(double)NAN, 384, 0},
        {(double)INFINITY, 600, 1e-3},
        {(double)NAN, 640.25, 1e-3},
    };
    sb_engine *engine = ward(NULL);
    play(engine, a, FRAMES);
    sb_engine_destroy(engine);
    for (size_t i = 0; i < sizeof ills / sizeof *ills; i++) {
        engine = ward(&ills[i]);
        play(engine, b, FRAMES);
        ck_assert_msg(memcmp(a, b, sizeof a) == 0, "illness %d spreads",
                      (int)i);
        ck_assert_msg(sb_engine_read_stats(engine).muted == 1,
                      "illness %d was counted %d times", (int)i,
                      (int)sb_engine_read_stats(engine).muted);
        ck_assert_int_eq(sb_engine_read_stats(engine).sounding, 2);
        sb_engine_destroy(engine);
    }
}
END_TEST

/* It is inaudible, but would spoil the state of the body. */
START_TEST(a_mute_mode_that_is_no_number_is_seen) {
    if (!use_isa(_i)) return;
    const double times[] = {0, 100.5, 127.5};
    for (int i = 0; i < 3; i++) {
        sb_engine *engine = engine_new();
        sb_bank_mode modes[2] = {{2 * SB_PI * 300, 3, 1},
                                 {2 * SB_PI * 500, 3, 0}};
        double weights[2] = {0, (double)NAN};
        sb_impact_def def = {.impulse_ns = 0.1, .weights = weights};
        sb_voice_id id = voice_of(engine, modes, 2, 0);
        ck_assert_int_eq(sb_engine_strike(engine, id, times[i], &def, NULL),
                         SB_OK);
        play(engine, a, FRAMES);
        ck_assert_int_eq(sb_engine_read_stats(engine).muted, 1);
        ck_assert_int_eq(sb_engine_read_stats(engine).sounding, 0);
        sb_engine_destroy(engine);
    }
}
END_TEST

START_TEST(a_muted_body_starts_again_from_rest) {
    sb_engine *engine = engine_new(), *fresh = engine_new();
    sb_voice_id id = voice_new(engine, 500), other = voice_new(fresh, 500);
    strike(engine, id, 5, 0.4); /* it rings when it breaks */
    strike(engine, id, 1000, (double)NAN);
    play_unheard(engine, 4096);
    play_unheard(fresh, 4096);
    ck_assert_int_eq(sb_engine_read_stats(engine).muted, 1);
    ck_assert_int_eq(sb_engine_read_stats(engine).sounding, 0);
    strike(engine, id, 5000.5, 0.3);
    strike(fresh, other, 5000.5, 0.3);
    play(engine, a, FRAMES);
    play(fresh, b, FRAMES);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert(a[2 * 2000] != 0);
    sb_engine_destroy(engine);
    sb_engine_destroy(fresh);
}
END_TEST

/* --- numbers ---------------------------------------------------------------*/

static void expect_no_subnormal(void) {
    for (int n = 0; n < 2 * FRAMES; n++) {
        int class = fpclassify(a[n]);
        if (class != FP_NORMAL && class != FP_ZERO)
            ck_abort_msg("frame %d: %g", n / 2, (double)a[n]);
    }
}

START_TEST(no_subnormal_number_comes_out) {
    const sb_bank_mode modes[3] = {{2 * SB_PI * 200, 400, 1},
                                   {2 * SB_PI * 900, 300, 1e-20},
                                   {2 * SB_PI * 5000, 5000, 1e-28}};
    for (int k = 0; k < 3; k++)
        for (int is_far = 0; is_far < 2; is_far++) {
            sb_engine *engine = engine_new();
            sb_path_knot knot = is_far ? knot_of(1e-19f, 1e-37f) : straight;
            sb_voice_def def = {
                .modes = &modes[k], .mode_count = 1, .knot = &knot};
            sb_voice_id id;
            ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL),
                             SB_OK);
            strike(engine, id, 10.5, 0.5);
            ck_assert_int_eq(try_strike(engine, id, 400, 1e-37, 1e-3), SB_OK);
            for (int part = 0; part < 2; part++) {
                play(engine, a, FRAMES);
                expect_no_subnormal();
            }
            ck_assert_int_eq(sb_engine_read_stats(engine).sounding, 0);
            sb_engine_destroy(engine);
        }
}
END_TEST

static volatile float tiny = 1e-30f;

static bool has_subnormals(void) {
    return tiny * 1e-10f != 0;
}

START_TEST(the_callers_float_mode_is_left_as_it_was) {
    sb_engine *engine = busy_engine();
    ck_assert(has_subnormals());
    sb_engine_pull(engine, a, 1000);
    ck_assert(has_subnormals());
    sb_float_mode before = sb_float_mode_flush_to_zero();
    ck_assert(!has_subnormals());
    sb_engine_pull(engine, a, 1000);
    ck_assert(!has_subnormals());
    sb_float_mode_restore(before);
    ck_assert(has_subnormals());
    sb_engine_destroy(engine);
}
END_TEST

/* --- meters and the recorder -----------------------------------------------*/

START_TEST(the_limiter_holds_whatever_the_voices_do) {
    sb_engine *engine = engine_new();
    for (int i = 0; i < 10; i++)
        strike(engine, voice_new(engine, 100 + 50 * i), 1000.5 + 77 * i, 40);
    play(engine, a, FRAMES);
    float peak = 0;
    for (int n = 0; n < 2 * FRAMES; n++)
        peak = fmaxf(peak, fabsf(a[n]));
    ck_assert_float_le(peak, 0.989f);
    ck_assert_float_ge(peak, 0.95f);
    sb_engine_stats stats = sb_engine_read_stats(engine);
    ck_assert_double_lt(stats.limiter_gain, 0.05);
    ck_assert_double_le(stats.limiter_least, stats.limiter_gain);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(the_tap_hears_everything_and_counts_what_it_misses) {
    enum { PLACES = 4096 };
    static float memory[2 * PLACES];
    sb_ring tap;
    sb_ring_init(&tap, memory, PLACES, 2 * sizeof(float));
    sb_engine *engine = engine_new();
    strike(engine, voice_new(engine, 300), 100, 0.5);
    ck_assert_int_gt(sb_engine_tap_room(engine), 1 << 30);
    sb_engine_set_tap(engine, &tap);
    ck_assert_int_eq(sb_engine_tap_room(engine), PLACES);
    play(engine, a, PLACES);
    ck_assert_int_eq(sb_engine_tap_room(engine), 0);
    ck_assert_int_eq(sb_engine_read_stats(engine).tap_dropped, 0);
    play(engine, a + 2 * PLACES, 256);
    ck_assert_int_eq(sb_engine_read_stats(engine).tap_dropped, 256);
    ck_assert_uint_eq(sb_ring_read(&tap, b, PLACES), PLACES);
    ck_assert_mem_eq(a, b, sizeof memory);
    sb_engine_set_tap(engine, NULL);
    play(engine, a, 256);
    ck_assert_int_eq(sb_engine_read_stats(engine).tap_dropped, 256);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(the_counters_tell_what_sounds) {
    sb_engine *engine = engine_new();
    sb_bank_mode modes[5];
    for (int k = 0; k < 5; k++)
        modes[k] = (sb_bank_mode){2 * SB_PI * (200 + 100 * k), 5, 1};
    sb_voice_id id = voice_of(engine, modes, 5, 0);
    (void)voice_new(engine, 300);
    play_unheard(engine, 256);
    sb_engine_stats stats = sb_engine_read_stats(engine);
    ck_assert_int_eq(stats.voices, 2);
    ck_assert_int_eq(stats.sounding, 0);
    ck_assert_int_eq(stats.active_modes, 0);
    strike(engine, id, 300, 0.1);
    play_unheard(engine, 512);
    stats = sb_engine_read_stats(engine);
    ck_assert_int_eq(stats.sounding, 1);
    ck_assert_int_eq(stats.active_modes, 5);
    ck_assert_int_eq(stats.frames, 768);
    ck_assert_double_gt(stats.peak, 0.01);
    ck_assert_double_eq(stats.limiter_gain, 1);
    ck_assert_double_eq(stats.limiter_least, 1);
    sb_engine_destroy(engine);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("engine");
    TCase *tcase = tcase_create("engine");
    tcase_add_test(tcase, a_strike_sounds_from_its_exact_time_on);
    tcase_add_test(tcase, a_limiter_that_is_none_is_refused);
    tcase_add_test(tcase, commands_are_sorted_by_their_time);
    tcase_add_test(tcase, a_late_command_is_counted_and_heard_at_once);
    tcase_add_loop_test(tcase, the_callback_size_does_not_matter, 0, 3);
    tcase_add_loop_test(tcase, a_body_that_is_no_number_is_muted_alone, 0, 3);
    tcase_add_loop_test(tcase, a_mute_mode_that_is_no_number_is_seen, 0, 3);
    tcase_add_test(tcase, a_muted_body_starts_again_from_rest);
    tcase_add_test(tcase, no_subnormal_number_comes_out);
    tcase_add_test(tcase, the_callers_float_mode_is_left_as_it_was);
    tcase_add_test(tcase, the_limiter_holds_whatever_the_voices_do);
    tcase_add_test(tcase, the_tap_hears_everything_and_counts_what_it_misses);
    tcase_add_test(tcase, the_counters_tell_what_sounds);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
