/* SPDX-License-Identifier: MIT */
/* Radiation by boundary elements as models get it: fine surfaces are thinned
 * out, modes too short for that follow the others, and what cannot be taken
 * keeps the quick law. */
#include "runtime/base/air.h"
#include "runtime/model/material.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/exact.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/radiation.h"
#include "tests/model/fill/skin.h"
#include "tests/suite.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

typedef struct heard {
    double power[MOST]; /* g^2 */
    int exact_count;
} heard;

static heard hear(const surface *skin, const double *freqs_hz, double sheet_m,
                  bool is_exact) {
    static sb_far fars[MOST];
    heard result = {0};
    ck_assert_int_le(skin->mode_count, MOST);
    sb_radiation_def def = {.vertex_count = skin->vertex_count,
                            .face_count = skin->face_count,
                            .mode_count = skin->mode_count,
                            .vertices = (const float(*)[3])skin->vertices,
                            .faces = (const int32_t(*)[3])skin->faces,
                            .shapes = skin->shapes,
                            .stride = skin->mode_count,
                            .shape_scale = 1,
                            .freqs_hz = freqs_hz,
                            .sheet_m = sheet_m,
                            .is_exact = is_exact,
                            .exact_count = &result.exact_count};
    ck_assert_int_eq(sb_radiation(&def, fars, NULL), SB_OK);
    for (int k = 0; k < skin->mode_count; k++)
        result.power[k] = sb_far_product(&fars[k], &fars[k]);
    return result;
}

static double db(double a, double b) {
    return 10 * log10(a / b);
}

/* g^2 of radial motion by a Legendre polynomial on a sphere of radius a: that
 * of rho c / (k |h_n'|), times the mean square of the polynomial. */
static double sphere_power(int n, double ka, double a) {
    double complex h[4] = {I * cexp(-I * ka) / ka,
                           -cexp(-I * ka) * (1 - I / ka) / ka};
    for (int k = 1; k < 3; k++)
        h[k + 1] = (2 * k + 1) / ka * h[k] - h[k - 1];
    double complex slope = n ? h[n - 1] - (n + 1) / ka * h[n] : -h[1];
    double root = SB_AIR_DENSITY * SB_AIR_SPEED * a / ka / cabs(slope);
    return root * root / (2 * n + 1);
}

START_TEST(a_fine_sphere_is_thinned_out_and_right) {
    const double sizes[] = {0.5, 1, 4.4934}, radius_m = 0.05;
    double freqs_hz[9];
    surface skin = skin_sphere(26, radius_m);
    skin_modes(&skin, 9);
    for (int k = 0; k < 9; k++) {
        freqs_hz[k] = sizes[k / 3] / radius_m * SB_AIR_SPEED / SB_TAU;
        for (int v = 0; v < skin.vertex_count; v++) {
            const float *p = skin.vertices[v];
            double z = p[2] / radius_m;
            double u = k % 3 == 0 ? 1 : k % 3 == 1 ? z : 1.5 * z * z - 0.5;
            for (int j = 0; j < 3; j++)
                skin_shape(&skin, v, k)[j] = (float)(u * p[j] / radius_m);
        }
    }
    heard exact = hear(&skin, freqs_hz, 0, true);
    ck_assert_int_eq(exact.exact_count, 9);
    for (int k = 0; k < 9; k++) {
        double error =
            db(exact.power[k], sphere_power(k % 3, sizes[k / 3], radius_m));
        ck_assert_msg(fabs(error) < 0.6, "ka %g, order %d: %.2f dB",
                      sizes[k / 3], k % 3, error);
    }
    skin_free(&skin);
}
END_TEST

/* cos (m pi x) cos (n pi y) on a sheet of 2 mm steel, free and without a mean:
 * frequencies of bending waves, for which c = 343 m/s at 6 kHz. */
