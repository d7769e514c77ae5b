/* SPDX-License-Identifier: MIT */
/* Tests for spheres, boxes, cylinders and the floor
 * (runtime/model/shapes/solid.h). */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/solve/solve.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sb_shape ball = {.kind = SB_SHAPE_SPHERE, .radius = .02};
static const sb_shape die = {
    .kind = SB_SHAPE_BOX, .width = .03, .height = .02, .depth = .01};
static const sb_shape puck = {
    .kind = SB_SHAPE_CYLINDER, .radius = .02, .length = .03};
static const sb_shape ground = {.kind = SB_SHAPE_FLOOR};

static sb_model *model_of(const sb_shape *shape) {
    sb_model *model = NULL;
    sb_error err = {0};
    bool is_floor = shape->kind == SB_SHAPE_FLOOR;
    sb_status status = sb_model_create(
        shape, is_floor ? NULL : sb_material_find("steel"), NULL, &model, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return model;
}

static double density(void) {
    return sb_material_find("steel")->density;
}

static void expect_at(sb_vec3 got, double x, double y, double z) {
    ck_assert_double_eq_tol(got.x, x, 1e-12);
    ck_assert_double_eq_tol(got.y, y, 1e-12);
    ck_assert_double_eq_tol(got.z, z, 1e-12);
}

START_TEST(small_steel_bodies_do_not_ring_and_weigh_what_they_are) {
    const sb_shape *shapes[] = {&ball, &die, &puck};
    const double volumes[] = {4 * SB_PI / 3 * 8e-6, 6e-6, SB_PI * 4e-4 * .03};
    for (int i = 0; i < 3; i++) {
        sb_model *model = model_of(shapes[i]);
        ck_assert_int_eq(sb_model_mode_count(model), 0);
        ck_assert_str_eq(sb_model_method(model), "rigid");
        ck_assert_int_eq(sb_model_rigid_modes(model), 6);
        ck_assert(sb_model_has_uv(model));
        double mass = density() * volumes[i];
        ck_assert_double_eq_tol(sb_model_mass_kg(model), mass, 1e-12 * mass);
        sb_model_release(model);
    }
}
END_TEST

/* 1/m + |r x d|^2 / I. */
START_TEST(they_turn_as_full_bodies_do) {
    const sb_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    sb_model *model = model_of(&ball);
    double m = sb_model_mass_kg(model);
    sb_model_point side = sb_model_nearest(model, (sb_vec3){.5, 0, 0});
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, side, NULL), 1,
                            1e-12);
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, side, &y), 3.5,
                            1e-12);
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, side, &z), 3.5,
                            1e-12);
    sb_model_release(model);

    model = model_of(&die);
    m = sb_model_mass_kg(model);
    sb_model_point corner = sb_model_nearest(model, (sb_vec3){.015, .01, .005});
    double about_z = m * (.03 * .03 + .02 * .02) / 12;
    double about_x = m * (.02 * .02 + .01 * .01) / 12;
    ck_assert_double_eq_tol(
        m * sb_model_inverse_mass(model, corner, &y),
        1 + m * (.015 * .015 / about_z + .005 * .005 / about_x), 1e-9);
    sb_model_release(model);

    model = model_of(&puck);
    m = sb_model_mass_kg(model);
    sb_model_point rim = sb_model_nearest(model, (sb_vec3){.05, 0, 0});
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, rim, &z), 3,
                            1e-12);
    double across = (3 * 4e-4 + 9e-4) / 12;
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, rim, &y),
                            1 + 4e-4 / across, 1e-9);
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, rim, &x), 1,
                            1e-12);
    sb_model_release(model);
}
END_TEST

START_TEST(coordinates_are_those_that_the_header_says) {
    sb_model *model = model_of(&die);
    expect_at(sb_model_position(model, sb_model_point_at(model, 0, 0)), -.015,
              .01, -.005);
    expect_at(sb_model_position(model, sb_model_point_at(model, 1, .5)), .015,
              .01, 0);
    expect_at(sb_model_normal(model, sb_model_point_at(model, 1, 1)), 0, 1, 0);
    sb_model_release(model);

    model = model_of(&puck);
    expect_at(sb_model_position(model, sb_model_point_at(model, 1, .5)), .02,
              .015, 0);
    double r = .02 / sqrt(2.0);
    expect_at(sb_model_position(model, sb_model_point_at(model, 0, 0)), -r,
              .015, -r);
    sb_model_release(model);

    model = model_of(&ball);
    expect_at(sb_model_position(model, sb_model_point_at(model, 0, .5)), .02, 0,
              0);
    expect_at(sb_model_position(model, sb_model_point_at(model, .25, .5)), 0, 0,
              .02);
    expect_at(sb_model_position(model, sb_model_point_at(model, .3, 1)), 0, .02,
              0);
    expect_at(sb_model_normal(model, sb_model_point_at(model, .3, 0)), 0, -1,
              0);
    sb_model_release(model);
}
END_TEST

