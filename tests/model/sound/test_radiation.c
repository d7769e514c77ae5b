/* SPDX-License-Identifier: MIT */
/* Radiation against closed forms of spheres, and general laws. */
#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/sound/radiation.h"
#include "tests/model/fill/skin.h"
#include "tests/suite.h"

#include <complex.h>

static double *loudness(const surface *skin, const double *freqs_hz,
                        double sheet_m) {
    size_t count = (size_t)skin->mode_count;
    sb_far *fars = calloc(count, sizeof *fars);
    double *levels = calloc(count, sizeof *levels);
    sb_radiation_def def = {.vertex_count = skin->vertex_count,
                            .face_count = skin->face_count,
                            .mode_count = skin->mode_count,
                            .vertices = (const float(*)[3])skin->vertices,
                            .faces = (const int32_t(*)[3])skin->faces,
                            .shapes = skin->shapes,
                            .stride = skin->mode_count,
                            .shape_scale = 1,
                            .freqs_hz = freqs_hz,
                            .sheet_m = sheet_m};
    ck_assert_int_eq(sb_radiation(&def, fars, NULL), SB_OK);
    for (size_t k = 0; k < count; k++)
        levels[k] = sqrt(sb_far_product(&fars[k], &fars[k]));
    free(fars);
    return levels;
}

static double db(double a, double b) {
    return 20 * log10(a / b);
}

/* Radial motion by a Legendre polynomial of z / a. */
static double legendre(int order, double x) {
    double before = 1, now = x;
    if (order == 0) return 1;
    for (int n = 1; n < order; n++) {
        double next = ((2 * n + 1) * x * now - n * before) / (n + 1);
        before = now;
        now = next;
    }
    return now;
}

static void radial_mode(surface *skin, int mode, int order) {
    for (int v = 0; v < skin->vertex_count; v++) {
        const float *p = skin->vertices[v];
        double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        double u = legendre(order, p[2] / r);
        for (int j = 0; j < 3; j++)
            skin_shape(skin, v, mode)[j] = (float)(u * p[j] / r);
    }
}

/* rms over directions of p R of that motion: rho c / (k |h_n'(ka)|) times the
 * rms of the polynomial. */
static double sphere_of_order(int order, double freq_hz, double radius_m) {
    double k = SB_TAU * freq_hz / SB_AIR_SPEED, x = k * radius_m;
    double complex h = I * cexp(-I * x) / x;
    double complex slope = -h * (1 + I * x) / x;
    for (int n = 1; n <= order; n++) {
        double complex next = (n - 1) / x * h - slope;
        slope = h - (n + 1) / x * next;
        h = next;
    }
    return SB_AIR_DENSITY * SB_AIR_SPEED / (k * cabs(slope)) /
           sqrt(2 * order + 1);
}

START_TEST(pulsating_sphere_has_the_closed_form) {
    const double freqs[] = {50, 100, 1000, 5000, 11000};
    surface skin = skin_sphere(24, 0.05);
    skin_modes(&skin, 5);
    for (int k = 0; k < 5; k++)
        radial_mode(&skin, k, 0);
    double *g = loudness(&skin, freqs, 0);
    /* physics 2.8, for 1 mm/s */
    ck_assert_double_eq_tol(db(g[1] * 1e-3, 1.883365e-3), 0, 0.1);
    ck_assert_double_eq_tol(db(g[2] * 1e-3, 1.395027e-2), 0, 0.1);
    ck_assert_double_eq_tol(db(g[3] * 1e-3, 2.018448e-2), 0, 0.3);
    for (int k = 0; k < 5; k++) {
        double exact = sphere_of_order(0, freqs[k], 0.05);
        ck_assert_double_eq_tol(db(g[k], exact), 0, 1);
    }
    free(g);
    skin_free(&skin);
}
END_TEST

/* 10,092 faces in 512 patches, which are as wide as the waves at the end. */
START_TEST(a_large_sphere_is_heard_through_its_patches) {
    const double freqs[] = {1000, 5000, 10000, 15000};
    surface skin = skin_sphere(29, 0.15);
    skin_modes(&skin, 4);
    for (int k = 0; k < 4; k++)
        radial_mode(&skin, k, 0);
    double *g = loudness(&skin, freqs, 0);
    for (int k = 0; k < 4; k++) {
        double exact = sphere_of_order(0, freqs[k], 0.15);
        ck_assert_double_eq_tol(db(g[k], exact), 0, k < 3 ? 0.3 : 1.5);
    }
    free(g);
    skin_free(&skin);
}
END_TEST

