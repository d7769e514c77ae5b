/* SPDX-License-Identifier: MIT */
/* Cards that hang while opening or closing block nobody, and no two ever pull
 * frames at the same time. */
#include "runtime/engine/audio/deadline.h"
#include "tests/engine/output/output_fixture.h"

#include <pthread.h>
#include <sched.h>

/* --- cards that stick ------------------------------------------------------*/

START_TEST(a_card_that_sticks_in_closing_holds_nobody_up) {
    stage *s = stage_new(true);
    stage_open(s);
    atomic_store(&s->world.close_sticks, true);
    for (int i = 1; i <= 3; i++) {
        pass(s, 1.5);
        s->calls_back = false;
        UNTIL(s, is_silent(s));
        s->calls_back = true;
        UNTIL(s, !is_silent(s));
        ck_assert_int_eq(counts_of(s).left_behind, i);
    }
    atomic_store(&s->world.close_sticks, false);
    UNTIL(s, counts_of(s).left_behind == 0);
    ck_assert_int_eq(atomic_load(&s->world.closed), 3);
    stage_free(s);
}
END_TEST

START_TEST(no_more_cards_are_tried_than_can_be_left_behind) {
    stage *s = stage_new(true);
    stage_open(s);
    pass(s, 1.5);
    atomic_store(&s->world.open_sticks, true);
    s->calls_back = false;
    for (int i = 0; i < 30000; i++) /* five minutes */
        step(s);
    ck_assert_int_eq(counts_of(s).left_behind, 4);
    ck_assert_int_eq(atomic_load(&s->world.tried), 5);
    atomic_store(&s->world.open_sticks, false);
    s->calls_back = true;
    UNTIL(s, !is_silent(s));
    UNTIL(s, counts_of(s).left_behind == 0);
    stage_free(s);
}
END_TEST

START_TEST(a_system_that_does_not_answer_at_the_start_is_left) {
    stage *s = stage_new(true);
    s->def.open_s = 0.05;
    atomic_store(&s->world.open_sticks, true);
    stage_open(s);
    ck_assert(is_silent(s));
    expect_said(s, "the sound system did not answer within 0.05 s; going on "
                   "with a silent clock\n");
    atomic_store(&s->world.open_sticks, false);
    UNTIL(s, !is_silent(s));
    stage_free(s);
}
END_TEST

START_TEST(closing_leaves_behind_what_does_not_come_back) {
    stage *s = stage_new(true);
    s->def.close_s = 0.05;
    stage_open(s);
    pass(s, 0.5);
    atomic_store(&s->world.close_sticks, true);
    sb_output_close(s->output);
    s->output = NULL;
    ck_assert_int_eq(atomic_load(&s->world.closed), 0);
    /* The engine is destroyed, and the card calls once more. */
    sb_engine_destroy(s->engine);
    s->engine = NULL;
    sb_feed_pull(feed_of(s, 0), s->heard, PERIOD);
    ck_assert(s->heard[0] == 0);
    atomic_store(&s->world.close_sticks, false);
    while (sb_memory_live_blocks() > 1) /* it frees itself; the stage is ours */
        fake_sleep_ms(1);
    stage_free(s);
}
END_TEST

/* --- one at a time ---------------------------------------------------------*/

typedef struct puller {
    sb_feed feed;
    atomic_bool must_stop;
    pthread_t thread;
} puller;

static void *pull_without_end(void *argument) {
    puller *p = argument;
    float stereo[2 * 100];
    while (!atomic_load(&p->must_stop)) {
        sb_feed_pull(&p->feed, stereo, 100);
        (void)sched_yield(); /* three threads, perhaps on two busy cores */
    }
    return NULL;
}

START_TEST(only_one_feed_pulls_at_a_time) {
    enum { SWITCHES = 1000 };
    sb_engine *engine = engine_new();
    sb_deadlines deadlines = {0};
    static puller pullers[2];
    for (int i = 0; i < 2; i++) {
        sb_feed_init(&pullers[i].feed, engine, &deadlines);
        atomic_store(&pullers[i].must_stop, false);
        ck_assert_int_eq(pthread_create(&pullers[i].thread, NULL,
                                        pull_without_end, &pullers[i]),
                         0);
    }
    for (int i = 0; i < SWITCHES; i++) {
        sb_feed *feed = &pullers[i % 2].feed;
        sb_feed_open(feed, 240);
        while (sb_feed_callbacks(feed) % 7 == i % 7)
            (void)sched_yield();
        sb_feed_shut(feed);
        while (!sb_feed_is_empty(feed))
            (void)sched_yield();
        /* Nobody is in there now, whatever their threads do. */
        int64_t clock = sb_engine_clock(engine);
        ck_assert_int_eq(clock, sb_engine_clock(engine));
    }
    for (int i = 0; i < 2; i++) {
        atomic_store(&pullers[i].must_stop, true);
        ck_assert_int_eq(pthread_join(pullers[i].thread, NULL), 0);
    }
    /* What has been asked for is what has been made, to the block. */
    long long asked = atomic_load(&deadlines.frames);
    ck_assert_int_ge(asked, 100);
    ck_assert_int_eq(sb_engine_clock(engine),
                     (asked + BLOCK - 1) / BLOCK * BLOCK);
    sb_engine_destroy(engine);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("output_stuck");
    TCase *tcase = tcase_create("output_stuck");
    tcase_add_test(tcase, a_card_that_sticks_in_closing_holds_nobody_up);
    tcase_add_test(tcase, no_more_cards_are_tried_than_can_be_left_behind);
    tcase_add_test(tcase, a_system_that_does_not_answer_at_the_start_is_left);
    tcase_add_test(tcase, closing_leaves_behind_what_does_not_come_back);
    tcase_add_test(tcase, only_one_feed_pulls_at_a_time);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
