/* runtime/bench/stopwatch.h -- the memory that a piece of work takes.
 *
 * Thread: control; the peak is that of the whole process. Memory: none.
 */
#ifndef SB_BENCH_STOPWATCH_H
#define SB_BENCH_STOPWATCH_H

#include <stddef.h>

/* Forget the peak so far; returns the bytes in use now. */
size_t sb_bench_peak_begin(void);
/* The most bytes in use since then, beyond those `before`; 0 when the system
 * does not tell. */
size_t sb_bench_peak_end(size_t before);

#endif
