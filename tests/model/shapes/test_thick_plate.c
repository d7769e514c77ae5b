/* SPDX-License-Identifier: MIT */
/* Thick plates and disks, and plates with a grain, against three-dimensional
 * elasticity (ritz_3d.h), exact waves of plates, and closed forms. */
#include "runtime/model/shapes/shapes.h"
#include "tests/model/model_test.h"
#include "tests/model/ritz_3d.h"

#include <stdio.h>

enum { MODES = 8 };

static sb_shape square(double thickness) {
    return (sb_shape){.kind = SB_SHAPE_PLATE,
                      .width = .1,
                      .depth = .1,
                      .thickness = thickness};
}

static r3_box box_of(sb_shape plate, sb_material m) {
    r3_box box = r3_isotropic(plate.width, plate.thickness, plate.depth,
                              m.youngs_modulus, m.density, m.poisson_ratio);
    box.degrees[0] = box.degrees[2] = 12;
    box.degrees[1] = plate.thickness > .015 ? 6 : 4;
    if (plate.support == SB_SUPPORT_CLAMPED) {
        box.is_held_low[0] = box.is_held_high[0] = true;
        box.is_held_low[2] = box.is_held_high[2] = true;
    }
    if (m.youngs_modulus_across > 0) {
        box.e2 = m.youngs_modulus_across;
        box.g12 = m.shear_modulus;
        box.g23 = .5 * box.e2 / (1 + box.nu);
    }
    return box;
}

/* Returns by how much the model is above elasticity at most. */
static double expect_elastic(sb_shape plate, sb_material m, double tolerance,
                             const char *theory) {
    double hz[MODES], most = -1;
    r3_box box = box_of(plate, m);
    int count = r3_modes(&box, 0, hz, MODES);
    ck_assert_int_eq(count, MODES);
    sb_model *model = make_below(plate, m, 1.4 * hz[MODES - 1]);
    ck_assert_str_eq(sb_model_theory(model), theory);
    if (plate.theory != SB_PLATE_KIRCHHOFF)
        ck_assert_int_ge(sb_model_mode_count(model), MODES);
    for (int k = 0; k < MODES && k < sb_model_mode_count(model); k++) {
        double error = sb_model_modes(model)[k].freq_hz / hz[k] - 1;
        ck_assert_msg(fabs(error) < tolerance,
                      "%g m thick, mode %d: %.1f Hz, elasticity %.1f Hz",
                      plate.thickness, k + 1, sb_model_modes(model)[k].freq_hz,
                      hz[k]);
        most = fmax(most, error);
    }
    sb_model_release(model);
    return most;
}

/* The reference itself: the free cube and the bar of physics 2.1 and 2.4. */
START_TEST(the_reference_is_right) {
    double hz[6];
    r3_box cube = r3_isotropic(.05, .05, .05, 200e9, 7850, .29);
    cube.degrees[0] = cube.degrees[1] = cube.degrees[2] = 9;
    ck_assert_int_eq(r3_modes(&cube, 0, hz, 4), 4);
    ck_assert_double_eq_tol(hz[0], 28567.97, 2);
    ck_assert_double_eq_tol(hz[1], 28567.97, 2);
    ck_assert_double_eq_tol(hz[2], 38443.99, 2);
    ck_assert_double_eq_tol(hz[3], 39115.83, 2);
    r3_box bar = r3_isotropic(.2, .005, .02, 200e9, 7850, .29);
    bar.degrees[0] = 14;
    bar.degrees[1] = 4;
    bar.degrees[2] = 6;
    ck_assert_int_eq(r3_modes(&bar, 0, hz, 4), 4);
    ck_assert_double_eq_tol(hz[0], 647.36, .1);
    ck_assert_double_eq_tol(hz[1], 1778.86, .3);
    ck_assert_double_eq_tol(hz[2], 3471.11, 3);
}
END_TEST

START_TEST(free_square_plates_are_within_half_a_percent_of_elasticity) {
    const double thicknesses[] = {.005, .01, .02, .03};
    sb_shape plate = square(thicknesses[_i]);
    sb_material m = elastic(200e9, 7850, .3);
    if (_i == 3) plate.theory = SB_PLATE_MINDLIN; /* else it is a solid */
    (void)expect_elastic(plate, m, .005, "Mindlin");
    plate.theory = SB_PLATE_KIRCHHOFF;
    double above = expect_elastic(plate, m, 1, "Kirchhoff");
    ck_assert_double_gt(above, _i == 0 ? .04 : .13);
}
END_TEST

