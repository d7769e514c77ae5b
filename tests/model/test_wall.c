/* SPDX-License-Identifier: MIT */
/* Closed meshes with a thickness: the thickness of their inside, and what is
 * full, hollow, or refused. */
#include "runtime/model/solve/mesh_prepare.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/inside.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shape.h"
#include "tests/model/fill/boundaries.h"
#include "tests/suite.h"

#include <string.h>

static double inside_of(const sb_mesh *mesh) {
    double thickness_m = -1;
    sb_error err;
    ck_assert_int_eq(sb_inside_measure(mesh, &thickness_m, &err), SB_OK);
    return thickness_m;
}

/* --- the measure ---------------------------------------------------------- */

START_TEST(bars_and_plates_are_as_thick_as_their_shortest_side) {
    static const double sides[][3] = {{.2, .02, .005}, {.3, .3, .004},
                                      {.1, .01, .01},  {1.2, .7, .04},
                                      {.05, .05, .05}, {.08, .06, .02}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        const double *s = sides[i];
        double d = s[2];
        ck_assert_double_eq_tol(inside_of(surface_box(s[0], s[1], s[2])), d,
                                1e-9);
    }
}
END_TEST

START_TEST(round_bodies_have_their_diameter_or_their_wall) {
    double ball = inside_of(surface_sphere(.05, 40, 80));
    ck_assert_double_eq_tol(ball, .1, .001);
    double ring = inside_of(surface_torus(.05, .004, 24, 120));
    ck_assert_double_eq_tol(ring, .008, .0002);
    double cup = inside_of(surface_cup(.04, .09, .003, 30, 60));
    ck_assert_double_eq_tol(cup, .003, .0001);
}
END_TEST

START_TEST(the_measure_turns_and_scales_with_the_surface) {
    sb_mesh *bar = surface_undercut_bar(60);
    double before = inside_of(bar);
    surface_turn(bar);
    ck_assert_double_eq_tol(inside_of(bar), before, 1e-6 * before);
    for (int i = 0; i < bar->vertex_count; i++)
        bar->vertices[i] = sb_vec3_scale(bar->vertices[i], 1000);
    ck_assert_double_eq_tol(inside_of(bar), 1000 * before, 1e-3 * before);
}
END_TEST

/* A cavity: the wall between two boxes, 4 mm thick. */
START_TEST(a_body_with_a_cavity_has_its_wall) {
    surface_begin();
    surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){.1, .1, .1});
    surface_add_box((sb_vec3){.004, .004, .004}, (sb_vec3){.096, .096, .096});
    /* Seen from the cavity the faces are counter-clockwise (mesh.h). */
    for (int i = 12; i < 24; i++) {
        int *face = surface_faces[i], corner = face[1];
        face[1] = face[2];
        face[2] = corner;
    }
    ck_assert_double_eq_tol(inside_of(&surface_mesh), .004, 1e-9);
}
END_TEST

/* --- what follows --------------------------------------------------------- */

typedef struct settled {
    sb_status status;
    double thickness_m;
    char remark[512];
    sb_error err;
} settled;

static settled settle(const sb_mesh *borrowed, double thickness_m,
                      sb_method method) {
    sb_mesh soup = {0}, mesh = {0};
    sb_mesh_report report;
    sb_mesh_source *source;
    settled out = {0};
    ck_assert_int_eq(sb_mesh_copy(&soup, borrowed, &out.err), SB_OK);
    ck_assert_int_eq(sb_mesh_clean(&soup, &mesh, &report, &out.err), SB_OK);
    ck_assert_int_eq(
        sb_mesh_source_create("thing.obj", &mesh, &report, &source, &out.err),
        SB_OK);
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .method = method,
                      .thickness = thickness_m,
                      .mesh = source};
    out.status =
        sb_wall_settle(&shape, out.remark, sizeof out.remark, &out.err);
    out.thickness_m = shape.thickness;
    sb_mesh_source_release(source);
    return out;
}

static void expect_full(const sb_mesh *mesh, double thickness_m) {
    settled got = settle(mesh, thickness_m, SB_METHOD_AUTO);
    ck_assert_int_eq(got.status, SB_OK);
    ck_assert_double_eq(got.thickness_m, 0);
    ck_assert_msg(strstr(got.remark, "thing.obj: taken as full"), "'%s'",
                  got.remark);
}

