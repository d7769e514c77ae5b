/* SPDX-License-Identifier: MIT */
/* Voices alone, before the ears: closed forms, the sum of them, any number of
 * frames per call, and lists that change. */
#include "tests/engine/engine_fixture.h"

#include "runtime/engine/audio/audio.h"

enum { FRAMES = 6000, VOICES = 3 };

static float stereo[2 * FRAMES], other[2 * FRAMES];
static float mono[VOICES][FRAMES], whole[VOICES][FRAMES];
static const double hertz[VOICES] = {300, 440, 1234.5};
static const double start[VOICES] = {100, 1000, 131};

typedef struct hall {
    sb_engine *engine;
    sb_voice_id voices[VOICES];
} hall;

/* Three voices, struck at different times. */
static hall hall_new(int room) {
    hall h = {.engine = engine_new()};
    ck_assert_int_eq(sb_engine_open_bodies(h.engine, room, NULL), SB_OK);
    for (int i = 0; i < VOICES; i++) {
        h.voices[i] = voice_new(h.engine, hertz[i]);
        strike(h.engine, h.voices[i], start[i], 0.1);
    }
    return h;
}

static void pull(hall h, float (*to)[FRAMES], float *both, int frames) {
    ck_assert(sb_engine_flush(h.engine, FRAMES + 2 * BLOCK));
    for (int n = 0; n < FRAMES; n += frames) {
        int some = FRAMES - n < frames ? FRAMES - n : frames;
        float *at[VOICES];
        for (int i = 0; i < VOICES; i++)
            at[i] = to[i] + n;
        sb_engine_pull_bodies(h.engine, h.voices, at, VOICES,
                              both ? both + 2 * n : NULL, some);
    }
}

static void check_zeros(const float *samples, int from, int to,
                        const char *what) {
    for (int n = from; n < to; n++)
        if (samples[n] != 0)
            ck_abort_msg("%s: frame %d is %g", what, n, (double)samples[n]);
}

START_TEST(a_voice_alone_follows_the_closed_form_without_latency) {
    hall h = hall_new(VOICES);
    pull(h, mono, stereo, 700);
    for (int i = 0; i < VOICES; i++) {
        check_zeros(mono[i], 0, (int)start[i], "before the strike");
        for (int n = (int)start[i]; n < FRAMES; n++) {
            double right = 0.1 * ring_of(hertz[i], (n - start[i]) / RATE_HZ);
            if (!(fabs((double)mono[i][n] - right) <= 2e-6))
                ck_abort_msg("voice %d, frame %d: %g instead of %g", i, n,
                             (double)mono[i][n], right);
        }
    }
    sb_engine_destroy(h.engine);
}
END_TEST

START_TEST(the_sum_of_the_voices_is_the_mix_and_the_mix_is_as_ever) {
    hall h = hall_new(VOICES), plain = hall_new(VOICES);
    pull(h, mono, stereo, 512);
    play(plain.engine, other, FRAMES);
    ck_assert_mem_eq(stereo, other, sizeof stereo);
    for (int n = LATENCY; n < FRAMES; n++) {
        double sum = 0;
        for (int i = 0; i < VOICES; i++)
            sum += (double)mono[i][n - LATENCY];
        if (!(fabs((double)stereo[2 * n] - sum) <= 1e-6))
            ck_abort_msg("frame %d: %g instead of %g", n, (double)stereo[2 * n],
                         sum);
    }
    sb_engine_destroy(h.engine);
    sb_engine_destroy(plain.engine);
}
END_TEST

START_TEST(the_samples_do_not_depend_on_the_frames_per_call) {
    const int frames[] = {1, 7, 64, 128, 1000, FRAMES};
    for (int k = 0; k < 6; k++) {
        hall h = hall_new(VOICES);
        leave(h.engine, h.voices[1], 2000.5, 0.02);
        leave(h.engine, h.voices[2], 3000, 0.001);
        pull(h, k ? mono : whole, k % 2 ? NULL : stereo, frames[k]);
        if (k) ck_assert_mem_eq(mono, whole, sizeof mono);
        sb_engine_destroy(h.engine);
    }
    check_zeros(whole[1], 2000 + 962, FRAMES, "after its fade");
    check_zeros(whole[2], 3000 + 49, FRAMES, "after its fade");
    ck_assert_float_ne(whole[1][2900], 0);
}
END_TEST

START_TEST(what_is_not_there_gives_zeros) {
    hall h = hall_new(VOICES);
    sb_voice_id listed[] = {
        h.voices[0],     {0, 0},
        h.voices[0],     {h.voices[1].index, h.voices[1].generation + 2},
        {UINT32_MAX, 1}, h.voices[2]};
    static float at[6][FRAMES];
    float *to[6];
    for (int i = 0; i < 6; i++)
        to[i] = memset(at[i], 1, sizeof at[i]);
    ck_assert(sb_engine_flush(h.engine, FRAMES + BLOCK));
    sb_engine_pull_bodies(h.engine, listed, to, 6, stereo, FRAMES);
    ck_assert_float_ne(at[0][500], 0);
    for (int i = 1; i < 5; i++)
        check_zeros(at[i], 0, FRAMES, "not there");
    check_zeros(at[5], 0, FRAMES, "no room");
    sb_engine_destroy(h.engine);
}
END_TEST