START_TEST(moving_sphere_is_a_dipole) {
    const double freqs[] = {50, 200, 800, 2000, 6000};
    surface skin = skin_sphere(24, 0.05);
    skin_modes(&skin, 5);
    for (int v = 0; v < skin.vertex_count; v++) {
        for (int k = 0; k < 5; k++)
            skin_shape(&skin, v, k)[2] = 1;
    }
    double *g = loudness(&skin, freqs, 0);
    for (int k = 0; k < 5; k++) {
        double exact = sphere_of_order(1, freqs[k], 0.05);
        ck_assert_double_eq_tol(db(g[k], exact), 0, 0.6);
    }
    free(g);
    skin_free(&skin);
}
END_TEST

/* Below ka = 1 each order is far below the one before it. */
START_TEST(higher_orders_are_quieter) {
    const double freqs[] = {300, 300.01, 300.02, 300.03, 300.04};
    surface skin = skin_sphere(40, 0.05);
    skin_modes(&skin, 5);
    for (int k = 0; k < 5; k++)
        radial_mode(&skin, k, k);
    double *g = loudness(&skin, freqs, 0);
    for (int k = 0; k < 4; k++) {
        double exact = sphere_of_order(k, freqs[k], 0.05);
        ck_assert_double_eq_tol(db(g[k], exact), 0, k < 3 ? 0.5 : 3);
        ck_assert_double_lt(db(g[k + 1], g[k]), -10);
    }
    free(g);
    skin_free(&skin);
}
END_TEST

static void bend(surface *skin, int mode, double waves_x, double waves_y,
                 double x_m, double y_m) {
    for (int v = 0; v < skin->vertex_count; v++) {
        const float *p = skin->vertices[v];
        skin_shape(skin, v, mode)[2] =
            (float)(cos(SB_PI * waves_x * (p[0] / x_m + 0.5)) *
                    cos(SB_PI * waves_y * (p[1] / y_m + 0.5)));
    }
}

/* The sides of a sheet cancel: it is far quieter than a pulsating sphere
 * with its area and rms motion, the more so at low frequencies. */
START_TEST(free_plate_is_quieter_than_a_sphere) {
    const double freqs[] = {50, 200};
    surface skin = skin_plate(24, 0.3, 0.2);
    skin_modes(&skin, 2);
    bend(&skin, 0, 2, 0, 0.3, 0.2);
    bend(&skin, 1, 2, 0, 0.3, 0.2);
    double *g = loudness(&skin, freqs, 0.002);
    double radius = sqrt(2 * 0.3 * 0.2 / (4 * SB_PI));
    double low = db(g[0], sphere_of_order(0, freqs[0], radius) / sqrt(2));
    double high = db(g[1], sphere_of_order(0, freqs[1], radius) / sqrt(2));
    ck_assert_double_lt(high, -15);
    ck_assert_double_lt(low, high - 6);
    free(g);
    skin_free(&skin);
}
END_TEST

/* A rigid disk that moves broadside carries 8/3 rho R^3 of air (Lamb 102):
 * p R = k w (8/3 rho R^3) cos / 4 pi. */
START_TEST(disk_carries_its_added_mass) {
    const double freq = 100, radius = 0.1;
    surface skin = skin_plate(32, 2, 2);
    for (int v = 0; v < skin.vertex_count; v++) {
        float *p = skin.vertices[v]; /* square to disk */
        double x = p[0], y = p[1];
        put_vertex(p, radius * x * sqrt(1 - y * y / 2),
                   radius * y * sqrt(1 - x * x / 2), 0);
    }
    skin_modes(&skin, 1);
    for (int v = 0; v < skin.vertex_count; v++)
        skin_shape(&skin, v, 0)[2] = 1;
    double *g = loudness(&skin, &freq, 1e-6);
    double w = SB_TAU * freq, k = w / SB_AIR_SPEED;
    double exact =
        k * w * SB_AIR_DENSITY * 8 / 3 * pow(radius, 3) / (4 * SB_PI) / sqrt(3);
    ck_assert_double_eq_tol(db(g[0], exact), 0, 0.3);
    free(g);
    skin_free(&skin);
}
END_TEST

static void turn(surface *skin) {
    const double m[3][3] = {{2 / 3.0, -1 / 3.0, 2 / 3.0},
                            {2 / 3.0, 2 / 3.0, -1 / 3.0},
                            {-1 / 3.0, 2 / 3.0, 2 / 3.0}};
    int count = skin->vertex_count * (skin->mode_count + 1);
    for (int i = 0; i < count; i++) {
        float *p = i < skin->vertex_count
                       ? skin->vertices[i]
                       : skin->shapes + (size_t)(i - skin->vertex_count) * 3;
        double q[3] = {p[0], p[1], p[2]};
        for (int r = 0; r < 3; r++) {
            p[r] = (float)(m[r][0] * q[0] + m[r][1] * q[1] + m[r][2] * q[2]);
        }
    }
}