static void expect_shell(const sb_mesh *mesh, double thickness_m) {
    settled got = settle(mesh, thickness_m, SB_METHOD_AUTO);
    ck_assert_int_eq(got.status, SB_OK);
    ck_assert_double_eq(got.thickness_m, thickness_m);
    ck_assert_str_eq(got.remark, "");
}

static void expect_refusal(const sb_mesh *mesh, double thickness_m) {
    settled got = settle(mesh, thickness_m, SB_METHOD_AUTO);
    ck_assert_int_eq(got.status, SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(got.err.message, "is thicker than the body"), "'%s'",
                  got.err.message);
    got = settle(mesh, thickness_m, SB_METHOD_SHELL);
    ck_assert_int_eq(got.status, SB_BAD_ARGUMENT);
}

static void expect_rule(const sb_mesh *mesh, double inside_m) {
    expect_shell(mesh, 0.01 * inside_m);
    expect_shell(mesh, 0.45 * inside_m);
    expect_full(mesh, 0.5 * inside_m);
    expect_full(mesh, 0.8 * inside_m);
    expect_full(mesh, inside_m);
    expect_refusal(mesh, 1.1 * inside_m);
    expect_refusal(mesh, 10 * inside_m);
}

START_TEST(half_the_inside_is_the_limit_of_a_wall) {
    expect_rule(surface_box(.2, .02, .005), .005);
    expect_rule(surface_box(.06, .06, .06), .06);
    expect_rule(surface_torus(.05, .004, 60, 120), .008);
    expect_rule(surface_sphere(.05, 60, 120), .1);
    expect_rule(surface_cup(.04, .09, .003, 30, 90), .003);
    sb_mesh *turned = surface_box(.3, .3, .004);
    surface_turn(turned);
    expect_rule(turned, .004);
}
END_TEST

START_TEST(a_method_chosen_by_name_is_kept) {
    const sb_mesh *bar = surface_box(.2, .02, .005);
    settled got = settle(bar, .005, SB_METHOD_SHELL);
    ck_assert_int_eq(got.status, SB_OK);
    ck_assert_double_eq(got.thickness_m, .005);
    ck_assert_msg(strstr(got.remark, "takes it as hollow"), "'%s'", got.remark);
    got = settle(bar, .05, SB_METHOD_SOLID);
    ck_assert_int_eq(got.status, SB_OK);
    ck_assert_double_eq(got.thickness_m, 0);
    ck_assert_str_eq(got.remark, "");
}
END_TEST

START_TEST(an_open_surface_is_a_sheet_of_any_thickness) {
    sb_mesh open = *surface_box(.2, .02, .005);
    open.face_count -= 2;
    expect_shell(&open, .005);
    expect_shell(&open, .05);
}
END_TEST

/* --- out of memory -------------------------------------------------------- */

START_TEST(without_memory_it_fails_and_keeps_nothing) {
    const sb_mesh *bar = surface_box(.2, .02, .005);
    double thickness_m;
    sb_error err;
    int n = 0;
    sb_status status;
    do {
        sb_memory_fail_after(n++);
        status = sb_inside_measure(bar, &thickness_m, &err);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    } while (status == SB_NO_MEMORY && n < 100);
    ck_assert_int_eq(status, SB_OK);
    ck_assert_int_gt(n, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("wall");
    TCase *tcase = tcase_create("wall");
    tcase_add_test(tcase, bars_and_plates_are_as_thick_as_their_shortest_side);
    tcase_add_test(tcase, round_bodies_have_their_diameter_or_their_wall);
    tcase_add_test(tcase, the_measure_turns_and_scales_with_the_surface);
    tcase_add_test(tcase, a_body_with_a_cavity_has_its_wall);
    tcase_add_test(tcase, half_the_inside_is_the_limit_of_a_wall);
    tcase_add_test(tcase, a_method_chosen_by_name_is_kept);
    tcase_add_test(tcase, an_open_surface_is_a_sheet_of_any_thickness);
    tcase_add_test(tcase, without_memory_it_fails_and_keeps_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
