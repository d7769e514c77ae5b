/* runtime/engine/output/deadline.h -- did this callback come home in time?
 *
 * Called at both ends of an audio callback; the clock is read without a system
 * call (vDSO) where the platform has that.
 *
 * Thread: the audio thread.
 */
#ifndef SB_ENGINE_OUTPUT_DEADLINE_H
#define SB_ENGINE_OUTPUT_DEADLINE_H

#include "runtime/engine/output/feed.h"

#include <stdint.h>
#include <time.h>

static inline int64_t sb_deadline_now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void sb_deadline_add(atomic_llong *counter, int64_t amount) {
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/* One callback of `frames` frames began at `from_ns` and has just ended. */
static inline void sb_deadline_record(sb_deadlines *deadlines, int64_t from_ns,
                                      int frames, double sample_rate_hz) {
    int64_t took_ns = sb_deadline_now_ns() - from_ns;
    double allowed_ns = frames / sample_rate_hz * 1e9;
    long long micro = (long long)((double)took_ns / allowed_ns * 1e6);
    sb_deadline_add(&deadlines->callbacks, 1);
    sb_deadline_add(&deadlines->busy_ns, took_ns);
    sb_deadline_add(&deadlines->frames, frames);
    if (micro > 1000000) sb_deadline_add(&deadlines->missed, 1);
    if (micro >
        atomic_load_explicit(&deadlines->worst_micro, memory_order_relaxed)) {
        atomic_store_explicit(&deadlines->worst_micro, micro,
                              memory_order_relaxed);
    }
}

#endif
