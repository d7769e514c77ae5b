/* SPDX-License-Identifier: MIT */
/* Modes of shapes by finite elements, against exact solutions: bars and a
 * cube of full elasticity, thin plates, disks, rings and shells. */
#include "runtime/model/mesh/mesh_file.h"
#include "tests/model/fill/boundaries.h"
#include "tests/model/solve_fixture.h"

static sb_material aluminium(void) {
    return heard(elastic(70e9, 2700, 0.33));
}

static sb_material glass(void) {
    return heard(elastic(62e9, 2600, 0.20));
}

static const double b1_hz[] = {647.36,  1778.86, 2507.21,
                               3471.11, 3503.80, 5701.93};

static sb_shape bar_b1(sb_method method, int elements) {
    return (sb_shape){.kind = SB_SHAPE_BAR,
                      .length = .2,
                      .width = .02,
                      .thickness = .005,
                      .method = method,
                      .elements = elements,
                      .keeps_beats = true,
                      .max_hz = 9000};
}

/* Six rigid motions each, then the lowest modes. */
static void expect_free(const char *name, sb_shape shape, sb_material material,
                        const double *printed, int count, double percent) {
    sb_model *model = solved(shape, material);
    ck_assert_int_eq(sb_model_rigid_modes(model), 6);
    expect_hz(name, model, material, printed, count, percent);
    sb_model_release(model);
}

START_TEST(solid_bars_have_the_modes_of_full_elasticity) {
    static const double b2_hz[] = {511.04,  1400.07, 1894.64,
                                   1962.85, 2719.47, 3962.47};
    expect_free("B1", bar_b1(SB_METHOD_SOLID, 30), heard_steel(), b1_hz, 6, 1);
    sb_shape b2 = {.kind = SB_SHAPE_BAR,
                   .length = .36,
                   .width = .05,
                   .thickness = .0127,
                   .method = SB_METHOD_SOLID,
                   .elements = 30,
                   .keeps_beats = true,
                   .max_hz = 5000};
    expect_free("B2", b2, aluminium(), b2_hz, 6, 1);
}
END_TEST

START_TEST(a_filled_bar_is_as_good_as_a_solid_grid) {
    sb_mesh bar = {0};
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&bar, surface_box(.2, .005, .02), &err), 0);
    sb_shape shape = shape_of(bar, 0);
    shape.max_hz = 9000;
    expect_free("B1 filled", shape, heard_steel(), b1_hz, 6, 1);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

/* Quadratic elements reproduce bending; linear ones lock. */
START_TEST(linear_tetrahedra_are_far_too_stiff) {
    sb_material material = heard_steel();
    sb_model *linear = solved(bar_b1(SB_METHOD_TET4, 20), material);
    double got = solved_hz(linear, material, 0);
    ck_assert_msg(got > 1.5 * b1_hz[0] && got < 4 * b1_hz[0], "%g", got);
    ck_assert_str_eq(sb_model_method(linear), "tet4");
    sb_model_release(linear);
}
END_TEST

START_TEST(a_free_cube_has_its_families) {
    static const double cube_hz[] = {28567.97, 28567.97, 38443.99, 38443.99,
                                     38443.99, 39115.83, 39115.83, 39115.83};
    sb_mesh cube = {0};
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&cube, surface_box(.05, .05, .05), &err), 0);
    sb_shape shape = shape_of(cube, 0);
    shape.elements = 5;
    shape.max_hz = 46000;
    sb_model *model = solved_mesh(shape, heard_steel());
    expect_hz("cube", model, heard_steel(), cube_hz, 8, 1);
    /* Lame's mode has a closed form: c_s / (sqrt 2 L). */
    double lame = sqrt(200e9 / (2 * 1.29) / 7850) / (sqrt(2) * .05);
    double nearest = 0;
    for (int k = 0; k < sb_model_solution(model)->mode_count; k++) {
        double hz = solved_hz(model, heard_steel(), k);
        if (fabs(hz - lame) < fabs(nearest - lame)) nearest = hz;
    }
    ck_assert_msg(fabs(nearest / lame - 1) < 2e-3, "%g, %g", nearest, lame);
    sb_model_release(model);
}
END_TEST

