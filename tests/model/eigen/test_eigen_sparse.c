/* SPDX-License-Identifier: MIT */
/* Large eigenproblems against closed forms, inertia counts and other
 * solvers. */
#include "tests/bench/solve/arpack.h"
#include "tests/model/eigen/eigen_problems.h"
#include "tests/suite.h"

#include "runtime/base/memory.h"

#include <string.h>

static void check_values(const sb_eigen_result *r, const double *want,
                         int count) {
    ck_assert_int_eq(r->count, count);
    for (int i = 0; i < count; i++) {
        double tolerance = 1e-9 * want[i] + 1e-12 * want[count - 1];
        ck_assert_msg(fabs(r->values[i] - want[i]) <= tolerance,
                      "value %d is %.15g, not %.15g", i, r->values[i], want[i]);
    }
}

typedef struct solver {
    sb_status (*run)(const sb_eigen_def *def, sb_eigen_result *out,
                     sb_error *err);
    sb_eigen_method method;
} solver;

static const solver solvers[] = {{sb_eigen_sparse, SB_EIGEN_DENSE},
                                 {sb_eigen_sparse, SB_EIGEN_LANCZOS},
                                 {arpack_solve, SB_EIGEN_LANCZOS},
                                 {sb_eigen_sparse, SB_EIGEN_AUTO}};
enum { SOLVERS = 4 };

static sb_eigen_def definition_for(const problem *p, const solver *s) {
    return definition(p, s->method);
}

