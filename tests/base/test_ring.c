/* SPDX-License-Identifier: MIT */
/* The queue between two threads: order, refusal, wrapping, and a race that a
 * thread sanitizer can judge. */
#include "runtime/base/ring.h"

#include "tests/suite.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { PLACES = 8 };

typedef struct parcel {
    uint64_t number;
    uint64_t shadow; /* ~number: a torn copy shows */
} parcel;

static parcel parcel_of(uint64_t number) {
    return (parcel){number, ~number};
}

static parcel memory[PLACES];

static sb_ring ring_new(void) {
    sb_ring ring;
    sb_ring_init(&ring, memory, PLACES, sizeof memory[0]);
    return ring;
}

static void expect_next(sb_ring *ring, uint64_t number) {
    parcel taken = {0, 0};
    ck_assert(sb_ring_pop(ring, &taken));
    ck_assert_uint_eq(taken.number, number);
    ck_assert_uint_eq(taken.shadow, ~number);
}

START_TEST(what_goes_in_comes_out_in_order) {
    sb_ring ring = ring_new();
    for (uint64_t i = 0; i < 5; i++) {
        parcel p = parcel_of(i);
        ck_assert(sb_ring_push(&ring, &p));
    }
    for (uint64_t i = 0; i < 5; i++)
        expect_next(&ring, i);
}
END_TEST

START_TEST(an_empty_ring_says_so) {
    sb_ring ring = ring_new();
    parcel taken = parcel_of(77);
    ck_assert(!sb_ring_pop(&ring, &taken));
    ck_assert_uint_eq(taken.number, 77);
    ck_assert_ptr_null(sb_ring_peek(&ring));
    ck_assert_uint_eq(sb_ring_room(&ring), PLACES);
    ck_assert_uint_eq(sb_ring_read(&ring, &taken, 1), 0);
}
END_TEST

START_TEST(a_full_ring_refuses) {
    sb_ring ring = ring_new();
    for (uint64_t i = 0; i < PLACES; i++) {
        parcel p = parcel_of(i);
        ck_assert_uint_eq(sb_ring_room(&ring), PLACES - i);
        ck_assert(sb_ring_push(&ring, &p));
    }
    parcel extra = parcel_of(99);
    ck_assert_uint_eq(sb_ring_room(&ring), 0);
    ck_assert(!sb_ring_push(&ring, &extra));
    ck_assert_uint_eq(sb_ring_write(&ring, &extra, 1), 0);
    for (uint64_t i = 0; i < PLACES; i++)
        expect_next(&ring, i);
    ck_assert_ptr_null(sb_ring_peek(&ring));
}
END_TEST

START_TEST(a_look_takes_nothing) {
    sb_ring ring = ring_new();
    for (uint64_t i = 3; i < 5; i++) {
        parcel p = parcel_of(i);
        ck_assert(sb_ring_push(&ring, &p));
    }
    for (int i = 0; i < 3; i++) {
        const parcel *next = sb_ring_peek(&ring);
        ck_assert_ptr_nonnull(next);
        ck_assert_uint_eq(next->number, 3);
    }
    expect_next(&ring, 3);
    expect_next(&ring, 4);
}
END_TEST

START_TEST(many_at_once_take_what_fits) {
    sb_ring ring = ring_new();
    parcel in[2 * PLACES], out[2 * PLACES];
    for (uint64_t i = 0; i < 2 * PLACES; i++)
        in[i] = parcel_of(i);
    uint64_t sent = 0, came = 0;
    for (uint32_t round = 0; round < 1000; round++) {
        uint32_t wish = round * 7 % (2 * PLACES), room = sb_ring_room(&ring);
        for (uint32_t i = 0; i < wish; i++)
            in[i] = parcel_of(sent + i);
        uint32_t wrote = sb_ring_write(&ring, in, wish);
        ck_assert_uint_eq(wrote, wish < room ? wish : room);
        sent += wrote;
        uint32_t asked = round * 5 % (2 * PLACES);
        uint32_t fill = (uint32_t)(sent - came);
        uint32_t got = sb_ring_read(&ring, out, asked);
        ck_assert_uint_eq(got, asked < fill ? asked : fill);
        for (uint32_t i = 0; i < got; i++)
            ck_assert_uint_eq(out[i].number, came + i);
        came += got;
    }
    ck_assert_uint_gt(came, 3000);
}
END_TEST

START_TEST(counts_may_pass_their_largest_value) {
    sb_ring ring = ring_new();
    atomic_store(&ring.pushed, UINT32_MAX - 3);
    atomic_store(&ring.popped, UINT32_MAX - 3);
    for (uint64_t i = 0; i < PLACES; i++) {
        parcel p = parcel_of(i);
        ck_assert(sb_ring_push(&ring, &p));
    }
    parcel extra = parcel_of(99);
    ck_assert(!sb_ring_push(&ring, &extra));
    for (uint64_t i = 0; i < PLACES; i++)
        expect_next(&ring, i);
    ck_assert_uint_eq(sb_ring_room(&ring), PLACES);
}
END_TEST

enum { PARCELS = 200000 };

static void *send_all(void *argument) {
    sb_ring *ring = argument;
    uint64_t number = 0;
    while (number < PARCELS) {
        parcel some[3] = {parcel_of(number), parcel_of(number + 1),
                          parcel_of(number + 2)};
        uint32_t wish = 1 + (uint32_t)(number % 3);
        if (wish > PARCELS - number) wish = (uint32_t)(PARCELS - number);
        uint32_t sent = sb_ring_write(ring, some, wish);
        number += sent;
        if (sent == 0) (void)sched_yield();
    }
    return NULL;
}

START_TEST(two_threads_lose_nothing_and_tear_nothing) {
    sb_ring ring = ring_new();
    pthread_t sender;
    ck_assert_int_eq(pthread_create(&sender, NULL, send_all, &ring), 0);
    uint64_t expected = 0, wrong = 0;
    while (expected < PARCELS) {
        parcel taken[4];
        const parcel *next = sb_ring_peek(&ring);
        if (next) wrong += next->number != expected;
        uint32_t count = sb_ring_read(&ring, taken, 4);
        for (uint32_t i = 0; i < count; i++) {
            wrong += taken[i].number != expected;
            wrong += taken[i].shadow != ~expected;
            expected++;
        }
        if (count == 0) (void)sched_yield();
    }
    ck_assert_int_eq(pthread_join(sender, NULL), 0);
    ck_assert_uint_eq(wrong, 0);
    ck_assert_ptr_null(sb_ring_peek(&ring));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ring");
    TCase *tcase = tcase_create("ring");
    tcase_add_test(tcase, what_goes_in_comes_out_in_order);
    tcase_add_test(tcase, an_empty_ring_says_so);
    tcase_add_test(tcase, a_full_ring_refuses);
    tcase_add_test(tcase, a_look_takes_nothing);
    tcase_add_test(tcase, many_at_once_take_what_fits);
    tcase_add_test(tcase, counts_may_pass_their_largest_value);
    tcase_add_test(tcase, two_threads_lose_nothing_and_tear_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
