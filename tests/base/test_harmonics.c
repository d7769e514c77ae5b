/* SPDX-License-Identifier: MIT */
/* Spherical harmonics: orthogonality by a quadrature that is exact for them,
 * closed forms, and the addition theorem. */
#include "runtime/base/harmonics.h"

#include "runtime/base/pi.h"
#include "tests/suite.h"

enum { ORDER = 8, COUNT = (ORDER + 1) * (ORDER + 1), ROUND = 2 * ORDER + 2 };

/* z and weights of Gauss and Legendre's rule of 12 points, by Newton. */
static void gauss(int n, double *z, double *weight) {
    for (int i = 0; i < n; i++) {
        double x = cos(SB_PI * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int step = 0; step < 50; step++) {
            double before = 1, now = x;
            for (int l = 2; l <= n; l++) {
                double next = ((2 * l - 1) * x * now - (l - 1) * before) / l;
                before = now;
                now = next;
            }
            slope = n * (x * now - before) / (x * x - 1);
            x -= now / slope;
        }
        z[i] = x;
        weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
}

START_TEST(harmonics_are_orthogonal_with_mean_square_one) {
    static double sums[COUNT][COUNT];
    double z[ORDER + 2], weight[ORDER + 2];
    gauss(ORDER + 2, z, weight);
    for (int i = 0; i < ORDER + 2; i++) {
        for (int j = 0; j < ROUND; j++) {
            double angle = SB_TAU * j / ROUND, flat = sqrt(1 - z[i] * z[i]);
            sb_vec3 r = {flat * cos(angle), flat * sin(angle), z[i]};
            float y[COUNT];
            sb_harmonics(ORDER, r, y);
            for (int a = 0; a < COUNT; a++)
                for (int b = 0; b < COUNT; b++)
                    sums[a][b] += weight[i] / (2 * ROUND) * y[a] * y[b];
        }
    }
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++)
            ck_assert_double_eq_tol(sums[a][b], a == b, 1e-6);
}
END_TEST

START_TEST(low_orders_are_their_closed_forms) {
    sb_vec3 r = sb_vec3_normalised((sb_vec3){0.3, -0.5, 0.7});
    float y[9];
    sb_harmonics(2, r, y);
    const double expected[9] = {1,
                                sqrt(3) * r.y,
                                sqrt(3) * r.z,
                                sqrt(3) * r.x,
                                sqrt(15) * r.x * r.y,
                                sqrt(15) * r.y * r.z,
                                sqrt(5) * (3 * r.z * r.z - 1) / 2,
                                sqrt(15) * r.x * r.z,
                                sqrt(15) / 2 * (r.x * r.x - r.y * r.y)};
    for (int i = 0; i < 9; i++)
        ck_assert_double_eq_tol(y[i], expected[i], 1e-6);
}
END_TEST

/* sum over m of Y_lm(a) Y_lm(b) = (2 l + 1) P_l(a . b) */
START_TEST(sums_over_m_depend_on_the_angle_alone) {
    sb_vec3 a = sb_vec3_normalised((sb_vec3){0.1, 0.9, -0.4});
    sb_vec3 b = sb_vec3_normalised((sb_vec3){-0.6, 0.2, 0.5});
    float ya[COUNT], yb[COUNT];
    sb_harmonics(ORDER, a, ya);
    sb_harmonics(ORDER, b, yb);
    double x = sb_vec3_dot(a, b), before = 0, now = 1;
    for (int l = 0; l <= ORDER; l++) {
        double sum = 0;
        for (int i = l * l; i < (l + 1) * (l + 1); i++)
            sum += ya[i] * yb[i];
        ck_assert_double_eq_tol(sum, (2 * l + 1) * now, 1e-5);
        double next = ((2 * l + 1) * x * now - l * before) / (l + 1);
        before = now;
        now = next;
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("harmonics");
    TCase *cases = tcase_create("harmonics");
    tcase_add_test(cases, harmonics_are_orthogonal_with_mean_square_one);
    tcase_add_test(cases, low_orders_are_their_closed_forms);
    tcase_add_test(cases, sums_over_m_depend_on_the_angle_alone);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
