/* SPDX-License-Identifier: MIT */
/* Membranes that carry air: measured ratios of a kettledrum, limits, and what
 * must hold whatever the air is. */
#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/material.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/radiation.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static sb_shape skin(double density, double kettle_m, sb_radiating radiation) {
    /* The waves are as fast, whatever it weighs. */
    return (sb_shape){.kind = SB_SHAPE_MEMBRANE,
                      .radius = 0.328,
                      .surface_density = density,
                      .tension = 3990 / 0.262 * density,
                      .kettle = kettle_m,
                      .max_hz = 700,
                      .radiation = radiation};
}

static sb_model *make(const sb_shape *shape) {
    sb_model *model;
    sb_error err = {0};
    const sb_material *plastic = sb_material_find("plastic");
    ck_assert_msg(sb_model_create(shape, plastic, NULL, &model, &err) == SB_OK,
                  "%s", err.message);
    return model;
}

static int find(const sb_model *model, const char *label) {
    for (int k = 0; k < sb_model_mode_count(model); k++)
        if (strcmp(sb_model_modes(model)[k].label, label) == 0) return k;
    ck_abort_msg("no mode %s", label);
    return 0;
}

static double hz(const sb_model *model, const char *label) {
    return sb_model_modes(model)[find(model, label)].freq_hz;
}

/* Christian et al. 1984: 1, 1.50, 1.98, 2.44; in a vacuum 1.34, 1.66, 1.98. */
START_TEST(a_kettledrum_has_its_ratios) {
    static const char *const labels[] = {"(2,1) cos", "(3,1) cos", "(4,1) cos"};
    const double measured[] = {1.50, 1.98, 2.44};
    sb_shape shape = skin(0.262, 0.42, SB_RADIATES_EXACT);
    sb_model *model = make(&shape);
    double first = hz(model, "(1,1) cos");
    ck_assert_double_eq_tol(first, 150, 7);
    for (int i = 0; i < 3; i++) {
        double ratio = hz(model, labels[i]) / first;
        ck_assert_double_eq_tol(ratio, measured[i], 0.03 * measured[i]);
    }
    for (int k = 1; k < sb_model_mode_count(model); k++)
        ck_assert_double_ge(sb_model_modes(model)[k].freq_hz,
                            sb_model_modes(model)[k - 1].freq_hz);
    ck_assert_double_eq(hz(model, "(1,1) sin"), first);
    sb_model_release(model);
}
END_TEST

/* m = (f_0 / f)^2 - 1 is proportional to 1 / density; that of short waves is
 * that of an endless skin. */
START_TEST(air_counts_by_its_share) {
    sb_shape light = skin(0.262, 0, SB_RADIATES_EXACT);
    sb_shape heavy = skin(26.2, 0, SB_RADIATES_EXACT);
    sb_shape bare = skin(0.262, 0, SB_RADIATES_QUICK);
    sb_model *models[] = {make(&bare), make(&light), make(&heavy)};
    double own = hz(models[0], "(4,1) cos");
    double one = pow(own / hz(models[1], "(4,1) cos"), 2) - 1;
    double other = pow(own / hz(models[2], "(4,1) cos"), 2) - 1;
    ck_assert_double_eq_tol(other, one / 100, 0.1 * one / 100);
    double speed = sqrt(light.tension / light.surface_density);
    double wave = SB_TAU * own / speed;
    double air = SB_TAU * hz(models[1], "(4,1) cos") / SB_AIR_SPEED;
    double endless = 2 * SB_AIR_DENSITY /
                     (light.surface_density * sqrt(wave * wave - air * air));
    ck_assert_double_eq_tol(one, endless, 0.15 * endless);
    for (int i = 0; i < 3; i++)
        sb_model_release(models[i]);
}
END_TEST

/* Shapes are normalised by all that moves, so that a strike moves them by as
 * much less as they are lower; and what they lose is what they radiate. */
START_TEST(shapes_and_losses_follow) {
    static const char *const labels[] = {"(0,1)", "(1,1) cos", "(2,1) cos"};
    sb_shape shapes[] = {skin(0.262, 0, SB_RADIATES_QUICK),
                         skin(0.262, 0, SB_RADIATES_EXACT)};
    sb_model *models[] = {make(&shapes[0]), make(&shapes[1])};
    double weights[2][4096];
    const sb_material *plastic = sb_material_find("plastic");
    for (int i = 0; i < 2; i++) {
        sb_model_point point = sb_model_point_at(models[i], 0.8, 0.6);
        ck_assert_int_lt(sb_model_mode_count(models[i]), 4096);
        sb_model_weights(models[i], point, NULL, weights[i]);
    }
    for (int i = 0; i < 3; i++) {
        int a = find(models[0], labels[i]), b = find(models[1], labels[i]);
        const sb_mode *mode = &sb_model_modes(models[1])[b];
        double lower = mode->freq_hz / sb_model_modes(models[0])[a].freq_hz;
        ck_assert_double_lt(lower, 0.85);
        ck_assert_double_eq_tol(weights[1][b] / weights[0][a], lower, 0.01);
        double loss = sb_radiation_loss(mode->radiation);
        double own = sb_material_sigma(plastic, SB_TAU * mode->freq_hz);
        ck_assert_double_eq_tol(mode->sigma_per_s, own + loss, 1e-6 * own);
        ck_assert_double_gt(loss, 0);
    }
    sb_model_release(models[0]);
    sb_model_release(models[1]);
}
END_TEST

START_TEST(wrong_kettles_and_a_lack_of_memory_are_reported) {
    sb_error err;
    sb_shape shape = skin(0.262, 0.4, SB_RADIATES_QUICK);
    ck_assert_int_eq(sb_shape_check(&shape, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "membrane: a kettle is heard by its air, "
                                  "which needs radiation = \"exact\"");
    shape = skin(0.262, 0.4, SB_RADIATES_EXACT);
    shape.radius = 0;
    shape.width = shape.depth = 0.5;
    ck_assert_int_eq(sb_shape_check(&shape, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "membrane: a kettle needs a round skin, with radius");
    shape.kettle = 0;
    shape.max_hz = 400;
    shape.max_modes = 3;
    const sb_material *plastic = sb_material_find("plastic");
    long live = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n += 29) {
        sb_model *model;
        sb_memory_fail_after(n);
        status = sb_model_create(&shape, plastic, NULL, &model, NULL);
        sb_memory_fail_after(-1);
        if (!status) sb_model_release(model);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("air on membranes");
    TCase *tcase = tcase_create("air");
    tcase_add_test(tcase, a_kettledrum_has_its_ratios);
    tcase_add_test(tcase, air_counts_by_its_share);
    tcase_add_test(tcase, shapes_and_losses_follow);
    tcase_add_test(tcase, wrong_kettles_and_a_lack_of_memory_are_reported);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
