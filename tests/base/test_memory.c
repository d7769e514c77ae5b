/* SPDX-License-Identifier: MIT */
/* The one door for allocations: zeroed, aligned, counted, and failing on
 * demand. */
#include "runtime/base/memory.h"

#include "tests/suite.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Sizes the compiler cannot know, so that it does not judge them for us. */
static size_t huge(void) {
    volatile size_t size = SIZE_MAX;
    return size;
}

static int are_zero(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i]) return 0;
    }
    return 1;
}

static void dirty_the_heap(void) {
    void *blocks[16];
    for (int i = 0; i < 16; i++) {
        blocks[i] = sb_alloc(1, 5000);
        ck_assert_ptr_nonnull(blocks[i]);
        memset(blocks[i], 0xa5, 5000);
    }
    for (int i = 0; i < 16; i++)
        sb_free(blocks[i]);
}

START_TEST(a_new_block_is_zeroed) {
    dirty_the_heap();
    unsigned char *plain = sb_alloc(100, 50);
    unsigned char *aligned = sb_alloc_aligned(5000);
    ck_assert_ptr_nonnull(plain);
    ck_assert_ptr_nonnull(aligned);
    ck_assert(are_zero(plain, 5000));
    ck_assert(are_zero(aligned, 5000));
    sb_free(plain);
    sb_free(aligned);
}
END_TEST

START_TEST(an_aligned_block_starts_a_cache_line) {
    for (size_t bytes = 0; bytes < 300; bytes += 7) {
        void *block = sb_alloc_aligned(bytes);
        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % SB_CACHE_LINE, 0);
        sb_free(block);
    }
}
END_TEST

START_TEST(nothing_is_a_block_too) {
    void *none = sb_alloc(0, 8), *of_nothing = sb_alloc(8, 0);
    ck_assert_ptr_nonnull(none);
    ck_assert_ptr_nonnull(of_nothing);
    sb_free(none);
    sb_free(of_nothing);
    sb_free(NULL);
}
END_TEST

START_TEST(a_size_that_overflows_is_refused) {
    long before = sb_memory_live_blocks();
    char *block = sb_alloc(8, 1);
    ck_assert_ptr_nonnull(block);
    block[0] = 'x';
    ck_assert_ptr_null(sb_alloc(huge() / 2, 3));
    ck_assert_ptr_null(sb_alloc_aligned(huge()));
    ck_assert_ptr_null(sb_alloc_aligned(huge() - 10));
    ck_assert_ptr_null(sb_resize(block, huge() / 2, 3));
    /* This product would come out as 16. */
    ck_assert_ptr_null(sb_alloc(huge() / 16 + 2, 16));
    ck_assert_ptr_null(sb_resize(block, huge() / 16 + 2, 16));
    ck_assert_int_eq(block[0], 'x');
    ck_assert_int_eq(sb_memory_live_blocks(), before + 1);
    sb_free(block);
}
END_TEST

START_TEST(live_blocks_are_counted) {
    long before = sb_memory_live_blocks();
    void *a = sb_alloc(1, 1), *b = sb_alloc_aligned(1);
    void *c = sb_resize(NULL, 4, 4);
    char *d = sb_copy_text("bell");
    ck_assert_int_eq(sb_memory_live_blocks(), before + 4);
    c = sb_resize(c, 4000, 4);
    ck_assert_int_eq(sb_memory_live_blocks(), before + 4);
    ck_assert_str_eq(d, "bell");
    sb_free(a);
    sb_free(b);
    sb_free(c);
    sb_free(d);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
}
END_TEST

START_TEST(the_chosen_allocation_fails_and_all_after_it) {
    long before = sb_memory_live_blocks();
    for (long n = 0; n < 5; n++) {
        void *blocks[5] = {NULL};
        sb_memory_fail_after(n);
        for (int i = 0; i < 5; i++) {
            blocks[i] = i % 2 ? sb_alloc(1, 8) : sb_alloc_aligned(8);
            ck_assert_int_eq(blocks[i] != NULL, i < n);
        }
        ck_assert_ptr_null(sb_copy_text("no room"));
        ck_assert_ptr_null(sb_resize(NULL, 1, 1));
        sb_memory_fail_after(-1);
        for (int i = 0; i < 5; i++)
            sb_free(blocks[i]);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), before);
}
END_TEST