/* Every surface point is the nearest to itself and to a point slightly
 * outside. */
START_TEST(nearest_finds_the_place_on_any_face) {
    const sb_shape *shapes[] = {&ball, &die, &puck};
    for (int i = 0; i < 3; i++) {
        sb_model *model = model_of(shapes[i]);
        int faces = i == 0 ? 1 : i == 1 ? 6 : 3;
        for (int n = 0; n < 25 * faces; n++) {
            sb_model_point point = {n / 25, .1 + .2 * (n % 5),
                                    .1 + .2 * (n / 5 % 5)};
            if (i == 2 && point.face < 2) {
                point.u = .5 + .6 * (point.u - .5); /* within the rim */
                point.v = .5 + .6 * (point.v - .5);
            }
            sb_vec3 at = sb_model_position(model, point);
            sb_vec3 normal = sb_model_normal(model, point);
            sb_vec3 off = sb_vec3_add(at, sb_vec3_scale(normal, .001));
            sb_model_point found = sb_model_nearest(model, off);
            sb_vec3 there = sb_model_position(model, found);
            expect_at(there, at.x, at.y, at.z);
            there = sb_model_normal(model, found);
            expect_at(there, normal.x, normal.y, normal.z);
            const sb_face_form *form = sb_shape_family_of(shapes[i])->faces;
            sb_model_point same = form->on_face(shapes[i], at, normal);
            ck_assert_int_eq(same.face, found.face);
            ck_assert_double_eq_tol(same.u, found.u, 1e-9);
            ck_assert_double_eq_tol(same.v, found.v, 1e-9);
        }
        sb_model_release(model);
    }
}
END_TEST

