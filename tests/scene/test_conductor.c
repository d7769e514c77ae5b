/* SPDX-License-Identifier: MIT */
/* One clock for control and audio: exact steps, exact lengths, and the same
 * samples whether a file is written or the silent clock plays. */
#include "tests/engine/engine_fixture.h"

#include "runtime/engine/output/output.h"
#include "runtime/scene/conductor.h"

#include <unistd.h>

enum { FRAMES_MAX = 1 << 17, STEPS_MAX = 4096 };

/* A hand-made scene: strikes at odd times, a voice that comes and goes. */
typedef struct score {
    sb_engine *engine;
    double rate_hz;
    sb_voice_id low, high;
    int strikes;  /* how many in all */
    double gap_s; /* between them */
    int struck;   /* so far */
    int burst;    /* extra strikes on many voices in the first step */
    int steps;    /* taken */
    double from_s[STEPS_MAX], to_s[STEPS_MAX];
    double stop_s;   /* when must_stop returns true; 0: never */
    bool is_busy;    /* returned by is_busy after the last strike */
    int fail_step;   /* which step fails; 0: none */
    int slow_step;   /* which step takes 80 ms; 0: none */
    bool sink_fails; /* at once */
    int frames;      /* recorded */
    float record[2 * FRAMES_MAX];
} score;

static double time_of(const score *s, int i) {
    return 0.0031 + i * s->gap_s;
}

static void begin(score *s) {
    sb_bank_mode low[3] = {{2 * SB_PI * 220, 40, 1},
                           {2 * SB_PI * 607.3, 60, 0.5},
                           {2 * SB_PI * 1191.7, 90, 0.3}};
    sb_bank_mode high = {2 * SB_PI * 3000, 50, 0.2};
    s->low = voice_of(s->engine, low, 3, 0);
    s->high = voice_of(s->engine, &high, 1, 0);
    for (int i = 0; i < s->burst; i++) {
        sb_voice_id id = voice_of(s->engine, &high, 1, 0);
        for (int k = 0; k < 20; k++)
            strike(s->engine, id, 1 + 17.3 * k, 1e-5);
    }
}

static sb_status step(void *user, double from_s, double to_s, sb_error *err) {
    score *s = user;
    s->from_s[s->steps] = from_s;
    s->to_s[s->steps] = to_s;
    if (++s->steps == s->fail_step)
        return sb_fail(err, SB_BAD_ARGUMENT, "the script is wrong");
    if (s->steps == 1) begin(s);
    if (s->steps == s->slow_step) (void)usleep(80000);
    for (; s->struck < s->strikes; s->struck++) {
        double at_s = time_of(s, s->struck);
        if (at_s >= to_s) break;
        sb_voice_id id = s->struck % 2 ? s->high : s->low;
        double duration = s->struck % 3 ? 1e-3 : 0;
        ck_assert_int_eq(
            try_strike(s->engine, id, at_s * s->rate_hz, 0.1, duration), SB_OK);
    }
    return SB_OK;
}

static sb_status record(void *user, const float *stereo, int frames,
                        sb_error *err) {
    score *s = user;
    if (s->sink_fails) return sb_fail(err, SB_IO_ERROR, "the disk is full");
    ck_assert_int_le(s->frames + frames, FRAMES_MAX);
    memcpy(s->record + 2 * s->frames, stereo,
           sizeof(float) * 2 * (size_t)frames);
    s->frames += frames;
    return SB_OK;
}

static bool is_busy(void *user) {
    const score *s = user;
    return s->is_busy || s->struck < s->strikes;
}

static bool must_stop(void *user, double now_s) {
    const score *s = user;
    if (!(s->stop_s > 0 && now_s >= s->stop_s)) return false;
    (void)usleep(10000); /* long enough for more frames to come */
    return true;
}

static score *score_new(double rate_hz, int strikes, double gap_s) {
    score *s = sb_alloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    sb_engine_def def = sb_engine_def_default();
    def.sample_rate_hz = s->rate_hz = rate_hz;
    ck_assert_int_eq(sb_engine_create(&def, &s->engine, NULL), SB_OK);
    s->strikes = strikes;
    s->gap_s = gap_s;
    return s;
}

static void score_free(score *s) {
    sb_engine_destroy(s->engine);
    sb_free(s);
}

static sb_conductor_def def_of(score *s) {
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = s->engine;
    def.step = step;
    def.is_busy = is_busy;
    def.sink = record;
    def.must_stop = must_stop;
    def.user = s;
    return def;
}

static sb_conduct_result render(score *s, sb_span span) {
    sb_conductor_def def = def_of(s);
    sb_conduct_result result = {0};
    sb_error err = {0};
    ck_assert_msg(sb_conduct_render(&def, &span, &result, &err) == SB_OK, "%s",
                  err.message);
    ck_assert_int_eq(result.frames, s->frames);
    return result;
}

static sb_output *silent_output(const score *s) {
    sb_output_def def = sb_output_def_default();
    def.engine = s->engine;
    def.backend = "null";
    sb_output *output = NULL;
    ck_assert_int_eq(sb_output_open(&def, &output, NULL), SB_OK);
    return output;
}

