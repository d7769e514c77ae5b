/* Tests for spheres, boxes, cylinders and the floor (runtime/model/solid.h). */
#include "runtime/model/modal_model.h"
#include "runtime/model/solid.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

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
    const double volumes[] = {4 * PI / 3 * 8e-6, 6e-6, PI * 4e-4 * .03};
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
    sb_spot side = sb_model_nearest(model, (sb_vec3){.5, 0, 0});
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, side, NULL), 1,
                            1e-12);
    ck_assert_double_eq_tol(m * sb_model_inverse_mass(model, side, &y), 3.5,
                            1e-12);
    sb_model_release(model);

    model = model_of(&die);
    m = sb_model_mass_kg(model);
    sb_spot corner = sb_model_nearest(model, (sb_vec3){.015, .01, .005});
    double about_z = m * (.03 * .03 + .02 * .02) / 12;
    double about_x = m * (.02 * .02 + .01 * .01) / 12;
    ck_assert_double_eq_tol(
        m * sb_model_inverse_mass(model, corner, &y),
        1 + m * (.015 * .015 / about_z + .005 * .005 / about_x), 1e-9);
    sb_model_release(model);

    model = model_of(&puck);
    m = sb_model_mass_kg(model);
    sb_spot rim = sb_model_nearest(model, (sb_vec3){.05, 0, 0});
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
    expect_at(sb_model_position(model, sb_model_spot(model, 0, 0)), -.015, .01,
              -.005);
    expect_at(sb_model_position(model, sb_model_spot(model, 1, .5)), .015, .01,
              0);
    expect_at(sb_model_normal(model, sb_model_spot(model, 1, 1)), 0, 1, 0);
    sb_model_release(model);

    model = model_of(&puck);
    expect_at(sb_model_position(model, sb_model_spot(model, 1, .5)), .02, .015,
              0);
    double r = .02 / sqrt(2.0);
    expect_at(sb_model_position(model, sb_model_spot(model, 0, 0)), -r, .015,
              -r);
    sb_model_release(model);

    model = model_of(&ball);
    expect_at(sb_model_position(model, sb_model_spot(model, 0, .5)), .02, 0, 0);
    expect_at(sb_model_position(model, sb_model_spot(model, .25, .5)), 0, 0,
              .02);
    expect_at(sb_model_position(model, sb_model_spot(model, .3, 1)), 0, .02, 0);
    expect_at(sb_model_normal(model, sb_model_spot(model, .3, 0)), 0, -1, 0);
    sb_model_release(model);
}
END_TEST

/* Every place there is is the nearest to itself, and a little outside. */
START_TEST(nearest_finds_the_place_on_any_face) {
    const sb_shape *shapes[] = {&ball, &die, &puck};
    for (int i = 0; i < 3; i++) {
        sb_model *model = model_of(shapes[i]);
        int faces = i == 0 ? 1 : i == 1 ? 6 : 3;
        for (int n = 0; n < 25 * faces; n++) {
            sb_spot spot = {n / 25, .1 + .2 * (n % 5), .1 + .2 * (n / 5 % 5)};
            if (i == 2 && spot.face < 2) {
                spot.u = .5 + .6 * (spot.u - .5); /* within the rim */
                spot.v = .5 + .6 * (spot.v - .5);
            }
            sb_vec3 at = sb_model_position(model, spot);
            sb_vec3 normal = sb_model_normal(model, spot);
            sb_vec3 off = sb_vec3_add(at, sb_vec3_scale(normal, .001));
            sb_spot found = sb_model_nearest(model, off);
            sb_vec3 there = sb_model_position(model, found);
            expect_at(there, at.x, at.y, at.z);
            there = sb_model_normal(model, found);
            expect_at(there, normal.x, normal.y, normal.z);
            double u, v, uv[2];
            sb_model_uv(model, found, &u, &v);
            sb_solid_uv(shapes[i], at, normal, uv);
            ck_assert_double_eq_tol(uv[0], u, 1e-9);
            ck_assert_double_eq_tol(uv[1], v, 1e-9);
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
        sb_spot spot = sb_model_nearest(model, points[i % 4]);
        sb_vec3 at = sb_model_position(model, spot);
        ck_assert(isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
        sb_vec3 normal = sb_model_normal(model, spot);
        ck_assert_double_eq_tol(sb_vec3_length(normal), 1, 1e-12);
        ck_assert(isfinite(sb_model_inverse_mass(model, spot, NULL)));
        sb_model_release(model);
    }
}
END_TEST

START_TEST(a_floor_stays_where_it_is) {
    sb_model *model = model_of(&ground);
    ck_assert_int_eq(sb_model_mode_count(model), 0);
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    sb_spot spot = sb_model_nearest(model, (sb_vec3){12, -3, -70});
    expect_at(sb_model_position(model, spot), 12, 0, -70);
    expect_at(sb_model_normal(model, spot), 0, 1, 0);
    double u, v;
    sb_model_uv(model, spot, &u, &v);
    ck_assert_double_eq(u, 12);
    ck_assert_double_eq(v, -70);
    ck_assert_double_eq(sb_model_inverse_mass(model, spot, NULL), 0);
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
    return run_suite(suite);
}