START_TEST(a_changed_list_keeps_the_samples_of_its_voices) {
    hall h = hall_new(VOICES), same = hall_new(VOICES);
    pull(same, whole, NULL, FRAMES);
    ck_assert(sb_engine_flush(h.engine, FRAMES + 2 * BLOCK));
    float *to[VOICES] = {mono[0], mono[1], mono[2]};
    sb_engine_pull_bodies(h.engine, h.voices, to, 2, NULL, 1500);
    /* The other way round, and one more. */
    sb_voice_id turned[] = {h.voices[2], h.voices[1], h.voices[0]};
    float *rest[] = {mono[2] + 1500, mono[1] + 1500, mono[0] + 1500};
    sb_engine_pull_bodies(h.engine, turned, rest, 3, NULL, FRAMES - 1500);
    ck_assert_mem_eq(mono[0], whole[0], sizeof mono[0]);
    ck_assert_mem_eq(mono[1], whole[1], sizeof mono[1]);
    int next = (1500 / BLOCK + 1) * BLOCK;
    check_zeros(mono[2], 1500, next, "joined within a block");
    ck_assert_mem_eq(mono[2] + next, whole[2] + next,
                     (size_t)(FRAMES - next) * sizeof(float));
    sb_engine_destroy(h.engine);
    sb_engine_destroy(same.engine);
}
END_TEST

START_TEST(a_listed_voice_is_heard_whatever_the_limits_are) {
    hall h = hall_new(VOICES), free = hall_new(VOICES);
    sb_quality_def quality = sb_quality_default();
    quality.tau = 0;
    quality.modes = 1;
    ck_assert_int_eq(sb_engine_set_quality(h.engine, 0, &quality, NULL), SB_OK);
    pull(h, mono, stereo, FRAMES);
    pull(free, whole, stereo, FRAMES);
    ck_assert_mem_eq(mono, whole, sizeof mono);
    sb_engine_destroy(h.engine);
    sb_engine_destroy(free.engine);
}
END_TEST

START_TEST(a_voice_that_was_not_heard_is_heard_when_it_is_listed) {
    hall h = hall_new(VOICES);
    sb_quality_def quality = sb_quality_default();
    quality.tau = 0;
    quality.modes = 1;
    ck_assert_int_eq(sb_engine_set_quality(h.engine, 0, &quality, NULL), SB_OK);
    play(h.engine, stereo, 23 * BLOCK);
    ck_assert_int_lt(sb_engine_read_stats(h.engine).modes_mixed, VOICES);
    float *to[VOICES] = {mono[0], mono[1], mono[2]};
    ck_assert(sb_engine_flush(h.engine, FRAMES));
    sb_engine_pull_bodies(h.engine, h.voices, to, VOICES, NULL, 2 * BLOCK);
    for (int i = 0; i < VOICES; i++) {
        double right =
            0.1 * ring_of(hertz[i], (24 * BLOCK - start[i]) / RATE_HZ);
        ck_assert_double_eq_tol((double)mono[i][BLOCK], right, 1e-4);
    }
    sb_engine_destroy(h.engine);
}
END_TEST

START_TEST(while_time_stands_still_there_is_silence) {
    hall h = hall_new(VOICES);
    sb_engine_hold(h.engine, 20 * BLOCK);
    pull(h, mono, stereo, 999);
    hall on = hall_new(VOICES);
    pull(on, whole, NULL, FRAMES);
    ck_assert_mem_eq(mono[0], whole[0], 19 * BLOCK * sizeof(float));
    int half = 19 * BLOCK + BLOCK / 2;
    ck_assert_float_eq_tol(mono[0][half], 0.5f * whole[0][half], 1e-6f);
    check_zeros(mono[0], 20 * BLOCK, FRAMES, "held");
    sb_engine_destroy(h.engine);
    sb_engine_destroy(on.engine);
}
END_TEST

START_TEST(without_memory_there_is_no_room) {
    sb_engine *engine = engine_new();
    sb_error err = {0};
    for (int n = 0; n < 2; n++) {
        sb_memory_fail_after(n);
        sb_status status = sb_engine_open_bodies(engine, 4, &err);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_str_eq(err.message,
                         "out of memory for the sound of 4 bodies alone");
    }
    ck_assert_int_eq(sb_engine_open_bodies(engine, 4, &err), SB_OK);
    sb_engine_destroy(engine);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("dry");
    TCase *tests = tcase_create("dry");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests,
                   a_voice_alone_follows_the_closed_form_without_latency);
    tcase_add_test(tests,
                   the_sum_of_the_voices_is_the_mix_and_the_mix_is_as_ever);
    tcase_add_test(tests, the_samples_do_not_depend_on_the_frames_per_call);
    tcase_add_test(tests, what_is_not_there_gives_zeros);
    tcase_add_test(tests, a_changed_list_keeps_the_samples_of_its_voices);
    tcase_add_test(tests, a_listed_voice_is_heard_whatever_the_limits_are);
    tcase_add_test(tests,
                   a_voice_that_was_not_heard_is_heard_when_it_is_listed);
    tcase_add_test(tests, while_time_stands_still_there_is_silence);
    tcase_add_test(tests, without_memory_there_is_no_room);
    return run_suite(suite);
}