START_TEST(turning_the_body_changes_nothing) {
    const double freqs[] = {100, 400, 1000, 2500};
    surface skin = skin_plate(14, 0.3, 0.2);
    skin_modes(&skin, 4);
    for (int k = 0; k < 4; k++)
        bend(&skin, k, k + 1, k, 0.3, 0.2);
    double *before = loudness(&skin, freqs, 0.002);
    turn(&skin);
    double *after = loudness(&skin, freqs, 0.002);
    for (int k = 0; k < 4; k++) {
        double allowed = freqs[k] < 900 ? 0.05 : 1;
        ck_assert_double_eq_tol(db(after[k], before[k]), 0, allowed);
    }
    free(before);
    free(after);
    skin_free(&skin);
}
END_TEST

/* 1568 faces, then 12800, both in 512 patches. In the first mode the parts
 * cancel to 1e-5 of the motion; the wavelength of the last is four patches. */
START_TEST(finer_meshes_converge) {
    const double freqs[] = {200, 500, 2000, 8000};
    double *g[2];
    for (int i = 0; i < 2; i++) {
        surface skin = skin_plate(i ? 80 : 28, 0.3, 0.2);
        skin_modes(&skin, 4);
        for (int k = 0; k < 4; k++)
            bend(&skin, k, 1 + k, 2, 0.3, 0.2);
        g[i] = loudness(&skin, freqs, 0.002);
        skin_free(&skin);
    }
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq_tol(db(g[1][k], g[0][k]), 0, 0.3);
    free(g[0]);
    free(g[1]);
}
END_TEST

/* The far field of a linear combination is that combination of far fields. */
START_TEST(far_fields_are_linear_in_the_shape) {
    const double freqs[] = {700, 700, 700};
    surface skin = skin_sphere(8, 0.1);
    skin_modes(&skin, 3);
    radial_mode(&skin, 0, 0);
    radial_mode(&skin, 1, 2);
    for (int v = 0; v < skin.vertex_count; v++) {
        for (int j = 0; j < 3; j++) {
            skin_shape(&skin, v, 2)[j] =
                2 * skin_shape(&skin, v, 0)[j] - skin_shape(&skin, v, 1)[j];
        }
    }
    sb_far fars[3];
    sb_radiation_def def = {.vertex_count = skin.vertex_count,
                            .face_count = skin.face_count,
                            .mode_count = 3,
                            .vertices = (const float(*)[3])skin.vertices,
                            .faces = (const int32_t(*)[3])skin.faces,
                            .shapes = skin.shapes,
                            .stride = 3,
                            .shape_scale = 0.5,
                            .freqs_hz = freqs};
    ck_assert_int_eq(sb_radiation(&def, fars, NULL), SB_OK);
    for (int i = 0; i < SB_FAR_PARTS; i++) {
        ck_assert_double_eq_tol(fars[2].parts[i],
                                2 * fars[0].parts[i] - fars[1].parts[i], 1e-6);
    }
    skin_free(&skin);
}
END_TEST

START_TEST(every_failed_allocation_leaves_nothing) {
    const double freqs[] = {700};
    surface skin = skin_sphere(3, 0.1);
    skin_modes(&skin, 1);
    sb_far far;
    sb_radiation_def def = {.vertex_count = skin.vertex_count,
                            .face_count = skin.face_count,
                            .mode_count = 1,
                            .vertices = (const float(*)[3])skin.vertices,
                            .faces = (const int32_t(*)[3])skin.faces,
                            .shapes = skin.shapes,
                            .stride = 1,
                            .shape_scale = 1,
                            .freqs_hz = freqs};
    long live = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status != SB_OK; n++) {
        ck_assert_int_lt(n, 100);
        sb_memory_fail_after(n);
        status = sb_radiation(&def, &far, NULL);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
        if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
    }
    skin_free(&skin);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("radiation");
    TCase *tcase = tcase_create("radiation");
    tcase_add_test(tcase, pulsating_sphere_has_the_closed_form);
    tcase_add_test(tcase, a_large_sphere_is_heard_through_its_patches);
    tcase_add_test(tcase, moving_sphere_is_a_dipole);
    tcase_add_test(tcase, higher_orders_are_quieter);
    tcase_add_test(tcase, free_plate_is_quieter_than_a_sphere);
    tcase_add_test(tcase, disk_carries_its_added_mass);
    tcase_add_test(tcase, turning_the_body_changes_nothing);
    tcase_add_test(tcase, finer_meshes_converge);
    tcase_add_test(tcase, far_fields_are_linear_in_the_shape);
    tcase_add_test(tcase, every_failed_allocation_leaves_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