static void plate_modes(surface *skin, double *freqs_hz, int most) {
    skin_modes(skin, most * most);
    for (int k = 0; k < most * most; k++) {
        int m = k / most + 1, n = k % most + 1;
        double wave = SB_PI * hypot(m / 0.3, n / 0.2);
        freqs_hz[k] = 6000 * pow(wave / (SB_TAU * 6000 / SB_AIR_SPEED), 2);
        for (int v = 0; v < skin->vertex_count; v++) {
            const float *p = skin->vertices[v];
            skin_shape(skin, v, k)[2] =
                (float)(cos(m * SB_PI * (p[0] / 0.3 + 0.5)) *
                        cos(n * SB_PI * (p[1] / 0.2 + 0.5)));
        }
    }
}

START_TEST(plates_are_like_those_of_four_times_the_patches) {
    double freqs_hz[2][9];
    heard levels[2];
    for (int i = 0; i < 2; i++) {
        surface skin = skin_plate(i ? 24 : 12, 0.3, 0.2);
        plate_modes(&skin, freqs_hz[i], 3);
        levels[i] = hear(&skin, freqs_hz[i], 0.002, true);
        skin_free(&skin);
    }
    ck_assert_int_eq(levels[1].exact_count, 9);
    for (int k = 0; k < 4; k++) {
        int mode = k / 2 * 3 + k % 2; /* up to two half-waves each way */
        double error = db(levels[0].power[mode], levels[1].power[mode]);
        ck_assert_msg(fabs(error) < 1.5, "mode %d: %.2f dB", mode, error);
    }
}
END_TEST

/* Beyond the waves that the surface can show, no step: the quick law alone is
 * 15 dB lower than what was heard just before. */
START_TEST(short_waves_go_on_where_the_others_end) {
    double freqs_hz[MOST];
    surface skin = skin_plate(24, 0.3, 0.2);
    plate_modes(&skin, freqs_hz, 8);
    heard exact = hear(&skin, freqs_hz, 0.002, true);
    heard quick = hear(&skin, freqs_hz, 0.002, false);
    ck_assert_int_gt(exact.exact_count, 10);
    ck_assert_int_lt(exact.exact_count, MOST);
    double sums[2] = {0};
    int counts[2] = {0};
    for (int k = 0; k < MOST; k++) {
        int band = freqs_hz[k] > 1500 && freqs_hz[k] < 2200   ? 0
                   : freqs_hz[k] > 2800 && freqs_hz[k] < 3800 ? 1
                                                              : -1;
        if (band < 0) continue;
        sums[band] += db(exact.power[k], quick.power[k]);
        counts[band]++;
    }
    double before = sums[0] / counts[0], after = sums[1] / counts[1];
    ck_assert_msg(before > 8, "%.1f dB", before);
    ck_assert_msg(after > 0.5 * before && after < 1.1 * before,
                  "%.1f dB, then %.1f dB", before, after);
    skin_free(&skin);
}
END_TEST

START_TEST(what_cannot_be_taken_keeps_the_quick_law) {
    double freqs_hz[4];
    surface skin = skin_plate(6, 0.3, 0.2);
    plate_modes(&skin, freqs_hz, 2);
    /* A third face at an edge. */
    memcpy(skin.faces[skin.face_count - 1], skin.faces[0],
           sizeof skin.faces[0]);
    for (int j = 0; j < 3; j++) {
        float *last = skin.vertices[skin.vertex_count - 1];
        last[j] = skin.vertices[skin.faces[0][2]][j] + 0.1F;
    }
    skin.faces[skin.face_count - 1][2] = skin.vertex_count - 1;
    heard exact = hear(&skin, freqs_hz, 0.002, true);
    heard quick = hear(&skin, freqs_hz, 0.002, false);
    ck_assert_int_eq(exact.exact_count, 0);
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq(exact.power[k], quick.power[k]);
    skin_free(&skin);
}
END_TEST

/* The first free modes of a plate are dipoles, which the quick law does not
 * see; a shape says by which law it is heard, and a model which it was. */