static sb_conduct_result play_silently(score *s, double duration_s) {
    sb_conductor_def def = def_of(s);
    sb_output *output = silent_output(s);
    sb_conduct_result result = {0};
    sb_error err = {0};
    ck_assert_msg(sb_conduct_play(&def, output, duration_s, &result, &err) ==
                      SB_OK,
                  "%s", err.message);
    sb_output_close(output);
    ck_assert_int_eq(result.frames, s->frames);
    return result;
}

/* --- time ---------------------------------------------------------------- */

START_TEST(steps_follow_each_other_without_a_gap) {
    const double rates_hz[] = {44100, 48000, 96000};
    for (int i = 0; i < 3; i++) {
        score *s = score_new(rates_hz[i], 0, 1);
        (void)render(s, (sb_span){.duration_s = 1});
        ck_assert_int_ge(s->steps, 100);
        for (int k = 0; k < s->steps; k++) {
            double frames = s->from_s[k] * rates_hz[i];
            double first = k * (rates_hz[i] / 100);
            ck_assert_double_eq_tol(frames, first, 1e-9);
            /* Not before the step's first frame, and as early as possible. */
            ck_assert_double_ge(frames, first);
            double before_s = nextafter(s->from_s[k], -1);
            ck_assert(before_s * rates_hz[i] < first);
            if (k > 0) ck_assert(s->from_s[k] == s->to_s[k - 1]);
        }
        score_free(s);
    }
}
END_TEST

START_TEST(strikes_of_a_step_sound_at_their_time) {
    score *s = score_new(44100, 1, 1);
    (void)render(s, (sb_span){.duration_s = 0.1});
    int at = (int)ceil(time_of(s, 0) * 44100);
    for (int n = 0; n < at; n++)
        ck_assert(s->record[2 * n] == 0);
    ck_assert_float_gt(s->record[2 * at], 0.01f);
    ck_assert_int_eq(sb_engine_read_stats(s->engine).late, 0);
    score_free(s);
}
END_TEST

START_TEST(a_duration_is_exact_to_the_frame) {
    const double durations_s[] = {1.0 / 48000, 0.001, 0.0123456, 0.5, 1};
    for (int i = 0; i < 5; i++) {
        score *s = score_new(48000, 5, 0.01);
        sb_conduct_result r =
            render(s, (sb_span){.duration_s = durations_s[i]});
        ck_assert_int_eq(r.frames, llround(durations_s[i] * 48000));
        ck_assert(!r.was_cut);
        score_free(s);
    }
}
END_TEST

START_TEST(the_peak_is_that_of_the_frames) {
    score *s = score_new(48000, 9, 0.0517);
    sb_conduct_result r = render(s, (sb_span){.duration_s = 0.6});
    float peak = 0;
    for (int n = 0; n < 2 * s->frames; n++)
        peak = fmaxf(peak, fabsf(s->record[n]));
    ck_assert_double_eq(r.peak, (double)peak);
    ck_assert_double_gt(r.peak, 0.01);
    score_free(s);
}
END_TEST

/* --- until silent -------------------------------------------------------- */

START_TEST(a_render_ends_soon_after_the_last_sound) {
    score *s = score_new(48000, 4, 0.25);
    sb_conduct_result r =
        render(s, (sb_span){.silence_dbfs = -60, .limit_s = 60});
    ck_assert(!r.was_cut);
    ck_assert_int_eq(s->struck, 4); /* pauses of 250 ms did not end it */
    int last = 0;
    for (int n = 0; n < s->frames; n++)
        if (fabsf(s->record[2 * n]) > 0.001f) last = n;
    ck_assert_int_gt(last, (int)(time_of(s, 3) * 48000));
    ck_assert_int_ge(s->frames - last, 9600);
    ck_assert_int_le(s->frames - last, 9600 + 2 * BLOCK);
    score_free(s);
}
END_TEST

START_TEST(a_render_that_never_falls_silent_is_cut) {
    score *s = score_new(48000, 1, 1);
    s->is_busy = true;
    sb_conduct_result r =
        render(s, (sb_span){.silence_dbfs = -60, .limit_s = 1.25});
    ck_assert(r.was_cut);
    ck_assert_int_eq(r.frames, 60000);
    score_free(s);
}
END_TEST

/* --- the same samples ---------------------------------------------------- */

static void expect_equal(const score *x, const score *y, int frames) {
    ck_assert_int_ge(x->frames, frames);
    ck_assert_int_ge(y->frames, frames);
    ck_assert_mem_eq(x->record, y->record, sizeof(float) * 2 * (size_t)frames);
}

START_TEST(rendering_twice_gives_equal_samples) {
    score *x = score_new(48000, 20, 0.0231), *y = score_new(48000, 20, 0.0231);
    (void)render(x, (sb_span){.duration_s = 1});
    (void)render(y, (sb_span){.duration_s = 1});
    expect_equal(x, y, 48000);
    score_free(x);
    score_free(y);
}
END_TEST

