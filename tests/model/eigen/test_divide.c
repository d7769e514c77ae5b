/* SPDX-License-Identifier: MIT */
/* Divide and conquer on tridiagonal matrices: against closed forms, and by what
 * makes eigenpairs eigenpairs. */
#include "tests/suite.h"

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/base/stop.h"
#include "runtime/model/eigen/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pairs {
    int n;
    sb_eigen_range range;
    double *diagonal, *beside; /* as given */
    double *values, *vectors;
} pairs;

static double *numbers(size_t count) {
    double *block = calloc(count, sizeof *block);
    ck_assert_ptr_nonnull(block);
    return block;
}

static sb_status solve(pairs *p, sb_error *err) {
    size_t n = (size_t)p->n;
    double *d = numbers(n), *e = numbers(n), *q = numbers(n * n);
    memcpy(d, p->diagonal, n * sizeof *d);
    memcpy(e, p->beside, n * sizeof *e);
    sb_status status = sb_eigen_tridiagonal(p->n, d, e, q, p->range, p->values,
                                            p->vectors, err);
    free(d);
    free(e);
    free(q);
    return status;
}

static pairs make(int n) {
    size_t count = (size_t)n;
    return (pairs){n,
                   {0, n},
                   numbers(count),
                   numbers(count),
                   numbers(count),
                   numbers(count * count)};
}

static void drop(pairs *p) {
    free(p->diagonal);
    free(p->beside);
    free(p->values);
    free(p->vectors);
}

static double size_of(const pairs *p) {
    double size = 0;
    for (int i = 0; i < p->n; i++)
        size = fmax(size, fmax(fabs(p->diagonal[i]), fabs(p->beside[i])));
    return size;
}

/* T v = l v, v' v = 1, v' w = 0, values ascend: all within rounding, which is
 * some units in the last place per unknown. */
static void check_pairs(const pairs *p) {
    size_t n = (size_t)p->n;
    double limit = 8 * DBL_EPSILON * fmax(p->n, 16), size = size_of(p);
    for (int i = 0; i < p->range.count; i++) {
        const double *v = p->vectors + (size_t)i * n;
        double worst = 0;
        for (int k = 0; k < p->n; k++) {
            double sum = (p->diagonal[k] - p->values[i]) * v[k];
            if (k > 0) sum += p->beside[k - 1] * v[k - 1];
            if (k + 1 < p->n) sum += p->beside[k] * v[k + 1];
            worst = fmax(worst, fabs(sum));
        }
        ck_assert_double_le(worst, limit * size);
        if (i > 0) ck_assert_double_le(p->values[i - 1], p->values[i]);
        double worst_product = 0;
        for (int j = 0; j <= i; j++) {
            const double *w = p->vectors + (size_t)j * n;
            double product = 0;
            for (size_t k = 0; k < n; k++)
                product += v[k] * w[k];
            worst_product = fmax(worst_product, fabs(product - (i == j)));
        }
        ck_assert_double_le(worst_product, limit);
    }
}

static void solve_and_check(pairs *p) {
    ck_assert_int_eq(solve(p, NULL), SB_OK);
    check_pairs(p);
}

/* A fixed chain of equal masses and springs: 2 - 2 cos(k pi / (n + 1)). */
START_TEST(a_chain_has_its_closed_form) {
    for (int n = 1; n < 400; n = n < 70 ? n + 1 : n * 3 / 2) {
        pairs p = make(n);
        for (int i = 0; i < n; i++) {
            p.diagonal[i] = 2;
            p.beside[i] = _i ? 1 : -1; /* the sign does not matter */
        }
        solve_and_check(&p);
        for (int k = 0; k < n; k++) {
            double want = 2 - 2 * cos(M_PI * (k + 1) / (n + 1));
            ck_assert_double_eq_tol(p.values[k], want, 1e-14);
        }
        drop(&p);
    }
}
END_TEST

/* Matrices in which much, little, all or nothing is deflated. */
static double entry(int kind, int i, int n, sb_random *random) {
    double unit = sb_random_unit(random);
    int other = 0;
    switch (kind) {
    case 0:
        return unit - 0.5;
    case 1: /* graded over twenty decades */
        return unit * pow(10, -20.0 * i / n);
    case 2: /* the other way */
        return unit * pow(10, -20.0 * (n - i) / n);
    case 3: /* many zeros */
        return unit < 0.3 ? unit : 0;
    case 4: /* equal numbers */
        return 1;
    case 5: /* Wilkinson's, glued: pairs that agree in all their digits */
        other = i % 21;
        return abs(other - 10);
    case 6: /* large and small ones */
        return unit < 0.5 ? 1e-9 : unit;
    default: /* nearly diagonal */
        return 1e-15 * unit;
    }
}

