/* SPDX-License-Identifier: MIT */
/* Any soup of triangles becomes a clean mesh or is refused with a sentence. */
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "tests/model/mesh/mesh_fixture.h"
#include "tests/model/mesh/mesh_measure.h"

/* --- welding -------------------------------------------------------------- */

START_TEST(a_cube_in_single_triangles_has_eight_vertices) {
    sb_mesh cube = make_cube();
    sb_mesh soup = exploded(&cube);
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    expect_cube(&mesh, &report);
    ck_assert_int_eq(report.welded_vertices, 36 - 8);
    ck_assert_int_eq(report.dropped_faces, 0);
    ck_assert(!report.was_inside_out);
    /* The first face stays first: 0 2 3. */
    ck_assert_double_eq(mesh.vertices[1].y, 1);
    ck_assert_int_eq(mesh.faces[0][2], 2);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(points_weld_within_the_tolerance_and_not_beyond) {
    /* The diagonal is sqrt(3). */
    const double apart_m[] = {0.9e-7 * sqrt(3), 1.2e-7 * sqrt(3)};
    for (int k = 0; k < 6 * 64; k++) { /* wherever the cell walls are */
        double at[3] = {0.3, 0.4, 0.5};
        int axis = k % 3, way = k % 2 ? 1 : -1;
        at[axis] += k * 0.01e-7;
        for (int i = 0; i < 2; i++) {
            sb_mesh soup = make_cube();
            int a = add_vertex(&soup, at[0], at[1], at[2]);
            double to[3] = {at[0], at[1], at[2]};
            to[axis] += way * apart_m[i];
            int b = add_vertex(&soup, to[0], to[1], to[2]);
            add_face(&soup, 0, 1, a);
            add_face(&soup, 2, 3, b);
            sb_mesh mesh = cleaned(soup, NULL);
            ck_assert_int_eq(mesh.vertex_count, 9 + i);
            sb_mesh_free(&mesh);
        }
    }
}
END_TEST

/* Small and far away: 1e6 m off, a cube of 1 m. */
START_TEST(welding_works_far_from_the_origin) {
    sb_mesh cube = make_empty();
    add_cube(&cube, (sb_vec3){-1e6, 3e8, 1e6}, 1);
    sb_mesh_report report;
    sb_mesh mesh = cleaned(exploded(&cube), &report);
    ck_assert_int_eq(mesh.vertex_count, 8);
    ck_assert(report.is_closed);
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 1, 1e-6);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(a_tiny_cube_is_as_good_as_a_large_one) {
    const double sides[] = {1e-9, 1e-6, 1e6};
    for (int i = 0; i < 3; i++) {
        sb_mesh cube = make_empty();
        add_cube(&cube, (sb_vec3){0, 0, 0}, sides[i]);
        sb_mesh_report report;
        sb_mesh mesh = cleaned(exploded(&cube), &report);
        ck_assert_int_eq(mesh.vertex_count, 8);
        ck_assert(report.is_closed);
        double want = pow(sides[i], 3);
        ck_assert_double_eq_tol(mesh_volume_m3(&mesh) / want, 1, 1e-12);
        sb_mesh_free(&mesh);
    }
}
END_TEST

/* --- dropping ------------------------------------------------------------- */

START_TEST(degenerate_and_doubled_faces_and_loose_vertices_go) {
    sb_mesh soup = make_cube();
    (void)add_vertex(&soup, NAN, 5, 5); /* used by nothing */
    int middle = add_vertex(&soup, 0.5, 0, 0);
    add_face(&soup, 0, 1, 1);
    add_face(&soup, 0, 1, middle); /* on one line */
    add_face(&soup, soup.faces[3][1], soup.faces[3][2], soup.faces[3][0]);
    add_face(&soup, soup.faces[5][1], soup.faces[5][0], soup.faces[5][2]);
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    expect_cube(&mesh, &report);
    ck_assert_int_eq(report.dropped_faces, 4);
    ck_assert_int_eq(report.welded_vertices, 2);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(a_thin_face_is_kept_and_a_flat_one_dropped) {
    const double heights[] = {1e-6, 1e-10};
    for (int i = 0; i < 2; i++) {
        sb_mesh soup = make_cube();
        int a = add_vertex(&soup, 0.5, -heights[i], 0);
        add_face(&soup, 0, 1, a);
        sb_mesh mesh = cleaned(soup, NULL);
        ck_assert_int_eq(mesh.face_count, 13 - i);
        sb_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(a_crack_under_flat_faces_does_not_open) {
    for (int points = 1; points < 6; points++) {
        sb_mesh_report report;
        sb_mesh mesh = cleaned(make_capped_cube(points), &report);
        ck_assert_int_eq(mesh.vertex_count, 8 + points);
        ck_assert_int_eq(mesh.face_count, 12 + 2 * points);
        ck_assert_int_eq(report.dropped_faces, 0);
        ck_assert_int_eq(report.border_edges, 0);
        ck_assert(report.is_closed);
        ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 1, 1e-12);
        ck_assert_double_eq_tol(mesh_area_m2(&mesh), 6, 1e-12);
        for (int f = 0; f < mesh.face_count; f++) {
            for (int c = 0; c < 3; c++) {
                sb_vec3 v = mesh.vertices[mesh.faces[f][c]];
                ck_assert_double_eq_tol(mesh.uvs[f][c][0], v.x + v.y, 1e-6);
                ck_assert_double_eq_tol(mesh.uvs[f][c][1], v.z, 1e-6);
            }
        }
        sb_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(what_is_no_mesh_is_refused) {
    sb_mesh soup = make_empty();
    expect_refusal(soup, "no faces");
    soup = make_cube();
    soup.vertices[6].y = NAN;
    expect_refusal(soup, "vertex 6 (counted from 0) at (0, nan, 1)");
    soup = make_cube();
    soup.vertices[5].x = -INFINITY;
    expect_refusal(soup, "not finite");
    soup = make_cube();
    soup.vertices[7].x = 1.1e9;
    expect_refusal(soup, "at (1.1e+09, 1, 1) is more than 1e9 m");
    soup = make_cube();
    soup.faces[4][1] = 8;
    expect_refusal(soup, "vertex 8 of 8");
    soup = make_cube();
    soup.faces[4][1] = -1;
    expect_refusal(soup, "vertex -1 of 8");
    soup = make_cube();
    for (int i = 0; i < 8; i++) {
        soup.vertices[i] = (sb_vec3){0.25 * i, 0.5 * i, 0};
    }
    expect_refusal(soup, "none of its 12 faces has an area");
    soup = make_cube();
    memset(soup.vertices, 0, sizeof(sb_vec3[8]));
    expect_refusal(soup, "in one place");
}
END_TEST

/* --- orientation ---------------------------------------------------------- */

START_TEST(faces_turn_alike_and_outward_whatever_they_were) {
    sb_random random = sb_random_make(5, 1);
    for (int k = 0; k < 50; k++) {
        sb_mesh soup = make_cube();
        for (int f = 0; f < 12; f++) {
            if (sb_random_u32(&random) & 1) turn(&soup, f);
        }
        sb_mesh_report report;
        sb_mesh mesh = cleaned(soup, &report);
        expect_cube(&mesh, &report);
        sb_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(an_inside_out_cube_is_turned_and_said_to_be) {
    sb_mesh soup = make_cube();
    for (int f = 0; f < 12; f++) {
        turn(&soup, f);
    }
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    expect_cube(&mesh, &report);
    ck_assert(report.was_inside_out);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(texture_coordinates_stay_at_their_corners) {
    sb_mesh soup = make_cube();
    soup.uvs = sb_alloc(MOST, sizeof *soup.uvs);
    for (int f = 0; f < 12; f++) {
        if (f % 3)
            turn(&soup, f); /* most of them: the cube is then inside
                                    * out */
        for (int c = 0; c < 3; c++) {
            sb_vec3 p = soup.vertices[soup.faces[f][c]];
            soup.uvs[f][c][0] = (float)(p.x + 2 * p.y);
            soup.uvs[f][c][1] = (float)(p.z + 2 * f);
        }
    }
    memmove(soup.faces + 1, soup.faces, sizeof(int[12][3]));
    memmove(soup.uvs + 1, soup.uvs, sizeof(float[12][3][2]));
    soup.face_count = 13;
    soup.faces[0][1] = soup.faces[0][0]; /* one to drop before them */
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    expect_cube(&mesh, &report);
    for (int f = 0; f < 12; f++) {
        for (int c = 0; c < 3; c++) {
            sb_vec3 p = mesh.vertices[mesh.faces[f][c]];
            ck_assert_double_eq(mesh.uvs[f][c][0], p.x + 2 * p.y);
            ck_assert_double_eq(mesh.uvs[f][c][1], p.z + 2 * f);
        }
    }
    sb_mesh_free(&mesh);
}
END_TEST

/* A cube of side 1 with one of side 1/2 inside. Bits of `ways` turn a cube
 * inside out: 1 the outer, 2 the inner. */
static double volume_of_nested(int ways, bool *was_inside_out) {
    sb_mesh soup = make_cube();
    add_cube(&soup, (sb_vec3){0.25, 0.25, 0.25}, 0.5);
    for (int f = 0; f < 24; f++) {
        if ((ways >> (f / 12)) & 1) turn(&soup, f);
    }
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    ck_assert_int_eq(report.component_count, 2);
    ck_assert(report.is_closed);
    *was_inside_out = report.was_inside_out;
    double volume_m3 = mesh_volume_m3(&mesh);
    sb_mesh_free(&mesh);
    return volume_m3;
}

START_TEST(a_cavity_stays_a_cavity) {
    bool turned = false;
    ck_assert_double_eq_tol(volume_of_nested(2, &turned), 0.875, 1e-12);
    ck_assert(!turned);
    ck_assert_double_eq_tol(volume_of_nested(1, &turned), 0.875, 1e-12);
    ck_assert(turned);
    ck_assert_double_eq_tol(volume_of_nested(0, &turned), 1.125, 1e-12);
    ck_assert_double_eq_tol(volume_of_nested(3, &turned), 1.125, 1e-12);
}
END_TEST

START_TEST(cubes_side_by_side_are_each_turned_outward) {
    sb_mesh soup = make_cube();
    add_cube(&soup, (sb_vec3){3, 0, 0}, 2);
    for (int f = 12; f < 24; f++) {
        turn(&soup, f);
    }
    sb_mesh mesh = cleaned(soup, NULL);
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 9, 1e-12);
    int component_of[16], count = 0;
    ck_assert_int_eq(sb_mesh_components(&mesh, component_of, &count, NULL),
                     SB_OK);
    ck_assert_int_eq(count, 2);
    for (int i = 0; i < 16; i++) {
        ck_assert_int_eq(component_of[i], i / 8);
    }
    sb_mesh_free(&mesh);
}
END_TEST

/* --- holes and edges ------------------------------------------------------ */

START_TEST(holes_are_counted) {
    sb_mesh soup = make_cube();
    soup.face_count = 10; /* one side missing */
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    ck_assert(!report.is_closed);
    ck_assert_int_eq(report.hole_count, 1);
    ck_assert_int_eq(report.border_edges, 4);
    sb_mesh_free(&mesh);

    soup = make_cube(); /* 0 2 3 and 7 6 4: opposite holes; then two that
                         * touch in 0 */
    memcpy(soup.faces[0], soup.faces[11], sizeof(int[3]));
    memcpy(soup.faces[2], soup.faces[10], sizeof(int[3]));
    soup.face_count = 10;
    mesh = cleaned(soup, &report);
    ck_assert_int_eq(report.border_edges, 6);
    ck_assert_int_eq(report.hole_count, 2);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(an_edge_of_three_faces_is_not_manifold) {
    sb_mesh soup = make_cube();
    int a = add_vertex(&soup, 0.5, -1, -1);
    add_face(&soup, 0, 1, a);
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    ck_assert_int_eq(report.nonmanifold_edges, 1);
    ck_assert_int_eq(report.border_edges, 2);
    ck_assert(!report.is_closed);
    sb_mesh_free(&mesh);
}
END_TEST

/* A band of n quads glued after half a turn has one border and no outside. */
START_TEST(a_moebius_band_has_one_border) {
    enum { QUADS_ROUND = 16 };
    sb_mesh soup = make_empty();
    for (int i = 0; i < QUADS_ROUND; i++) {
        double turn = 2 * SB_PI * i / QUADS_ROUND;
        for (int side = -1; side <= 1; side += 2) {
            double r = 1 + 0.2 * side * cos(turn / 2);
            (void)add_vertex(&soup, r * cos(turn), r * sin(turn),
                             0.2 * side * sin(turn / 2));
        }
    }
    for (int i = 0; i < QUADS_ROUND; i++) {
        bool is_last = i + 1 == QUADS_ROUND;
        int a = 2 * i, b = a + 1, c = is_last ? 1 : a + 2;
        int d = is_last ? 0 : a + 3;
        add_face(&soup, a, b, c);
        add_face(&soup, b, d, c);
    }
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    ck_assert_int_eq(mesh.vertex_count, 2 * QUADS_ROUND);
    ck_assert_int_eq(report.border_edges, 2 * QUADS_ROUND);
    ck_assert_int_eq(report.hole_count, 1);
    ck_assert_int_eq(report.component_count, 1);
    sb_mesh_free(&mesh);
}
END_TEST

/* A fan puts all edges at one vertex. */
START_TEST(a_fan_of_many_faces_is_cleaned) {
    enum { BLADES = 300 };
    sb_mesh soup = make_empty();
    (void)add_vertex(&soup, 0, 0, 0);
    for (int i = 0; i < BLADES; i++) {
        double turn = 2 * SB_PI * i / BLADES;
        (void)add_vertex(&soup, cos(turn), sin(turn), 0);
    }
    for (int i = 0; i < BLADES; i++) {
        add_face(&soup, 0, 1 + i, 1 + (i + 1) % BLADES);
    }
    for (int i = 0; i < BLADES; i += 2) {
        turn(&soup, i);
    }
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    ck_assert_int_eq(report.hole_count, 1);
    ck_assert_int_eq(report.border_edges, BLADES);
    for (int i = 1; i < BLADES; i++) { /* all in the same orientation */
        bool up =
            mesh.faces[i][1] + 1 == mesh.faces[i][2] || mesh.faces[i][2] == 1;
        bool first_up = mesh.faces[0][1] + 1 == mesh.faces[0][2];
        ck_assert(up == first_up);
    }
    sb_mesh_free(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mesh");
    TCase *tcase = tcase_create("clean");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, a_cube_in_single_triangles_has_eight_vertices);
    tcase_add_test(tcase, points_weld_within_the_tolerance_and_not_beyond);
    tcase_add_test(tcase, welding_works_far_from_the_origin);
    tcase_add_test(tcase, a_tiny_cube_is_as_good_as_a_large_one);
    tcase_add_test(tcase, degenerate_and_doubled_faces_and_loose_vertices_go);
    tcase_add_test(tcase, a_thin_face_is_kept_and_a_flat_one_dropped);
    tcase_add_test(tcase, a_crack_under_flat_faces_does_not_open);
    tcase_add_test(tcase, what_is_no_mesh_is_refused);
    tcase_add_test(tcase, faces_turn_alike_and_outward_whatever_they_were);
    tcase_add_test(tcase, an_inside_out_cube_is_turned_and_said_to_be);
    tcase_add_test(tcase, texture_coordinates_stay_at_their_corners);
    tcase_add_test(tcase, a_cavity_stays_a_cavity);
    tcase_add_test(tcase, cubes_side_by_side_are_each_turned_outward);
    tcase_add_test(tcase, holes_are_counted);
    tcase_add_test(tcase, an_edge_of_three_faces_is_not_manifold);
    tcase_add_test(tcase, a_moebius_band_has_one_border);
    tcase_add_test(tcase, a_fan_of_many_faces_is_cleaned);
    return run_suite(suite);
}
