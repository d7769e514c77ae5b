/* SPDX-License-Identifier: MIT */
/* Numerical tools of the models: eigenproblems, quadrature, Bessel
 * functions. */
#include "runtime/base/memory.h"
#include "runtime/model/closed_forms/ritz.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/eigen/eigen.h"
#include "tests/model/model_test.h"

enum { N = 12 };

/* A chain of unit springs: eigenvalues 2 - 2 cos(k pi / (N + 1)). */
static void fill_chain(double *a) {
    memset(a, 0, sizeof(double[N * N]));
    for (int i = 0; i < N; i++) {
        a[i * N + i] = 2;
        if (i + 1 < N) a[i * N + i + 1] = a[(i + 1) * N + i] = -1;
    }
}

START_TEST(a_chain_of_springs_has_its_known_modes) {
    double a[N * N], values[5], vectors[5 * N];
    fill_chain(a);
    ck_assert_int_eq(sb_eigen_symmetric(N, a, NULL, (sb_eigen_range){2, 5},
                                        values, vectors, NULL),
                     SB_OK);
    for (int k = 0; k < 5; k++) {
        double want = 2 - 2 * cos((k + 3) * SB_PI / (N + 1));
        ck_assert_double_eq_tol(values[k], want, 1e-13);
        double sum = 0;
        for (int i = 0; i < N; i++) {
            double shape =
                sqrt(2.0 / (N + 1)) * sin((k + 3) * (i + 1) * SB_PI / (N + 1));
            sum += shape * vectors[k * N + i];
        }
        ck_assert_double_eq_tol(fabs(sum), 1, 1e-12);
    }
}
END_TEST

static void multiply(const double *a, const double *x, double *out) {
    for (int i = 0; i < N; i++) {
        out[i] = 0;
        for (int j = 0; j < N; j++) {
            out[i] += a[i * N + j] * x[j];
        }
    }
}

START_TEST(a_mass_matrix_scales_and_normalises) {
    double a[N * N], b[N * N] = {0}, values[N], vectors[N * N], k_copy[N * N];
    fill_chain(a);
    fill_chain(k_copy);
    for (int i = 0; i < N; i++) { /* unequal coupled masses */
        b[i * N + i] = 1 + i;
        if (i + 1 < N) b[i * N + i + 1] = b[(i + 1) * N + i] = 0.3;
    }
    double m_copy[N * N];
    memcpy(m_copy, b, sizeof b);
    ck_assert_int_eq(sb_eigen_symmetric(N, a, b, (sb_eigen_range){0, N}, values,
                                        vectors, NULL),
                     SB_OK);
    for (int k = 0; k < N; k++) {
        const double *x = vectors + (size_t)k * N;
        double kx[N], mx[N];
        multiply(k_copy, x, kx);
        multiply(m_copy, x, mx);
        for (int i = 0; i < N; i++) {
            ck_assert_double_eq_tol(kx[i], values[k] * mx[i], 1e-12);
        }
        for (int l = 0; l < N; l++) {
            double sum = 0;
            for (int i = 0; i < N; i++) {
                sum += mx[i] * vectors[l * N + i];
            }
            ck_assert_double_eq_tol(sum, k == l, 1e-12);
        }
    }
}
END_TEST