/* Beyond a fifth of the side the plate is a solid by itself; a solid has modes in
 * its plane, too. */
START_TEST(thicker_plates_are_solids_within_1_percent_of_elasticity) {
    sb_shape plate = square(.03);
    sb_material m = elastic(200e9, 7850, .3);
    double hz[5];
    r3_box box = box_of(plate, m);
    ck_assert_int_eq(r3_modes(&box, 0, hz, 5), 5);
    plate.keeps_beats = true;
    sb_model *model = make(plate, m);
    ck_assert_str_eq(sb_model_method(model), "solid");
    for (int i = 0; i < 5; i++) {
        double nearest = 1;
        for (int k = 0; k < sb_model_mode_count(model); k++) {
            double error = sb_model_modes(model)[k].freq_hz / hz[i] - 1;
            nearest = fmin(nearest, fabs(error));
        }
        ck_assert_msg(nearest < .01, "mode %d: %.2f %% off", i + 1,
                      100 * nearest);
    }
    sb_model_release(model);
    plate.method = SB_METHOD_ANALYTIC;
    model = make(plate, m);
    ck_assert_str_eq(sb_model_theory(model), "Mindlin");
    sb_model_release(model);
    plate = (sb_shape){.kind = SB_SHAPE_DISK, .radius = .05, .thickness = .021};
    ck_assert(sb_shape_is_computed(&plate));
    plate.thickness = .2 * 2 * .05;
    ck_assert(!sb_shape_is_computed(&plate));
}
END_TEST

START_TEST(any_poissons_ratio_and_outline_is_within_1_percent) {
    sb_shape strip = square(.02);
    strip.depth = .22;
    (void)expect_elastic(square(.02), elastic(2e9, 1200, .49), .01, "Mindlin");
    (void)expect_elastic(square(.02), elastic(2e9, 1200, 0), .01, "Mindlin");
    (void)expect_elastic(square(.01), elastic(2e9, 1200, -.5), .01, "Mindlin");
    (void)expect_elastic(strip, elastic(200e9, 7850, .3), .01, "Mindlin");
}
END_TEST

START_TEST(clamped_plates_are_within_1_percent_of_elasticity) {
    sb_shape plate = square(.01);
    plate.support = SB_SUPPORT_CLAMPED;
    (void)expect_elastic(plate, elastic(200e9, 7850, .3), .01, "Mindlin");
    plate.thickness = .02;
    (void)expect_elastic(plate, elastic(200e9, 7850, .3), .01, "Mindlin");
}
END_TEST

/* --- waves ---------------------------------------------------------------- */

/* Zero at the bending wave of an infinite plate, by Rayleigh and Lamb. */
static double lamb(sb_material m, double h, double k, double omega) {
    double nu = m.poisson_ratio, e = m.youngs_modulus, rho = m.density;
    double along2 = e * (1 - nu) / (rho * (1 + nu) * (1 - 2 * nu));
    double shear2 = e / (2 * rho * (1 + nu));
    double a = sqrt(k * k - omega * omega / along2);
    double b = sqrt(k * k - omega * omega / shear2);
    return 4 * k * k * a * b * tanh(.5 * b * h) -
           (k * k + b * b) * (k * k + b * b) * tanh(.5 * a * h);
}

