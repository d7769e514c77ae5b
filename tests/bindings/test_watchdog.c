/* SPDX-License-Identifier: MIT */
/* The watchdog of scripts in a program that has a SIGURG handler of its own,
 * and scripts without a watchdog. */
#include "bindings/sandbox/watchdog.h"
#include "tests/bindings/reload_fixture.h"

#include <dirent.h>
#include <signal.h>

static volatile sig_atomic_t heard, late;
static volatile sig_atomic_t code; /* of the last signal */
static struct sigaction below;     /* what `above` was set over */

static void hear_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    heard++;
    code = info->si_code;
}

static void hear_plainly(int number) {
    (void)number;
    heard++;
}

static void above(int number, siginfo_t *info, void *context) {
    heard++;
    below.sa_sigaction(number, info, context);
}

static void on_late(void *user) {
    (void)user;
    late++;
}

static void set_action(void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    ck_assert_int_eq(sigaction(SIGURG, &action, &below), 0);
}

static struct sigaction present(void) {
    struct sigaction now;
    ck_assert_int_eq(sigaction(SIGURG, NULL, &now), 0);
    return now;
}

static void add(time_watch *watch) {
    *watch = (time_watch){.on_late = on_late};
    ck_assert_int_eq(watchdog_add(watch), SB_OK);
}

START_TEST(signals_of_others_reach_their_handler) {
    time_watch watch;
    set_action(hear_signal);
    add(&watch);
    ck_assert(present().sa_sigaction != hear_signal);
    ck_assert(present().sa_flags & SA_ONSTACK);
    ck_assert_int_eq(raise(SIGURG), 0);
    ck_assert_int_eq(heard, 1);
    ck_assert_int_eq(code, SI_TKILL);
    watchdog_arm(&watch, 0.0);
    while (late == 0) {
    } /* ours do not */
    watchdog_disarm(&watch);
    ck_assert_int_eq(heard, 1);
    watchdog_remove(&watch);
    ck_assert(present().sa_sigaction == hear_signal);
    ck_assert_int_eq(present().sa_flags & SA_ONSTACK, 0);
}
END_TEST

START_TEST(plain_handlers_and_none_are_chained_too) {
    time_watch watch;
    add(&watch);
    ck_assert_int_eq(raise(SIGURG), 0); /* ignored, as by default */
    watchdog_remove(&watch);
    ck_assert(present().sa_handler == SIG_DFL);
    ck_assert(signal(SIGURG, hear_plainly) == SIG_DFL);
    add(&watch);
    ck_assert_int_eq(raise(SIGURG), 0);
    ck_assert_int_eq(heard, 1);
    watchdog_remove(&watch);
    ck_assert(present().sa_handler == hear_plainly);
}
END_TEST

START_TEST(a_handler_that_was_set_above_ours_stays) {
    time_watch watch;
    add(&watch);
    set_action(above);
    watchdog_remove(&watch);
    ck_assert(present().sa_sigaction == above);
    add(&watch); /* we are below it and above it */
    ck_assert_int_eq(raise(SIGURG), 0);
    ck_assert_int_eq(heard, 1);
    watchdog_remove(&watch);
}
END_TEST

static int thread_count(void) {
    int count = -2;
    DIR *tasks = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(tasks);
    while (readdir(tasks))
        count++;
    (void)closedir(tasks);
    return count;
}

START_TEST(a_host_that_counts_ticks_has_no_signal_and_no_thread) {
    running self = {0};
    float stereo[2 * STEP_FRAMES];
    int before = thread_count();
    sb_host_def def = live_def(&self);
    def.is_live = def.counts_ticks = true;
    /* 12 million instructions take more than the 50 ms of a live callback. */
    begin_with(&self,
               "local n = 0\n"
               "function scene.update() if n == 0 then\n"
               "  for i = 1, 3e6 do n = n + i * 2 % 7 end end end\n",
               &def);
    ck_assert_int_eq(thread_count(), before);
    ck_assert(present().sa_handler == SIG_DFL);
    hear(&self, stereo, STEP_FRAMES);
    ck_assert_msg(sb_host_error_count(self.host) == 0, "%s", self.said);
    end(&self);
    begin_with(&self, "function scene.update() while true do end end\n", &def);
    hear(&self, stereo, STEP_FRAMES);
    ck_assert_msg(strstr(self.said, "more than 20 million instructions"), "%s",
                  self.said);
    end(&self);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("watchdog");
    TCase *tcase = tcase_create("watchdog");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, signals_of_others_reach_their_handler);
    tcase_add_test(tcase, plain_handlers_and_none_are_chained_too);
    tcase_add_test(tcase, a_handler_that_was_set_above_ours_stays);
    tcase_add_test(tcase, a_host_that_counts_ticks_has_no_signal_and_no_thread);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
