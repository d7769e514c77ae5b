/* SPDX-License-Identifier: MIT */
/* The sound of bodies that are stopped: closed forms of the sphere and of a
 * disk, and what must not change. */
#include "runtime/model/clicks.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/solve.h"
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
 * starts a mode with phi m, its velocity squared is (phi m)^2 / 4 sigma in all,
 * and radiates 4 pi g^2 / rho c of it. */
static double energy_at(const sb_model *model, sb_model_point at, sb_vec3 d) {
    sb_click clicks[SB_CLICKS_MOST];
    double weights[SB_CLICKS_MOST], sum = 0;
    sb_model_click_weights(model, at, &d, weights);
    for (int k = 0; k < sb_model_clicks(model, clicks); k++) {
        double start = weights[k] * sb_model_mass_kg(model);
        sum += 2 * SB_TAU * clicks[k].radiation * clicks[k].radiation /
               (SB_AIR_DENSITY * SB_AIR_SPEED) * start * start /
               (4 * clicks[k].sigma_per_s);
    }
    return sum;
}

static double energy(const sb_model *model, sb_vec3 d) {
    return energy_at(model, sb_model_nearest(model, sb_vec3_scale(d, -1)), d);
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
    double expected = SB_AIR_DENSITY * (4 * SB_PI / 3) * a * a * a / 4;
    sb_click clicks[SB_CLICKS_MOST];
    ck_assert_int_eq(sb_model_mode_count(model), 0);
    ck_assert_int_eq(sb_model_clicks(model, clicks), 3);
    for (int k = 0; k < 3; k++) {
        near(clicks[k].sigma_per_s, SB_AIR_SPEED / a, 0.01);
        near(clicks[k].freq_hz, sqrt(2) * SB_AIR_SPEED / a / SB_TAU, 0.01);
        near(clicks[k].radiation * SB_CLICK_SHARE,
             SB_AIR_DENSITY * SB_AIR_SPEED * a / sqrt(3 * mass), 0.01);
        near(clicks[k].energy_j, expected, 0.01);
        near(clicks[k].peak_pa, SB_AIR_DENSITY * SB_AIR_SPEED * a, 0.01);
    }
    near(energy(model, (sb_vec3){0, 1, 0}), expected, 0.01);
    near(energy(model, (sb_vec3){0.6, 0, 0.8}), expected, 0.01);
    sb_model_release(model);
}
END_TEST

/* A sheet: 4/3 rho a^3 U^2 face on, nothing edge on. A coin is thick. */
START_TEST(a_disk_clicks_when_its_face_is_stopped) {
    const double a = 0.008, expected = 4.0 / 3 * SB_AIR_DENSITY * a * a * a;
    sb_shape thin = {.kind = SB_SHAPE_DISK, .radius = a, .thickness = 2e-4};
    sb_model *model = make(thin, SB_RADIATES_EXACT);
    near(energy(model, (sb_vec3){0, -1, 0}), expected, 0.03);
    ck_assert_int_eq(sb_model_clicks(model, NULL), 1);
    ck_assert_double_lt(energy(model, (sb_vec3){1, 0, 0}), 1e-9 * expected);
    sb_model_release(model);
    sb_shape thick = {.kind = SB_SHAPE_CYLINDER, .radius = a};
    thick.length = 0.0016;
    model = make(thick, SB_RADIATES_EXACT);
    double face = energy(model, (sb_vec3){0, 1, 0});
    ck_assert_double_gt(face, expected);
    ck_assert_double_lt(face, 1.3 * expected);
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
    double one = energy(model, (sb_vec3){0, 1, 0});
    near(energy(model, (sb_vec3){0.6, 0.8, 0}), one, 0.02);
    double inner = SB_AIR_DENSITY * SB_PI / 3 * pow(side / 2, 3);
    ck_assert_double_gt(one, inner);
    ck_assert_double_lt(one, 3 * sqrt(3) * inner);
    sb_model_release(model);
}
END_TEST

