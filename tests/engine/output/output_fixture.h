/* SPDX-License-Identifier: MIT */
/* tests/engine/output/output_fixture.h -- an output, and sound cards that fail
 * on demand.
 *
 * A world holds what the next cards do. Cards never call back by themselves:
 * the test calls sb_feed_pull on their feeds, from whatever thread it likes,
 * for as long as they are not closed. Time is the test's own; only the threads
 * of the cards and the silent clock are real.
 */
#pragma once

#include "runtime/base/clock.h"
#include "runtime/engine/output/feed.h"
#include "runtime/engine/output/output.h"
#include "tests/engine/engine_fixture.h"

#include <stdio.h>
#include <time.h>

enum { FAKE_CARDS = 64, FAKE_PERIOD = 480 };

typedef struct fake_world {
    atomic_bool is_plugged;   /* else opening fails */
    atomic_bool open_sticks;  /* while true */
    atomic_bool close_sticks; /* while true */
    atomic_int tried;         /* calls of open */
    atomic_int opened;        /* that succeeded */
    atomic_int closed;
    _Atomic(sb_feed *) feeds[FAKE_CARDS]; /* in the order of opening */
} fake_world;

static inline void fake_sleep_ms(int ms) {
    struct timespec span = {ms / 1000, ms % 1000 * 1000000L};
    (void)nanosleep(&span, NULL);
}

static inline sb_status fake_open(void *user, const sb_device_def *def,
                                  sb_feed *feed, void **card,
                                  sb_device_facts *facts, sb_error *err) {
    (void)def;
    fake_world *world = user;
    atomic_fetch_add(&world->tried, 1);
    while (atomic_load(&world->open_sticks))
        fake_sleep_ms(1);
    if (!atomic_load(&world->is_plugged))
        return sb_fail(err, SB_NO_DEVICE, "nothing is plugged in");
    (void)snprintf(facts->backend, sizeof facts->backend, "fake");
    (void)snprintf(facts->name, sizeof facts->name, "Fake");
    facts->period_frames = FAKE_PERIOD;
    *card = feed;
    int i = atomic_load(&world->opened);
    atomic_store(&world->feeds[i % FAKE_CARDS], feed);
    atomic_store(&world->opened, i + 1);
    return SB_OK;
}

static inline void fake_close(void *user, void *card) {
    (void)card;
    fake_world *world = user;
    while (atomic_load(&world->close_sticks))
        fake_sleep_ms(1);
    atomic_fetch_add(&world->closed, 1);
}

static inline sb_device_api fake_api(fake_world *world) {
    return (sb_device_api){fake_open, fake_close, world};
}

enum { STEP_MS = 10, PERIOD = FAKE_PERIOD };

typedef struct stage {
    fake_world world;
    sb_device_api api;
    sb_engine *engine;
    sb_output_def def;
    sb_output *output;
    int64_t now_ns;
    bool calls_back;         /* the newest card, every step */
    char said[1000];         /* all reports, a line each */
    float heard[2 * PERIOD]; /* the last callback's frames */
} stage;

static inline void hear(void *user, const char *message) {
    stage *s = user;
    size_t used = strlen(s->said);
    (void)snprintf(s->said + used, sizeof s->said - used, "%s\n", message);
}

static inline stage *stage_new(bool is_plugged) {
    stage *s = sb_alloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    atomic_store(&s->world.is_plugged, is_plugged);
    s->api = fake_api(&s->world);
    s->engine = engine_new();
    s->def = sb_output_def_default();
    s->def.engine = s->engine;
    s->def.api = &s->api;
    s->def.report = hear;
    s->def.user = s;
    s->now_ns = sb_clock_ns();
    s->calls_back = true;
    return s;
}

static inline void stage_open(stage *s) {
    sb_error err = {0};
    ck_assert_msg(sb_output_open(&s->def, &s->output, &err) == SB_OK, "%s",
                  err.message);
    ck_assert_int_eq(sb_output_start(s->output, NULL), SB_OK);
}

static inline void stage_free(stage *s) {
    sb_output_close(s->output);
    ck_assert_int_eq(atomic_load(&s->world.opened),
                     atomic_load(&s->world.closed));
    sb_engine_destroy(s->engine);
    sb_free(s);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

static inline sb_feed *feed_of(stage *s, int card) {
    return atomic_load(&s->world.feeds[card]);
}

static inline bool is_silent(const stage *s) {
    return strcmp(sb_output_backend(s->output), "null") == 0;
}

/* One control step: a callback of the newest card if there is one, and a
 * watch. */
static inline void step(stage *s) {
    int opened = atomic_load(&s->world.opened);
    if (s->calls_back && opened > atomic_load(&s->world.closed))
        sb_feed_pull(feed_of(s, opened - 1), s->heard, PERIOD);
    s->now_ns += STEP_MS * 1000000;
    sb_output_watch(s->output, s->now_ns);
}

static inline void pass(stage *s, double seconds) {
    for (int i = 0; i < seconds * 1000 / STEP_MS; i++)
        step(s);
}

/* Steps with a little real time in each, for the threads, until it is so. The
 * test's time-out ends one that never is. */
#define UNTIL(s, condition) \
    do {                    \
        step(s);            \
        fake_sleep_ms(1);   \
    } while (!(condition))

static inline sb_output_counts counts_of(const stage *s) {
    return sb_output_read_counts(s->output);
}

static inline void expect_said(const stage *s, const char *lines) {
    ck_assert_str_eq(s->said, lines);
}

#define GONE "the sound device 'Fake' is gone; going on with a silent clock\n"
