/* SPDX-License-Identifier: MIT */
/* Building, adding, permuting and multiplying sparse matrices. */
#include "tests/suite.h"

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/model/linear/sparse.h"

#include <string.h>

enum { N = 7 };

static sb_sparse_builder *begin(int n) {
    sb_sparse_builder *builder = NULL;
    ck_assert_int_eq(sb_sparse_begin(&builder, n, NULL), SB_OK);
    return builder;
}

static void add(sb_sparse_builder *builder, const int *indices, int count,
                const double *block) {
    ck_assert_int_eq(sb_sparse_add(builder, indices, count, block, NULL),
                     SB_OK);
}

static sb_sparse end(sb_sparse_builder *builder) {
    sb_sparse made = {0};
    ck_assert_int_eq(sb_sparse_end(builder, &made, NULL), SB_OK);
    return made;
}

/* Adds random elements to a sparse and to a full matrix. */
static sb_sparse random_matrix(uint64_t seed, double full[N][N]) {
    sb_random random = sb_random_make(seed, 0);
    sb_sparse_builder *builder = begin(N);
    memset(full, 0, N * N * sizeof(double));
    for (int element = 0; element < 9; element++) {
        int indices[3];
        double block[9];
        for (int i = 0; i < 3; i++) {
            indices[i] = (int)(sb_random_u32(&random) % (N + 1)) - 1;
            for (int j = 0; j <= i; j++) {
                double value = sb_random_unit(&random);
                block[3 * i + j] = block[3 * j + i] = value;
            }
        }
        add(builder, indices, 3, block);
        for (int i = 0; i < 9; i++) {
            int row = indices[i / 3], column = indices[i % 3];
            if (row >= 0 && column >= 0) full[row][column] += block[i];
        }
    }
    return end(builder);
}

static void check_equal(const sb_sparse *a, double full[N][N]) {
    double x[N] = {0}, y[N];
    ck_assert_int_eq(a->n, N);
    for (int j = 0; j < N; j++) {
        x[j] = 1;
        sb_sparse_multiply(a, x, y);
        x[j] = 0;
        for (int i = 0; i < N; i++) {
            ck_assert_double_eq_tol(y[i], full[i][j], 1e-14);
        }
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            ck_assert_int_ge(a->rows[p], j);
            if (p > a->starts[j]) ck_assert_int_gt(a->rows[p], a->rows[p - 1]);
        }
    }
}

START_TEST(elements_add_up) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        double full[N][N], diagonal[N];
        sb_sparse a = random_matrix(seed, full);
        check_equal(&a, full);
        sb_sparse_diagonal(&a, diagonal);
        for (int i = 0; i < N; i++) {
            ck_assert_double_eq_tol(diagonal[i], full[i][i], 1e-14);
        }
        ck_assert(!sb_sparse_is_diagonal(&a));
        sb_sparse_free(&a);
    }
}
END_TEST

START_TEST(equal_entries_sum_in_the_order_of_adding) {
    const double values[] = {1e16, 1, -1e16, 1};
    sb_sparse_builder *builder = begin(2);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        add(builder, (int[]){1}, 1, &values[i]);
        sum += values[i];
    }
    sb_sparse a = end(builder);
    ck_assert_int_eq(a.starts[2], 1);
    ck_assert_double_eq(a.values[0], sum);
    ck_assert(sb_sparse_is_diagonal(&a));
    sb_sparse_free(&a);
}
END_TEST

START_TEST(sums_and_permutations_are_those_of_full_matrices) {
    const int order[N] = {3, 0, 6, 1, 5, 2, 4};
    double a_full[N][N], b_full[N][N], want[N][N];
    sb_sparse a = random_matrix(1, a_full), b = random_matrix(2, b_full);
    sb_sparse sum = {0}, turned = {0};
    ck_assert_int_eq(sb_sparse_sum(&a, &b, -2.5, &sum, NULL), SB_OK);
    for (int i = 0; i < N * N; i++) {
        want[i / N][i % N] = a_full[i / N][i % N] - 2.5 * b_full[i / N][i % N];
    }
    check_equal(&sum, want);
    ck_assert_int_eq(sb_sparse_permute(&a, order, &turned, NULL), SB_OK);
    for (int i = 0; i < N * N; i++) {
        want[i / N][i % N] = a_full[order[i / N]][order[i % N]];
    }
    check_equal(&turned, want);
    sb_sparse_free(&a);
    sb_sparse_free(&b);
    sb_sparse_free(&sum);
    sb_sparse_free(&turned);
}
END_TEST

START_TEST(bad_rows_and_sizes_are_refused) {
    sb_error err = {0};
    sb_sparse_builder *builder = NULL;
    ck_assert_int_eq(sb_sparse_begin(&builder, -1, &err), SB_BAD_ARGUMENT);
    builder = begin(3);
    double one = 1;
    ck_assert_int_eq(sb_sparse_add(builder, (int[]){3}, 1, &one, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "matrix of size 3: there is no row 3");
    sb_sparse a = end(builder);
    ck_assert_int_eq(a.starts[3], 0);
    sb_sparse_free(&a);
    sb_sparse_abandon(begin(3));
    sb_sparse_abandon(NULL);
}
END_TEST

static sb_status build_and_use(void) {
    const double block[] = {2, -1, -1, 2};
    sb_sparse_builder *builder = NULL;
    sb_sparse a = {0}, sum = {0}, turned = {0};
    sb_status status = sb_sparse_begin(&builder, 3, NULL);
    if (!status) {
        status = sb_sparse_add(builder, (int[]){0, 1}, 2, block, NULL);
    }
    if (status) {
        sb_sparse_abandon(builder);
        return status;
    }
    status = sb_sparse_end(builder, &a, NULL);
    if (!status) status = sb_sparse_sum(&a, &a, 1, &sum, NULL);
    if (!status) {
        status = sb_sparse_permute(&a, (int[]){2, 1, 0}, &turned, NULL);
    }
    sb_sparse_free(&a);
    sb_sparse_free(&sum);
    sb_sparse_free(&turned);
    return status;
}

START_TEST(every_allocation_may_fail) {
    long live = sb_memory_live_blocks();
    int failures = 0;
    for (;; failures++) {
        sb_memory_fail_after(failures);
        sb_status status = build_and_use();
        sb_memory_fail_after(-1);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
        if (status == SB_OK) break;
        ck_assert_int_eq(status, SB_NO_MEMORY);
    }
    ck_assert_int_gt(failures, 10);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sparse");
    TCase *tests = tcase_create("sparse");
    tcase_add_test(tests, elements_add_up);
    tcase_add_test(tests, equal_entries_sum_in_the_order_of_adding);
    tcase_add_test(tests, sums_and_permutations_are_those_of_full_matrices);
    tcase_add_test(tests, bad_rows_and_sizes_are_refused);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
