/* SPDX-License-Identifier: MIT */
/* Which mode is which, of two methods that do not quite agree. */
#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"
#include "tests/suite.h"

#include <math.h>

enum { MOST = 16 };

static void check_match(const double *ours, int count, const double *others,
                        int other_count, const int *wanted) {
    int fellows[MOST];
    ck_assert(match_modes(ours, count, others, other_count, fellows));
    for (int i = 0; i < count; i++) {
        ck_assert_msg(fellows[i] == wanted[i], "mode %d: got %d, wanted %d", i,
                      fellows[i], wanted[i]);
    }
}

START_TEST(cents_are_hundredths_of_semitones) {
    ck_assert_double_eq_tol(cents_between(880, 440), 1200, 1e-9);
    ck_assert_double_eq_tol(cents_between(440, 466.16376), -100, 1e-3);
}
END_TEST

START_TEST(the_same_modes_are_their_own_fellows) {
    const double freqs[] = {100, 200, 200, 200, 350};
    const int wanted[] = {0, 1, 2, 3, 4};
    check_match(freqs, 5, freqs, 5, wanted);
}
END_TEST

START_TEST(a_family_that_is_missing_leaves_gaps) {
    const double ours[] = {100, 150, 300, 500, 900};
    const double others[] = {101, 302, 905};
    const int wanted[] = {0, -1, 1, -1, 2};
    check_match(ours, 5, others, 3, wanted);
    const int back[] = {0, 2, 4};
    check_match(others, 3, ours, 5, back);
}
END_TEST

START_TEST(three_hundred_cents_is_the_farthest) {
    const double ours[] = {100};
    const int is_near[] = {0}, is_far[] = {-1};
    const double near_hz[] = {100 * exp2(299.0 / 1200)};
    const double far_hz[] = {100 * exp2(-301.0 / 1200)};
    check_match(ours, 1, near_hz, 1, is_near);
    check_match(ours, 1, far_hz, 1, is_far);
}
END_TEST

/* Each alone would take the same one: in order, none is taken twice. */
START_TEST(order_is_kept_where_all_are_off) {
    const double ours[] = {100, 104, 108};
    const double others[] = {107, 111, 115};
    const int wanted[] = {0, 1, 2};
    check_match(ours, 3, others, 3, wanted);
}
END_TEST

START_TEST(nothing_matches_nothing) {
    const double ours[] = {100, 200};
    const int wanted[] = {-1, -1};
    check_match(ours, 2, NULL, 0, wanted);
    int none;
    ck_assert(match_modes(NULL, 0, ours, 2, &none));
}
END_TEST

START_TEST(every_failed_allocation_is_told) {
    const double ours[] = {100, 200};
    int fellows[2];
    int failures = 0;
    for (int n = 0;; n++) {
        sb_memory_fail_after(n);
        bool is_well = match_modes(ours, 2, ours, 2, fellows);
        sb_memory_fail_after(-1);
        if (is_well) break;
        failures++;
    }
    ck_assert_int_eq(failures, 3);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("modes_match");
    TCase *tcase = tcase_create("match");
    tcase_add_test(tcase, cents_are_hundredths_of_semitones);
    tcase_add_test(tcase, the_same_modes_are_their_own_fellows);
    tcase_add_test(tcase, a_family_that_is_missing_leaves_gaps);
    tcase_add_test(tcase, three_hundred_cents_is_the_farthest);
    tcase_add_test(tcase, order_is_kept_where_all_are_off);
    tcase_add_test(tcase, nothing_matches_nothing);
    tcase_add_test(tcase, every_failed_allocation_is_told);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