START_TEST(models_say_how_they_were_heard) {
    sb_shape shape = {.kind = SB_SHAPE_PLATE,
                      .width = 0.3,
                      .depth = 0.2,
                      .thickness = 0.002,
                      .max_modes = 12};
    const sb_material *steel = sb_material_find("steel");
    double levels[2];
    for (int i = 0; i < 2; i++) {
        sb_model *model;
        int exact;
        shape.radiation = i ? SB_RADIATES_EXACT : SB_RADIATES_QUICK;
        ck_assert_int_eq(sb_model_create(&shape, steel, NULL, &model, NULL),
                         SB_OK);
        ck_assert_int_eq(sb_model_radiating(model, &exact), shape.radiation);
        ck_assert_int_eq(exact, i ? 12 : 0);
        levels[i] = sb_model_modes(model)[1].radiation;
        sb_model_release(model);
    }
    ck_assert_double_gt(20 * log10(levels[1] / levels[0]), 15);
}
END_TEST

/* A turned wall is heard per number of waves round it: all of its modes, and a
 * cosine as loud as its sine, which sends nothing where x is. */
START_TEST(all_modes_of_a_tube_are_heard) {
    const sb_shape shape = {.kind = SB_SHAPE_TUBE,
                            .length = 0.3,
                            .radius = 0.02,
                            .thickness = 0.001,
                            .max_hz = 12000,
                            .keeps_beats = true,
                            .radiation = SB_RADIATES_EXACT};
    sb_model *model;
    int exact;
    ck_assert_int_eq(
        sb_model_create(&shape, sb_material_find("steel"), NULL, &model, NULL),
        SB_OK);
    ck_assert_int_eq(sb_model_radiating(model, &exact), SB_RADIATES_EXACT);
    int count = sb_model_mode_count(model), pairs = 0;
    const sb_mode *modes = sb_model_modes(model);
    const sb_pattern *patterns = sb_model_patterns(model);
    ck_assert_int_gt(count, 60);
    ck_assert_int_eq(exact, count);
    for (int k = 0; k + 1 < count; k++) {
        int n = 0, circles = 0;
        bool is_cosine = sscanf(modes[k].label, "(%d,%d)", &n, &circles) == 2 &&
                         strstr(modes[k].label, " cos");
        if (!is_cosine || modes[k + 1].freq_hz != modes[k].freq_hz) continue;
        pairs++;
        ck_assert_double_eq_tol(modes[k + 1].radiation, modes[k].radiation,
                                1e-5 * modes[k].radiation);
        /* The axis is y: nothing along it, and what is at x has no part of the
         * sine. */
        const sb_vec3 along = {0, 1, 0}, side = {1, 0, 0}, off = {0.8, 0.6, 0};
        double at[2], most = modes[k].radiation;
        sb_pattern_at(&patterns[k], along, at);
        if (n > 1) ck_assert_double_lt(hypot(at[0], at[1]), 1e-3 * most);
        sb_pattern_at(&patterns[k + 1], side, at);
        ck_assert_double_lt(hypot(at[0], at[1]), 1e-3 * most);
        sb_pattern_at(&patterns[k + 1], off, at);
        ck_assert_double_lt(hypot(at[0], at[1]), 1e-3 * most);
    }
    ck_assert_int_gt(pairs, 25);
    sb_model_release(model);
}
END_TEST

/* A large sheet of 2 mm steel loses rho c sigma / (rho_s h), sigma = (1 - f_c /
 * f)^-1/2, f_c h = 12.31 m/s: 34.3 /s at 15 kHz, whatever its metal loses. */
