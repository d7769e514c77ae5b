/* SPDX-License-Identifier: MIT */
/* A program's handler of SIGTERM stays while METIS orders a matrix. */
#include "tests/model/eigen/eigen_problems.h"
#include "tests/suite.h"

#include "runtime/base/clock.h"
#include "runtime/model/linear/cholesky.h"
#include "runtime/model/linear/ordering.h"
#include "runtime/model/linear/term_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void count_signal(int number) {
    (void)number;
    signals++;
}

static void other_handler(int number) {
    (void)number;
}

static void catch_them(void) {
    struct sigaction action = {.sa_handler = count_signal};
    (void)sigemptyset(&action.sa_mask);
    ck_assert_int_eq(sigaction(SIGTERM, &action, NULL), 0);
    signals = 0;
}

static bool is_ours(void) {
    struct sigaction now;
    ck_assert_int_eq(sigaction(SIGTERM, NULL, &now), 0);
    return now.sa_handler == count_signal;
}

static void pause_ms(int ms) {
    struct timespec time = {.tv_nsec = ms * 1000000L};
    (void)nanosleep(&time, NULL);
}

/* Masses and springs in three dimensions: two are ordered without METIS. */
static problem cube(int side) {
    int n = side * side * side, strides[] = {1, side, side * side};
    sb_sparse_builder *k = begin_matrix(n), *m = begin_matrix(n);
    double mass = 1;
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            if (i / strides[d] % side + 1 < side)
                add_spring(k, i, i + strides[d], 1);
        }
        add_block(m, &i, 1, &mass);
    }
    return (problem){end_matrix(k), end_matrix(m)};
}

static atomic_bool done;

static void *order(void *argument) {
    const problem *p = argument;
    sb_cholesky *made = NULL;
    sb_status status = sb_cholesky_create(&made, &p->k, &p->m, NULL);
    sb_cholesky_destroy(made);
    done = true;
    return (void *)(intptr_t)status;
}

/* METIS has set its handler, and the guard the program's, when the signal is
 * sent; METIS goes on for some tenths of a second. */
START_TEST(a_signal_during_an_ordering_reaches_the_program) {
    problem p = cube(40);
    pthread_t thread;
    void *status;
    int before = sb_term_guard_set_count();
    catch_them();
    done = false;
    ck_assert_int_eq(pthread_create(&thread, NULL, order, &p), 0);
    while (sb_term_guard_set_count() == before && !done)
        pause_ms(1);
    ck_assert(!done);
    ck_assert_int_eq(kill(getpid(), SIGTERM), 0);
    double until_s = sb_clock_s() + 5; /* it may go to another thread */
    while (signals == 0 && sb_clock_s() < until_s)
        pause_ms(1);
    ck_assert_int_eq(signals, 1);
    ck_assert_int_eq(pthread_join(thread, &status), 0);
    ck_assert_ptr_null(status);
    ck_assert(is_ours());
    free_problem(&p);
}
END_TEST

static void hear(int number, siginfo_t *info, void *context) {
    (void)number, (void)info, (void)context;
}

START_TEST(all_handlers_are_as_before_after_an_ordering) {
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,
                                  SIGABRT, SIGFPE,  SIGSEGV, SIGPIPE,
                                  SIGALRM, SIGTERM, SIGUSR1, SIGURG};
    struct sigaction action = {.sa_sigaction = hear,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK},
                     now;
    (void)sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_int_eq(sigaction(numbers[i], &action, NULL), 0);
    problem p = cube(20);
    sb_ordering *ordering = NULL;
    int *to = calloc((size_t)p.k.n, sizeof *to);
    ck_assert_int_eq(sb_ordering_create(&ordering, &p.k, NULL), SB_OK);
    ck_assert_int_eq(sb_ordering_by_dissection(ordering, to, NULL), SB_OK);
    sb_ordering_destroy(ordering);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        ck_assert_int_eq(sigaction(numbers[i], NULL, &now), 0);
        ck_assert_msg(now.sa_sigaction == hear &&
                          (now.sa_flags & action.sa_flags) == action.sa_flags &&
                          sigismember(&now.sa_mask, SIGUSR2) == 1,
                      "signal %d", numbers[i]);
    }
    free(to);
    free_problem(&p);
}
END_TEST

/* The handler found first is set again, however many guards are open. */
START_TEST(a_handler_that_was_replaced_is_set_again) {
    sb_term_guard first, second;
    catch_them();
    sb_term_guard_begin(&first);
    (void)signal(SIGTERM, other_handler);
    sb_term_guard_begin(&second);
    double until_s = sb_clock_s() + 5;
    while (!is_ours() && sb_clock_s() < until_s)
        pause_ms(1);
    ck_assert(is_ours());
    sb_term_guard_end(&first);
    (void)signal(SIGTERM, other_handler);
    sb_term_guard_end(&second);
    ck_assert(is_ours());
}
END_TEST

int main(void) {
    TCase *signals_case = tcase_create("signals");
    tcase_add_test(signals_case,
                   a_signal_during_an_ordering_reaches_the_program);
    tcase_add_test(signals_case, all_handlers_are_as_before_after_an_ordering);
    tcase_add_test(signals_case, a_handler_that_was_replaced_is_set_again);
    Suite *suite = suite_create("term");
    suite_add_tcase(suite, signals_case);
    return run_suite(suite);
}
