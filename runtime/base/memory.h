/* runtime/base/memory.h -- every heap block of the program comes from here.
 *
 * One door for all allocations lets a test fail the n-th of them, for every n,
 * and see that nothing leaks, crashes or half-happens. The Lua state allocates
 * through the same door.
 *
 * Thread: any but audio.
 * Memory: blocks go back through sb_free, wherever they came from below.
 */
#ifndef SB_BASE_MEMORY_H
#define SB_BASE_MEMORY_H

#include <stddef.h>

enum { SB_CACHE_LINE = 64 };

/* Zeroed memory for `count` items of `size` bytes; NULL when there is none or
 * when the product overflows. sb_alloc(0, n) gives a block, not NULL. */
void *sb_alloc(size_t count, size_t size);

/* The same, aligned to a cache line: for what the audio thread works on. */
void *sb_alloc_aligned(size_t bytes);

/* As realloc; new bytes are not zeroed. NULL leaves `block` as it was. */
void *sb_resize(void *block, size_t count, size_t size);

void sb_free(void *block); /* NULL is allowed */

char *sb_copy_text(const char *text); /* NULL when out of memory */

/* Grow `*items` to hold at least `need` items, at least doubling it. Returns 0
 * when out of memory, and then nothing has changed. */
int sb_grow(void **items, int *capacity, int need, size_t item_size);

/* For tests. Let `n` more allocations succeed and fail every one after them;
 * -1, the start state, never fails. */
void sb_memory_fail_after(long n);
long sb_memory_live_blocks(void); /* allocated and not yet freed */

#endif
