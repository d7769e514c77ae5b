/* SPDX-License-Identifier: MIT */
/* Properties that need no reference values: scaling laws, Poisson's ratio,
 * radiation, signs, repeatability. Tested for every kind of shape. */
#include "tests/model/model_test.h"

static const sb_shape kinds[] = {
    {.kind = SB_SHAPE_BAR, .length = .2, .width = .02, .thickness = .005},
    {.kind = SB_SHAPE_BAR,
     .support = SB_SUPPORT_CLAMPED_PINNED,
     .length = .2,
     .width = .02,
     .thickness = .005},
    {.kind = SB_SHAPE_PLATE, .width = .2, .depth = .15, .thickness = .004},
    {.kind = SB_SHAPE_PLATE,
     .support = SB_SUPPORT_CLAMPED,
     .width = .2,
     .depth = .2,
     .thickness = .004},
    {.kind = SB_SHAPE_PLATE,
     .support = SB_SUPPORT_PINNED,
     .width = .2,
     .depth = .15,
     .thickness = .004},
    {.kind = SB_SHAPE_DISK, .radius = .1, .thickness = .003},
    {.kind = SB_SHAPE_RING, .radius = .05, .width = .004, .thickness = .003},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* The same modes, in the same order, at `factor` times the frequency. The
 * limit is scaled as well, so that both have equally many. */
static void expect_factor(sb_shape a, sb_material am, sb_shape b,
                          sb_material bm, double factor) {
    sb_model *one = make_below(a, am, 9000);
    sb_model *two = make_below(b, bm, 9000 * factor);
    ck_assert_int_eq(sb_model_mode_count(one), sb_model_mode_count(two));
    for (int k = 0; k < sb_model_mode_count(one); k++) {
        const sb_mode *x = &sb_model_modes(one)[k];
        const sb_mode *y = &sb_model_modes(two)[k];
        ck_assert_str_eq(x->label, y->label);
        ck_assert_msg(fabs(y->freq_hz / x->freq_hz / factor - 1) < 1e-9,
                      "%s: %.12f, not %f", x->label, y->freq_hz / x->freq_hz,
                      factor);
    }
    sb_model_release(one);
    sb_model_release(two);
}

static sb_shape scaled(sb_shape shape, double s) {
    shape.length *= s;
    shape.width *= s;
    shape.depth *= s;
    shape.thickness *= s;
    shape.radius *= s;
    shape.wire_radius *= s;
    return shape;
}

START_TEST(twice_the_size_is_half_the_pitch) {
    expect_factor(kinds[_i], steel(), scaled(kinds[_i], 2), steel(), 0.5);
    expect_factor(kinds[_i], steel(), scaled(kinds[_i], 1 / 1.7), steel(), 1.7);
}
END_TEST

START_TEST(four_times_the_stiffness_is_twice_the_pitch) {
    sb_material stiff = steel(), heavy = steel();
    stiff.youngs_modulus *= 4;
    heavy.density *= 4;
    expect_factor(kinds[_i], steel(), kinds[_i], stiff, 2);
    expect_factor(kinds[_i], steel(), kinds[_i], heavy, 0.5);
}
END_TEST

START_TEST(thickness_scales_the_pitch_of_plates) {
    if (kinds[_i].kind != SB_SHAPE_PLATE && kinds[_i].kind != SB_SHAPE_DISK) {
        return;
    }
    sb_shape thin = kinds[_i];
    thin.theory = SB_PLATE_KIRCHHOFF;
    sb_shape thick = thin;
    thick.thickness *= 2;
    expect_factor(thin, steel(), thick, steel(), 2);
}
END_TEST

/* lambda of mode 1, in units of sqrt(D / rho h). */
static double first_lambda(sb_support support, double nu) {
    sb_shape shape = {.kind = SB_SHAPE_PLATE,
                      .support = support,
                      .width = .3,
                      .depth = .3,
                      .theory = SB_PLATE_KIRCHHOFF,
                      .thickness = .002};
    sb_material material = elastic(200e9, 7850, nu);
    sb_model *model = make_below(shape, material, 2000);
    double lambda =
        sb_model_modes(model)[0].freq_hz * lambda_per_hz(material, .002, .3);
    sb_model_release(model);
    return lambda;
}

START_TEST(poissons_ratio_moves_only_free_edges) {
    double pinned = first_lambda(SB_SUPPORT_PINNED, .1);
    double clamped = first_lambda(SB_SUPPORT_CLAMPED, .1);
    double unheld = first_lambda(SB_SUPPORT_FREE, .1);
    ck_assert_double_eq_tol(first_lambda(SB_SUPPORT_PINNED, .4), pinned, 1e-9);
    ck_assert_double_eq_tol(first_lambda(SB_SUPPORT_CLAMPED, .4), clamped,
                            1e-8);
    ck_assert_double_gt(unheld - first_lambda(SB_SUPPORT_FREE, .4), 1);
}
END_TEST

START_TEST(modes_are_sorted_finite_and_damped_by_the_material) {
    sb_model *model = make(kinds[_i], steel());
    sb_material material = steel();
    double before = 0;
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        ck_assert_double_ge(mode->freq_hz, before * (1 - 2e-9));
        ck_assert_double_le(mode->freq_hz, 22000);
        before = mode->freq_hz;
        double sigma = sb_material_sigma(&material, 2 * SB_PI * mode->freq_hz);
        ck_assert_double_eq_tol(mode->sigma_per_s, sigma, 1e-9 * sigma);
        ck_assert_double_ge(mode->radiation, 0);
        ck_assert_uint_gt(strlen(mode->label), 0);
    }
    sb_model_release(model);
}
END_TEST

