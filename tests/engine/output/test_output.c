/* SPDX-License-Identifier: MIT */
/* The sound continues whatever cards do: they fall silent, come back late, or
 * were never there. */
#include "runtime/engine/audio/deadline.h"
#include "tests/engine/output/output_fixture.h"

/* --- loss and return -------------------------------------------------------*/

START_TEST(a_card_plays_as_long_as_it_calls_back) {
    stage *s = stage_new(true);
    stage_open(s);
    ck_assert_str_eq(sb_output_name(s->output), "Fake");
    ck_assert_int_eq(sb_output_period_frames(s->output), PERIOD);
    pass(s, 10);
    ck_assert_int_eq(counts_of(s).losses, 0);
    ck_assert_int_ge(sb_engine_clock(s->engine), 1000 * PERIOD);
    ck_assert_int_eq(atomic_load(&sb_output_deadlines(s->output)->callbacks),
                     1000);
    ck_assert_int_eq(atomic_load(&s->world.tried), 1);
    expect_said(s, "");
    stage_free(s);
}
END_TEST

START_TEST(a_card_without_a_callback_for_a_second_is_lost) {
    stage *s = stage_new(true);
    stage_open(s);
    pass(s, 2);
    s->calls_back = false;
    pass(s, 0.99);
    ck_assert(!is_silent(s));
    pass(s, 0.03);
    ck_assert(is_silent(s));
    ck_assert_str_eq(sb_output_name(s->output), "silent clock");
    ck_assert_int_eq(counts_of(s).losses, 1);
    expect_said(s, GONE);
    /* Time continues as far as the commands reach. */
    int64_t clock = sb_engine_clock(s->engine);
    ck_assert(sb_engine_flush(s->engine, clock + 4800));
    while (sb_engine_clock(s->engine) + BLOCK <= clock + 4800)
        fake_sleep_ms(1);
    stage_free(s);
}
END_TEST

START_TEST(a_late_callback_gets_silence_and_touches_nothing) {
    stage *s = stage_new(true);
    stage_open(s);
    voice_new(s->engine, 440);
    pass(s, 1.5);
    atomic_store(&s->world.close_sticks, true);
    atomic_store(&s->world.is_plugged, false);
    s->calls_back = false;
    pass(s, 1.1);
    ck_assert(is_silent(s));
    /* The horizon keeps the silent clock where it is. */
    int64_t clock = sb_engine_clock(s->engine);
    for (int n = 0; n < 2 * PERIOD; n++)
        s->heard[n] = 1;
    for (int i = 0; i < 100; i++)
        sb_feed_pull(feed_of(s, 0), s->heard, PERIOD);
    for (int n = 0; n < 2 * PERIOD; n++)
        ck_assert(s->heard[n] == 0);
    ck_assert_int_eq(sb_engine_clock(s->engine), clock);
    pass(s, 1);
    ck_assert(is_silent(s)); /* callbacks of a lost card do not count */
    atomic_store(&s->world.close_sticks, false);
    stage_free(s);
}
END_TEST

START_TEST(a_card_that_comes_back_takes_over_with_a_fade) {
    stage *s = stage_new(true);
    stage_open(s);
    sb_voice_id id = voice_new(s->engine, 100);
    strike(s->engine, id, 0, 1);
    ck_assert(sb_engine_flush(s->engine, 1 << 20));
    pass(s, 1.5);
    atomic_store(&s->world.is_plugged, false);
    s->calls_back = false;
    UNTIL(s, is_silent(s));
    UNTIL(s, atomic_load(&s->world.tried) > 1);
    atomic_store(&s->world.is_plugged, true);
    s->calls_back = true;
    UNTIL(s, atomic_load(&s->world.opened) == 2);
    while (is_silent(s)) {
        UNTIL(s, true);
        for (int n = 0; n < 2 * PERIOD; n++)
            ck_assert(s->heard[n] == 0); /* nothing is queued in it */
    }
    sb_feed_pull(feed_of(s, 1), s->heard, PERIOD);
    ck_assert(s->heard[0] == 0);
    for (int n = 0; n < 24; n++) /* a tenth of the fade: no more of the sound */
        ck_assert_float_le(fabsf(s->heard[2 * n]), 0.1f);
    float peak = 0;
    for (int n = 240; n < PERIOD; n++)
        peak = fmaxf(peak, fabsf(s->heard[2 * n]));
    ck_assert_float_gt(peak, 0.001f);
    ck_assert_int_eq(counts_of(s).returns, 1);
    expect_said(s, GONE "playing on 'Fake' again\n");
    stage_free(s);
}
END_TEST

START_TEST(a_card_that_appears_later_is_played_on) {
    stage *s = stage_new(false);
    stage_open(s);
    ck_assert(is_silent(s));
    pass(s, 3);
    atomic_store(&s->world.is_plugged, true);
    UNTIL(s, !is_silent(s));
    ck_assert_int_eq(counts_of(s).losses, 0);
    ck_assert_int_eq(counts_of(s).returns, 1);
    expect_said(s, "nothing is plugged in; going on with a silent clock\n"
                   "playing on 'Fake' now\n");
    stage_free(s);
}
END_TEST

START_TEST(an_open_card_that_asks_for_nothing_does_not_take_over) {
    stage *s = stage_new(false);
    stage_open(s);
    atomic_store(&s->world.is_plugged, true);
    s->calls_back = false;
    UNTIL(s, atomic_load(&s->world.closed) == 2);
    ck_assert(is_silent(s));
    ck_assert_int_ge(atomic_load(&s->world.tried), 3);
    stage_free(s);
}
END_TEST

/* --- tries -----------------------------------------------------------------*/

