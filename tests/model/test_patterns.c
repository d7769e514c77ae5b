/* SPDX-License-Identifier: MIT */
/* The directions of the modes of models. */
#include "runtime/base/memory.h"
#include "runtime/model/material.h"
#include "runtime/model/model.h"
#include "runtime/model/patterns.h"
#include "runtime/model/solve/solve.h"
#include "tests/suite.h"

#include <math.h>

static const sb_shape plate = {.kind = SB_SHAPE_PLATE,
                               .width = 0.2,
                               .depth = 0.14,
                               .thickness = 0.002,
                               .max_modes = 12,
                               .radiation = SB_RADIATES_EXACT};

static sb_model *make(const sb_shape *shape) {
    sb_model *model;
    ck_assert_int_eq(
        sb_model_create(shape, sb_material_find("steel"), NULL, &model, NULL),
        SB_OK);
    return model;
}

static double root_power(const double at[2]) {
    return hypot(at[0], at[1]);
}

/* A sheet presses on one side what it draws on the other: silent in its plane,
 * of opposite sign behind. */
START_TEST(a_free_plate_is_silent_at_its_edge) {
    sb_model *model = make(&plate);
    const sb_pattern *patterns = sb_model_patterns(model);
    ck_assert_ptr_nonnull(patterns);
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        double g = sb_model_modes(model)[k].radiation;
        double front[2], back[2], edge[2];
        ck_assert_int_ge(patterns[k].order, 1);
        ck_assert_double_eq_tol(sb_pattern_power(&patterns[k]), g * g,
                                1e-5 * g * g);
        ck_assert_double_lt((double)patterns[k].rest, 0.0031 * g * g);
        sb_pattern_at(&patterns[k], (sb_vec3){0.48, 0.6, 0.64}, front);
        sb_pattern_at(&patterns[k], (sb_vec3){0.48, -0.6, 0.64}, back);
        sb_pattern_at(&patterns[k], (sb_vec3){0.6, 0, 0.8}, edge);
        for (int i = 0; i < 2; i++)
            ck_assert_double_eq_tol(front[i], -back[i], 2e-3 * g);
        ck_assert_double_lt(root_power(edge), 2e-3 * g);
    }
    sb_model_release(model);
}
END_TEST

START_TEST(the_quick_law_has_none) {
    sb_shape shape = plate;
    shape.radiation = SB_RADIATES_QUICK;
    sb_model *model = make(&shape);
    ck_assert_ptr_null(sb_model_patterns(model));
    sb_model_release(model);
}
END_TEST

/* Of twice the size it has the same waves at half the pitch: the same pattern,
 * with the new g. */
START_TEST(rescaled_models_keep_their_directions) {
    sb_model *model = make(&plate), *large;
    sb_shape shape = plate;
    shape.width *= 2;
    shape.depth *= 2;
    shape.thickness *= 2;
    ck_assert_int_eq(sb_model_rescale(model, &shape, sb_material_find("steel"),
                                      &large, NULL),
                     SB_OK);
    const sb_pattern *a = sb_model_patterns(model);
    const sb_pattern *b = sb_model_patterns(large);
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        double g = sb_model_modes(model)[k].radiation;
        double h = sb_model_modes(large)[k].radiation;
        ck_assert_int_eq(a[k].order, b[k].order);
        for (int i = 0; i < sb_harmonics_count(a[k].order); i++)
            ck_assert_double_eq_tol((double)a[k].coefs[i][0] / g,
                                    (double)b[k].coefs[i][0] / h, 1e-5);
    }
    sb_model_release(large);
    sb_model_release(model);
}
END_TEST

/* Of several plain modes as one, nothing is known but the mean. */
START_TEST(merged_modes_are_alike_in_all_directions) {
    sb_shape shape = plate;
    shape.depth = shape.width;
    shape.merge = 20;
    sb_model *model = make(&shape);
    const sb_pattern *patterns = sb_model_patterns(model);
    int plain = sb_model_plain_modes(model, NULL, NULL), alike = 0;
    int count = sb_model_mode_count(model);
    ck_assert_int_lt(count, plain);
    for (int k = 0; k < count; k++) {
        double g = sb_model_modes(model)[k].radiation;
        alike += patterns[k].order < 0;
        ck_assert_double_eq_tol(sb_pattern_power(&patterns[k]), g * g,
                                1e-5 * g * g);
    }
    ck_assert_int_gt(alike, 0);
    ck_assert_int_lt(alike, count);
    sb_model_release(model);
}
END_TEST

START_TEST(damaged_patterns_are_refused) {
    const float coefs[4][2] = {{1, 2}, {3, 4}, {5, 6}, {7, NAN}};
    sb_pattern_head heads[2] = {{0, 0}, {-1, 4}};
    bool is_damaged;
    sb_patterns *good = sb_patterns_unpack(2, heads, coefs, 1, &is_damaged);
    ck_assert(good && !is_damaged);
    ck_assert(good->modes[0].coefs[0][1] == 2 && good->modes[1].rest == 4);
    sb_patterns_free(good);
    for (int i = 0; i < 4; i++) {
        sb_pattern_head bad[2] = {heads[0], heads[1]};
        if (i == 1) bad[0].order = 1; /* NaN */
        if (i == 2) bad[0].order = -2;
        if (i == 3) bad[1].rest = -1;
        size_t count = i == 0 ? 2 : i == 1 ? 4 : 1;
        ck_assert_ptr_null(
            sb_patterns_unpack(2, bad, coefs, count, &is_damaged));
        ck_assert(is_damaged);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("patterns");
    TCase *tcase = tcase_create("patterns");
    tcase_add_test(tcase, a_free_plate_is_silent_at_its_edge);
    tcase_add_test(tcase, the_quick_law_has_none);
    tcase_add_test(tcase, rescaled_models_keep_their_directions);
    tcase_add_test(tcase, merged_modes_are_alike_in_all_directions);
    tcase_add_test(tcase, damaged_patterns_are_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