START_TEST(the_silent_clock_plays_what_a_render_writes) {
    const double rates_hz[] = {44100, 48000};
    for (int i = 0; i < 2; i++) {
        score *x = score_new(rates_hz[i], 20, 0.0231);
        score *y = score_new(rates_hz[i], 20, 0.0231);
        (void)render(x, (sb_span){.duration_s = 0.6});
        y->slow_step = 20; /* the clock waits for it */
        sb_conduct_result r = play_silently(y, 0.6);
        ck_assert_int_eq(r.frames, llround(0.6 * rates_hz[i]));
        expect_equal(x, y, (int)r.frames);
        ck_assert_int_eq(y->struck, 20);
        ck_assert_double_gt(r.peak, 0.01);
        ck_assert_int_eq(sb_engine_read_stats(y->engine).late, 0);
        ck_assert_int_eq(sb_engine_read_stats(y->engine).tap_dropped, 0);
        score_free(x);
        score_free(y);
    }
}
END_TEST

START_TEST(more_commands_than_the_ring_holds_do_not_stop_the_clock) {
    score *x = score_new(48000, 3, 0.01), *y = score_new(48000, 3, 0.01);
    x->burst = y->burst = 2500; /* 50,000 strikes within 7 ms */
    (void)render(x, (sb_span){.duration_s = 0.1});
    (void)play_silently(y, 0.1);
    expect_equal(x, y, 4800);
    ck_assert_int_eq(sb_engine_read_stats(x->engine).late, 0);
    ck_assert_int_eq(sb_engine_read_stats(x->engine).strikes, 50003);
    score_free(x);
    score_free(y);
}
END_TEST

/* --- ends ---------------------------------------------------------------- */

START_TEST(an_interrupted_render_reports_it) {
    score *s = score_new(48000, 5, 0.1);
    s->stop_s = 0.2;
    sb_conductor_def def = def_of(s);
    sb_span span = {.duration_s = 10};
    sb_conduct_result result = {.frames = 99};
    ck_assert_int_eq(sb_conduct_render(&def, &span, &result, NULL),
                     SB_INTERRUPTED);
    ck_assert_int_eq(result.frames, s->frames);
    ck_assert_int_ge(s->frames, 9600 - BLOCK);
    ck_assert_int_le(s->frames, 9600 + BLOCK);
    score_free(s);
}
END_TEST

START_TEST(a_stopped_run_has_recorded_every_frame) {
    score *s = score_new(48000, 5, 0.02);
    s->stop_s = 0.15;
    sb_conduct_result r = play_silently(s, 0);
    ck_assert_int_ge(r.frames, 7200);
    ck_assert_int_eq(r.frames, sb_engine_clock(s->engine) - LATENCY);
    score *whole = score_new(48000, 5, 0.02);
    (void)render(whole, (sb_span){.duration_s = 1});
    expect_equal(s, whole, s->frames);
    score_free(s);
    score_free(whole);
}
END_TEST

START_TEST(a_failing_step_or_sink_ends_the_run) {
    for (int plays = 0; plays < 2; plays++)
        for (int kind = 0; kind < 2; kind++) {
            score *s = score_new(48000, 5, 0.02);
            s->fail_step = kind ? 0 : 7;
            s->sink_fails = kind;
            sb_conductor_def def = def_of(s);
            sb_output *output = silent_output(s);
            sb_span span = {.duration_s = 2};
            sb_conduct_result result = {.frames = 99};
            sb_error err = {0};
            sb_status status =
                plays ? sb_conduct_play(&def, output, 2, &result, &err)
                      : sb_conduct_render(&def, &span, &result, &err);
            ck_assert_int_eq(status, kind ? SB_IO_ERROR : SB_BAD_ARGUMENT);
            ck_assert_str_eq(err.message,
                             kind ? "the disk is full" : "the script is wrong");
            ck_assert_int_eq(result.frames, 99);
            ck_assert_int_eq(s->steps, kind ? s->steps : 7);
            sb_output_close(output);
            score_free(s);
        }
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("conductor");
    TCase *tcase = tcase_create("conductor");
    tcase_add_test(tcase, steps_follow_each_other_without_a_gap);
    tcase_add_test(tcase, strikes_of_a_step_sound_at_their_time);
    tcase_add_test(tcase, a_duration_is_exact_to_the_frame);
    tcase_add_test(tcase, the_peak_is_that_of_the_frames);
    tcase_add_test(tcase, a_render_ends_soon_after_the_last_sound);
    tcase_add_test(tcase, a_render_that_never_falls_silent_is_cut);
    tcase_add_test(tcase, rendering_twice_gives_equal_samples);
    tcase_add_test(tcase, the_silent_clock_plays_what_a_render_writes);
    tcase_add_test(tcase,
                   more_commands_than_the_ring_holds_do_not_stop_the_clock);
    tcase_add_test(tcase, an_interrupted_render_reports_it);
    tcase_add_test(tcase, a_stopped_run_has_recorded_every_frame);
    tcase_add_test(tcase, a_failing_step_or_sink_ends_the_run);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