START_TEST(a_failed_resize_leaves_the_block) {
    int *block = sb_alloc(4, sizeof *block);
    ck_assert_ptr_nonnull(block);
    block[3] = 7;
    sb_memory_fail_after(0);
    ck_assert_ptr_null(sb_resize(block, 400, sizeof *block));
    sb_memory_fail_after(-1);
    ck_assert_int_eq(block[3], 7);
    sb_free(block);
}
END_TEST

START_TEST(growing_keeps_the_items_and_doubles) {
    int *items = NULL, capacity = 0, moves = 0;
    for (int i = 0; i < 1000; i++) {
        int was = capacity;
        ck_assert(sb_grow((void **)&items, &capacity, i + 1, sizeof *items));
        ck_assert_int_ge(capacity, i + 1);
        if (capacity != was) {
            ck_assert_int_ge(capacity, 2 * was);
            moves++;
        }
        items[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(items[i], i);
    ck_assert_int_le(moves, 10);
    sb_free(items);
}
END_TEST

START_TEST(failing_to_grow_changes_nothing) {
    int *items = NULL, capacity = 0;
    ck_assert(sb_grow((void **)&items, &capacity, 8, sizeof *items));
    int *before = items, was = capacity;
    items[7] = 42;
    sb_memory_fail_after(0);
    ck_assert(sb_grow((void **)&items, &capacity, was, sizeof *items));
    ck_assert(!sb_grow((void **)&items, &capacity, was + 1, sizeof *items));
    sb_memory_fail_after(-1);
    ck_assert(!sb_grow((void **)&items, &capacity, INT_MAX, huge() / 2));
    ck_assert_ptr_eq(items, before);
    ck_assert_int_eq(capacity, was);
    ck_assert_int_eq(items[7], 42);
    sb_free(items);
}
END_TEST

START_TEST(bytes_are_counted) {
    size_t before = sb_memory_live_bytes();
    int64_t own = sb_memory_own_bytes();
    void *a = sb_alloc(1000, 100), *b = sb_alloc_aligned(5000);
    size_t live = sb_memory_live_bytes() - before;
    ck_assert_uint_ge(live, 105000);
    ck_assert_uint_le(live, 110000);
    ck_assert_int_eq(sb_memory_own_bytes() - own, (int64_t)live);
    a = sb_resize(a, 2000, 100);
    ck_assert_uint_ge(sb_memory_live_bytes() - before, 205000);
    a = sb_resize(a, 10, 1);
    sb_free(a);
    sb_free(b);
    ck_assert_uint_eq(sb_memory_live_bytes(), before);
    ck_assert_int_eq(sb_memory_own_bytes(), own);
}
END_TEST

START_TEST(the_limit_refuses_large_blocks_only) {
    size_t before = sb_memory_live_bytes();
    sb_memory_set_limit(before + 1000000);
    void *half = sb_alloc(500000, 1);
    ck_assert_ptr_nonnull(half);
    ck_assert_ptr_null(sb_alloc(600000, 1));
    ck_assert_ptr_null(sb_alloc_aligned(600000));
    ck_assert_ptr_null(sb_resize(half, 1200000, 1));
    half = sb_resize(half, 900000, 1);
    ck_assert_ptr_nonnull(half);
    void *small[4];
    for (int i = 0; i < 4; i++) {
        small[i] = sb_alloc(60000, 1);
        ck_assert_ptr_nonnull(small[i]);
    }
    ck_assert_uint_eq(sb_memory_left(), 0);
    for (int i = 0; i < 4; i++)
        sb_free(small[i]);
    sb_free(half);
    sb_memory_set_limit(0);
    half = sb_alloc(2000000, 1);
    ck_assert_ptr_nonnull(half);
    sb_free(half);
    ck_assert_uint_eq(sb_memory_live_bytes(), before);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("memory");
    tcase_add_test(tcase, a_new_block_is_zeroed);
    tcase_add_test(tcase, an_aligned_block_starts_a_cache_line);
    tcase_add_test(tcase, nothing_is_a_block_too);
    tcase_add_test(tcase, bytes_are_counted);
    tcase_add_test(tcase, the_limit_refuses_large_blocks_only);
    tcase_add_test(tcase, a_size_that_overflows_is_refused);
    tcase_add_test(tcase, live_blocks_are_counted);
    tcase_add_test(tcase, the_chosen_allocation_fails_and_all_after_it);
    tcase_add_test(tcase, a_failed_resize_leaves_the_block);
    tcase_add_test(tcase, growing_keeps_the_items_and_doubles);
    tcase_add_test(tcase, failing_to_grow_changes_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
