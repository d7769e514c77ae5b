/* runtime/bench/peak_memory.h -- the peak memory use of a piece of work.
 *
 * Thread: control; the figures are those of the whole process. Memory: none.
 */
#ifndef SB_BENCH_PEAK_MEMORY_H
#define SB_BENCH_PEAK_MEMORY_H

#include <stddef.h>

/* Reset the peak; returns the bytes in use now. */
size_t sb_bench_peak_begin(void);
/* The peak since then, in bytes beyond `before`; 0 where the system does not
 * report it. */
size_t sb_bench_peak_end(size_t before);

#endif