static sb_eigen_result solve_by(const solver *s, const sb_eigen_def *def) {
    sb_eigen_result result = {0};
    sb_error err = {0};
    sb_status status = s->run(def, &result, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return result;
}

START_TEST(a_free_chain_has_its_known_modes) {
    problem p = grid(600, 1, 1, 3, 0.5);
    double *want = grid_values(600, 1, 1, 3, 0.5);
    for (int i = 0; i < SOLVERS; i++) {
        sb_eigen_def def = definition_for(&p, &solvers[i]);
        def.max_count = 40;
        sb_eigen_result r = solve_by(&solvers[i], &def);
        check_values(&r, want, 40);
        check_vectors(&p, &r);
        ck_assert_double_lt(fabs(r.values[0]), 1e-6 * r.values[1]);
        ck_assert_int_eq(r.inertia_count, -1);
        sb_eigen_result_free(&r);
    }
    free(want);
    free_problem(&p);
}
END_TEST

START_TEST(a_square_grid_has_all_its_pairs) {
    problem p = grid(40, 40, 1, 1, 1);
    double *want = grid_values(40, 40, 1, 1, 1);
    for (int i = 1; i < 4; i++) {
        sb_eigen_def def = definition_for(&p, &solvers[i]);
        def.max_count = 150;
        sb_eigen_result r = solve_by(&solvers[i], &def);
        check_values(&r, want, 150);
        check_vectors(&p, &r);
        sb_eigen_result_free(&r);
    }
    free(want);
    free_problem(&p);
}
END_TEST

/* More copies than a block has columns. */
START_TEST(many_equal_bodies_are_all_found) {
    const int copies[] = {8, 45};
    for (int i = 0; i < 2; i++) {
        problem p = grid(50, 1, copies[i], 1, 1);
        double *want = grid_values(50, 1, copies[i], 1, 1);
        int count = 5 * copies[i];
        sb_eigen_def def = definition(&p, SB_EIGEN_LANCZOS);
        def.max_count = count;
        sb_eigen_result r = solve(&def);
        check_values(&r, want, count);
        check_vectors(&p, &r);
        sb_eigen_result_free(&r);
        def.max_count = 1 << 20;
        def.max_value = 0.5 * (want[count - 1] + want[count]);
        r = solve(&def);
        check_values(&r, want, count);
        ck_assert_int_eq(r.inertia_count, count);
        sb_eigen_result_free(&r);
        free(want);
        free_problem(&p);
    }
}
END_TEST

START_TEST(a_rod_with_consistent_mass_has_its_known_modes) {
    problem p = rod(700);
    double want[60];
    for (int i = 0; i < 60; i++) {
        want[i] = rod_value(700, i);
    }
    for (int i = 0; i < SOLVERS; i++) {
        sb_eigen_def def = definition_for(&p, &solvers[i]);
        def.max_count = 60;
        sb_eigen_result r = solve_by(&solvers[i], &def);
        check_values(&r, want, 60);
        check_vectors(&p, &r);
        sb_eigen_result_free(&r);
    }
    free_problem(&p);
}
END_TEST

START_TEST(massless_points_follow_statically) {
    problem p = chain_with_massless(500, 2);
    double *want = grid_values(500, 1, 1, 2, 1);
    for (int i = 0; i < SOLVERS; i++) {
        sb_eigen_def def = definition_for(&p, &solvers[i]);
        def.max_count = 60;
        sb_eigen_result r = solve_by(&solvers[i], &def);
        check_values(&r, want, 60);
        check_vectors(&p, &r);
        for (int j = 0; j < r.count; j++) {
            const double *x = r.vectors + (size_t)j * 999;
            for (int k = 1; k < 999; k += 2) {
                double mean = 0.5 * (x[k - 1] + x[k + 1]);
                ck_assert_double_eq_tol(x[k], mean, 1e-10);
            }
        }
        sb_eigen_result_free(&r);
    }
    free(want);
    free_problem(&p);
}
END_TEST

START_TEST(all_below_a_bound_are_found) {
    for (uint64_t seed = 0; seed < 3; seed++) {
        problem p = random_problem(500, seed);
        sb_eigen_def def = definition(&p, SB_EIGEN_DENSE);
        def.max_value = 1.8 + 0.2 * (double)seed;
        sb_eigen_result dense = solve(&def);
        def.method = SB_EIGEN_LANCZOS;
        sb_eigen_result r = solve(&def);
        ck_assert_int_gt(r.count, 20);
        ck_assert_int_eq(r.inertia_count, r.count);
        check_values(&r, dense.values, dense.count);
        check_vectors(&p, &r);
        sb_eigen_result_free(&r);
        sb_eigen_result_free(&dense);
        free_problem(&p);
    }
}
END_TEST

START_TEST(a_bound_below_everything_gives_nothing) {
    problem p = grid(400, 1, 1, 1, 1);
    for (int i = 0; i < SOLVERS; i++) {
        sb_eigen_def def = definition_for(&p, &solvers[i]);
        def.max_value = -1;
        def.max_count = 10;
        sb_eigen_result r = solve_by(&solvers[i], &def);
        ck_assert_int_eq(r.count, 0);
        sb_eigen_result_free(&r);
    }
    free_problem(&p);
}
END_TEST

START_TEST(all_of_a_small_problem_can_be_had) {
    problem p = chain_with_massless(130, 1);
    double *want = grid_values(130, 1, 1, 1, 1);
    for (int i = 0; i < 2; i++) {
        sb_eigen_def def = definition_for(&p, &solvers[i]);
        sb_eigen_result r = solve_by(&solvers[i], &def);
        check_values(&r, want, 130);
        check_vectors(&p, &r);
        sb_eigen_result_free(&r);
    }
    free(want);
    free_problem(&p);
}
END_TEST

START_TEST(the_bits_do_not_depend_on_the_threads) {
    problem both[] = {random_problem(1500, 3), rod(900)};
    for (int i = 0; i < 2; i++) {
        sb_eigen_def def = definition(&both[i], SB_EIGEN_LANCZOS);
        def.max_count = 70;
        def.threads = 1;
        sb_eigen_result one = solve(&def);
        for (int threads = 2; threads <= 3; threads++) {
            def.threads = threads;
            sb_eigen_result more = solve(&def);
            ck_assert_mem_eq(one.values, more.values, 70 * sizeof(double));
            ck_assert_mem_eq(one.vectors, more.vectors,
                             70 * (size_t)one.n * sizeof(double));
            sb_eigen_result_free(&more);
        }
        sb_eigen_result_free(&one);
        free_problem(&both[i]);
    }
}
END_TEST

typedef struct patience {
    int calls, limit;
} patience;

static bool be_patient(void *context, const char *stage, int done,
                       int expected) {
    static const char *const stages[] = {"ordering", "size", "time",
                                         "factorisation", "modes"};
    patience *own = context;
    bool is_known = false;
    for (int i = 0; i < 5; i++)
        is_known = is_known || !strcmp(stage, stages[i]);
    ck_assert_msg(is_known, "stage %s", stage);
    ck_assert_int_ge(done, 0);
    /* The size is given as unknowns and megabytes. */
    ck_assert(expected == 0 || done <= expected || !strcmp(stage, "size"));
    return own->calls++ < own->limit;
}

START_TEST(it_can_be_interrupted_anywhere) {
    problem p = grid(20, 20, 1, 1, 1);
    long live = sb_memory_live_blocks();
    for (int limit = 0;; limit++) {
        patience own = {0, limit};
        sb_eigen_def def = definition(&p, SB_EIGEN_LANCZOS);
        def.max_count = 30;
        def.progress = be_patient;
        def.context = &own;
        sb_eigen_result r = {.count = -5};
        sb_status status = sb_eigen_sparse(&def, &r, NULL);
        if (status == SB_OK) {
            ck_assert_int_gt(limit, 4);
            sb_eigen_result_free(&r);
            break;
        }
        ck_assert_int_eq(status, SB_INTERRUPTED);
        ck_assert_int_eq(r.count, -5);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
    free_problem(&p);
}
END_TEST

static void fail_each_allocation(const problem *p, const solver *s) {
    long live = sb_memory_live_blocks();
    sb_eigen_def def = definition_for(p, s);
    def.max_count = 20;
    int failures = 0;
    for (;; failures++) {
        sb_eigen_result r = {.count = -5};
        sb_memory_fail_after(failures);
        sb_status status = s->run(&def, &r, NULL);
        sb_memory_fail_after(-1);
        if (status == SB_OK) {
            sb_eigen_result_free(&r);
            break;
        }
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_int_eq(r.count, -5);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
    ck_assert_int_gt(failures, 8);
    ck_assert_int_eq(sb_memory_live_blocks(), live);
}

START_TEST(every_allocation_may_fail) {
    problem lumped = grid(15, 15, 1, 1, 1), consistent = rod(220);
    for (int i = 0; i < 4; i++) {
        fail_each_allocation(&lumped, &solvers[i]);
        fail_each_allocation(&consistent, &solvers[i]);
    }
    free_problem(&lumped);
    free_problem(&consistent);
}
END_TEST

static void expect_refusal(const sb_eigen_def *def, const char *words) {
    sb_error err = {0};
    sb_eigen_result r = {.count = -5};
    ck_assert_int_eq(sb_eigen_sparse(def, &r, &err), SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, words), "%s", err.message);
    ck_assert_int_eq(r.count, -5);
}

START_TEST(what_is_no_vibration_problem_is_refused) {
    problem p = grid(300, 1, 1, 1, 1), other = grid(301, 1, 1, 1, 1);
    sb_eigen_def def = definition(&p, SB_EIGEN_LANCZOS);
    def.m = &other.m;
    expect_refusal(&def, "one size");
    def = definition(&p, SB_EIGEN_LANCZOS);
    def.max_count = 0;
    expect_refusal(&def, "at most 0");
    def.max_count = 5;
    def.max_value = NAN;
    expect_refusal(&def, "nan");
    def.max_value = INFINITY;
    double kept = p.m.values[7];
    p.m.values[7] = -1;
    expect_refusal(&def, "the mass of unknown 7 is -1");
    p.m.values[7] = kept;
    p.k.values[0] = NAN;
    expect_refusal(&def, "K has nan at row 0, column 0");
    p.k.values[0] = -5; /* no longer semi-definite */
    expect_refusal(&def, "not positive definite");
    free_problem(&p);
    free_problem(&other);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("eigen_sparse");
    TCase *tests = tcase_create("eigen_sparse");
    tcase_add_test(tests, a_free_chain_has_its_known_modes);
    tcase_add_test(tests, a_square_grid_has_all_its_pairs);
    tcase_add_test(tests, many_equal_bodies_are_all_found);
    tcase_add_test(tests, a_rod_with_consistent_mass_has_its_known_modes);
    tcase_add_test(tests, massless_points_follow_statically);
    tcase_add_test(tests, all_below_a_bound_are_found);
    tcase_add_test(tests, a_bound_below_everything_gives_nothing);
    tcase_add_test(tests, all_of_a_small_problem_can_be_had);
    tcase_add_test(tests, the_bits_do_not_depend_on_the_threads);
    tcase_add_test(tests, it_can_be_interrupted_anywhere);
    tcase_add_test(tests, every_allocation_may_fail);
    tcase_add_test(tests, what_is_no_vibration_problem_is_refused);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
