/* SPDX-License-Identifier: MIT */
/* Boxes with walls against the plates they consist of. */
#include "runtime/model/shapes/shapes.h"
#include "tests/model/model_test.h"

static sb_shape hollow(double x, double y, double z, double wall) {
    return (sb_shape){.kind = SB_SHAPE_HOLLOW,
                      .width = x,
                      .height = y,
                      .depth = z,
                      .thickness = wall,
                      .elements = 14,
                      .max_modes = 12};
}

/* By symmetry the edges of a cube stay where they are. When all six walls move
 * outward together they cannot turn either: clamped plates. In the other lowest
 * modes some edges turn: between simply supported and clamped. Plates as large
 * as the middle of the walls. */
START_TEST(the_walls_of_a_cube_are_plates) {
    sb_model *model = make_below(hollow(0.2, 0.2, 0.2, 0.002), steel(), 3000);
    double hz = 1 / lambda_per_hz(steel(), 0.002, 0.198);
    const sb_mode *modes = sb_model_modes(model);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_gt(modes[k].freq_hz, 19.7392 * hz);
        ck_assert_double_lt(modes[k].freq_hz, 35.9852 * hz * 1.01);
    }
    double clamped = modes[2].freq_hz;
    ck_assert_msg(fabs(clamped / (35.9852 * hz) - 1) < 0.015, "%g, not %g",
                  clamped, 35.9852 * hz);
    ck_assert_int_eq(sb_model_rigid_modes(model), 6);
    /* In that mode all walls move by the same amount. */
    const sb_vec3 middles[3] = {{0.099, 0, 0}, {0, 0.099, 0}, {0, 0, -0.099}};
    static double weights[WEIGHTS_MOST];
    double first = 0;
    for (int i = 0; i < 3; i++) {
        sb_model_weights(model, sb_model_nearest(model, middles[i]), NULL,
                         weights);
        if (i == 0) first = weights[2];
        ck_assert_double_eq_tol(weights[2], first, 0.01 * fabs(first));
    }
    sb_model_release(model);
}
END_TEST

START_TEST(mass_is_that_of_the_walls) {
    sb_model *model = make_below(hollow(0.3, 0.2, 0.1, 0.004), steel(), 3000);
    double volume = 0.3 * 0.2 * 0.1 - 0.292 * 0.192 * 0.092;
    double mass = 7850 * volume;
    ck_assert_double_eq_tol(sb_model_mass_kg(model) / mass, 1, 1e-9);
    double axial = 7850 *
                   (0.3 * 0.2 * 0.1 * (0.09 + 0.01) -
                    0.292 * 0.192 * 0.092 * (0.292 * 0.292 + 0.092 * 0.092)) /
                   12;
    sb_vec3 at = {0.15, 0, 0.02};
    sb_model_point side = sb_model_nearest(model, at);
    sb_vec3 on = sb_model_position(model, side);
    ck_assert_double_eq_tol(sb_model_inverse_mass(model, side, &along_x),
                            1 / mass + on.z * on.z / axial, 1e-6 / mass);
    sb_model_release(model);
}
END_TEST

START_TEST(top_of_a_box_is_the_unit_square) {
    sb_model *model = make_below(hollow(0.3, 0.2, 0.1, 0.004), steel(), 3000);
    sb_vec3 at = sb_model_position(model, sb_model_point_at(model, 0.25, 0.5));
    ck_assert_double_eq_tol(at.x, -0.075, 0.003);
    ck_assert_double_eq_tol(at.y, 0.098, 1e-6);
    ck_assert_double_eq_tol(at.z, 0, 0.003);
    sb_model_release(model);
}
END_TEST

START_TEST(walls_that_fill_the_box_are_refused) {
    sb_shape shape = hollow(0.3, 0.02, 0.1, 0.01);
    sb_error err = {0};
    ck_assert_int_eq(sb_shape_check(&shape, &err), SB_BAD_ARGUMENT);
    ck_assert(strstr(err.message, "fill a box") != NULL);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hollow");
    TCase *tests = tcase_create("hollow");
    tcase_add_test(tests, the_walls_of_a_cube_are_plates);
    tcase_add_test(tests, mass_is_that_of_the_walls);
    tcase_add_test(tests, top_of_a_box_is_the_unit_square);
    tcase_add_test(tests, walls_that_fill_the_box_are_refused);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