enum { KINDS = 8 };

START_TEST(pairs_are_eigenpairs_whatever_the_matrix) {
    static const int sizes[] = {1, 2, 33, 34, 64, 65, 101, 210, 331};
    sb_random random = sb_random_make(5, (uint64_t)_i);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int other = 0; other < KINDS; other++) {
            pairs p = make(sizes[k]);
            for (int i = 0; i < p.n; i++) {
                p.diagonal[i] = entry(_i, i, p.n, &random);
                p.beside[i] = entry(other, i, p.n, &random);
                if (_i == 5 && i % 21 == 20) p.beside[i] = 1e-8;
            }
            solve_and_check(&p);
            drop(&p);
        }
    }
}
END_TEST

/* The largest merge leaves out what is not wanted. */
START_TEST(a_range_is_a_part_of_the_whole) {
    sb_random random = sb_random_make(6, 0);
    pairs all = make(150);
    for (int i = 0; i < all.n; i++) {
        all.diagonal[i] = entry(_i, i, all.n, &random);
        all.beside[i] = entry(_i == 5 ? 4 : _i, i, all.n, &random);
    }
    ck_assert_int_eq(solve(&all, NULL), SB_OK);
    for (int first = 0; first < all.n; first += 37) {
        for (int count = 0; first + count <= all.n; count += 19) {
            pairs some = all;
            some.range = (sb_eigen_range){first, count};
            some.values = numbers((size_t)count);
            some.vectors = numbers((size_t)(count * all.n));
            ck_assert_int_eq(solve(&some, NULL), SB_OK);
            for (int i = 0; i < count; i++)
                ck_assert_double_eq(some.values[i], all.values[first + i]);
            check_pairs(&some);
            free(some.values);
            free(some.vectors);
        }
    }
    drop(&all);
}
END_TEST

/* 1e-300 and 1e300 are numbers like others. */
START_TEST(sizes_do_not_matter) {
    for (int power = -300; power <= 300; power += 150) {
        pairs p = make(80);
        double unit = pow(10, power);
        for (int i = 0; i < p.n; i++) {
            p.diagonal[i] = 2 * unit;
            p.beside[i] = -unit;
        }
        ck_assert_int_eq(solve(&p, NULL), SB_OK);
        for (int k = 0; k < p.n; k++) {
            double want = 2 - 2 * cos(M_PI * (k + 1) / (p.n + 1));
            ck_assert_double_eq_tol(p.values[k] / unit, want, 1e-14);
        }
        drop(&p);
    }
}
END_TEST

START_TEST(what_is_not_a_number_is_refused) {
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 6; i++) {
        pairs p = make(50);
        sb_error err = {0};
        (i < 3 ? p.diagonal : p.beside)[17] = odd[i % 3];
        ck_assert_int_eq(solve(&p, &err), SB_NO_CONVERGENCE);
        ck_assert_str_eq(err.message,
                         "eigenproblem of size 50: no convergence");
        drop(&p);
    }
}
END_TEST

START_TEST(it_ends_when_it_is_told_to_and_without_memory) {
    pairs p = make(300);
    atomic_bool is_over = true;
    long blocks = sb_memory_live_blocks();
    for (int i = 0; i < p.n; i++)
        p.diagonal[i] = p.beside[i] = 1;
    sb_stop_watch(&is_over);
    ck_assert_int_eq(solve(&p, NULL), SB_INTERRUPTED);
    sb_stop_watch(NULL);
    for (long n = 0; n < 12; n++) {
        sb_memory_fail_only(n);
        ck_assert_int_eq(solve(&p, NULL), SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    }
    sb_memory_fail_after(-1);
    solve_and_check(&p);
    ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    drop(&p);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("divide");
    TCase *tests = tcase_create("divide");
    tcase_add_loop_test(tests, a_chain_has_its_closed_form, 0, 2);
    tcase_add_loop_test(tests, pairs_are_eigenpairs_whatever_the_matrix, 0,
                        KINDS);
    tcase_add_loop_test(tests, a_range_is_a_part_of_the_whole, 0, KINDS);
    tcase_add_test(tests, sizes_do_not_matter);
    tcase_add_test(tests, what_is_not_a_number_is_refused);
    tcase_add_test(tests, it_ends_when_it_is_told_to_and_without_memory);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
