/* SPDX-License-Identifier: MIT */
/* tests/model/eigen/eigen_problems.h -- eigenproblems with known solutions. */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/linear/sparse.h"
#include "tests/model/eigen/residual.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

typedef struct problem {
    sb_sparse k, m;
} problem;

static inline sb_sparse_builder *begin_matrix(int n) {
    sb_sparse_builder *builder = NULL;
    ck_assert_int_eq(sb_sparse_begin(&builder, n, NULL), SB_OK);
    return builder;
}

static inline void add_block(sb_sparse_builder *builder, const int *indices,
                             int count, const double *block) {
    ck_assert_int_eq(sb_sparse_add(builder, indices, count, block, NULL),
                     SB_OK);
}

static inline void add_spring(sb_sparse_builder *k, int i, int j,
                              double stiffness) {
    double s = stiffness;
    add_block(k, (int[]){i, j}, 2, (double[]){s, -s, -s, s});
}

static inline sb_sparse end_matrix(sb_sparse_builder *builder) {
    sb_sparse made = {0};
    ck_assert_int_eq(sb_sparse_end(builder, &made, NULL), SB_OK);
    return made;
}

static inline void free_problem(problem *p) {
    sb_sparse_free(&p->k);
    sb_sparse_free(&p->m);
}

/* A grid of masses and springs with free borders; columns = 1 is a chain.
 * Several copies are not connected. The eigenvalues are 4 s sin^2(pi i / 2
 * rows) / m + 4 s sin^2(pi j / 2 columns) / m. */
static inline problem grid(int rows, int columns, int copies, double stiffness,
                           double mass) {
    int one = rows * columns, n = one * copies;
    sb_sparse_builder *k = begin_matrix(n), *m = begin_matrix(n);
    for (int i = 0; i < n; i++) {
        int row = i % one / columns, column = i % columns;
        if (row + 1 < rows) add_spring(k, i, i + columns, stiffness);
        if (column + 1 < columns) add_spring(k, i, i + 1, stiffness);
        add_block(m, &i, 1, &mass);
    }
    return (problem){end_matrix(k), end_matrix(m)};
}

static inline int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* All eigenvalues, ascending; free with free(). */
static inline double *grid_values(int rows, int columns, int copies,
                                  double stiffness, double mass) {
    int count = 0;
    double *values = calloc((size_t)(rows * columns * copies), sizeof *values);
    for (int copy = 0; copy < copies; copy++) {
        for (int i = 0; i < rows * columns; i++) {
            double a = sin(SB_PI * (i / columns) / (2 * rows));
            double b = sin(SB_PI * (i % columns) / (2 * columns));
            values[count++] = 4 * stiffness / mass * (a * a + b * b);
        }
    }
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values;
}

/* A free rod of linear elements with consistent mass, stiffness and density 1,
 * length 1. Eigenvalues 6 / h^2 (1 - c) / (2 + c), c = cos(pi i / elements). */
static inline problem rod(int elements) {
    double h = 1.0 / elements, s = 1 / h, d = h / 3, e = h / 6;
    sb_sparse_builder *k = begin_matrix(elements + 1);
    sb_sparse_builder *m = begin_matrix(elements + 1);
    for (int i = 0; i < elements; i++) {
        add_spring(k, i, i + 1, s);
        add_block(m, (int[]){i, i + 1}, 2, (double[]){d, e, e, d});
    }
    return (problem){end_matrix(k), end_matrix(m)};
}

static inline double rod_value(int elements, int i) {
    double c = cos(SB_PI * i / elements);
    return 6.0 * elements * elements * (1 - c) / (2 + c);
}

/* A free chain of `masses` masses where a massless point halves each spring of
 * stiffness 2 s: the same eigenvalues as with springs s. */
static inline problem chain_with_massless(int masses, double stiffness) {
    int n = 2 * masses - 1;
    sb_sparse_builder *k = begin_matrix(n), *m = begin_matrix(n);
    double one = 1;
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) add_spring(k, i, i + 1, 2 * stiffness);
        if (i % 2 == 0) add_block(m, &i, 1, &one);
    }
    return (problem){end_matrix(k), end_matrix(m)};
}

/* Springs between random neighbours on a line, random masses, some of them
 * 0; free and connected. */
static inline problem random_problem(int n, uint64_t seed) {
    sb_random random = sb_random_make(seed, 7);
    sb_sparse_builder *k = begin_matrix(n), *m = begin_matrix(n);
    for (int i = 0; i < n; i++) {
        double mass = 0.5 + sb_random_unit(&random);
        if (i + 1 < n) {
            add_spring(k, i, i + 1, 0.1 + sb_random_unit(&random));
        }
        for (int j = 0; j < 3; j++) {
            int other = i + 2 + (int)(sb_random_u32(&random) % 20);
            if (other >= n) continue;
            add_spring(k, i, other, sb_random_unit(&random));
        }
        if (sb_random_u32(&random) % 4) add_block(m, &i, 1, &mass);
    }
    return (problem){end_matrix(k), end_matrix(m)};
}

static inline sb_eigen_def definition(const problem *p,
                                      sb_eigen_method method) {
    return (sb_eigen_def){.k = &p->k,
                          .m = &p->m,
                          .max_value = INFINITY,
                          .max_count = 1 << 20,
                          .method = method};
}

static inline sb_eigen_result solve(const sb_eigen_def *def) {
    sb_eigen_result result = {0};
    sb_error err = {0};
    sb_status status = sb_eigen_sparse(def, &result, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return result;
}

/* x_i' M x_j = 1 or 0, x_i' K x_j = l or 0. */
static inline void check_vectors(const problem *p, const sb_eigen_result *r) {
    double *y = calloc((size_t)r->n, sizeof *y);
    for (int j = 0; j < r->count; j++) {
        sb_sparse_multiply(&p->m, r->vectors + (size_t)j * (size_t)r->n, y);
        for (int i = 0; i <= j; i++) {
            const double *x = r->vectors + (size_t)i * (size_t)r->n;
            double sum = 0, largest = 0;
            for (int k = 0; k < r->n; k++) {
                sum += x[k] * y[k];
                if (fabs(x[k]) > fabs(largest)) largest = x[k];
            }
            ck_assert_double_gt(largest, 0);
            ck_assert_double_eq_tol(sum, i == j, i == j ? 1e-12 : 1e-8);
        }
    }
    free(y);
    ck_assert_double_lt(worst_residual(&p->k, &p->m, r), 1e-8);
}
