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
#ifndef SB_BASE_CLOCK_H
#define SB_BASE_CLOCK_H

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

#endif
