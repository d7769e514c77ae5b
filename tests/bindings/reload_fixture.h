/* SPDX-License-Identifier: MIT */
/* tests/bindings/reload_fixture.h -- a scene in a file of its own that can be
 * saved again while it runs, stepped and heard in scene time.
 */
#pragma once

#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/base/voice_types.h"
#include "runtime/engine/engine.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>
#include <stdint.h>
#include <time.h>

enum { STEP_FRAMES = 480, MOST_SAID = 1 << 16 };

#define RATE_HZ 48000.0

typedef struct running {
    sb_host *host;
    char path[400];
    int64_t step;
    int64_t pulled;
    char said[MOST_SAID]; /* every report, a line each */
} running;

static inline void remember(void *user, const char *message) {
    running *self = user;
    size_t used = strlen(self->said);
    (void)snprintf(self->said + used, sizeof self->said - used, "%s\n",
                   message);
}

static inline sb_host_def live_def(running *self) {
    sb_host_def def = sb_host_def_default();
    def.parks_errors = true;
    def.report = remember;
    def.user = self;
    return def;
}

/* Write `text` to the scene's file; how editors do it varies: see the test. */
static inline void save(running *self, const char *text) {
    FILE *file = fopen(self->path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static inline void begin_with(running *self, const char *text,
                              const sb_host_def *def) {
    *self->said = '\0';
    self->step = self->pulled = 0;
    (void)snprintf(self->path, sizeof self->path, "%s",
                   scratch_path("scene.lua"));
    save(self, text);
    sb_error err;
    ck_assert_msg(!sb_host_open(self->path, def, &self->host, &err), "%s",
                  err.message);
}

static inline void begin(running *self, const char *text) {
    sb_host_def def = live_def(self);
    begin_with(self, text, &def);
}

static inline double now_of(const running *self) {
    return (double)(self->step * STEP_FRAMES) / RATE_HZ;
}

/* Steps and frames in the order a render takes them. */
static inline void hear(running *self, float *stereo, int frames) {
    sb_engine *engine = sb_host_engine(self->host);
    while (frames > 0) {
        int take = frames < SB_BLOCK_FRAMES ? frames : SB_BLOCK_FRAMES;
        while (sb_engine_horizon(engine) < self->pulled + 2 * SB_BLOCK_FRAMES) {
            sb_error err;
            double from_s = now_of(self);
            self->step++;
            ck_assert_msg(!sb_host_step(self->host, from_s, now_of(self), &err),
                          "%s", err.message);
            ck_assert(sb_engine_flush(engine, self->step * STEP_FRAMES));
        }
        sb_engine_pull(engine, stereo, take);
        stereo += 2 * take;
        frames -= take;
        self->pulled += take;
    }
}

static inline void reload(running *self, sb_commit_counts *counts) {
    sb_error err;
    ck_assert_msg(
        !sb_host_reload_now(self->host, false, now_of(self), counts, &err),
        "%s", err.message);
}

static inline void end(running *self) {
    sb_host_close(self->host);
    self->host = NULL;
}

static inline void sleep_ms(long ms) {
    struct timespec span = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&span, NULL);
}

/* Step in real time until a line with `text` has been said, or 5 s have gone
 * by. */
static inline bool wait_for(running *self, const char *text) {
    float stereo[2 * STEP_FRAMES];
    for (int i = 0; i < 500; i++) {
        if (strstr(self->said, text)) return true;
        hear(self, stereo, STEP_FRAMES);
        sleep_ms(10);
    }
    return false;
}

static inline int times_said(const running *self, const char *text) {
    int count = 0;
    for (const char *at = self->said; (at = strstr(at, text)); at++)
        count++;
    return count;
}