static double lamb_omega(sb_material m, double h, double k, double near) {
    double low = .7 * near, high = 1.2 * near;
    double top =
        k * sqrt(m.youngs_modulus / (2 * m.density * (1 + m.poisson_ratio)));
    if (high > .999 * top) high = .999 * top;
    bool is_low = lamb(m, h, k, low) < 0;
    ck_assert((lamb(m, h, k, high) < 0) != is_low);
    for (int i = 0; i < 60; i++) {
        double middle = .5 * (low + high);
        if ((lamb(m, h, k, middle) < 0) == is_low) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Between edges that do not turn about their normals, the waves of an infinite
 * plate are the modes, by elasticity as by any theory. */
START_TEST(pinned_plates_have_the_waves_of_elasticity) {
    const double thicknesses[] = {.0005, .005, .01, .02};
    sb_shape plate = square(thicknesses[_i]);
    plate.depth = .15;
    plate.support = SB_SUPPORT_PINNED;
    sb_material m = elastic(200e9, 7850, .3);
    sb_model *model = make_below(plate, m, 40000);
    ck_assert_str_eq(sb_model_theory(model), "Mindlin");
    int count = sb_model_mode_count(model);
    ck_assert_int_gt(count, 4);
    for (int k = 0; k < count; k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        int i = 0, j = 0;
        ck_assert_int_eq(sscanf(mode->label, "(%d,%d)", &i, &j), 2);
        double wave = hypot(i * SB_PI / .1, j * SB_PI / .15);
        double exact =
            lamb_omega(m, plate.thickness, wave, 2 * SB_PI * mode->freq_hz);
        ck_assert_msg(fabs(2 * SB_PI * mode->freq_hz / exact - 1) < .003,
                      "%s: %.1f Hz, exact %.1f Hz", mode->label, mode->freq_hz,
                      exact / (2 * SB_PI));
    }
    /* Sections turn by psi = g grad w, which takes part of the energy. */
    double h = plate.thickness, k2 = 100 * SB_PI * SB_PI * (1 + 1 / 2.25);
    double omega = 2 * SB_PI * freq_of(model, "(1,1)");
    double s = 5 / (6 - .3) * m.youngs_modulus / 2.6;
    double g = 1 - m.density * omega * omega / (s * k2);
    double share = 1 / (1 + h * h / 12 * g * g * k2);
    double weight =
        weight_at(model, find_mode(model, "(1,1)"), .5, .5, &along_y);
    ck_assert_double_eq_tol(weight * sqrt(sb_model_mass_kg(model)) / 2,
                            sqrt(share), 1e-9);
    sb_model_release(model);
}
END_TEST

/* --- which theory --------------------------------------------------------- */

/* Kirchhoff's numbers are kept, to the last bit, where none of them errs by
 * five cents. */
START_TEST(thin_plates_stay_as_they_were) {
    const sb_support supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED,
                                   SB_SUPPORT_CLAMPED_FREE, SB_SUPPORT_PINNED};
    for (int i = 0; i < 8; i++) {
        sb_shape thin = {.kind = i < 4 ? SB_SHAPE_PLATE : SB_SHAPE_DISK,
                         .support = supports[i % 4],
                         .width = .5,
                         .depth = .4,
                         .radius = .25,
                         .thickness = .0005};
        if (i == 6) continue; /* a disk has no single edge */
        thin.radius = i < 4 ? 0 : .25;
        if (i >= 4) thin.width = thin.depth = 0;
        sb_shape plain = thin;
        plain.theory = SB_PLATE_KIRCHHOFF;
        sb_model *model = make_below(thin, steel(), 400);
        sb_model *same = make_below(plain, steel(), 400);
        ck_assert_str_eq(sb_model_theory(model), "Kirchhoff");
        int count = sb_model_mode_count(model);
        ck_assert_int_eq(count, sb_model_mode_count(same));
        for (int k = 0; k < count; k++) {
            ck_assert(sb_model_modes(model)[k].freq_hz ==
                      sb_model_modes(same)[k].freq_hz);
        }
        sb_model_release(same);
        plain.theory = SB_PLATE_MINDLIN;
        same = make_below(plain, steel(), 400);
        for (int k = 0; k < count; k++) {
            double ratio = sb_model_modes(model)[k].freq_hz /
                           sb_model_modes(same)[k].freq_hz;
            ck_assert_double_gt(ratio, 1 - 1e-6);
            ck_assert_double_lt(ratio, pow(2, 5.5 / 1200));
        }
        sb_model_release(same);
        sb_model_release(model);
    }
}
END_TEST

/* With very many modes each is corrected by its wave number instead: the same
 * to a quarter of a percent. */
START_TEST(corrected_modes_are_those_of_three_fields) {
    const sb_support supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED,
                                   SB_SUPPORT_CLAMPED_FREE};
    sb_shape plate = {.kind = SB_SHAPE_PLATE,
                      .support = supports[_i],
                      .width = .3,
                      .depth = .24,
                      .thickness = .004};
    sb_model *few = make_below(plate, steel(), 5000);
    sb_model *many = make_below(plate, steel(), 22000);
    ck_assert_str_eq(sb_model_theory(few), "Mindlin");
    ck_assert_str_eq(sb_model_theory(many), "Mindlin by wave number");
    ck_assert_int_gt(sb_model_mode_count(few), 15);
    for (int k = 0; k < sb_model_mode_count(few); k++) {
        double ratio =
            sb_model_modes(many)[k].freq_hz / sb_model_modes(few)[k].freq_hz;
        ck_assert_double_eq_tol(ratio, 1, .0025);
    }
    sb_model_release(few);
    sb_model_release(many);
}
END_TEST

