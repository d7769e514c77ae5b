/* SPDX-License-Identifier: MIT */
/* The clocks: they run forward, at the same speed, each on its own work. */
#include "runtime/base/clock.h"

#include "tests/suite.h"

static double volatile sum;

static void work_for(double seconds) {
    double until_s = sb_clock_thread_s() + seconds;
    while (sb_clock_thread_s() < until_s)
        sum += 1.0;
}

START_TEST(nanoseconds_and_seconds_are_of_one_clock) {
    double before_s = sb_clock_s();
    int64_t ns = sb_clock_ns();
    double after_s = sb_clock_s();
    ck_assert_double_ge((double)ns * 1e-9, before_s - 1e-6);
    ck_assert_double_le((double)ns * 1e-9, after_s + 1e-6);
}
END_TEST

START_TEST(sleep_takes_time_but_no_processor_time) {
    double steady_s = sb_clock_s();
    double thread_s = sb_clock_thread_s(), process_s = sb_clock_process_s();
    (void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    ck_assert_double_ge(sb_clock_s() - steady_s, 0.05);
    ck_assert_double_lt(sb_clock_thread_s() - thread_s, 0.04);
    ck_assert_double_lt(sb_clock_process_s() - process_s, 0.04);
}
END_TEST

START_TEST(work_takes_all_of_them) {
    double steady_s = sb_clock_s();
    double thread_s = sb_clock_thread_s(), process_s = sb_clock_process_s();
    work_for(0.02);
    ck_assert_double_ge(sb_clock_thread_s() - thread_s, 0.02);
    ck_assert_double_ge(sb_clock_process_s() - process_s, 0.02);
    ck_assert_double_ge(sb_clock_s() - steady_s, 0.019);
}
END_TEST

START_TEST(a_deadline_is_that_much_later_and_well_formed) {
    static const double waits_s[] = {0.0, 0.25, 0.999999999, 1.0, 3600.5};
    for (int i = 0; i < 5; i++) {
        double before_s = sb_clock_s();
        struct timespec at = sb_clock_after(waits_s[i]);
        double at_s = (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
        ck_assert_int_ge(at.tv_nsec, 0);
        ck_assert_int_lt(at.tv_nsec, 1000000000);
        ck_assert_double_ge(at_s, before_s + waits_s[i] - 1e-6);
        ck_assert_double_le(at_s, sb_clock_s() + waits_s[i] + 1e-6);
    }
}
END_TEST

START_TEST(the_age_of_a_date_is_wall_clock_time) {
    struct timespec hour_ago = {.tv_sec = time(NULL) - 3600};
    ck_assert_double_ge(sb_clock_age_s(hour_ago), 3599.9);
    ck_assert_double_lt(sb_clock_age_s(hour_ago), 3700.0);
}
END_TEST

START_TEST(a_clock_that_is_not_there_reads_zero) {
    ck_assert_double_eq(sb_clock_read_s((clockid_t)9999), 0.0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("clock");
    TCase *all = tcase_create("clocks");
    tcase_add_test(all, nanoseconds_and_seconds_are_of_one_clock);
    tcase_add_test(all, sleep_takes_time_but_no_processor_time);
    tcase_add_test(all, work_takes_all_of_them);
    tcase_add_test(all, a_deadline_is_that_much_later_and_well_formed);
    tcase_add_test(all, the_age_of_a_date_is_wall_clock_time);
    tcase_add_test(all, a_clock_that_is_not_there_reads_zero);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