START_TEST(a_large_sheet_loses_what_it_radiates) {
    sb_shape shape = {.kind = SB_SHAPE_PLATE,
                      .width = 0.5,
                      .depth = 0.4,
                      .thickness = 0.002,
                      .radiation = SB_RADIATES_EXACT};
    const sb_material *steel = sb_material_find("steel");
    sb_model *model;
    ck_assert_int_eq(sb_model_create(&shape, steel, NULL, &model, NULL), SB_OK);
    double sum = 0, part = 6155.0 / 15000;
    int count = 0;
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        double own = sb_material_sigma(steel, SB_TAU * mode->freq_hz);
        double loss = sb_radiation_loss(mode->radiation);
        ck_assert_double_eq_tol(mode->sigma_per_s, own + loss, 1e-6 * own);
        if (fabs(mode->freq_hz - 15000) > 1000) continue;
        sum += loss;
        count++;
    }
    double expected = SB_AIR_DENSITY * SB_AIR_SPEED / sqrt(1 - part) /
                      (steel->density * 0.002);
    ck_assert_int_gt(count, 20);
    ck_assert_double_eq_tol(sum / count, expected, 0.15 * expected);
    sb_model_release(model);
}
END_TEST

/* sigma of order 0 is x^2 / (1 + x^2), of order 1 x^4 / (4 + x^4) (table of
 * efficiencies), and g as its root. */
START_TEST(slopes_of_spheres_are_exact) {
    static const double xs[] = {0.01, 0.3, 1, 2, 6};
    for (int i = 0; i < 5; i++) {
        double x = xs[i], four = pow(x, 4);
        const float zero[1][2] = {{1, 2}};
        const float one[4][2] = {{0, 0}, {1, 0}, {0, 2}, {0, 0}};
        const sb_pattern monopole = {0, 0, zero}, dipole = {1, 0, one};
        ck_assert_double_eq_tol(sb_pattern_slope(&monopole, x), 1 / (1 + x * x),
                                1e-9);
        ck_assert_double_eq_tol(sb_pattern_slope(&dipole, x),
                                2 - 2 * four / (4 + four), 1e-9);
    }
}
END_TEST

/* A bar made 20 % larger, of a steel that is 10 % stiffer, is as loud as one that
 * is computed: its slopes are those of the patterns. */
START_TEST(a_rescaled_bar_is_as_loud_as_one_that_is_heard) {
    sb_shape shape = {.kind = SB_SHAPE_BAR,
                      .length = 0.25,
                      .width = 0.03,
                      .thickness = 0.006,
                      .max_modes = 6,
                      .radiation = SB_RADIATES_EXACT};
    sb_material steel = *sb_material_find("steel"), stiff = steel;
    stiff.youngs_modulus *= 1.1;
    sb_shape larger = shape;
    larger.length *= 1.2;
    larger.width *= 1.2;
    larger.thickness *= 1.2;
    sb_model *model, *scaled, *anew;
    ck_assert_int_eq(sb_model_create(&shape, &steel, NULL, &model, NULL), 0);
    ck_assert_int_eq(sb_model_rescale(model, &larger, &stiff, &scaled, NULL),
                     0);
    ck_assert_int_eq(sb_model_create(&larger, &stiff, NULL, &anew, NULL), 0);
    for (int k = 0; k < 6; k++) {
        const sb_mode *a = &sb_model_modes(scaled)[k];
        const sb_mode *b = &sb_model_modes(anew)[k];
        double db = 20 * log10(a->radiation / b->radiation);
        ck_assert_msg(fabs(db) < 0.5, "%s: %+.2f dB", b->label, db);
    }
    sb_model_release(model);
    sb_model_release(scaled);
    sb_model_release(anew);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("exact radiation");
    TCase *tcase = tcase_create("exact");
    tcase_add_test(tcase, a_fine_sphere_is_thinned_out_and_right);
    tcase_add_test(tcase, plates_are_like_those_of_four_times_the_patches);
    tcase_add_test(tcase, short_waves_go_on_where_the_others_end);
    tcase_add_test(tcase, what_cannot_be_taken_keeps_the_quick_law);
    tcase_add_test(tcase, models_say_how_they_were_heard);
    tcase_add_test(tcase, all_modes_of_a_tube_are_heard);
    tcase_add_test(tcase, a_large_sheet_loses_what_it_radiates);
    tcase_add_test(tcase, slopes_of_spheres_are_exact);
    tcase_add_test(tcase, a_rescaled_bar_is_as_loud_as_one_that_is_heard);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