static double next_try_s(stage *s) {
    int tried = atomic_load(&s->world.tried);
    int64_t from_ns = s->now_ns;
    UNTIL(s, atomic_load(&s->world.tried) > tried);
    return (double)(s->now_ns - from_ns) * 1e-9;
}

START_TEST(pauses_between_tries_grow_to_four_seconds) {
    const double pauses_s[] = {0.5, 1, 2, 4, 4, 4};
    stage *s = stage_new(true);
    stage_open(s);
    pass(s, 2);
    s->calls_back = false;
    atomic_store(&s->world.is_plugged, false);
    UNTIL(s, atomic_load(&s->world.tried) == 2); /* the first one at once */
    for (int i = 0; i < 6; i++) {
        double waited_s = next_try_s(s);
        ck_assert_double_ge(waited_s, pauses_s[i]);
        /* The try itself is made on a real thread, which a busy machine may
         * hold up while the test's own time goes on. */
        ck_assert_double_le(waited_s, pauses_s[i] + 2.0);
    }
    ck_assert_int_eq(counts_of(s).losses, 1);
    expect_said(s, GONE);
    stage_free(s);
}
END_TEST

START_TEST(a_card_that_dies_at_once_is_not_tried_without_end) {
    stage *s = stage_new(true);
    stage_open(s);
    int64_t from_ns = s->now_ns;
    for (int i = 0; i < 8; i++) {
        s->calls_back = false;
        UNTIL(s, is_silent(s));
        s->calls_back = true;
        UNTIL(s, !is_silent(s));
    }
    /* 0.5 + 1 + 2 + 5 * 4 s of pauses, and 8 s of looking at dead cards. */
    ck_assert_int_ge(s->now_ns - from_ns, 30 * 1000000000LL);
    stage_free(s);
}
END_TEST

START_TEST(the_null_backend_never_tries) {
    stage *s = stage_new(true);
    s->def.backend = "null";
    stage_open(s);
    for (int i = 0; i < 2000; i++)
        step(s);
    ck_assert_int_eq(atomic_load(&s->world.tried), 0);
    ck_assert(is_silent(s));
    expect_said(s, "");
    stage_free(s);
}
END_TEST

START_TEST(a_needed_device_must_be_there_at_the_start) {
    stage *s = stage_new(false);
    sb_error err = {0};
    s->def.needs_device = true;
    ck_assert_int_eq(sb_output_open(&s->def, &s->output, &err), SB_NO_DEVICE);
    ck_assert_str_eq(err.message, "nothing is plugged in");
    ck_assert_ptr_null(s->output);
    s->def.api = &sb_device_cards;
    s->def.backend = "pulsaudio";
    s->def.needs_device = false;
    ck_assert_int_eq(sb_output_open(&s->def, &s->output, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "unknown backend 'pulsaudio'"));
    expect_said(s, "");
    stage_free(s);
}
END_TEST

/* --- what the system says --------------------------------------------------*/

START_TEST(a_stop_that_the_system_tells_is_believed_soon) {
    stage *s = stage_new(true);
    stage_open(s);
    pass(s, 0.5);
    sb_feed_notice(feed_of(s, 0), SB_NOTICE_STOPPED);
    pass(s, 5); /* but not against the evidence */
    ck_assert(!is_silent(s));
    sb_feed_notice(feed_of(s, 0), SB_NOTICE_STOPPED);
    s->calls_back = false;
    pass(s, 0.13);
    ck_assert(is_silent(s));
    expect_said(s, GONE);
    stage_free(s);
}
END_TEST

START_TEST(a_new_route_is_told_and_played_on) {
    stage *s = stage_new(true);
    stage_open(s);
    pass(s, 0.5);
    sb_feed_notice(feed_of(s, 0), SB_NOTICE_REROUTED);
    pass(s, 5);
    ck_assert(!is_silent(s));
    expect_said(s, "the sound of 'Fake' has been sent to another device\n");
    stage_free(s);
}
END_TEST

START_TEST(a_control_thread_that_slept_does_not_blame_the_card) {
    stage *s = stage_new(true);
    stage_open(s);
    pass(s, 2);
    s->calls_back = false; /* the card slept as well: a suspended machine */
    s->now_ns += 3600 * 1000000000LL;
    step(s);
    ck_assert(!is_silent(s));
    s->calls_back = true;
    pass(s, 2);
    ck_assert_int_eq(counts_of(s).losses, 0);
    stage_free(s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("output");
    TCase *tcase = tcase_create("output");
    tcase_add_test(tcase, a_card_plays_as_long_as_it_calls_back);
    tcase_add_test(tcase, a_card_without_a_callback_for_a_second_is_lost);
    tcase_add_test(tcase, a_late_callback_gets_silence_and_touches_nothing);
    tcase_add_test(tcase, a_card_that_comes_back_takes_over_with_a_fade);
    tcase_add_test(tcase, a_card_that_appears_later_is_played_on);
    tcase_add_test(tcase,
                   an_open_card_that_asks_for_nothing_does_not_take_over);
    tcase_add_test(tcase, pauses_between_tries_grow_to_four_seconds);
    tcase_add_test(tcase, a_card_that_dies_at_once_is_not_tried_without_end);
    tcase_add_test(tcase, the_null_backend_never_tries);
    tcase_add_test(tcase, a_needed_device_must_be_there_at_the_start);
    tcase_add_test(tcase, a_stop_that_the_system_tells_is_believed_soon);
    tcase_add_test(tcase, a_new_route_is_told_and_played_on);
    tcase_add_test(tcase, a_control_thread_that_slept_does_not_blame_the_card);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
