/* SPDX-License-Identifier: MIT */
/* Radiation of short waves, and which models are cut. */
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/beyond.h"
#include "tests/model/model_test.h"

#include <math.h>

/* Far above coincidence a sheet radiates as if each part did by itself, with
 * the efficiency 1 / sqrt(1 - fc / f) on both sides: W = rho c 2 S s v^2, and
 * g^2 = rho c W / 4 pi. */
START_TEST(above_coincidence_the_efficiency_is_the_known_one) {
    const sb_material *steel = sb_material_find("steel");
    sb_wave_sheet sheet = {.sides_m = {0.5, 0.4},
                           .thickness_m = 0.004,
                           .poisson_ratio = steel->poisson_ratio,
                           .support = SB_SUPPORT_PINNED};
    sheet.mass_kg = steel->density * 0.5 * 0.4 * 0.004;
    for (double hz = 8000; hz < 20000; hz *= 1.4) {
        double k = sb_bending_wavenumber(steel, 0.004, hz);
        double k_air = 2 * 3.14159265358979 * hz / 343.2;
        double efficiency = 1 / sqrt(1 - k * k / (k_air * k_air));
        double air = 1.204 * 343.2;
        double known = air * air * 2 * 0.2 * efficiency /
                       (4 * 3.14159265358979 * sheet.mass_kg);
        double off_db = 10 * log10(sb_short_waves_power(&sheet, k, hz) / known);
        ck_assert_msg(fabs(off_db) < 1.5, "%g Hz: %+.1f dB", hz, off_db);
    }
}
END_TEST

/* The modes that are sampled and those that are not meet without a step. */
START_TEST(modes_too_short_to_sample_go_on_from_those_that_are_not) {
    sb_shape shape = {.kind = SB_SHAPE_PLATE,
                      .support = SB_SUPPORT_PINNED,
                      .width = 0.5,
                      .depth = 0.4,
                      .thickness = 0.001};
    sb_model *model = NULL;
    ck_assert_int_eq(
        sb_model_create(&shape, sb_material_find("steel"), NULL, &model, NULL),
        SB_OK);
    double level[3] = {0};
    int count[3] = {0};
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        int third = (int)floor(3 * log2(mode->freq_hz / 1000));
        if (third < 0 || third > 2) continue;
        level[third] += mode->radiation * mode->radiation;
        count[third]++;
    }
    for (int i = 1; i < 3; i++) {
        double step_db =
            10 * log10(level[i] / count[i] / (level[i - 1] / count[i - 1]));
        ck_assert_msg(step_db > -1 && step_db < 4, "%+.1f dB", step_db);
    }
    sb_model_release(model);
}
END_TEST

START_TEST(a_model_is_cut_when_modes_are_missing) {
    const sb_material *steel = sb_material_find("steel");
    sb_shape shape = {.kind = SB_SHAPE_PLATE,
                      .support = SB_SUPPORT_PINNED,
                      .width = 0.2,
                      .depth = 0.15,
                      .thickness = 0.001};
    sb_model *model = NULL;
    ck_assert_int_eq(sb_model_create(&shape, steel, NULL, &model, NULL), SB_OK);
    ck_assert(!sb_model_beyond(model).is_cut);
    sb_model_release(model);
    shape.max_modes = 70;
    ck_assert_int_eq(sb_model_create(&shape, steel, NULL, &model, NULL), SB_OK);
    sb_beyond beyond = sb_model_beyond(model);
    ck_assert(beyond.is_cut && beyond.is_chosen);
    ck_assert_int_eq(sb_model_mode_count(model), 70);
    sb_model_release(model);
    shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                       .support = SB_SUPPORT_PINNED,
                       .width = 2,
                       .depth = 2,
                       .thickness = 0.0006};
    ck_assert_int_eq(sb_model_create(&shape, steel, NULL, &model, NULL), SB_OK);
    beyond = sb_model_beyond(model);
    ck_assert(beyond.is_cut && !beyond.is_chosen);
    sb_model_release(model);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("beyond");
    tcase_add_test(tests, above_coincidence_the_efficiency_is_the_known_one);
    tcase_add_test(tests,
                   modes_too_short_to_sample_go_on_from_those_that_are_not);
    tcase_add_test(tests, a_model_is_cut_when_modes_are_missing);
    Suite *suite = suite_create("beyond");
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