/* Mindlin's disk, the same round plate cut into elements, and Kirchhoff's. */
START_TEST(thick_disks_are_within_1_percent_of_a_solid) {
    sb_shape disk = {.kind = SB_SHAPE_DISK, .radius = .05, .thickness = .01};
    sb_shape solid = disk, thin = disk;
    solid.method = SB_METHOD_SOLID;
    solid.elements = 14;
    solid.keeps_beats = true;
    thin.theory = SB_PLATE_KIRCHHOFF;
    sb_model *model = make(disk, steel()), *exact = make(solid, steel());
    sb_model *old = make(thin, steel());
    ck_assert_str_eq(sb_model_theory(model), "Mindlin");
    for (int k = 0; k < 5; k++) {
        double hz = sb_model_modes(model)[k].freq_hz;
        ck_assert_double_eq_tol(hz / sb_model_modes(exact)[k].freq_hz, 1, .01);
        ck_assert_double_gt(sb_model_modes(old)[k].freq_hz / hz, 1.04);
    }
    sb_model_release(model);
    sb_model_release(exact);
    sb_model_release(old);
}
END_TEST

/* --- grain ---------------------------------------------------------------- */

static sb_material spruce(void) {
    sb_material m = elastic(11e9, 440, .37);
    m.youngs_modulus_across = .9e9;
    m.shear_modulus = .75e9;
    return m;
}

START_TEST(a_pinned_plate_with_a_grain_has_the_closed_form) {
    sb_material m = spruce();
    double h = .003, a = .4, b = .3, e1 = 11e9, e2 = .9e9, nu = .37;
    double q = h * h * h / 12 / (1 - nu * nu * e2 / e1);
    double d11 = e1 * q, d22 = e2 * q, d12 = nu * e2 * q;
    double d66 = .75e9 * h * h * h / 12;
    sb_shape plate = {.kind = SB_SHAPE_PLATE,
                      .support = SB_SUPPORT_PINNED,
                      .theory = SB_PLATE_KIRCHHOFF,
                      .width = a,
                      .depth = b,
                      .thickness = h};
    sb_model *model = make_below(plate, m, 4000);
    for (int i = 1; i < 4; i++) {
        for (int j = 1; j < 4; j++) {
            double x = i * i / (a * a), z = j * j / (b * b);
            double want =
                SB_PI / 2 / sqrt(m.density * h) *
                sqrt(d11 * x * x + 2 * (d12 + 2 * d66) * x * z + d22 * z * z);
            char label[24];
            (void)snprintf(label, sizeof label, "(%d,%d)", i, j);
            ck_assert_double_eq_tol(freq_of(model, label) / want, 1, 1e-9);
        }
    }
    sb_model_release(model);
}
END_TEST

START_TEST(free_plates_with_a_grain_are_those_of_elasticity) {
    sb_shape plate = square(.005);
    plate.depth = .08;
    (void)expect_elastic(plate, spruce(), .01, "Mindlin");
    plate.thickness = .012;
    (void)expect_elastic(plate, spruce(), .01, "Mindlin");
}
END_TEST

/* What an isotropic material would have, written out, changes nothing. */
START_TEST(a_grain_without_a_difference_is_none) {
    sb_material plain = steel(), grained = plain;
    grained.youngs_modulus_across = plain.youngs_modulus;
    grained.shear_modulus =
        .5 * plain.youngs_modulus / (1 + plain.poisson_ratio);
    const sb_shape shapes[] = {
        {.kind = SB_SHAPE_BAR, .length = .2, .width = .02, .thickness = .005},
        {.kind = SB_SHAPE_PLATE, .width = .1, .depth = .08, .thickness = .01},
        {.kind = SB_SHAPE_PLATE,
         .support = SB_SUPPORT_PINNED,
         .width = .1,
         .depth = .08,
         .thickness = .002},
        {.kind = SB_SHAPE_PLATE, .width = .3, .depth = .2, .thickness = .003}};
    for (int i = 0; i < 4; i++) {
        sb_model *one = make(shapes[i], plain), *two = make(shapes[i], grained);
        ck_assert_int_eq(sb_model_mode_count(one), sb_model_mode_count(two));
        for (int k = 0; k < sb_model_mode_count(one); k++) {
            double ratio =
                sb_model_modes(two)[k].freq_hz / sb_model_modes(one)[k].freq_hz;
            ck_assert_double_eq_tol(ratio, 1, 1e-6);
        }
        sb_model_release(one);
        sb_model_release(two);
    }
}
END_TEST