/* U.M.U / 2 of the surface as it is, which is not thinned out: 1/2 M_ij. */
START_TEST(energy_is_that_of_the_added_mass_in_all_directions) {
    const double angle = SB_TAU * _i / 7;
    sb_shape box = {
        .kind = SB_SHAPE_BOX, .width = 0.03, .height = 0.012, .depth = 0.02};
    sb_model *model = make(box, SB_RADIATES_EXACT);
    sb_mesh mesh = {0};
    ck_assert_int_eq(sb_shape_family_of(&box)->outside(&box, &mesh, NULL),
                     SB_OK);
    float(*vertices)[3] = sb_alloc((size_t)mesh.vertex_count, sizeof *vertices);
    for (int v = 0; v < mesh.vertex_count; v++) {
        vertices[v][0] = (float)mesh.vertices[v].x;
        vertices[v][1] = (float)mesh.vertices[v].y;
        vertices[v][2] = (float)mesh.vertices[v].z;
    }
    const sb_bem_def def = {.surface = {mesh.vertex_count, mesh.face_count,
                                        (const float(*)[3])vertices,
                                        (const int32_t(*)[3])mesh.faces,
                                        false}};
    sb_bem_rigid rigid;
    ck_assert_int_eq(sb_bem_solve_rigid(&def, &rigid, NULL), SB_OK);
    const double u[3] = {0.8 * cos(angle), 0.6, 0.8 * sin(angle)};
    double expected = 0;
    for (int i = 0; i < 9; i++)
        expected += 0.5 * u[i / 3] * rigid.mass[i / 3][i % 3] * u[i % 3];
    near(energy(model, (sb_vec3){u[0], u[1], u[2]}), expected, 0.04);
    sb_free(vertices);
    sb_mesh_free(&mesh);
    sb_model_release(model);
}
END_TEST

/* As if its other half were not there: only the centre of mass counts. */
START_TEST(a_bar_clicks_alike_wherever_it_is_struck) {
    sb_shape bar = {.kind = SB_SHAPE_BAR,
                    .length = 0.3,
                    .width = 0.03,
                    .thickness = 0.01,
                    .max_hz = 3000};
    sb_model *model = make(bar, SB_RADIATES_EXACT);
    const sb_vec3 down = {0, -1, 0};
    double middle = energy_at(model, sb_model_point_at(model, 0.5, 0.5), down);
    double end = energy_at(model, sb_model_point_at(model, 0, 0.5), down);
    ck_assert_int_gt(sb_model_mode_count(model), 2);
    ck_assert_double_gt(middle, 0);
    near(end, middle, 0.01);
    bar.support = SB_SUPPORT_CLAMPED;
    sb_model *held = make(bar, SB_RADIATES_EXACT);
    ck_assert_int_eq(sb_model_clicks(held, NULL), 0);
    sb_model_release(held);
    sb_model_release(model);
}
END_TEST

/* A sheet that stands for it has no inside, and clicks across its face only. */
START_TEST(a_bar_that_was_solved_as_a_sheet_clicks_as_the_bar_does) {
    sb_shape bar = {.kind = SB_SHAPE_BAR,
                    .length = 0.2,
                    .width = 0.02,
                    .thickness = 0.005,
                    .elements = 16,
                    .max_hz = 3000};
    const sb_vec3 down = {0, -1, 0};
    double whole[2];
    for (int i = 0; i < 2; i++) {
        bar.method = i ? SB_METHOD_SHELL : SB_METHOD_ANALYTIC;
        sb_model *model = make(bar, SB_RADIATES_EXACT);
        whole[i] = energy(model, down);
        sb_model_release(model);
    }
    near(whole[1], whole[0], 0.5);
}
END_TEST

/* All energies grow as the volume, and pitches fall as the size. */
START_TEST(a_larger_body_clicks_lower) {
    sb_shape bar = {.kind = SB_SHAPE_BAR,
                    .length = 0.2,
                    .width = 0.02,
                    .thickness = 0.005,
                    .max_hz = 2000};
    sb_model *small = make(bar, SB_RADIATES_EXACT), *large;
    bar.length *= 2, bar.width *= 2, bar.thickness *= 2;
    bar.radiation = SB_RADIATES_EXACT;
    ck_assert_int_eq(
        sb_model_rescale(small, &bar, sb_material_find("steel"), &large, NULL),
        SB_OK);
    sb_click a[SB_CLICKS_MOST], b[SB_CLICKS_MOST];
    ck_assert_int_eq(sb_model_clicks(small, a), sb_model_clicks(large, b));
    near(b[0].freq_hz, a[0].freq_hz / 2, 1e-9);
    near(b[0].energy_j, a[0].energy_j * 8, 1e-9);
    sb_model_release(small);
    sb_model_release(large);
}
END_TEST

START_TEST(rigid_bodies_are_silent_by_the_quick_law) {
    sb_shape ball = {.kind = SB_SHAPE_SPHERE, .radius = 0.02};
    sb_model *quick = make(ball, SB_RADIATES_QUICK);
    ck_assert_int_eq(sb_model_clicks(quick, NULL), 0);
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
    tcase_add_loop_test(
        tcase, energy_is_that_of_the_added_mass_in_all_directions, 0, 7);
    tcase_add_test(tcase, a_bar_clicks_alike_wherever_it_is_struck);
    tcase_add_test(tcase,
                   a_bar_that_was_solved_as_a_sheet_clicks_as_the_bar_does);
    tcase_add_test(tcase, a_larger_body_clicks_lower);
    tcase_add_test(tcase, rigid_bodies_are_silent_by_the_quick_law);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
