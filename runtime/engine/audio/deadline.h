/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/deadline.h -- how long audio callbacks take.
 *
 * A callback must be done before the frames it produces have been played: its
 * deadline. sb_deadline_record counts the callbacks that missed theirs.
 *
 * Thread: audio records; any thread reads the counters.
 * Memory: the caller's.
 */
#pragma once

#include "runtime/base/clock.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct sb_deadlines {
    atomic_llong callbacks;
    atomic_llong missed;      /* took longer than their frames last */
    atomic_llong worst_micro; /* longest, in millionths of its own deadline */
    atomic_llong busy_ns;     /* time spent in all callbacks */
    atomic_llong frames;      /* requested by all callbacks */
} sb_deadlines;

static inline void sb_deadline_add(atomic_llong *counter, int64_t amount) {
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/* Record a callback of `frames` frames that began at `from_ns` and ends now. */
static inline void sb_deadline_record(sb_deadlines *deadlines, int64_t from_ns,
                                      int frames, double sample_rate_hz) {
    int64_t took_ns = sb_clock_ns() - from_ns;
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