START_TEST(a_vibraphone_bar_is_tuned) {
    static const double printed[] = {185.29,  718.56,  742.63, 1543.91,
                                     1846.05, 2875.49, 3240.18};
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .elements = 40,
                      .max_hz = 4000,
                      .keeps_beats = true};
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_mesh_source *source = NULL;
    sb_error err = {0};
    sb_status status =
        sb_mesh_read(MODELS "/vibraphone_bar.obj", 1, &mesh, &report, &err);
    ck_assert_msg(!status, "%s", err.message);
    status = sb_mesh_source_create("bar", &mesh, &report, &source, &err);
    ck_assert_msg(!status, "%s", err.message);
    shape.mesh = source;
    expect_free("F#3", shape, aluminium(), printed, 7, 1);
    sb_mesh_source_release(source);
}
END_TEST

/* --- sheets --------------------------------------------------------------- */

static sb_shape plate_p1(sb_support support, sb_method method) {
    return (sb_shape){.kind = SB_SHAPE_PLATE,
                      .width = .3,
                      .depth = .3,
                      .thickness = .002,
                      .support = support,
                      .method = method,
                      .elements = 24,
                      .keeps_beats = true,
                      .max_hz = 800};
}

static void expect_held(const char *name, sb_shape shape, sb_material material,
                        const double *printed, int count, double percent) {
    sb_model *model = solved(shape, material);
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    expect_hz(name, model, material, printed, count, percent);
    sb_model_release(model);
}

START_TEST(shell_plates_are_thin_plates) {
    /* For nu = 0.29, by Ritz; the table for 0.3 differs by 0.3 %. */
    static const double p1[] = {73.003,  106.113, 130.429,
                                188.290, 188.290, 329.212};
    static const double p2[] = {193.775, 395.214, 395.214,
                                582.729, 708.542, 711.902};
    static const double p5[] = {106.293, 265.731, 265.731,
                                425.170, 531.463, 531.463};
    sb_material material = heard_steel();
    expect_free("P1", plate_p1(SB_SUPPORT_FREE, SB_METHOD_SHELL), material, p1,
                6, 1.5);
    expect_held("P2", plate_p1(SB_SUPPORT_CLAMPED, SB_METHOD_SHELL), material,
                p2, 6, 1.5);
    expect_held("P5", plate_p1(SB_SUPPORT_PINNED, SB_METHOD_SHELL), material,
                p5, 6, 1.5);
}
END_TEST

