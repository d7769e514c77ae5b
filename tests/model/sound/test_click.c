/* SPDX-License-Identifier: MIT */
/* The sound of rigid bodies that are stopped: closed forms of the sphere and of
 * a disk, and what must not change. */
#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/model/material.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "tests/suite.h"

#include <math.h>

static sb_model *make(sb_shape shape, sb_radiating radiation) {
    sb_model *model;
    sb_error err = {0};
    shape.radiation = radiation;
    ck_assert_msg(sb_model_create(&shape, sb_material_find("steel"), NULL,
                                  &model, &err) == SB_OK,
                  "%s", err.message);
    return model;
}

/* The energy that a sudden stop from 1 m/s along `d` radiates: an impulse m
 * starts mode k with phi m, its velocity squared is (phi m)^2 / 4 sigma in all,
 * and radiates 4 pi g^2 / rho c of it. */
static double energy(const sb_model *model, sb_vec3 d) {
    double weights[3], sum = 0;
    ck_assert_int_eq(sb_model_mode_count(model), 3);
    sb_model_weights(model, sb_model_point_at(model, 0.3, 0.6), &d, weights);
    for (int k = 0; k < 3; k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        double start = weights[k] * sb_model_mass_kg(model);
        sum += 2 * SB_TAU * mode->radiation * mode->radiation /
               (SB_AIR_DENSITY * SB_AIR_SPEED) * start * start /
               (4 * mode->sigma_per_s);
    }
    return sum;
}

static void near(double own, double expected, double part) {
    ck_assert_double_eq_tol(own, expected, part * expected);
}

/* Pole pair (-1 +- i) c / a, g = rho c a / sqrt(3 m), energy rho V U^2 / 4. */
START_TEST(a_ball_clicks_as_the_closed_form_says) {
    const double a = 0.02;
    sb_shape ball = {.kind = SB_SHAPE_SPHERE, .radius = a};
    sb_model *model = make(ball, SB_RADIATES_EXACT);
    double mass = sb_model_mass_kg(model);
    for (int k = 0; k < 3; k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        near(mode->sigma_per_s, SB_AIR_SPEED / a, 0.02);
        near(mode->freq_hz, sqrt(2) * SB_AIR_SPEED / a / SB_TAU, 0.02);
        near(mode->radiation,
             SB_AIR_DENSITY * SB_AIR_SPEED * a / sqrt(3 * mass), 0.02);
    }
    double expected = SB_AIR_DENSITY * (4 * SB_PI / 3) * a * a * a / 4;
    near(energy(model, (sb_vec3){0, 1, 0}), expected, 0.05);
    near(energy(model, (sb_vec3){0.6, 0, 0.8}), expected, 0.05);
    sb_model_release(model);
}
END_TEST

/* 4/3 rho a^3 U^2 face on, less than a tenth of it edge on. */
START_TEST(a_disk_clicks_when_its_face_is_stopped) {
    const double a = 0.008;
    sb_shape thick = {.kind = SB_SHAPE_CYLINDER, .radius = a};
    thick.length = 0.0016;
    sb_model *model = make(thick, SB_RADIATES_EXACT);
    double face = energy(model, (sb_vec3){0, 1, 0});
    double expected = 4.0 / 3 * SB_AIR_DENSITY * a * a * a;
    ck_assert_double_gt(face, expected);
    ck_assert_double_lt(face, 1.3 * expected); /* it is thick */
    ck_assert_double_lt(energy(model, (sb_vec3){1, 0, 0}), 0.2 * face);
    sb_model_release(model);
}
END_TEST

/* Of a cube, the same along all axes, and between spheres inside and out. */
START_TEST(a_die_clicks_alike_on_all_sides) {
    const double side = 0.016;
    sb_shape die = {
        .kind = SB_SHAPE_BOX, .width = side, .height = side, .depth = side};
    sb_model *model = make(die, SB_RADIATES_EXACT);
    const sb_mode *modes = sb_model_modes(model);
    near(modes[0].freq_hz, modes[2].freq_hz, 0.01);
    double one = energy(model, (sb_vec3){0, 1, 0});
    near(energy(model, (sb_vec3){0.6, 0.8, 0}), one, 0.02);
    double inner = SB_AIR_DENSITY * SB_PI / 3 * pow(side / 2, 3);
    ck_assert_double_gt(one, inner);
    ck_assert_double_lt(one, 3 * sqrt(3) * inner);
    sb_model_release(model);
}
END_TEST

START_TEST(rigid_bodies_are_silent_by_the_quick_law) {
    sb_shape ball = {.kind = SB_SHAPE_SPHERE, .radius = 0.02};
    sb_model *quick = make(ball, SB_RADIATES_QUICK);
    ck_assert_int_eq(sb_model_mode_count(quick), 0);
    sb_model *exact = make(ball, SB_RADIATES_EXACT);
    ck_assert(!sb_model_can_rescale(exact, &ball, sb_material_find("glass")));
    sb_model_release(quick);
    sb_model_release(exact);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("clicks");
    TCase *tcase = tcase_create("clicks");
    tcase_add_test(tcase, a_ball_clicks_as_the_closed_form_says);
    tcase_add_test(tcase, a_disk_clicks_when_its_face_is_stopped);
    tcase_add_test(tcase, a_die_clicks_alike_on_all_sides);
    tcase_add_test(tcase, rigid_bodies_are_silent_by_the_quick_law);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
