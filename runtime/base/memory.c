/* SPDX-License-Identifier: MIT */
#include "runtime/base/memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Smaller blocks are given beyond the limit, too: messages, and what it takes
 * to give the large ones back. */
enum { SMALL_BYTES = 1 << 16 };

static atomic_long allocations_left = -1;
static atomic_bool fails_only_one = false;
static atomic_long live_blocks = 0;
static atomic_size_t live_bytes = 0;
static atomic_size_t most_bytes = SIZE_MAX;
static _Thread_local int64_t own_bytes = 0;

static int may_allocate(size_t bytes) {
    long left = atomic_load_explicit(&allocations_left, memory_order_relaxed);
    if (left == 0) {
        if (atomic_load_explicit(&fails_only_one, memory_order_relaxed))
            sb_memory_fail_after(-1);
        return 0;
    }
    if (left > 0) {
        atomic_store_explicit(&allocations_left, left - 1,
                              memory_order_relaxed);
    }
    return bytes < SMALL_BYTES || bytes <= sb_memory_left();
}

static void add_bytes(size_t bytes) {
    atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed);
    own_bytes += (int64_t)bytes;
}

static void subtract_bytes(size_t bytes) {
    atomic_fetch_sub_explicit(&live_bytes, bytes, memory_order_relaxed);
    own_bytes -= (int64_t)bytes;
}

static void *counted(void *block) {
    if (block) {
        atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
        add_bytes(malloc_usable_size(block));
    }
    return block;
}

static int overflows(size_t count, size_t size) {
    return size && count > SIZE_MAX / size;
}

void *sb_alloc(size_t count, size_t size) {
    if (overflows(count, size) || !may_allocate(count * size)) return NULL;
    if (count == 0 || size == 0) count = size = 1;
    return counted(calloc(count, size));
}

void *sb_alloc_aligned(size_t bytes) {
    if (bytes > SIZE_MAX - SB_CACHE_LINE || !may_allocate(bytes)) return NULL;
    size_t mask = SB_CACHE_LINE - 1;
    size_t rounded = (bytes + mask) & ~mask;
    if (rounded == 0) rounded = SB_CACHE_LINE;
    void *block = aligned_alloc(SB_CACHE_LINE, rounded);
    if (block) memset(block, 0, rounded);
    return counted(block);
}

void *sb_resize(void *block, size_t count, size_t size) {
    if (overflows(count, size)) return NULL;
    size_t bytes = count * size;
    size_t before = block ? malloc_usable_size(block) : 0;
    if (!may_allocate(bytes > before ? bytes - before : 0)) return NULL;
    void *moved = realloc(block, bytes ? bytes : 1);
    if (!moved) return NULL;
    if (!block) return counted(moved);
    subtract_bytes(before);
    add_bytes(malloc_usable_size(moved));
    return moved;
}

void sb_free(void *block) {
    if (!block) return;
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    subtract_bytes(malloc_usable_size(block));
    free(block);
}

void sb_free_list(void *const *blocks, size_t count) {
    for (size_t i = 0; i < count; i++)
        sb_free(blocks[i]);
}

void sb_memory_give_back(void) {
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

/* By themselves these limits grow with the largest block that was freed. Blocks
 * of megabytes are filled with work that takes longer than getting them. */
enum { KEPT_BYTES = 4 << 20 };

void sb_memory_keep_little(void) {
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

size_t sb_memory_block_bytes(const void *block) {
    return malloc_usable_size((void *)(uintptr_t)block);
}

void sb_memory_set_limit(size_t bytes) {
    atomic_store_explicit(&most_bytes, bytes ? bytes : SIZE_MAX,
                          memory_order_relaxed);
}

size_t sb_memory_left(void) {
    size_t most = atomic_load_explicit(&most_bytes, memory_order_relaxed);
    size_t live = sb_memory_live_bytes();
    return live < most ? most - live : 0;
}

size_t sb_memory_live_bytes(void) {
    return atomic_load_explicit(&live_bytes, memory_order_relaxed);
}

int64_t sb_memory_own_bytes(void) {
    return own_bytes;
}

char *sb_copy_text(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = sb_alloc(bytes, 1);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

int sb_grow(void **items, int *capacity, int need, size_t item_size) {
    if (need <= *capacity) return 1;
    int larger = *capacity > INT32_MAX / 2 ? INT32_MAX : *capacity * 2;
    if (larger < need) larger = need;
    if (larger < 8) larger = 8;
    void *moved = sb_resize(*items, (size_t)larger, item_size);
    if (!moved) return 0;
    *items = moved;
    *capacity = larger;
    return 1;
}

void sb_memory_fail_after(long n) {
    atomic_store_explicit(&fails_only_one, false, memory_order_relaxed);
    atomic_store_explicit(&allocations_left, n, memory_order_relaxed);
}

void sb_memory_fail_only(long n) {
    sb_memory_fail_after(n);
    atomic_store_explicit(&fails_only_one, true, memory_order_relaxed);
}

long sb_memory_fail_left(void) {
    return atomic_load_explicit(&allocations_left, memory_order_relaxed);
}

long sb_memory_live_blocks(void) {
    return atomic_load_explicit(&live_blocks, memory_order_relaxed);
}
