/* SPDX-License-Identifier: MIT */
/* Sound that was computed elsewhere, played by a voice. */
#include "tests/engine/engine_fixture.h"

enum { FRAMES = 4096 };

static float a[2 * FRAMES], b[2 * FRAMES];

static float sample(int n) {
    return 0.1f * (float)sin(0.05 * n) + 0.01f * (float)(n % 7);
}

static void stream(sb_engine *engine, sb_voice_id id, int start, int count) {
    float samples[FRAMES];
    sb_error err;
    for (int n = 0; n < count; n++)
        samples[n] = sample(start + n);
    ck_assert_msg(!sb_engine_stream(engine, id, start, samples, count, &err),
                  "%s", err.message);
}

START_TEST(it_sounds_frame_by_frame_and_the_voice_may_ring_as_well) {
    sb_engine *engine = engine_new();
    sb_voice_id id = voice_new(engine, 700);
    stream(engine, id, 300, 77);
    stream(engine, id, 377, 1000);
    strike(engine, id, 2000, 0.3);
    play(engine, a, FRAMES);
    for (int n = 0; n < FRAMES; n++) {
        int frame = n - LATENCY;
        bool sounds = frame >= 300 && frame < 1377;
        double exact = 0.3 * ring_of(700, (frame - 2000) / RATE_HZ);
        if (sounds) exact += (double)sample(frame);
        ck_assert_double_eq_tol((double)a[2 * n], exact, 1e-6);
    }
    ck_assert_int_eq(sb_engine_read_stats(engine).late, 0);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(frames_that_come_too_late_are_skipped_and_counted) {
    sb_engine *engine = engine_new();
    sb_voice_id id = voice_new(engine, 700);
    play(engine, a, 1024);
    stream(engine, id, 1000, 300);
    play(engine, b, 1024);
    for (int n = 0; n < 1024; n++) {
        int frame = 1024 + n - LATENCY;
        bool sounds = frame >= 1024 && frame < 1300;
        double exact = sounds ? (double)sample(frame) : 0;
        ck_assert_double_eq_tol((double)b[2 * n], exact, 1e-6);
    }
    ck_assert_int_eq(sb_engine_read_stats(engine).late, 1);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(pieces_come_back_whatever_happens_to_the_voice) {
    long before = sb_memory_live_blocks();
    sb_engine *engine = engine_new();
    sb_voice_id id = voice_new(engine, 700);
    stream(engine, id, 100, 2000);
    stream(engine, id, 3000, 500); /* after it has left */
    ck_assert_int_eq(sb_engine_remove_voice(engine, id, 500, 0.001, NULL),
                     SB_OK);
    sb_error err;
    ck_assert_int_eq(sb_engine_stream(engine, id, 0, a, 1, &err),
                     SB_STALE_HANDLE);
    play(engine, b, FRAMES);
    ck_assert_int_eq(sb_engine_read_stats(engine).voices, 0);
    id = voice_new(engine, 300);
    stream(engine, id, FRAMES + 10, 200);
    stream(engine, id, 3 * FRAMES, 200);
    play(engine, b, 64); /* one is playing, the other waits */
    sb_engine_destroy(engine);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("stream");
    TCase *tests = tcase_create("stream");
    tcase_add_test(tests,
                   it_sounds_frame_by_frame_and_the_voice_may_ring_as_well);
    tcase_add_test(tests, frames_that_come_too_late_are_skipped_and_counted);
    tcase_add_test(tests, pieces_come_back_whatever_happens_to_the_voice);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
