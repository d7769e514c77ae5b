#include "runtime/engine/output/silent_clock.h"

#include "runtime/base/block.h"
#include "runtime/base/clock.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/engine.h"

#include <string.h>

/* Largest delay that is caught up: a suspended laptop must not play the whole
 * night when it wakes. */
#define PATIENCE_S 0.25

static void sleep_ns(int64_t ns) {
    struct timespec span = {ns / 1000000000, ns % 1000000000};
    (void)nanosleep(&span, NULL);
}

/* All commands of the coming block, or all that fit, have been sent, and the
 * recorder has room for it. */
static bool may_go_on(const sb_engine *engine) {
    int64_t end = sb_engine_clock(engine) + SB_BLOCK_FRAMES;
    bool is_complete =
        sb_engine_horizon(engine) >= end || sb_engine_is_full(engine);
    return is_complete && sb_engine_tap_room(engine) >= SB_BLOCK_FRAMES;
}

static void *run(void *argument) {
    sb_silent_clock *clock = argument;
    double rate = sb_engine_sample_rate(clock->engine);
    int64_t block_ns = (int64_t)(SB_BLOCK_FRAMES / rate * 1e9);
    int64_t due_ns = sb_clock_ns() + block_ns;
    float frames[SB_BLOCK_FRAMES * 2];
    while (!atomic_load_explicit(&clock->must_stop, memory_order_relaxed)) {
        int64_t now_ns = sb_clock_ns();
        if (now_ns < due_ns) {
            sleep_ns(due_ns - now_ns);
            continue;
        }
        if (!may_go_on(clock->engine)) {
            sleep_ns(block_ns / 8);
            continue;
        }
        int64_t from_ns = sb_clock_ns();
        sb_engine_pull(clock->engine, frames, SB_BLOCK_FRAMES);
        sb_engine_report_duration(clock->engine, sb_clock_ns() - from_ns);
        sb_deadline_record(clock->deadlines, from_ns, SB_BLOCK_FRAMES, rate);
        due_ns += block_ns;
        if (now_ns - due_ns > (int64_t)(PATIENCE_S * 1e9)) due_ns = now_ns;
    }
    return NULL;
}

sb_status sb_silent_clock_start(sb_silent_clock *clock, sb_engine *engine,
                                sb_deadlines *deadlines, sb_error *err) {
    clock->engine = engine;
    clock->deadlines = deadlines;
    atomic_store(&clock->must_stop, false);
    int failed = pthread_create(&clock->thread, NULL, run, clock);
    if (failed) {
        return sb_fail(err, SB_NO_MEMORY, "silent clock: no thread: %s",
                       strerror(failed));
    }
    clock->is_running = true;
    return SB_OK;
}

void sb_silent_clock_stop(sb_silent_clock *clock) {
    if (!clock->is_running) return;
    atomic_store(&clock->must_stop, true);
    (void)pthread_join(clock->thread, NULL);
    clock->is_running = false;
}
