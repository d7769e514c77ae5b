/* SPDX-License-Identifier: MIT */
/* Voices that are added and removed: ids, fades, full tables, full queues
 * and failing allocations, in constant memory. */
#include "tests/engine/engine_fixture.h"

#include "runtime/engine/audio/audio.h"

enum { FRAMES = 3 * 4096 };

static float a[2 * FRAMES], b[2 * FRAMES];

/* --- ids -------------------------------------------------------------------*/

START_TEST(a_stale_id_is_detected) {
    sb_engine *engine = engine_new();
    sb_voice_id id = voice_new(engine, 300);
    sb_voice_id others[] = {{0, 0},
                            {id.index, id.generation + 1},
                            {id.index, id.generation + 2},
                            {id.index + 1, id.generation},
                            {UINT32_MAX, 1}};
    ck_assert(sb_engine_has_voice(engine, id));
    for (int i = 0; i < 5; i++) {
        ck_assert(!sb_engine_has_voice(engine, others[i]));
        ck_assert_int_eq(try_strike(engine, others[i], 0, 1, 0),
                         SB_STALE_HANDLE);
        ck_assert_int_eq(
            sb_engine_set_path(engine, others[i], 0, &straight, NULL),
            SB_STALE_HANDLE);
        leave(engine, others[i], 0, 0); /* a no-op */
    }
    ck_assert(sb_engine_has_voice(engine, id));
    leave(engine, id, 0, 0);
    ck_assert(!sb_engine_has_voice(engine, id));
    ck_assert_int_eq(try_strike(engine, id, 0, 1, 0), SB_STALE_HANDLE);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(a_place_used_again_has_another_id) {
    sb_engine *engine = engine_new();
    sb_voice_id ids[3];
    for (int i = 0; i < 3; i++)
        ids[i] = voice_new(engine, 300);
    leave(engine, ids[1], 0, 0);
    play_unheard(engine, 512);
    ck_assert(sb_engine_flush(engine, 512));
    for (int i = 0; i < SB_AUDIO_VOICES - 2; i++) {
        sb_voice_id id = voice_new(engine, 300);
        ck_assert(id.index != ids[1].index ||
                  id.generation != ids[1].generation);
    }
    ck_assert(!sb_engine_has_voice(engine, ids[1]));
    ck_assert(sb_engine_has_voice(engine, ids[0]));
    sb_engine_destroy(engine);
}
END_TEST

/* --- leaving ---------------------------------------------------------------*/

START_TEST(a_removed_voice_fades_in_a_straight_line_from_that_frame) {
    const double times[] = {2000, 2048, 2111.5};
    for (int i = 0; i < 3; i++) {
        sb_engine *stays = engine_new(), *leaves = engine_new();
        sb_voice_id id = voice_new(leaves, 300);
        strike(stays, voice_new(stays, 300), 100, 0.5);
        strike(leaves, id, 100, 0.5);
        leave(leaves, id, times[i], 0.05);
        play(stays, a, FRAMES);
        play(leaves, b, FRAMES);
        for (int n = LATENCY; n < FRAMES; n++) {
            double way = (n - LATENCY - times[i]) / (0.05 * RATE_HZ);
            double fade = fmax(0, fmin(1, 1 - way));
            double faded = fade * (double)a[2 * n];
            double error = fabs((double)b[2 * n] - faded);
            if (!(error <= (way > 1.001 ? 0 : 1e-6)))
                ck_abort_msg("left at %g, frame %d: %g instead of %g", times[i],
                             n, (double)b[2 * n], faded);
        }
        ck_assert_int_eq(sb_engine_read_stats(leaves).voices, 0);
        sb_engine_destroy(stays);
        sb_engine_destroy(leaves);
    }
}
END_TEST

START_TEST(what_left_gives_its_memory_back) {
    sb_engine *engine = engine_new();
    sb_voice_id ids[20];
    (void)voice_new(engine, 300); /* the table of commands has grown */
    play_unheard(engine, 256);
    long before = sb_memory_live_blocks();
    for (int i = 0; i < 20; i++) {
        ids[i] = voice_new(engine, 300);
        for (int j = 0; j < 5; j++)
            strike(engine, ids[i], 300 + 70 * j, 0.01);
        /* Still pressing when the voice leaves. */
        ck_assert_int_eq(try_strike(engine, ids[i], 600, 0.01, 0.5), SB_OK);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), before + 20 * 7);
    for (int i = 0; i < 20; i++)
        leave(engine, ids[i], 1000, 0.01);
    play_unheard(engine, 2048);
    ck_assert(sb_engine_flush(engine, sb_engine_clock(engine)));
    ck_assert_int_eq(sb_memory_live_blocks(), before);
    ck_assert_int_eq(sb_engine_read_stats(engine).voices, 1);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(ten_thousand_voices_come_and_go_in_flat_memory) {
    sb_engine *engine = engine_new();
    long most = 0;
    for (int i = 0; i < 10000; i++) {
        double now = (double)sb_engine_clock(engine);
        sb_bank_mode modes[2] = {{2 * SB_PI * 300, 5, 1},
                                 {2 * SB_PI * 650, 9, 1}};
        sb_voice_id id = voice_of(engine, modes, 1 + i % 2, now);
        strike(engine, id, now + 20.5, 0.001);
        leave(engine, id, now + 100, 0.001);
        play_unheard(engine, BLOCK);
        if (i == 100) most = sb_memory_live_blocks();
        if (i > 100) ck_assert_int_le(sb_memory_live_blocks(), most + 4);
    }
    ck_assert_int_eq(sb_engine_read_stats(engine).strikes, 10000);
    ck_assert_int_eq(sb_engine_read_stats(engine).late, 0);
    sb_engine_destroy(engine);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_strike_ahead_dies_with_its_voice) {
    sb_engine *engine = engine_new();
    sb_voice_id ids[SB_AUDIO_VOICES];
    for (int i = 0; i < SB_AUDIO_VOICES; i++)
        ids[i] = voice_new(engine, 300);
    strike(engine, ids[9], 6000, 0.5);
    leave(engine, ids[9], 100, 0.001);
    play_unheard(engine, 1024);
    ck_assert(sb_engine_flush(engine, 1024));
    /* The only free place is now that of the voice that left. */
    sb_bank_mode modes[MODES_MAX];
    for (int k = 0; k < MODES_MAX; k++)
        modes[k] = (sb_bank_mode){2 * SB_PI * (100 + 50 * k), 3, 1};
    sb_voice_id heir = voice_of(engine, modes, MODES_MAX, 1024);
    ck_assert_uint_eq(heir.index, ids[9].index);
    play(engine, a, FRAMES);
    for (int n = 0; n < 2 * FRAMES; n++)
        ck_assert(a[n] == 0);
    ck_assert_int_eq(sb_engine_read_stats(engine).dropped, 1);
    sb_engine_destroy(engine);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_voice_removed_before_it_came_does_not_stay) {
    sb_engine *engine = engine_new();
    sb_bank_mode mode = {2 * SB_PI * 300, 3, 1};
    sb_voice_id id = voice_of(engine, &mode, 1, 5000);
    leave(engine, id, 100, 0);
    play_unheard(engine, FRAMES);
    ck_assert_int_eq(sb_engine_read_stats(engine).voices, 0);
    sb_engine_destroy(engine);
}
END_TEST

/* --- changing --------------------------------------------------------------*/

START_TEST(a_retuned_voice_glides_without_a_click) {
    sb_engine *plain = engine_new(), *tuned = engine_new();
    sb_bank_mode mode = {2 * SB_PI * 300, 3, 1};
    sb_voice_id id = voice_of(tuned, &mode, 1, 0);
    strike(plain, voice_new(plain, 300), 100, 0.5);
    strike(tuned, id, 100, 0.5);
    retune(tuned, id, 2048, &mode, 1, 1.5);
    long before = sb_memory_live_blocks();
    play(plain, a, FRAMES);
    play(tuned, b, FRAMES);
    ck_assert_mem_eq(a, b, sizeof(float) * 2 * (2048 + LATENCY));
    int rises = 0;
    double steepest = 0;
    for (int n = 2000; n < FRAMES; n++) {
        double last = (double)b[2 * n - 2], now = (double)b[2 * n];
        steepest = fmax(steepest, fabs(now - last));
        if (n >= FRAMES - 4800 && last < 0 && now >= 0) rises++;
    }
    /* No step larger than those of the sine itself; then 0.1 s at 450 Hz. */
    ck_assert_double_le(steepest, 0.5 * 2 * SB_PI * 450 / RATE_HZ);
    ck_assert_int_eq(rises, 45);
    ck_assert(sb_engine_flush(tuned, FRAMES));
    ck_assert(sb_engine_flush(plain, FRAMES));
    ck_assert_int_eq(sb_memory_live_blocks(), before - 3); /* 2 strikes */
    sb_engine_destroy(plain);
    sb_engine_destroy(tuned);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* --- full ------------------------------------------------------------------*/

START_TEST(a_full_table_refuses_until_a_voice_has_left) {
    sb_engine *engine = engine_new();
    sb_bank_mode mode = {2 * SB_PI * 300, 3, 1};
    sb_voice_def def = {.modes = &mode, .mode_count = 1, .knot = &straight};
    sb_voice_id first = voice_new(engine, 300), id = {7, 7};
    for (int i = 1; i < SB_AUDIO_VOICES; i++)
        (void)voice_new(engine, 300);
    sb_error err = {0};
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, &err),
                     SB_NO_MEMORY);
    ck_assert_ptr_nonnull(strstr(err.message, "4096"));
    ck_assert_uint_eq(id.index, 7);
    play_unheard(engine, 256);
    leave(engine, first, 256, 0);
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL),
                     SB_NO_MEMORY);
    play_unheard(engine, 256);
    ck_assert(sb_engine_flush(engine, 512));
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 512, &id, NULL), SB_OK);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(a_strike_without_a_place_is_dropped_and_counted) {
    sb_engine *engine = engine_new();
    sb_voice_id id = voice_new(engine, 300);
    for (int i = 0; i < 100; i++)
        strike(engine, id, 10 + i, 0.001);
    long before = sb_memory_live_blocks();
    play_unheard(engine, 512);
    ck_assert(sb_engine_flush(engine, 512));
    ck_assert_int_eq(sb_engine_read_stats(engine).strikes, 64);
    ck_assert_int_eq(sb_engine_read_stats(engine).dropped, 36);
    ck_assert_int_eq(sb_memory_live_blocks(), before - 101 + 1);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(too_many_waiting_commands_are_refused) {
    sb_engine *engine = engine_new();
    sb_voice_id id = voice_new(engine, 300);
    sb_status status = SB_OK;
    int count = 0;
    while (!status && count < 1000000)
        status = try_strike(engine, id, 1e6 + count++, 0.1, 0);
    ck_assert_int_eq(status, SB_QUEUE_FULL);
    ck_assert_int_ge(count, 100000);
    play(engine, a, FRAMES); /* and all is well */
    leave(engine, id, FRAMES, 0);
    sb_engine_destroy(engine);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_full_ring_loses_nothing) {
    enum { VOICES = 100, EACH = 400 };
    sb_engine *engine = engine_new();
    for (int i = 0; i < VOICES; i++) {
        sb_voice_id id = voice_new(engine, 100 + i);
        for (int j = 0; j < EACH; j++)
            strike(engine, id, 30.0 * j + 0.25, 1e-6);
    }
    int refused = 0;
    while (sb_engine_clock(engine) < FRAMES) {
        int64_t wanted = FRAMES + BLOCK;
        if (!sb_engine_flush(engine, wanted)) {
            refused++;
            ck_assert_int_lt(sb_engine_horizon(engine), wanted);
        }
        /* What has been sent is enough to continue. */
        ck_assert_int_ge(sb_engine_horizon(engine),
                         sb_engine_clock(engine) + BLOCK);
        sb_engine_pull(engine, a, BLOCK);
    }
    ck_assert_int_gt(refused, 0);
    ck_assert_int_eq(sb_engine_read_stats(engine).strikes, VOICES * EACH);
    ck_assert_int_eq(sb_engine_read_stats(engine).late, 0);
    ck_assert_int_eq(sb_engine_read_stats(engine).dropped, 0);
    sb_engine_destroy(engine);
}
END_TEST

/* --- bad input and no memory -----------------------------------------------*/

START_TEST(a_bad_definition_is_named_and_changes_nothing) {
    sb_engine_def def = sb_engine_def_default();
    sb_engine *engine = NULL;
    const double rates[] = {0, 7999, 384001, (double)NAN, (double)INFINITY, -1};
    for (int i = 0; i < 6; i++) {
        sb_error err = {0};
        def.sample_rate_hz = rates[i];
        ck_assert_int_eq(sb_engine_create(&def, &engine, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(err.message, "sample rate"));
        ck_assert_ptr_null(engine);
    }
    engine = engine_new();
    long before = sb_memory_live_blocks();
    sb_bank_mode bad[] = {{0, 3, 1},
                          {-1, 3, 1},
                          {(double)NAN, 3, 1},
                          {100, -1, 1},
                          {100, (double)INFINITY, 1},
                          {100, 3, (double)NAN}};
    for (int i = 0; i < 6; i++) {
        sb_voice_def voice = {
            .modes = &bad[i], .mode_count = 1, .knot = &straight};
        sb_voice_id id = {7, 7};
        sb_error err = {0};
        ck_assert_int_eq(sb_engine_add_voice(engine, &voice, 0, &id, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_uint_gt(strlen(err.message), 10);
        ck_assert_uint_eq(id.index, 7);
    }
    sb_voice_def empty = {.modes = bad, .mode_count = 0, .knot = &straight};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &empty, 0, &id, NULL),
                     SB_BAD_ARGUMENT);
    ck_assert_int_le(sb_memory_live_blocks(), before + 1);
    sb_engine_destroy(engine);
}
END_TEST

/* Create, add, strike, retune the ears, remove: as far as memory allows. */
static int try_everything(sb_engine **out) {
    sb_engine_def def = sb_engine_def_default();
    sb_bank_mode mode = {2 * SB_PI * 300, 3, 1};
    sb_voice_def voice = {.modes = &mode, .mode_count = 1, .knot = &straight};
    *out = NULL;
    int done = 0;
    sb_error err;
    if (sb_engine_create(&def, out, &err)) return done;
    for (int i = 0; i < 10; i++) {
        sb_voice_id id;
        if (sb_engine_add_voice(*out, &voice, 0, &id, &err)) return done;
        if (try_strike(*out, id, 10, 0.01, i % 2 ? 1e-3 : 0)) return done;
        if (sb_engine_set_path(*out, id, 20, &straight, &err)) return done;
        done++;
        if (i % 2) continue;
        if (sb_engine_remove_voice(*out, id, 300, 0.001, &err)) return done;
    }
    return done + 1;
}

START_TEST(any_allocation_may_fail) {
    for (long n = 0;; n++) {
        sb_engine *engine;
        sb_memory_fail_after(n);
        int done = try_everything(&engine);
        if (engine) { /* what there is plays, even now */
            ck_assert(sb_engine_flush(engine, 1024));
            sb_engine_pull(engine, a, 1024);
            ck_assert_int_le(sb_engine_read_stats(engine).voices, 10);
        }
        sb_memory_fail_after(-1);
        if (engine) { /* and afterwards all works again */
            strike(engine, voice_new(engine, 500), 1100, 0.1);
            play(engine, a, 1024);
            ck_assert(a[2 * 1000] != 0);
        }
        sb_engine_destroy(engine);
        ck_assert_msg(sb_memory_live_blocks() == 0,
                      "allocation %ld: %ld blocks leaked", n,
                      sb_memory_live_blocks());
        if (done == 11) {
            ck_assert_int_gt(n, 20);
            break;
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("engine_life");
    TCase *tcase = tcase_create("engine_life");
    tcase_add_test(tcase, a_stale_id_is_detected);
    tcase_add_test(tcase, a_place_used_again_has_another_id);
    tcase_add_test(tcase,
                   a_removed_voice_fades_in_a_straight_line_from_that_frame);
    tcase_add_test(tcase, what_left_gives_its_memory_back);
    tcase_add_test(tcase, ten_thousand_voices_come_and_go_in_flat_memory);
    tcase_add_test(tcase, a_strike_ahead_dies_with_its_voice);
    tcase_add_test(tcase, a_voice_removed_before_it_came_does_not_stay);
    tcase_add_test(tcase, a_retuned_voice_glides_without_a_click);
    tcase_add_test(tcase, a_full_table_refuses_until_a_voice_has_left);
    tcase_add_test(tcase, a_strike_without_a_place_is_dropped_and_counted);
    tcase_add_test(tcase, too_many_waiting_commands_are_refused);
    tcase_add_test(tcase, a_full_ring_loses_nothing);
    tcase_add_test(tcase, a_bad_definition_is_named_and_changes_nothing);
    tcase_add_test(tcase, any_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