START_TEST(equal_pitches_keep_a_fixed_order) {
    /* The order of a pair must not depend on rounding. */
    sb_shape square = kinds[0];
    square.thickness = square.width;
    sb_model *bar = make(square, steel()), *disk = make(kinds[5], steel());
    ck_assert_int_eq(find_mode(bar, "lateral 1"),
                     find_mode(bar, "flexural 1") + 1);
    ck_assert_double_eq(freq_of(bar, "lateral 1"), freq_of(bar, "flexural 1"));
    ck_assert_int_eq(find_mode(disk, "(3,0) sin"),
                     find_mode(disk, "(3,0) cos") + 1);
    sb_model_release(bar);
    sb_model_release(disk);
}
END_TEST

START_TEST(a_free_plate_gives_way_by_turning_about_both_axes) {
    sb_model *model = make_below(kinds[2], steel(), 4000);
    double a = .2, b = .15, h = .004, m = 7850 * a * b * h;
    double x = .3 * a, z = -.4 * b; /* u = .8, v = .1 */
    double want = 1 / m + 12 * x * x / (m * (a * a + h * h)) +
                  12 * z * z / (m * (b * b + h * h));
    ck_assert_double_eq_tol(
        sb_model_inverse_mass(model, sb_model_point_at(model, .8, .1), NULL),
        want, 1e-9 * want);
    /* Pushed along x, it spins about y and tips about z. */
    want = 1 / m + 12 * z * z / (m * (a * a + b * b)) +
           12 * h * h / 4 / (m * (a * a + h * h));
    ck_assert_double_eq_tol(
        sb_model_inverse_mass(model, sb_model_point_at(model, .8, .1),
                              &along_x),
        want, 1e-9 * want);
    sb_model_release(model);
}
END_TEST

START_TEST(making_it_twice_gives_the_same_bits) {
    static double a[WEIGHTS_MOST], b[WEIGHTS_MOST];
    sb_model *one = make(kinds[_i], steel()), *two = make(kinds[_i], steel());
    int count = sb_model_mode_count(one);
    ck_assert_int_eq(count, sb_model_mode_count(two));
    ck_assert_int_eq(memcmp(sb_model_modes(one), sb_model_modes(two),
                            (size_t)count * sizeof(sb_mode)),
                     0);
    sb_model_weights(one, sb_model_point_at(one, .21, .43), NULL, a);
    sb_model_weights(two, sb_model_point_at(two, .21, .43), NULL, b);
    ck_assert_int_eq(memcmp(a, b, (size_t)count * sizeof *a), 0);
    sb_model_release(one);
    sb_model_release(two);
}
END_TEST