START_TEST(an_indefinite_mass_matrix_is_refused) {
    double a[N * N], b[N * N] = {0}, values[N], vectors[N * N];
    fill_chain(a);
    b[0] = -1;
    sb_error err = {0};
    ck_assert_int_eq(sb_eigen_symmetric(N, a, b, (sb_eigen_range){0, N}, values,
                                        vectors, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "eigenproblem of size 12: the right-hand "
                                  "matrix is not positive definite");
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(gauss_integrates_polynomials_exactly) {
    for (int n = 1; n <= 60; n++) {
        double nodes[60], weights[60];
        sb_gauss_legendre(n, nodes, weights);
        for (int degree = 0; degree < 2 * n; degree++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += weights[i] * pow(nodes[i], degree);
            }
            double want = degree % 2 ? 0 : 2.0 / (degree + 1);
            ck_assert_double_eq_tol(sum, want, 1e-14);
        }
        for (int i = 1; i < n; i++) {
            ck_assert_double_lt(nodes[i - 1], nodes[i]);
        }
    }
}
END_TEST

START_TEST(bessel_functions_match_their_series) {
    /* I_n(x) itself, summed from its power series. */
    const struct {
        int n;
        double x, i;
    } rows[] = {
        {0, 1, 1.266065877752008},   {1, 1, 0.565159103992485},
        {0, 5, 27.23987182360445},   {1, 5, 24.33564214245053},
        {2, 2, 0.688948447698738},   {5, 10, 777.188286403259},
        {10, 10, 21.89170616372337}, {3, 0.5, 0.002645111968990286},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        double i[2];
        sb_bessel_i_scaled(rows[k].n, rows[k].x, i);
        ck_assert_double_eq_tol(i[0] * exp(rows[k].x) / rows[k].i, 1, 1e-12);
    }
    /* The recurrence I_(n-1) - I_(n+1) = (2 n / x) I_n holds, without
     * overflow. */
    for (int n = 1; n < 120; n++) {
        for (int power = -4; power <= 5; power++) {
            double x = pow(3, power);
            double low[2], high[2];
            sb_bessel_i_scaled(n - 1, x, low);
            sb_bessel_i_scaled(n, x, high);
            ck_assert(isfinite(high[0]) && isfinite(high[1]));
            double want = 2 * n / x * high[0];
            ck_assert_double_eq_tol(low[0] - high[1], want,
                                    1e-12 * (low[0] + 1e-290));
        }
    }
    double j[2];
    sb_bessel_j(0, 2.404825557695773, j);
    ck_assert_double_eq_tol(j[0], 0, 1e-15);
    ck_assert_double_eq_tol(j[1], 0.519147497289467, 1e-14);
}
END_TEST

enum { COUNT = 30, POINTS = 40 };

static void check_axis(bool is_clamped_low, bool is_clamped_high) {
    double nodes[POINTS], weights[POINTS], at[POINTS][COUNT], edge[COUNT];
    sb_gauss_legendre(POINTS, nodes, weights);
    sb_ritz_axis axis = {0};
    ck_assert_int_eq(sb_ritz_axis_init(&axis, COUNT, is_clamped_low ? 2 : 0,
                                       is_clamped_high ? 2 : 0, NULL),
                     SB_OK);
    for (int i = 0; i < POINTS; i++) {
        sb_ritz_axis_at(&axis, nodes[i], at[i]);
    }
    for (int k = 0; k < COUNT; k++) {
        for (int l = 0; l < COUNT; l++) {
            double sum = 0;
            for (int i = 0; i < POINTS; i++) {
                sum += weights[i] * at[i][k] * at[i][l];
            }
            ck_assert_double_eq_tol(sum, k == l, 1e-12);
        }
    }
    sb_ritz_axis_at(&axis, -1, edge);
    ck_assert_int_eq(edge[3] == 0, is_clamped_low);
    sb_ritz_axis_at(&axis, 1, edge);
    ck_assert_int_eq(edge[3] == 0, is_clamped_high);
    sb_ritz_axis_free(&axis);
}

START_TEST(ritz_functions_are_orthonormal_and_fit_their_ends) {
    check_axis(false, false);
    check_axis(true, false);
    check_axis(false, true);
    check_axis(true, true);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("eigen");
    TCase *tests = tcase_create("eigen");
    tcase_add_test(tests, a_chain_of_springs_has_its_known_modes);
    tcase_add_test(tests, a_mass_matrix_scales_and_normalises);
    tcase_add_test(tests, an_indefinite_mass_matrix_is_refused);
    tcase_add_test(tests, gauss_integrates_polynomials_exactly);
    tcase_add_test(tests, bessel_functions_match_their_series);
    tcase_add_test(tests, ritz_functions_are_orthonormal_and_fit_their_ends);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
