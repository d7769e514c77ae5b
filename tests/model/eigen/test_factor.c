/* SPDX-License-Identifier: MIT */
/* Factorizations, counts by inertia, and the supernodal panels. */
#include "tests/model/eigen/eigen_problems.h"
#include "tests/suite.h"

#include "runtime/base/memory.h"
#include "runtime/model/linear/cholesky.h"
#include "runtime/model/linear/panel.h"
#include "runtime/model/linear/workers.h"

#include <string.h>

static sb_cholesky *factored(const problem *p, double shift) {
    sb_cholesky *made = NULL;
    ck_assert_int_eq(sb_cholesky_create(&made, &p->k, &p->m, NULL), SB_OK);
    ck_assert_int_eq(sb_cholesky_factor(made, shift, NULL), SB_OK);
    return made;
}

START_TEST(inertia_counts_the_eigenvalues_below) {
    problem p = grid(23, 31, 2, 1, 1);
    double *values = grid_values(23, 31, 2, 1, 1);
    sb_cholesky *factor = factored(&p, -0.01);
    int n = p.k.n;
    for (int i = 0; i + 1 < n; i += 37) {
        double shift = 0.5 * (values[i] + values[i + 1]);
        int below = -1, want = i + 1;
        if (values[i + 1] - values[i] < 1e-6) continue;
        ck_assert_int_eq(sb_cholesky_inertia(factor, shift, &below, NULL),
                         SB_OK);
        ck_assert_int_eq(below, want);
    }
    sb_cholesky_destroy(factor);
    free(values);
    free_problem(&p);
}
END_TEST

/* Small integers are exact: the last pivot at shift 0 is exactly 0. */
START_TEST(a_shift_that_is_an_eigenvalue_is_refused) {
    problem p = grid(40, 1, 1, 1, 1);
    sb_cholesky *factor = factored(&p, -0.01);
    int below = -7;
    ck_assert_int_eq(sb_cholesky_inertia(factor, 0, &below, NULL),
                     SB_NO_CONVERGENCE);
    ck_assert_int_eq(below, -7);
    sb_error err = {0};
    ck_assert_int_eq(sb_cholesky_factor(factor, 1, &err), SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, "not positive definite"), "%s",
                  err.message);
    ck_assert_int_eq(sb_cholesky_factor(factor, -1, &err), SB_OK);
    sb_cholesky_destroy(factor);
    free_problem(&p);
}
END_TEST

typedef struct watcher {
    int calls, ends_at;
    double share;
} watcher;

static bool watch(void *context, double share) {
    watcher *self = context;
    ck_assert_double_ge(share, self->share);
    ck_assert_double_le(share, 1);
    self->share = share;
    return ++self->calls != self->ends_at;
}

/* Shares rise to 1, and each report can end it; then it can be done again. */
START_TEST(a_factorisation_is_watched_and_can_be_ended) {
    problem p = grid(23, 31, 9, 1, 1);
    sb_cholesky *factor = factored(&p, -0.01);
    for (int i = 0; i < 2; i++) {
        watcher all = {0}, some = {.ends_at = 20};
        int below = -7;
        sb_cholesky_watch(factor, (sb_factor_watch){watch, &all});
        ck_assert_int_eq(i == 0
                             ? sb_cholesky_factor(factor, -0.01, NULL)
                             : sb_cholesky_inertia(factor, 0.1, &below, NULL),
                         SB_OK);
        ck_assert_int_ge(all.calls, 40);
        ck_assert_int_le(all.calls, 100);
        ck_assert_double_gt(all.share, 0.97);
        below = -7;
        sb_cholesky_watch(factor, (sb_factor_watch){watch, &some});
        ck_assert_int_eq(i == 0
                             ? sb_cholesky_factor(factor, -0.01, NULL)
                             : sb_cholesky_inertia(factor, 0.1, &below, NULL),
                         SB_INTERRUPTED);
        ck_assert_int_eq(some.calls, 20);
        ck_assert_int_eq(below, -7);
    }
    sb_cholesky_destroy(factor);
    free_problem(&p);
}
END_TEST