START_TEST(directions_have_no_length_and_places_no_outside) {
    static double a[WEIGHTS_MOST], b[WEIGHTS_MOST];
    sb_model *model = make(kinds[_i], steel());
    size_t bytes = (size_t)sb_model_mode_count(model) * sizeof *a;
    sb_vec3 direction = {0, -7, 0}, nothing = {0, 0, 0};
    sb_model_weights(model, sb_model_point_at(model, .3, .25), NULL, a);
    sb_model_weights(model, sb_model_point_at(model, .3, .25), &direction, b);
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        ck_assert_double_eq_tol(a[k], b[k], 1e-12); /* v = .25: a ring's top */
    }
    sb_model_weights(model, sb_model_point_at(model, 0, 1), NULL, a);
    sb_model_weights(model, sb_model_point_at(model, -3, 8), NULL, b);
    ck_assert_int_eq(memcmp(a, b, bytes), 0);
    sb_model_weights(model, sb_model_point_at(model, NAN, 1), NULL, b);
    ck_assert_int_eq(memcmp(a, b, bytes), 0);
    sb_model_weights(model, sb_model_point_at(model, .3, .3), &nothing, a);
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        ck_assert_double_eq(a[k], 0);
    }
    sb_model_release(model);
}
END_TEST

START_TEST(nearest_undoes_position) {
    sb_model *model = make(kinds[_i], steel());
    for (int i = 0; i < 25; i++) {
        double u = .2 + .15 * (i % 5), v = .2 + .15 * (i / 5.0);
        sb_vec3 at = sb_model_position(model, sb_model_point_at(model, u, v));
        sb_vec3 again = sb_model_position(model, sb_model_nearest(model, at));
        ck_assert_double_lt(sb_vec3_length(sb_vec3_sub(at, again)), 1e-12);
    }
    sb_model_release(model);
}
END_TEST

/* --- radiation ------------------------------------------------------------ */

static double sphere(double area, double mean_square, double freq_hz) {
    double a = sqrt(area / (4 * SB_PI)), ka = 2 * SB_PI * freq_hz / 343.2 * a;
    return 1.204 * 343.2 * a * sqrt(mean_square) * ka / sqrt(1 + ka * ka);
}

START_TEST(a_pulsating_sphere_is_as_loud_as_printed) {
    /* A string with the surface of a sphere of 5 cm; rms 1 mm/s. */
    sb_shape shape = {.kind = SB_SHAPE_STRING, .length = 1, .diameter = .01};
    const double freq_hz[] = {100, 1000, 5000};
    const double printed_pa[] = {1.883365e-3, 1.395027e-2, 2.018448e-2};
    sb_material soft = elastic(1e3, 7850, .3);
    for (int i = 0; i < 3; i++) {
        double line = 7850 * SB_PI * .01 * .01 / 4;
        shape.tension = line * pow(2 * freq_hz[i], 2);
        sb_model *model = make(shape, soft);
        double u_rms = sqrt(.5 / sb_model_mass_kg(model));
        double at_1m = sb_model_modes(model)[0].radiation * 1e-3 / u_rms;
        ck_assert_double_eq_tol(at_1m / printed_pa[i], 1, 1e-6);
        double want = sphere(SB_PI * .01, .5 / sb_model_mass_kg(model),
                             sb_model_modes(model)[0].freq_hz);
        ck_assert_double_eq_tol(sb_model_modes(model)[0].radiation / want, 1,
                                1e-9);
        sb_model_release(model);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("invariance");
    TCase *tests = tcase_create("invariance");
    tcase_add_loop_test(tests, twice_the_size_is_half_the_pitch, 0, KIND_COUNT);
    tcase_add_loop_test(tests, four_times_the_stiffness_is_twice_the_pitch, 0,
                        KIND_COUNT);
    tcase_add_loop_test(tests, thickness_scales_the_pitch_of_plates, 0,
                        KIND_COUNT);
    tcase_add_test(tests, poissons_ratio_moves_only_free_edges);
    tcase_add_loop_test(tests,
                        modes_are_sorted_finite_and_damped_by_the_material, 0,
                        KIND_COUNT);
    tcase_add_test(tests, equal_pitches_keep_a_fixed_order);
    tcase_add_test(tests, a_free_plate_gives_way_by_turning_about_both_axes);
    tcase_add_loop_test(tests, making_it_twice_gives_the_same_bits, 0,
                        KIND_COUNT);
    tcase_add_loop_test(tests, directions_have_no_length_and_places_no_outside,
                        0, KIND_COUNT);
    tcase_add_loop_test(tests, nearest_undoes_position, 0, KIND_COUNT);
    tcase_add_test(tests, a_pulsating_sphere_is_as_loud_as_printed);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
