/* SPDX-License-Identifier: MIT */
/* Boundary elements against closed forms: spheres, long cylinders, the disk,
 * added masses; and against themselves at other sizes, kernels and nodes. */
#include "runtime/base/air.h"
#include "runtime/base/harmonics.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/bem/bem_kernel.h"
#include "tests/suite.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define RHO_C (SB_AIR_DENSITY * SB_AIR_SPEED)

enum { MOST = 600, MODES = 40 };

/* A surface of radius 1, and modes on it. */
typedef struct stage {
    int vertex_count, face_count, mode_count;
    float vertices[MOST][3];
    int32_t faces[2 * MOST][3];
    float shapes[MODES][MOST][3];
    double freqs_hz[MODES];
    bool is_sheet;
} stage;

static stage on;

static void face(int a, int b, int c) {
    ck_assert_int_lt(on.face_count, 2 * MOST);
    memcpy(on.faces[on.face_count++], (int32_t[3]){a, b, c},
           sizeof on.faces[0]);
}

static int vertex(double x, double y, double z) {
    for (int i = 0; i < on.vertex_count; i++) {
        const float *p = on.vertices[i];
        if (fabs(p[0] - x) + fabs(p[1] - y) + fabs(p[2] - z) < 1e-5) return i;
    }
    ck_assert_int_lt(on.vertex_count, MOST);
    float *p = on.vertices[on.vertex_count];
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return on.vertex_count++;
}

static sb_vec3 corner(int f, int j) {
    const float *p = on.vertices[on.faces[f][j]];
    return (sb_vec3){p[0], p[1], p[2]};
}

static sb_vec3 area_of(int f) {
    sb_vec3 a = corner(f, 0);
    return sb_vec3_scale(sb_vec3_cross(sb_vec3_sub(corner(f, 1), a),
                                       sb_vec3_sub(corner(f, 2), a)),
                         0.5);
}

static void stretch(double x, double y, double z) {
    for (int i = 0; i < on.vertex_count; i++) {
        on.vertices[i][0] *= (float)x;
        on.vertices[i][1] *= (float)y;
        on.vertices[i][2] *= (float)z;
    }
}

/* A cube of n x n cells per side, projected; its volume is the sphere's. */
static void make_sphere(int n) {
    on = (stage){0};
    for (int side = 0; side < 6; side++) {
        for (int cell = 0; cell < n * n; cell++) {
            int at[4];
            for (int k = 0; k < 4; k++) {
                int i = cell / n + (k == 1 || k == 2), j = cell % n + (k > 1);
                double a = tan((2.0 * i / n - 1) * SB_PI / 4);
                double b = tan((2.0 * j / n - 1) * SB_PI / 4), p[3];
                double sign = side % 2 ? 1 : -1;
                double length = sqrt(1 + a * a + b * b);
                p[side / 2] = sign / length;
                p[(side / 2 + 1) % 3] = (sign > 0 ? a : b) / length;
                p[(side / 2 + 2) % 3] = (sign > 0 ? b : a) / length;
                at[k] = vertex(p[0], p[1], p[2]);
            }
            face(at[0], at[1], at[2]);
            face(at[0], at[2], at[3]);
        }
    }
    double volume = 0;
    for (int f = 0; f < on.face_count; f++)
        volume += sb_vec3_dot(area_of(f), corner(f, 0)) / 3;
    double scale = cbrt(4 * SB_PI / 3 / volume);
    stretch(scale, scale, scale);
}

/* Rings of 6, 12, ... vertices; its area is the disk's. */
static void make_disk(int rings) {
    on = (stage){.is_sheet = true};
    (void)vertex(0, 0, 0);
    for (int i = 1; i <= rings; i++) {
        for (int j = 0; j < 6 * i; j++) {
            double angle = SB_TAU * j / (6 * i), r = 1.0 * i / rings;
            (void)vertex(r * cos(angle), r * sin(angle), 0);
        }
    }
    for (int i = 1; i <= rings; i++) {
        int in = 1 + 3 * (i - 1) * (i - 2), out = 1 + 3 * i * (i - 1);
        if (i == 1) in = 0;
        int wrap = i == 1 ? 1 : 6 * (i - 1);
        for (int j = 0; j < 6 * i; j++) {
            int side = j / i, step = j % i;
            int a = in + (side * (i - 1) + step) % wrap;
            int next = out + (j + 1) % (6 * i);
            face(a, out + j, next);
            if (step < i - 1)
                face(a, next, in + (side * (i - 1) + step + 1) % wrap);
        }
    }
    double area = 0;
    for (int f = 0; f < on.face_count; f++)
        area += area_of(f).z;
    stretch(sqrt(SB_PI / area), sqrt(SB_PI / area), 1);
}