/* (K - s M) x = b for known x. */
static void check_solves(const problem *p) {
    int n = p->k.n;
    sb_cholesky *factor = factored(p, -0.5);
    const int *order = sb_cholesky_order(factor);
    sb_supernodes supernodes = *sb_cholesky_supernodes(factor);
    double *x = calloc((size_t)n * SB_PANEL, sizeof *x);
    double *b = calloc((size_t)n, sizeof *b), *m = calloc((size_t)n, 8);
    double *panel = sb_alloc_aligned((size_t)n * SB_PANEL * sizeof *panel);
    sb_random random = sb_random_make(3, 3);
    for (int lane = 0; lane < SB_PANEL; lane++) {
        double *own = x + lane * n;
        for (int i = 0; i < n; i++) {
            own[i] = (lane + 1) * (sb_random_unit(&random) - 0.5);
        }
        sb_sparse_multiply(&p->k, own, b);
        sb_sparse_multiply(&p->m, own, m);
        for (int i = 0; i < n; i++) {
            panel[i * SB_PANEL + lane] = b[order[i]] + 0.5 * m[order[i]];
        }
    }
    sb_panel_solve(&supernodes, panel);
    for (int i = 0; i < n * SB_PANEL; i++) {
        double want = x[i % SB_PANEL * n + order[i / SB_PANEL]];
        ck_assert_double_eq_tol(panel[i], want, 1e-10);
    }
    sb_free(panel);
    free(x);
    free(b);
    free(m);
    sb_cholesky_destroy(factor);
}

START_TEST(solving_undoes_multiplying) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        problem p = random_problem(300 + 200 * (int)seed, seed);
        check_solves(&p);
        free_problem(&p);
    }
}
END_TEST

enum { ROWS = 700, LEFT = 6, RIGHT = 2 };

static double *v_panels[LEFT], w_block[RIGHT * ROWS * SB_PANEL];
static double c_block[LEFT * RIGHT * SB_PANEL_SQUARE];

static void fill_panels(void) {
    sb_random random = sb_random_make(9, 1);
    for (int p = 0; p < LEFT; p++) {
        v_panels[p] = calloc(ROWS * SB_PANEL, sizeof(double));
        for (int i = 0; i < ROWS * SB_PANEL; i++) {
            v_panels[p][i] = sb_random_unit(&random) - 0.5;
        }
    }
    for (int i = 0; i < RIGHT * ROWS * SB_PANEL; i++) {
        w_block[i] = sb_random_unit(&random) - 0.5;
    }
}

static void free_panels(void) {
    for (int p = 0; p < LEFT; p++) {
        free(v_panels[p]);
    }
}

static double v_at(int row, int j) {
    return v_panels[j / SB_PANEL][row * SB_PANEL + j % SB_PANEL];
}

static double w_at(int row, int j) {
    return w_block[(j / SB_PANEL * ROWS + row) * SB_PANEL + j % SB_PANEL];
}

START_TEST(every_allocation_of_an_analysis_may_fail) {
    problem p = grid(23, 31, 2, 1, 1);
    long blocks = sb_memory_live_blocks(), failures = 0;
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_cholesky *made = NULL;
        sb_error err = {0};
        sb_memory_fail_only(n);
        status = sb_cholesky_create(&made, &p.k, &p.m, &err);
        bool has_failed = sb_memory_fail_left() < 0;
        sb_memory_fail_after(-1);
        if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
        /* One that can do without the block is as good. */
        if (!status && has_failed) status = SB_NO_MEMORY;
        failures += has_failed;
        sb_cholesky_destroy(made);
        ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    }
    ck_assert_int_gt(failures, 20);
    free_problem(&p);
}
END_TEST

START_TEST(panels_multiply_as_matrices_do) {
    fill_panels();
    sb_panel_shape shape = {ROWS, LEFT, RIGHT, 2};
    sb_panel_project(shape, v_panels, w_block, c_block);
    for (int i = 0; i < LEFT * SB_PANEL; i++) {
        for (int j = 0; j < RIGHT * SB_PANEL; j++) {
            double sum = 0;
            for (int row = 0; row < ROWS; row++) {
                sum += v_at(row, i) * w_at(row, j);
            }
            ck_assert_double_eq_tol(c_block[sb_panel_at(RIGHT, i, j)], sum,
                                    1e-12);
        }
    }
    double want[3] = {0};
    const int rows[3] = {0, 255, ROWS - 1};
    for (int k = 0; k < 3; k++) {
        want[k] = w_at(rows[k], 11);
        for (int i = 0; i < LEFT * SB_PANEL; i++) {
            want[k] += v_at(rows[k], i) * c_block[sb_panel_at(RIGHT, i, 11)];
        }
    }
    sb_panel_combine(shape, v_panels, c_block, w_block);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(w_at(rows[k], 11), want[k], 1e-11);
    }
    free_panels();
}
END_TEST