/* Square bars, bending: even and odd about the middle. */
START_TEST(thick_bars_are_within_1_percent_of_elasticity) {
    double h = .01 * (_i + 1), hz[2];
    sb_shape bar = {
        .kind = SB_SHAPE_BAR, .length = .1, .width = h, .thickness = h};
    sb_material m = elastic(200e9, 7850, .3);
    r3_box box = box_of(bar, m);
    box.side[0] = .1;
    box.side[2] = h;
    box.degrees[0] = 14;
    box.degrees[1] = box.degrees[2] = 7;
    const int even[3] = {0, 0, 0}, odd[3] = {1, 0, 0};
    sb_model *model = make_below(bar, m, 60000);
    ck_assert_int_ge(r3_class(&box, even, hz, 1), 1);
    ck_assert_double_eq_tol(freq_of(model, "flexural 1") / hz[0], 1, .01);
    ck_assert_int_ge(r3_class(&box, odd, hz, 1), 1);
    ck_assert_double_eq_tol(freq_of(model, "flexural 2") / hz[0], 1, .02);
    sb_model_release(model);
}
END_TEST

/* E / G of 15 makes the overtones of a bar flatter. */
START_TEST(bars_with_a_grain_are_those_of_elasticity) {
    sb_shape bar = {
        .kind = SB_SHAPE_BAR, .length = .3, .width = .02, .thickness = .015};
    sb_material m = spruce();
    r3_box box = box_of(bar, m);
    box.side[0] = .3;
    box.side[1] = .015;
    box.side[2] = .02;
    box.degrees[0] = 16;
    box.degrees[1] = box.degrees[2] = 5;
    double hz[6];
    const int even[3] = {0, 0, 0}, odd[3] = {1, 0, 0}, twist[3] = {1, 0, 1};
    sb_model *model = make(bar, m), *plain = make(bar, elastic(11e9, 440, .37));
    ck_assert_int_ge(r3_class(&box, even, hz, 2), 2);
    ck_assert_double_eq_tol(freq_of(model, "flexural 1") / hz[0], 1, .005);
    ck_assert_double_eq_tol(freq_of(model, "flexural 3") / hz[1], 1, .01);
    double flat = freq_of(model, "flexural 3") / freq_of(model, "flexural 1");
    double usual = freq_of(plain, "flexural 3") / freq_of(plain, "flexural 1");
    ck_assert_double_lt(flat, .92 * usual);
    ck_assert_int_ge(r3_class(&box, odd, hz, 2), 2);
    ck_assert_double_eq_tol(freq_of(model, "flexural 2") / hz[0], 1, .01);
    ck_assert_int_ge(r3_class(&box, twist, hz, 2), 2);
    ck_assert_double_eq_tol(freq_of(model, "torsion 1") / hz[0], 1, .01);
    sb_model_release(model);
    sb_model_release(plain);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("thick plates");
    TCase *cases = tcase_create("thick plates");
    tcase_add_test(cases, the_reference_is_right);
    tcase_add_loop_test(
        cases, free_square_plates_are_within_half_a_percent_of_elasticity, 0,
        4);
    tcase_add_test(cases,
                   thicker_plates_are_solids_within_1_percent_of_elasticity);
    tcase_add_test(cases, any_poissons_ratio_and_outline_is_within_1_percent);
    tcase_add_test(cases, clamped_plates_are_within_1_percent_of_elasticity);
    tcase_add_loop_test(cases, pinned_plates_have_the_waves_of_elasticity, 0,
                        4);
    tcase_add_test(cases, thin_plates_stay_as_they_were);
    tcase_add_loop_test(cases, corrected_modes_are_those_of_three_fields, 0, 3);
    tcase_add_test(cases, thick_disks_are_within_1_percent_of_a_solid);
    tcase_add_test(cases, a_pinned_plate_with_a_grain_has_the_closed_form);
    tcase_add_test(cases, free_plates_with_a_grain_are_those_of_elasticity);
    tcase_add_test(cases, a_grain_without_a_difference_is_none);
    tcase_add_loop_test(cases, thick_bars_are_within_1_percent_of_elasticity, 0,
                        3);
    tcase_add_test(cases, bars_with_a_grain_are_those_of_elasticity);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
