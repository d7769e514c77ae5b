/* SPDX-License-Identifier: MIT */
/* runtime/base/clock.h -- clocks for deadlines and measurements.
 *
 * Scene time is counted in samples and never read from these clocks, so that
 * renders are repeatable. The steady clock (CLOCK_MONOTONIC) counts from an
 * arbitrary moment and is never adjusted by the user; Linux reads it without a
 * system call.
 *
 * Thread: any; the audio thread calls only sb_clock_ns, to measure its load.
 * Memory: none.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* The steady clock, in ns or s. */
static inline int64_t sb_clock_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
double sb_clock_s(void);

/* Processor time used by the calling thread, or by all threads of the process,
 * in s. */
double sb_clock_thread_s(void);
double sb_clock_process_s(void);

/* The time of any system clock, in s; 0 if it cannot be read. */
double sb_clock_read_s(clockid_t clock);

/* The steady clock's time in `seconds` from now. */
struct timespec sb_clock_after(double seconds);

/* Age of `date`, the modification time of a file, in s. */
double sb_clock_age_s(struct timespec date);

/* The effort of a thread is its own processor time and that of the threads that
 * have worked for it. A limit in seconds of the wall clock would take time from
 * a load for what other programs do. */
typedef atomic_int_least64_t sb_effort_ns;

/* The effort of the calling thread so far, in s. */
double sb_effort_s(void);

/* Another thread has worked this long for the calling one. */
void sb_effort_add_ns(int64_t ns);

/* What others have done for the calling thread; valid until it ends. */
sb_effort_ns *sb_effort_helped(void);

/* The effort of a thread that still runs, with its sb_effort_helped. 0 if it
 * cannot be read. */
int64_t sb_effort_of_ns(pthread_t thread, const sb_effort_ns *helped);
