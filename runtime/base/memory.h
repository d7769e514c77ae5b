/* SPDX-License-Identifier: MIT */
/* runtime/base/memory.h -- every heap block of the program comes from here.
 *
 * All allocations, those of the Lua state included, pass through these
 * functions, so that a test can make the n-th allocation fail, for every n, and
 * check that nothing leaks, crashes or is left half done.
 *
 * Thread: any but audio.
 * Memory: every block allocated here is freed by sb_free.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SB_CACHE_LINE = 64 };

/* Zeroed memory for `count` items of `size` bytes; NULL when out of memory or
 * when the product overflows. sb_alloc(0, n) returns a block, not NULL. */
void *sb_alloc(size_t count, size_t size);

/* The same, aligned to a cache line: for data of the audio thread. */
void *sb_alloc_aligned(size_t bytes);

/* Like realloc; new bytes are not zeroed. On NULL, `block` is unchanged. */
void *sb_resize(void *block, size_t count, size_t size);

void sb_free(void *block); /* NULL is allowed */
/* Several, in this order. */
#define sb_free_all(...)                  \
    sb_free_list((void *[]){__VA_ARGS__}, \
                 sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void sb_free_list(void *const *blocks, size_t count);

/* The size of a block, at least as large as requested. All of it may be used,
 * and it does not change. */
size_t sb_memory_block_bytes(const void *block);

/* The C library keeps what is freed, for each thread apart. Give it back to the
 * system now, which takes milliseconds: after long work. */
void sb_memory_give_back(void);
/* The same for single large blocks, from now on. It is a setting of the whole
 * process: for programs, not for libraries. */
void sb_memory_keep_little(void);

char *sb_copy_text(const char *text); /* NULL when out of memory */

/* Grow `*items` to hold at least `need` items; the capacity at least doubles.
 * Returns 0 when out of memory, and then nothing has changed. */
int sb_grow(void **items, int *capacity, int need, size_t item_size);
/* The same of a list of any type. */
#define sb_grow_list(items, capacity, need) \
    sb_grow((void **)&(items), &(capacity), need, sizeof *(items))

/* One budget for all blocks: a block of 64 kB or more that would exceed it is
 * refused, like one for which there is no memory. 0, the initial value: none. */
void sb_memory_set_limit(size_t bytes);
size_t sb_memory_left(void); /* of it; SIZE_MAX less what is live: no limit */
size_t sb_memory_live_bytes(void); /* of all blocks */

/* Bytes that this thread has allocated, less those that it has freed: the
 * difference of two calls is what has been made in between. */
int64_t sb_memory_own_bytes(void);

/* For tests: let `n` more allocations succeed and fail all later ones; -1, the
 * initial value, never fails. */
void sb_memory_fail_after(long n);
void sb_memory_fail_only(long n); /* `n` succeed, one fails, then all succeed */
long sb_memory_fail_left(void);   /* of that `n` */
long sb_memory_live_blocks(void); /* allocated and not yet freed */