static void make_cylinder(int round, int along, double length) {
    on = (stage){0};
    double scale = sqrt(SB_TAU / round / sin(SB_TAU / round));
    for (int i = 0; i <= along; i++) {
        for (int j = 0; j < round; j++) {
            double angle = SB_TAU * (j + 0.5 * (i % 2)) / round;
            (void)vertex(scale * cos(angle), scale * sin(angle),
                         length * (1.0 * i / along - 0.5));
        }
    }
    int low = vertex(0, 0, -length / 2), high = vertex(0, 0, length / 2);
    for (int i = 0; i < along; i++) {
        for (int j = 0; j < round; j++) {
            int a = i * round + j, b = i * round + (j + 1) % round;
            int c = a + round, d = b + round;
            face(a, b, i % 2 ? d : c);
            face(i % 2 ? a : b, d, c);
        }
    }
    for (int j = 0; j < round; j++) {
        int top = along * round;
        face(low, (j + 1) % round, j);
        face(high, top + j, top + (j + 1) % round);
    }
}

static double legendre(int n, double x) {
    const double values[] = {1, x, (3 * x * x - 1) / 2,
                             (5 * x * x * x - 3 * x) / 2};
    return values[n];
}

/* The shape of the next mode, at this ka. */
static float (*add_mode(double ka))[3] {
    ck_assert_int_lt(on.mode_count, MODES);
    on.freqs_hz[on.mode_count] = ka * SB_AIR_SPEED / SB_TAU;
    return on.shapes[on.mode_count++];
}

static void add_radial(double ka, int order) {
    float(*shape)[3] = add_mode(ka);
    for (int i = 0; i < on.vertex_count; i++) {
        sb_vec3 p = {on.vertices[i][0], on.vertices[i][1], on.vertices[i][2]};
        sb_vec3 n = sb_vec3_normalised(p);
        n = sb_vec3_scale(n, legendre(order, n.z));
        shape[i][0] = (float)n.x;
        shape[i][1] = (float)n.y;
        shape[i][2] = (float)n.z;
    }
}

/* `curve` 0: as a whole; else 1 - curve r^2. */
static void add_lifted(double ka, double curve) {
    float(*shape)[3] = add_mode(ka);
    for (int i = 0; i < on.vertex_count; i++) {
        const float *p = on.vertices[i];
        shape[i][2] = (float)(1 - curve * (p[0] * p[0] + p[1] * p[1]));
    }
}

/* The integral of v_n^2, over both sides of a sheet. */
static double square_of(int mode) {
    double sum = 0;
    for (int f = 0; f < on.face_count; f++) {
        sb_vec3 area = area_of(f), n = sb_vec3_normalised(area);
        double v[3];
        for (int j = 0; j < 3; j++) {
            const float *u = on.shapes[mode][on.faces[f][j]];
            v[j] = u[0] * n.x + u[1] * n.y + u[2] * n.z;
        }
        sum += sb_vec3_length(area) / 6 *
               (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[0] * v[1] +
                v[1] * v[2] + v[2] * v[0]);
    }
    return on.is_sheet ? 2 * sum : sum;
}

static sb_bem_def def_of(void) {
    static float shapes[MODES * MOST][3];
    for (int k = 0; k < on.mode_count; k++)
        memcpy(shapes[k * on.vertex_count], on.shapes[k],
               (size_t)on.vertex_count * sizeof shapes[0]);
    return (sb_bem_def){.surface = {on.vertex_count, on.face_count,
                                    (const float(*)[3])on.vertices,
                                    (const int32_t(*)[3])on.faces, on.is_sheet},
                        .mode_count = on.mode_count,
                        .freqs_hz = on.freqs_hz,
                        .shapes = (const float(*)[3])shapes};
}

static sb_bem_result solve(void) {
    sb_bem_def def = def_of();
    sb_bem_result result;
    sb_error err = {0};
    ck_assert_msg(sb_bem_solve(&def, &result, &err) == SB_OK, "%s",
                  err.message);
    return result;
}

