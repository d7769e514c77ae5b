/* SPDX-License-Identifier: MIT */
/* Boundary elements against closed forms: spheres, long cylinders, the disk,
 * added masses; and against themselves at other sizes, kernels and nodes. */
#include "runtime/base/memory.h"
#include "runtime/model/bem/bem_kernel.h"
#include "tests/model/bem/bem_stage.h"
#include "tests/suite.h"

static sb_bem_result solve(void) {
    sb_bem_def def = def_of();
    sb_bem_result result;
    sb_error err = {0};
    ck_assert_msg(sb_bem_solve(&def, &result, &err) == SB_OK, "%s",
                  err.message);
    return result;
}

/* --- closed forms ------------------------------------------------------------ */

/* pi and 4.4934 are the irregular frequencies of the plain equation. */
START_TEST(spheres_of_any_order_radiate_as_they_do) {
    const double sizes[] = {0.5, 1, 2, SB_PI, 4.4934, 10};
    make_sphere(7);
    for (int i = 0; i < 6; i++)
        for (int n = 0; n < 4; n++)
            add_radial(sizes[i], n);
    sb_bem_result result = solve();
    for (int k = 0; k < on.mode_count; k++) {
        double ka = sizes[k / 4],
               error = db(efficiency(&result, k), sphere_efficiency(k % 4, ka));
        double bound = k % 4 == 3 && ka < 1 ? 0.5 : 0.1;
        ck_assert_msg(fabs(error) < bound, "ka %g, order %d: %.2f dB", ka,
                      k % 4, error);
    }
    sb_bem_result_free(&result);
}
END_TEST

/* p R e^{ikR} = i k rho c a^2 e^{ika} / (1 + ika) for the sphere that
 * pulsates, and the dipole -k^2 a^3 rho c cos / (2 (1 + ika) - k^2 a^2), times
 * the same phase, for one that swings. */
START_TEST(fields_have_their_phase_and_direction) {
    make_sphere(7);
    const double ka = 1.3;
    add_radial(ka, 0);
    add_radial(ka, 1);
    sb_bem_result result = solve();
    double complex turn = cexp(I * ka) * RHO_C;
    double complex exact[2] = {I * ka * turn / (1 + I * ka),
                               -ka * ka * turn / (2 * (1 + I * ka) - ka * ka) /
                                   sqrt(3)};
    for (int k = 0; k < 2; k++) {
        const sb_pattern *pattern = &result.patterns[k];
        const float *c = pattern->coefs[k ? 2 : 0]; /* Y_00, Y_10 */
        double complex own = c[0] + I * c[1];
        ck_assert_double_lt(cabs(own - exact[k]), 0.02 * cabs(exact[k]));
        ck_assert_double_lt(
            fabs(sb_pattern_power(pattern) - creal(own * conj(own))),
            0.01 * sb_pattern_power(pattern));
    }
    sb_bem_result_free(&result);
}
END_TEST

START_TEST(long_cylinders_are_like_endless_ones) {
    const double sizes[] = {1, 2, 3};
    make_cylinder(10, 46, 24);
    for (int i = 0; i < 3; i++) {
        for (int n = 1; n <= 3; n++) {
            add_waves(sizes[i], n);
        }
    }
    sb_bem_result result = solve();
    for (int k = 0; k < on.mode_count; k++) {
        double error = db(efficiency(&result, k),
                          cylinder_efficiency(k % 3 + 1, sizes[k / 3]));
        ck_assert_msg(fabs(error) < 1, "ka %g, order %d: %.2f dB", sizes[k / 3],
                      k % 3 + 1, error);
    }
    sb_bem_result_free(&result);
}
END_TEST

/* The velocity 1 - 2 r^2 has a fifth of the dipole of a disk as a whole, and so
 * 0.04 of its power: its mean, weighted by sqrt(1 - r^2), is -1/5. */
START_TEST(a_disk_radiates_by_its_law) {
    make_disk(9);
    for (int i = 0; i < 2; i++)
        add_lifted(0.05, 2 * i);
    sb_bem_result result = solve();
    const double law = 0.03002 * pow(0.05, 4), area = 2 * SB_PI;
    for (int k = 0; k < 2; k++) {
        double own = 4 * SB_PI * sb_pattern_power(&result.patterns[k]) /
                     (RHO_C * RHO_C * area);
        double error = db(own, k ? 0.04 * law : law);
        ck_assert_msg(fabs(error) < 0.1, "%d: %.3f dB", k, error);
    }
    sb_bem_result_free(&result);
}
END_TEST