/* Two triangles are a plate as well, and so are long thin ones. */
START_TEST(coarse_plates_are_thin_plates) {
    static const double p1[] = {73.003,  106.113, 130.429,
                                188.290, 188.290, 329.212};
    for (int n = 1; n <= 4; n++) {
        sb_shape shape =
            shape_of(square(.3, n, n == 4 ? JITTERED : SAME), .002);
        shape.elements = 0;
        shape.max_hz = 400;
        expect_free("P1 coarse", shape, heard_steel(), p1, 6, 1.5);
        sb_mesh_source_release(shape.mesh);
    }
    sb_mesh strips = square(.3, 20, SAME);
    for (int i = 0; i < strips.vertex_count; i++) {
        /* Five times as many in one direction as in the other. */
        sb_vec3 *p = &strips.vertices[i];
        p->z = .3 * (floor((p->z + .15) / .3 * 4 + .01) / 4 - .5);
    }
    sb_shape shape = shape_of(strips, .002);
    shape.elements = 0;
    shape.max_hz = 400;
    expect_free("P1 strips", shape, heard_steel(), p1, 6, 1.5);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

START_TEST(spring_plates_are_thin_plates_of_poisson_one_third) {
    /* lambda for nu = 1/3, the only ratio of springs. */
    static const double lambda[] = {13.1655, 19.2200, 24.4243, 34.2267};
    double p1[4];
    for (int k = 0; k < 4; k++) {
        p1[k] =
            lambda[k] / lambda_per_hz(elastic(200e9, 7850, 1.0 / 3), .002, .3);
    }
    expect_free("P1 springs", plate_p1(SB_SUPPORT_FREE, SB_METHOD_SPRINGS),
                heard_steel(), p1, 4, 2.5);
}
END_TEST

START_TEST(shell_disks_are_thin_disks) {
    static const double p6[] = {115.104, 115.104, 178.542, 265.144,
                                265.144, 414.050, 414.050, 462.985};
    static const double p7[] = {110.021, 228.968, 228.968,
                                375.614, 375.614, 428.322};
    sb_shape disk = {.kind = SB_SHAPE_DISK,
                     .radius = .3,
                     .thickness = .008,
                     .method = SB_METHOD_SHELL,
                     .elements = 24,
                     .keeps_beats = true,
                     .max_hz = 700};
    expect_free("P6", disk, glass(), p6, 8, 1.5);
    disk.radius = .15;
    disk.thickness = .001;
    disk.support = SB_SUPPORT_CLAMPED;
    expect_held("P7", disk, heard_steel(), p7, 6, 1.5);
}
END_TEST

START_TEST(a_solid_ring_has_pairs_in_and_out_of_its_plane) {
    static const double r1[] = {946.76,  946.76,  995.63,  995.63,
                                2744.35, 2744.35, 2816.05, 2816.05};
    sb_shape ring = {.kind = SB_SHAPE_RING,
                     .radius = .05,
                     .width = .004,
                     .thickness = .004,
                     .method = SB_METHOD_SOLID,
                     .elements = 36,
                     .keeps_beats = true,
                     .max_hz = 6000};
    expect_free("R1", ring, heard_steel(), r1, 8, 2);
}
END_TEST

START_TEST(a_short_tube_rings_as_rayleigh_says) {
    static const double printed[] = {257.5, 257.5, 514.6, 514.6, 728.3, 728.3};
    sb_shape shape = shape_of(tube(.05, .04, 48, 6), .001);
    shape.max_hz = 2000;
    expect_free("tube", shape, heard_steel(), printed, 6, 2);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

START_TEST(a_hollow_ball_has_five_and_seven) {
    static const double printed[] = {11834.0, 11834.0, 11834.0, 11834.0,
                                     11834.0, 13997.7, 13997.7, 13997.7,
                                     13997.7, 13997.7, 13997.7, 13997.7};
    sb_shape shape = shape_of(ball(.05, 3), .0005);
    shape.max_hz = 14500;
    expect_free("hollow ball", shape, heard_steel(), printed, 12, 1.5);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

/* --- the paper's springs -------------------------------------------------- */

START_TEST(literal_springs_have_no_bending_and_say_so) {
    sb_shape sheet = shape_of(square(.3, 8, SAME), .002);
    sheet.method = SB_METHOD_SPRINGS_LITERAL;
    sb_model *model = solved_mesh(sheet, heard_steel());
    ck_assert_int_eq(sb_model_rigid_modes(model), 81 + 3);
    ck_assert_str_eq(sb_model_method(model), "springs-literal");
    /* Only in-plane modes are left: a strike from above is silent. */
    double weights[512];
    ck_assert_int_le(sb_model_mode_count(model), 512);
    sb_model_weights(model, sb_model_nearest(model, (sb_vec3){.03, 0, .05}),
                     NULL, weights);
    for (int k = 0; k < sb_model_mode_count(model); k++)
        ck_assert_double_lt(fabs(weights[k]), 1e-9);
    sb_model_release(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve");
    TCase *tcase = tcase_create("closed forms");
    tcase_add_test(tcase, solid_bars_have_the_modes_of_full_elasticity);
    tcase_add_test(tcase, a_filled_bar_is_as_good_as_a_solid_grid);
    tcase_add_test(tcase, linear_tetrahedra_are_far_too_stiff);
    tcase_add_test(tcase, a_free_cube_has_its_families);
    tcase_add_test(tcase, a_vibraphone_bar_is_tuned);
    tcase_add_test(tcase, coarse_plates_are_thin_plates);
    tcase_add_test(tcase, shell_plates_are_thin_plates);
    tcase_add_test(tcase, spring_plates_are_thin_plates_of_poisson_one_third);
    tcase_add_test(tcase, shell_disks_are_thin_disks);
    tcase_add_test(tcase, a_solid_ring_has_pairs_in_and_out_of_its_plane);
    tcase_add_test(tcase, a_short_tube_rings_as_rayleigh_says);
    tcase_add_test(tcase, a_hollow_ball_has_five_and_seven);
    tcase_add_test(tcase, literal_springs_have_no_bending_and_say_so);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