static void compare_kernels(const sb_panel_kernel *a,
                            const sb_panel_kernel *b) {
    double c[2][SB_PANEL_SQUARE] = {{0}}, w[2][ROWS * SB_PANEL];
    a->project(ROWS, v_panels[0], w_block, c[0]);
    b->project(ROWS, v_panels[0], w_block, c[1]);
    for (int i = 0; i < SB_PANEL_SQUARE; i++) {
        ck_assert_double_eq_tol(c[0][i], c[1][i], 1e-12);
    }
    memcpy(w[0], w_block, sizeof w[0]);
    memcpy(w[1], w_block, sizeof w[1]);
    a->combine(ROWS, v_panels[0], c[0], w[0]);
    b->combine(ROWS, v_panels[0], c[0], w[1]);
    for (int i = 0; i < ROWS * SB_PANEL; i++) {
        ck_assert_double_eq_tol(w[0][i], w[1][i], 1e-11);
    }
}

static void compare_solves(const sb_panel_kernel *a, const sb_panel_kernel *b) {
    problem p = random_problem(600, 2);
    sb_cholesky *factor = factored(&p, -1);
    sb_supernodes supernodes = *sb_cholesky_supernodes(factor);
    static double x[2][600 * SB_PANEL];
    for (int i = 0; i < 600 * SB_PANEL; i++) {
        x[0][i] = x[1][i] = w_block[i];
    }
    a->forward(&supernodes, x[0]);
    a->backward(&supernodes, x[0]);
    b->forward(&supernodes, x[1]);
    b->backward(&supernodes, x[1]);
    for (int i = 0; i < 600 * SB_PANEL; i++) {
        ck_assert_double_eq_tol(x[0][i], x[1][i], 1e-11);
    }
    sb_cholesky_destroy(factor);
    free_problem(&p);
}

START_TEST(all_kernels_agree) {
    fill_panels();
#if defined(__x86_64__)
    const sb_panel_kernel *plain = &sb_panel_kernel_portable;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        compare_kernels(plain, &sb_panel_kernel_avx2);
        compare_solves(plain, &sb_panel_kernel_avx2);
    }
    if (__builtin_cpu_supports("avx512f")) {
        compare_kernels(plain, &sb_panel_kernel_avx512);
        compare_solves(plain, &sb_panel_kernel_avx512);
    }
#else
    compare_kernels(&sb_panel_kernel_portable, &sb_panel_kernel_portable);
    compare_solves(&sb_panel_kernel_portable, &sb_panel_kernel_portable);
#endif
    free_panels();
}
END_TEST

static void mark(void *context, int part) {
    ((int *)context)[part]++;
}

START_TEST(every_part_is_done_once) {
    for (int threads = 0; threads < 12; threads++) {
        int parts[100] = {0};
        sb_workers_run(threads, 100, mark, parts);
        for (int i = 0; i < 100; i++) {
            ck_assert_int_eq(parts[i], 1);
        }
    }
    ck_assert_int_ge(sb_workers_default(), 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("factor");
    TCase *tests = tcase_create("factor");
    tcase_add_test(tests, inertia_counts_the_eigenvalues_below);
    tcase_add_test(tests, a_shift_that_is_an_eigenvalue_is_refused);
    tcase_add_test(tests, a_factorisation_is_watched_and_can_be_ended);
    tcase_add_test(tests, solving_undoes_multiplying);
    tcase_add_test(tests, every_allocation_of_an_analysis_may_fail);
    tcase_add_test(tests, panels_multiply_as_matrices_do);
    tcase_add_test(tests, all_kernels_agree);
    tcase_add_test(tests, every_part_is_done_once);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