/* Nothing in its plane, and behind the opposite of in front. */
START_TEST(a_sheet_presses_and_pulls) {
    make_disk(6);
    add_lifted(3, 1.5);
    sb_bem_result result = solve();
    const sb_pattern *pattern = &result.patterns[0];
    double total = sb_pattern_power(pattern), along[2], front[2], back[2];
    sb_pattern_at(pattern, (sb_vec3){0.6, 0.8, 0}, along);
    sb_pattern_at(pattern, (sb_vec3){0, 0.6, 0.8}, front);
    sb_pattern_at(pattern, (sb_vec3){0, 0.6, -0.8}, back);
    ck_assert_double_lt(along[0] * along[0] + along[1] * along[1],
                        1e-9 * total);
    for (int part = 0; part < 2; part++)
        ck_assert_double_eq_tol(front[part], -back[part], 1e-4 * sqrt(total));
    ck_assert_double_gt(front[0] * front[0] + front[1] * front[1], 0.1 * total);
    sb_bem_result_free(&result);
}
END_TEST

START_TEST(rigid_motion_has_its_added_mass) {
    sb_bem_rigid rigid;
    make_sphere(6);
    sb_bem_def def = def_of();
    def.density_kg_m3 = 1;
    def.centre_m = (sb_vec3){0, 0, 0};
    ck_assert_int_eq(sb_bem_solve_rigid(&def, &rigid, NULL), SB_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(rigid.mass[i][i], SB_TAU / 3,
                                0.01 * SB_TAU / 3);
        ck_assert_double_eq_tol(rigid.dipole[i][i], SB_TAU, 0.01 * SB_TAU);
        ck_assert_double_lt(rigid.mass[i + 3][i + 3], 0.001);
    }
    make_disk(9);
    def = def_of();
    def.density_kg_m3 = 2;
    ck_assert_int_eq(sb_bem_solve_rigid(&def, &rigid, NULL), SB_OK);
    ck_assert_double_eq_tol(rigid.mass[2][2], 16.0 / 3, 0.01 * 16 / 3);
    ck_assert_double_eq_tol(rigid.dipole[2][2], 16.0 / 3, 0.01 * 16 / 3);
    ck_assert_double_eq_tol(rigid.mass[3][3], 32.0 / 45, 0.02 * 32 / 45);
    ck_assert_double_lt(fabs(rigid.mass[0][0]), 1e-6);
    /* About a point beside the centre: the mass moves. */
    def.centre_m = (sb_vec3){0, -3, 0};
    double about = rigid.mass[3][3] + 9 * rigid.mass[2][2];
    ck_assert_int_eq(sb_bem_solve_rigid(&def, &rigid, NULL), SB_OK);
    ck_assert_double_eq_tol(rigid.mass[3][3], about, 1e-3 * about);
}
END_TEST

/* --- against itself ---------------------------------------------------------- */

/* More frequencies than nodes, against each one alone. */
enum { SPREAD = 40 };

START_TEST(interpolated_matrices_are_like_own_ones) {
    for (int kind = 0; kind < 2; kind++) {
        if (kind) make_disk(6);
        if (!kind) make_sphere(4);
        for (int k = 0; k < SPREAD; k++) {
            double ka = 0.1 * pow(100, k / (SPREAD - 1.0));
            if (kind) add_lifted(ka, k % 4);
            if (!kind) add_radial(ka, k % 3);
        }
        sb_bem_result all = solve();
        sb_bem_def def = def_of();
        for (int k = 1; k < SPREAD; k += 5) {
            sb_bem_def one = def;
            sb_bem_result own;
            one.mode_count = 1;
            one.freqs_hz += k;
            one.shapes += k * on.vertex_count;
            ck_assert_int_eq(sb_bem_solve(&one, &own, NULL), SB_OK);
            double error = db(sb_pattern_power(&all.patterns[k]),
                              sb_pattern_power(&own.patterns[0]));
            ck_assert_msg(fabs(error) < 0.05, "%d: %.4f dB", k, error);
            sb_bem_result_free(&own);
        }
        sb_bem_result_free(&all);
    }
}
END_TEST

/* Twice the size at half the frequency: twice the pressure at a distance. The
 * centre turns phases only. */
START_TEST(size_and_centre_do_what_they_must) {
    make_sphere(4);
    add_radial(2, 2);
    sb_bem_result one = solve(), two;
    stretch(2, 2, 2);
    on.freqs_hz[0] /= 2;
    sb_bem_def def = def_of();
    def.centre_m = (sb_vec3){0.2, -0.1, 0.3};
    ck_assert_int_eq(sb_bem_solve(&def, &two, NULL), SB_OK);
    ck_assert_double_lt(fabs(db(sb_pattern_power(&two.patterns[0]),
                                4 * sb_pattern_power(&one.patterns[0]))),
                        0.01);
    sb_bem_result_free(&one);
    sb_bem_result_free(&two);
}
END_TEST

