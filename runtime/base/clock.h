/* runtime/base/clock.h -- the time, for deadlines and measurements.
 *
 * Scene time is counted in samples and never read from here: renders would not
 * repeat. The steady clock counts from some moment in the past and is never
 * set; Linux reads it without a system call.
 *
 * Thread: any; the audio thread calls sb_clock_ns only, to measure its load.
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

/* Processor time of the calling thread, or of all threads together, s. Other
 * processes do not disturb it. */
double sb_clock_thread_s(void);
double sb_clock_process_s(void);

/* Any clock of the system, s; 0 if it cannot be read. */
double sb_clock_read_s(clockid_t clock);

/* The steady clock's time `seconds` from now. */
struct timespec sb_clock_after(double seconds);

/* How long ago `date`, the date of a file, was, s. */
double sb_clock_age_s(struct timespec date);

#endif
