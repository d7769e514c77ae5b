/* SPDX-License-Identifier: MIT */
/* OpenBLAS has as many threads after our calls as before them. */
#include "runtime/model/linear/blas.h"

#include "tests/suite.h"

#include <cblas.h>
#include <pthread.h>

START_TEST(the_number_of_threads_comes_back) {
    openblas_set_num_threads(2);
    ck_assert_int_eq(openblas_get_num_threads(), 2);
    ck_assert_int_eq(sb_blas_enter(NULL), SB_OK);
    ck_assert_int_eq(openblas_get_num_threads(), 1);
    ck_assert_int_eq(sb_blas_enter(NULL), SB_OK);
    sb_blas_leave();
    ck_assert_int_eq(openblas_get_num_threads(), 1);
    sb_blas_leave();
    ck_assert_int_eq(openblas_get_num_threads(), 2);
}
END_TEST

START_TEST(a_number_that_the_program_sets_meanwhile_stays) {
    openblas_set_num_threads(2);
    ck_assert_int_eq(sb_blas_enter(NULL), SB_OK);
    openblas_set_num_threads(3);
    sb_blas_leave();
    ck_assert_int_eq(openblas_get_num_threads(), 3);
}
END_TEST

static void *enter_often(void *argument) {
    for (int i = 0; i < 2000; i++) {
        if (sb_blas_enter(NULL)) return argument;
        if (openblas_get_num_threads() != 1) return argument;
        sb_blas_leave();
    }
    return NULL;
}

START_TEST(threads_enter_and_leave_in_any_order) {
    pthread_t threads[4];
    openblas_set_num_threads(2);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, enter_often, threads), 0);
    for (int i = 0; i < 4; i++) {
        void *fault = NULL;
        ck_assert_int_eq(pthread_join(threads[i], &fault), 0);
        ck_assert_ptr_null(fault);
    }
    ck_assert_int_eq(openblas_get_num_threads(), 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("blas");
    TCase *tcase = tcase_create("threads");
    tcase_add_test(tcase, the_number_of_threads_comes_back);
    tcase_add_test(tcase, a_number_that_the_program_sets_meanwhile_stays);
    tcase_add_test(tcase, threads_enter_and_leave_in_any_order);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