START_TEST(kernels_agree) {
#if defined(__x86_64__)
    enum { COUNT = 24 };
    static double numbers[40][COUNT];
    static float distances[COUNT], matrix[2][COUNT][2], mixed[2][COUNT][2];
    for (int i = 0; i < 40 * COUNT; i++)
        numbers[i / COUNT][i % COUNT] = sin(1 + 0.37 * i * i) + (i % 5);
    sb_bem_faces faces = {.areas = numbers[39]};
    sb_bem_sources sources = {.count = COUNT};
    for (int i = 0; i < 9; i++) {
        faces.points[i / 3][i % 3] = numbers[i];
        faces.curls[i / 3][i % 3] = numbers[9 + i];
        if (i < 3) faces.normals[i] = numbers[18 + i];
        if (i < 3) sources.points[i] = numbers[21 + i];
        if (i < SB_BEM_DENSITIES) sources.densities[i] = numbers[24 + i];
    }
    const sb_bem_kernel *kernels[] = {
        &sb_bem_kernel_portable,
        __builtin_cpu_supports("avx2") ? &sb_bem_kernel_avx2 : NULL,
        __builtin_cpu_supports("avx512f") ? &sb_bem_kernel_avx512 : NULL};
    sb_bem_blocks blocks[2];
    double far[2][2][2];
    for (int k = 0; k < 3; k++) {
        int at = k > 0;
        if (!kernels[k]) continue;
        kernels[k]->pairs(&faces, 3, 8, 7.5, true, &blocks[at]);
        kernels[k]->far(&sources, (double[]){0.6, 0, -0.8}, 31, far[at]);
        for (int i = 0; i < COUNT; i++) {
            distances[i] = (float)numbers[30][i];
            for (int part = 0; part < 2; part++)
                matrix[at][i][part] = (float)numbers[31 + part][i];
        }
        kernels[k]->turn(COUNT, distances, 12, matrix[at]);
        sb_bem_mix mix = {.wavenumber = 9, .eta = 2, .weights = {0.3, 0.7}};
        mix.w[0] = mix.w[1] = mix.k[0] = mix.k[1] =
            (const float(*)[2])matrix[at];
        kernels[k]->mix(COUNT, distances, &mix, 0, mixed[at]);
        if (!at) continue;
        const double *a = (const double *)&blocks[0];
        const double *b = (const double *)&blocks[1];
        for (size_t i = 0; i < sizeof blocks[0] / sizeof *a; i++)
            ck_assert_double_eq_tol(a[i], b[i], 1e-9 * (1 + fabs(a[i])));
        for (int i = 0; i < 4; i++)
            ck_assert_double_eq_tol(far[0][i / 2][i % 2], far[1][i / 2][i % 2],
                                    1e-9);
        for (int i = 0; i < 2 * COUNT; i++) {
            ck_assert_double_eq_tol(matrix[0][i / 2][i % 2],
                                    matrix[1][i / 2][i % 2], 1e-5);
            ck_assert_double_eq_tol(mixed[0][i / 2][i % 2],
                                    mixed[1][i / 2][i % 2], 1e-5);
        }
    }
#endif
}
END_TEST

START_TEST(a_lack_of_memory_and_wrong_modes_are_reported) {
    make_sphere(2);
    for (int k = 0; k < 6; k++)
        add_radial(1 + k, 0);
    sb_bem_def def = def_of();
    long live = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_bem_result result;
        sb_bem_rigid rigid;
        sb_memory_fail_after(n);
        ck_assert_double_gt(sb_bem_estimate_s(&def), 0);
        sb_memory_fail_after(n);
        status = sb_bem_solve(&def, &result, NULL);
        if (!status) sb_bem_result_free(&result);
        if (!status) status = sb_bem_solve_rigid(&def, &rigid, NULL);
        sb_memory_fail_after(-1);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
    sb_bem_result result;
    on.freqs_hz[1] = 0;
    ck_assert_int_eq(sb_bem_solve(&def, &result, NULL), SB_BAD_ARGUMENT);
    def.surface.face_count = 0;
    ck_assert_int_eq(sb_bem_solve(&def, &result, NULL), SB_BAD_ARGUMENT);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("boundary elements");
    TCase *tcase = tcase_create("closed forms");
    tcase_add_test(tcase, spheres_of_any_order_radiate_as_they_do);
    tcase_add_test(tcase, fields_have_their_phase_and_direction);
    tcase_add_test(tcase, long_cylinders_are_like_endless_ones);
    tcase_add_test(tcase, a_disk_radiates_by_its_law);
    tcase_add_test(tcase, a_sheet_presses_and_pulls);
    tcase_add_test(tcase, rigid_motion_has_its_added_mass);
    tcase_add_test(tcase, interpolated_matrices_are_like_own_ones);
    tcase_add_test(tcase, size_and_centre_do_what_they_must);
    tcase_add_test(tcase, kernels_agree);
    tcase_add_test(tcase, a_lack_of_memory_and_wrong_modes_are_reported);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
