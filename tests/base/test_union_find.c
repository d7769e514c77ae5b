/* SPDX-License-Identifier: MIT */
/* Disjoint sets against a plain table of which number is in which set. */
#include "runtime/base/random.h"
#include "runtime/base/union_find.h"
#include "tests/suite.h"

enum { COUNT = 200 };

START_TEST(every_number_begins_alone) {
    int parents[COUNT];
    sb_union_find_init(parents, COUNT);
    for (int i = 0; i < COUNT; i++) {
        ck_assert_int_eq(sb_union_find_root(parents, i), i);
    }
}
END_TEST

START_TEST(a_join_says_whether_there_were_two_sets) {
    int parents[4];
    sb_union_find_init(parents, 4);
    ck_assert(sb_union_find_join(parents, 3, 1));
    ck_assert(sb_union_find_join(parents, 2, 3));
    ck_assert(!sb_union_find_join(parents, 1, 2));
    ck_assert(!sb_union_find_join(parents, 0, 0));
    ck_assert_int_eq(sb_union_find_root(parents, 0), 0);
}
END_TEST

/* The table: sets[i] is the smallest number of the set that i is in. */
START_TEST(roots_are_the_smallest_of_their_set_in_any_order) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        int parents[COUNT], sets[COUNT];
        sb_random random = sb_random_make(seed, 5);
        sb_union_find_init(parents, COUNT);
        sb_union_find_init(sets, COUNT);
        for (int k = 0; k < COUNT; k++) {
            int a = (int)(sb_random_u32(&random) % COUNT);
            int b = (int)(sb_random_u32(&random) % COUNT);
            int low = sets[a] < sets[b] ? sets[a] : sets[b];
            int high = sets[a] < sets[b] ? sets[b] : sets[a];
            ck_assert_int_eq(sb_union_find_join(parents, a, b), low != high);
            for (int i = 0; i < COUNT; i++) {
                if (sets[i] == high) sets[i] = low;
            }
        }
        for (int i = 0; i < COUNT; i++) {
            ck_assert_int_eq(sb_union_find_root(parents, i), sets[i]);
        }
    }
}
END_TEST

/* A chain joined from its far end is the worst case: it must stay quick. */
START_TEST(long_chains_are_followed) {
    static int parents[1000000];
    const int count = 1000000;
    sb_union_find_init(parents, count);
    for (int i = count - 1; i > 0; i--) {
        ck_assert(sb_union_find_join(parents, i, i - 1));
    }
    ck_assert_int_eq(sb_union_find_root(parents, count - 1), 0);
    ck_assert_int_eq(sb_union_find_root(parents, count / 2), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("union_find");
    TCase *tests = tcase_create("union_find");
    tcase_add_test(tests, every_number_begins_alone);
    tcase_add_test(tests, a_join_says_whether_there_were_two_sets);
    tcase_add_test(tests, roots_are_the_smallest_of_their_set_in_any_order);
    tcase_add_test(tests, long_chains_are_followed);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