START_TEST(points_that_are_nowhere_have_a_nearest_place_too) {
    const sb_shape *shapes[] = {&ball, &die, &puck, &ground};
    const sb_vec3 points[] = {
        {0, 0, 0}, {NAN, NAN, NAN}, {INFINITY, 0, -INFINITY}, {1e300, 1, 1}};
    for (int i = 0; i < 16; i++) {
        sb_model *model = model_of(shapes[i / 4]);
        sb_model_point point = sb_model_nearest(model, points[i % 4]);
        sb_vec3 at = sb_model_position(model, point);
        ck_assert(isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
        sb_vec3 normal = sb_model_normal(model, point);
        ck_assert_double_eq_tol(sb_vec3_length(normal), 1, 1e-12);
        ck_assert(isfinite(sb_model_inverse_mass(model, point, NULL)));
        sb_model_release(model);
    }
}
END_TEST

START_TEST(a_floor_stays_where_it_is) {
    sb_model *model = model_of(&ground);
    ck_assert_int_eq(sb_model_mode_count(model), 0);
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    sb_model_point point = sb_model_nearest(model, (sb_vec3){12, -3, -70});
    expect_at(sb_model_position(model, point), 12, 0, -70);
    expect_at(sb_model_normal(model, point), 0, 1, 0);
    double u, v;
    sb_model_uv(model, point, &u, &v);
    ck_assert_double_eq(u, 12);
    ck_assert_double_eq(v, -70);
    ck_assert_double_eq(sb_model_inverse_mass(model, point, NULL), 0);
    sb_model_release(model);
}
END_TEST

/* --- solids that ring ----------------------------------------------------- */

static sb_model *ringing(sb_shape shape, double max_hz, int max_modes) {
    sb_model *model = NULL;
    sb_error err = {0};
    shape.max_hz = max_hz;
    shape.max_modes = max_modes;
    shape.keeps_beats = true;
    sb_status status =
        sb_model_create(&shape, sb_material_find("steel"), NULL, &model, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_str_eq(sb_model_method(model), "solid");
    return model;
}

/* Modes of one frequency are one, with their number in its label. */
static int members_of(const sb_mode *mode) {
    const char *number = strrchr(mode->label, '(');
    return number ? atoi(number + 1) : 1;
}

static void expect_modes(const sb_model *model, int first, int count,
                         double freq_hz, double share) {
    int end = 0;
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        int begin = end;
        end += members_of(mode);
        if (end <= first || begin >= first + count) continue;
        ck_assert_msg(fabs(mode->freq_hz - freq_hz) <= share * freq_hz,
                      "mode %d: %g Hz, not %g Hz", begin + 1, mode->freq_hz,
                      freq_hz);
    }
    ck_assert_int_ge(end, first + count);
}

/* The elements fill the body, and none is inside out. */
START_TEST(elements_fill_the_body) {
    const sb_shape shapes[] = {ball, die, puck};
    const double volumes[] = {4 * SB_PI / 3 * 8e-6, 6e-6, SB_PI * 4e-4 * .03};
    const double off[] = {2e-3, 1e-12, 2e-3}; /* round ones have curved
                                               * elements */
    for (int i = 0; i < 9; i++) {
        sb_solid_mesh solid;
        int elements = i / 3 == 0 ? 0 : i / 3 == 1 ? 5 : 9;
        ck_assert_int_eq(sb_shape_solid(&shapes[i % 3], elements, &solid, NULL),
                         SB_OK);
        double volume = sb_solid_mesh_volume_m3(&solid);
        ck_assert_double_eq_tol(volume / volumes[i % 3], 1, off[i % 3]);
        for (int t = 0; t < solid.tet_count; t++)
            ck_assert_double_gt(sb_solid_tet_least_jacobian(&solid, t), 0);
        sb_solid_mesh_free(&solid);
    }
    sb_solid_mesh none;
    sb_error err;
    ck_assert_int_eq(sb_shape_solid(&ball, 400, &none, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(
        err.message,
        "sphere: so many elements make 584138360 tetrahedra, more than "
        "the limit of 1000000");
    ck_assert_int_eq(sb_shape_solid(&ground, 0, &none, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "grid: a floor has no solid mesh");
}
END_TEST

START_TEST(without_memory_nothing_is_left_behind) {
    const sb_shape shapes[] = {ball, die, puck};
    long blocks = sb_memory_live_blocks();
    for (int i = 0; i < 3; i++) {
        sb_status status = SB_NO_MEMORY;
        for (long n = 0; status; n++) {
            sb_solid_mesh solid = {0};
            sb_memory_fail_after(n);
            status = sb_shape_solid(&shapes[i], 2, &solid, NULL);
            sb_memory_fail_after(-1);
            ck_assert_int_lt(n, 200);
            if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
            sb_solid_mesh_free(&solid);
            ck_assert_int_eq(sb_memory_live_blocks(), blocks);
        }
    }
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_model *model = NULL;
        sb_memory_fail_after(n);
        status = sb_model_create(&ground, NULL, NULL, &model, NULL);
        sb_memory_fail_after(-1);
        ck_assert_int_lt(n, 20);
        sb_model_release(model);
        ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    }
}
END_TEST

/* omega R / c_s of the torsional and spheroidal modes, each 2 l + 1 times. */
START_TEST(a_ball_has_the_modes_of_a_sphere) {
    sb_model *model = ringing(ball, 1.2e5, 27);
    const sb_material *steel = sb_material_find("steel");
    double unit = sqrt(steel->youngs_modulus / steel->density /
                       (2 * (1 + steel->poisson_ratio))) /
                  (2 * SB_PI * .02);
    ck_assert_double_eq_tol(steel->poisson_ratio, .29, 1e-12);
    expect_modes(model, 0, 5, 2.501133 * unit, .003);
    expect_modes(model, 5, 5, 2.64501 * unit, .003);
    expect_modes(model, 13, 7, 3.864700 * unit, .006);
    expect_modes(model, 20, 7, 3.93338 * unit, .006);
    sb_model_release(model);
}
END_TEST

START_TEST(a_cube_has_the_modes_of_a_cube) {
    sb_shape cube = {
        .kind = SB_SHAPE_BOX, .width = .05, .height = .05, .depth = .05};
    sb_model *model = ringing(cube, 6e4, 14);
    expect_modes(model, 0, 2, 28567.97, .003);
    expect_modes(model, 2, 3, 38443.99, .003);
    expect_modes(model, 5, 3, 39115.83, .003);
    expect_modes(model, 8, 3, 44441.15, .003);
    expect_modes(model, 11, 3, 45477.58, .003);
    sb_model_release(model);
}
END_TEST

/* It twists at c_s / 2 L, stretches at c / 2 L and bends as a beam. */
START_TEST(a_rod_has_the_modes_of_a_beam) {
    sb_shape rod = {.kind = SB_SHAPE_CYLINDER, .radius = .005, .length = .3};
    sb_model *model = ringing(rod, 9000, 20);
    double along = sqrt(200e9 / 7850);
    double bend = 22.3733 / (2 * SB_PI) * .0025 / (.3 * .3) * along;
    expect_modes(model, 0, 2, bend, .005);
    expect_modes(model, 2, 2, 2.75654 * bend, .01);
    expect_modes(model, 8, 1, along / sqrt(2.58) / .6, .01);
    ck_assert_int_ge(sb_model_mode_count(model), 12);
    expect_modes(model, 11, 1, along / .6, .001);
    sb_model_release(model);
}
END_TEST

START_TEST(a_long_box_is_a_bar) {
    sb_shape box = {
        .kind = SB_SHAPE_BOX, .width = .3, .height = .02, .depth = .03};
    sb_shape bar = {
        .kind = SB_SHAPE_BAR, .length = .3, .width = .03, .thickness = .02};
    sb_model *whole = ringing(box, 9000, 20), *closed = NULL;
    ck_assert_int_eq(
        sb_model_create(&bar, sb_material_find("steel"), NULL, &closed, NULL),
        SB_OK);
    int found = 0;
    for (int k = 0; k < sb_model_mode_count(closed); k++) {
        const sb_mode *mode = &sb_model_modes(closed)[k];
        if (mode->freq_hz > 8500) break;
        double nearest = INFINITY;
        for (int i = 0; i < sb_model_mode_count(whole); i++) {
            double ratio = sb_model_modes(whole)[i].freq_hz / mode->freq_hz;
            nearest = fmin(nearest, fabs(ratio - 1));
        }
        ck_assert_msg(nearest < .012, "%s: off by %g", mode->label, nearest);
        found++;
    }
    ck_assert_int_ge(found, 4);
    sb_model_release(whole);
    sb_model_release(closed);
}
END_TEST

/* Never above the true value, otherwise a body that rings would be silent. */
START_TEST(the_estimate_is_below_the_lowest_mode_and_near_it) {
    static const sb_shape shapes[] = {
        {.kind = SB_SHAPE_BOX, .width = 1, .height = .5, .depth = 1},
        {.kind = SB_SHAPE_BOX, .width = .5, .height = .5, .depth = 1},
        {.kind = SB_SHAPE_BOX, .width = 1, .height = .02, .depth = .5},
        {.kind = SB_SHAPE_CYLINDER, .radius = .5, .length = .5},
        {.kind = SB_SHAPE_CYLINDER, .radius = .5, .length = .05},
        {.kind = SB_SHAPE_CYLINDER, .radius = .3, .length = 1},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        sb_model *model = ringing(shapes[i], 22000, 1);
        double least = sb_solid_least_hz(&shapes[i], sb_material_find("steel"));
        double ratio = sb_model_modes(model)[0].freq_hz / least;
        ck_assert_msg(ratio > 1.05 && ratio < .95 * SB_SOLID_LEAST_MOST,
                      "shape %zu: %g", i, ratio);
        sb_model_release(model);
    }
}
END_TEST

START_TEST(between_the_estimate_and_the_truth_it_does_not_ring_either) {
    sb_shape shape = ball;
    shape.max_hz = 6e4; /* the estimate is 53.2 kHz, the mode at 62.5 kHz */
    ck_assert(!sb_solid_is_silent(&shape, sb_material_find("steel")));
    sb_model *model = model_of(&shape);
    ck_assert_int_eq(sb_model_mode_count(model), 0);
    ck_assert_str_eq(sb_model_method(model), "rigid");
    sb_model_release(model);
    shape.max_hz = 5e4;
    ck_assert(sb_solid_is_silent(&shape, sb_material_find("steel")));
    ck_assert(sb_solid_is_silent(&shape, NULL));
    ck_assert(!sb_solid_is_silent(&ground, NULL));
}
END_TEST

/* Mass and inertia are those of the round body, not of its elements. */
START_TEST(places_and_masses_do_not_depend_on_whether_it_rings) {
    sb_shape shapes[] = {ball, die, puck};
    for (int i = 0; i < 3; i++) {
        sb_model *rigid = model_of(&shapes[i]);
        sb_model *rings = ringing(shapes[i], 3e5, 1);
        double mass = sb_model_mass_kg(rigid);
        ck_assert_double_eq_tol(sb_model_mass_kg(rings), mass, 1e-9 * mass);
        for (int n = 0; n < 25; n++) {
            double u = .21 + .14 * (n % 5), v = .23 + .13 * (n / 5), tu, tv;
            sb_model_point hard = sb_model_point_at(rigid, u, v);
            sb_model_point soft = sb_model_point_at(rings, u, v);
            sb_vec3 at = sb_model_position(rigid, hard);
            sb_vec3 there = sb_model_position(rings, soft);
            ck_assert_double_lt(sb_vec3_length(sb_vec3_sub(at, there)), 4e-4);
            ck_assert_double_gt(sb_vec3_dot(sb_model_normal(rigid, hard),
                                            sb_model_normal(rings, soft)),
                                .97);
            sb_model_uv(rings, sb_model_nearest(rings, at), &tu, &tv);
            ck_assert_double_eq_tol(tu, u, .02);
            ck_assert_double_eq_tol(tv, v, .02);
            sb_vec3 way = {.6, .8, 0};
            double one = mass * sb_model_inverse_mass(rigid, hard, &way);
            double other = mass * sb_model_inverse_mass(rings, soft, &way);
            ck_assert_double_eq_tol(one, other, .05);
        }
        sb_model_release(rigid);
        sb_model_release(rings);
    }
}
END_TEST

START_TEST(a_larger_one_is_rescaled_if_it_rings_and_solved_if_not) {
    const sb_material *steel = sb_material_find("steel");
    sb_shape large = {
        .kind = SB_SHAPE_BOX, .width = .4, .height = .3, .depth = .2};
    sb_shape larger = {
        .kind = SB_SHAPE_BOX, .width = .8, .height = .6, .depth = .4};
    sb_shape longer = {
        .kind = SB_SHAPE_BOX, .width = .8, .height = .7, .depth = .4};
    large.max_modes = larger.max_modes = longer.max_modes = 3;
    sb_model *model = model_of(&large), *twice = NULL;
    ck_assert(sb_model_can_rescale(model, &larger, steel));
    ck_assert(!sb_model_can_rescale(model, &longer, steel));
    ck_assert_int_eq(sb_model_rescale(model, &larger, steel, &twice, NULL),
                     SB_OK);
    ck_assert_double_eq_tol(sb_model_modes(twice)[0].freq_hz,
                            .5 * sb_model_modes(model)[0].freq_hz, 1e-6);
    ck_assert_double_eq_tol(sb_model_mass_kg(twice), density() * .192, 1e-6);
    sb_model_release(twice);
    sb_model_release(model);
    model = model_of(&die);
    ck_assert_int_eq(sb_model_mode_count(model), 0);
    sb_shape big_die = {
        .kind = SB_SHAPE_BOX, .width = .3, .height = .2, .depth = .1};
    ck_assert(!sb_model_can_rescale(model, &big_die, steel));
    sb_model_release(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model_solid_shapes");
    TCase *tcase = tcase_create("rigid");
    tcase_add_test(tcase,
                   small_steel_bodies_do_not_ring_and_weigh_what_they_are);
    tcase_add_test(tcase, they_turn_as_full_bodies_do);
    tcase_add_test(tcase, coordinates_are_those_that_the_header_says);
    tcase_add_test(tcase, nearest_finds_the_place_on_any_face);
    tcase_add_test(tcase, points_that_are_nowhere_have_a_nearest_place_too);
    tcase_add_test(tcase, a_floor_stays_where_it_is);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("ringing");
    tcase_add_test(tcase, elements_fill_the_body);
    tcase_add_test(tcase, without_memory_nothing_is_left_behind);
    tcase_add_test(tcase, a_ball_has_the_modes_of_a_sphere);
    tcase_add_test(tcase, a_cube_has_the_modes_of_a_cube);
    tcase_add_test(tcase, a_rod_has_the_modes_of_a_beam);
    tcase_add_test(tcase, a_long_box_is_a_bar);
    tcase_add_test(tcase, the_estimate_is_below_the_lowest_mode_and_near_it);
    tcase_add_test(tcase,
                   between_the_estimate_and_the_truth_it_does_not_ring_either);
    tcase_add_test(tcase, places_and_masses_do_not_depend_on_whether_it_rings);
    tcase_add_test(tcase,
                   a_larger_one_is_rescaled_if_it_rings_and_solved_if_not);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