/* g^2 */
static double power(const sb_pattern *pattern) {
    double sum = pattern->rest;
    for (int i = 0; i < sb_harmonics_count(pattern->order); i++) {
        const float *c = pattern->coefs[i];
        sum += c[0] * c[0] + c[1] * c[1];
    }
    return sum;
}

static double efficiency(const sb_bem_result *result, int mode) {
    return 4 * SB_PI * power(&result->patterns[mode]) /
           (RHO_C * RHO_C * square_of(mode));
}

static double db(double a, double b) {
    return 10 * log10(a / b);
}

/* 1 / (x^2 |h_n'|^2) */
static double sphere_efficiency(int n, double x) {
    double complex h[6] = {I * cexp(-I * x) / x,
                           -cexp(-I * x) * (1 - I / x) / x};
    for (int k = 1; k < 5; k++)
        h[k + 1] = (2 * k + 1) / x * h[k] - h[k - 1];
    double complex slope = n ? h[n - 1] - (n + 1) / x * h[n] : -h[1];
    return 1 / (x * x * creal(slope * conj(slope)));
}

/* 2 / (pi x |H_n'|^2) */
static double cylinder_efficiency(int n, double x) {
    double complex slope = 0.5 * (jn(n - 1, x) - jn(n + 1, x)) -
                           0.5 * I * (yn(n - 1, x) - yn(n + 1, x));
    return 2 / (SB_PI * x * creal(slope * conj(slope)));
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
        ck_assert_double_lt(fabs(power(pattern) - creal(own * conj(own))),
                            0.01 * power(pattern));
    }
    sb_bem_result_free(&result);
}
END_TEST

START_TEST(long_cylinders_are_like_endless_ones) {
    const double sizes[] = {1, 2, 3};
    make_cylinder(10, 46, 24);
    for (int i = 0; i < 3; i++) {
        for (int n = 1; n <= 3; n++) {
            float(*shape)[3] = add_mode(sizes[i]);
            for (int v = 0; v < on.vertex_count - 2; v++) {
                double angle = atan2(on.vertices[v][1], on.vertices[v][0]);
                shape[v][0] = (float)(cos(angle) * cos(n * angle));
                shape[v][1] = (float)(sin(angle) * cos(n * angle));
            }
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
        double own =
            4 * SB_PI * power(&result.patterns[k]) / (RHO_C * RHO_C * area);
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
    double total = power(pattern), along = 0, front[2] = {0}, back[2] = {0};
    for (int turn = 0; turn < 3; turn++) {
        float y[289];
        sb_vec3 r = turn ? (sb_vec3){0, 0.6, turn == 1 ? 0.8 : -0.8}
                         : (sb_vec3){0.6, 0.8, 0};
        double sum[2] = {0};
        sb_harmonics(pattern->order, r, y);
        for (int i = 0; i < sb_harmonics_count(pattern->order); i++)
            for (int part = 0; part < 2; part++)
                sum[part] += pattern->coefs[i][part] * y[i];
        if (turn == 0) along = sum[0] * sum[0] + sum[1] * sum[1];
        if (turn) memcpy(turn == 1 ? front : back, sum, sizeof sum);
    }
    ck_assert_double_lt(along, 1e-9 * total);
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
START_TEST(interpolated_matrices_are_like_own_ones) {
    for (int kind = 0; kind < 2; kind++) {
        if (kind) make_disk(6);
        if (!kind) make_sphere(4);
        for (int k = 0; k < MODES; k++) {
            double ka = 0.1 * pow(100, k / (MODES - 1.0));
            if (kind) add_lifted(ka, k % 4);
            if (!kind) add_radial(ka, k % 3);
        }
        sb_bem_result all = solve();
        sb_bem_def def = def_of();
        for (int k = 1; k < MODES; k += 5) {
            sb_bem_def one = def;
            sb_bem_result own;
            one.mode_count = 1;
            one.freqs_hz += k;
            one.shapes += k * on.vertex_count;
            ck_assert_int_eq(sb_bem_solve(&one, &own, NULL), SB_OK);
            double error = db(power(&all.patterns[k]), power(&own.patterns[0]));
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
    ck_assert_double_lt(
        fabs(db(power(&two.patterns[0]), 4 * power(&one.patterns[0]))), 0.01);
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
