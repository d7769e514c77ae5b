/* SPDX-License-Identifier: MIT */
/* Surfaces made coarser: the same body with fewer vertices. */
#include "runtime/model/fill/thin.h"

#include "runtime/base/memory.h"
#include "runtime/model/textures/skin_uv.h"
#include "tests/model/fill/boundaries.h"
#include "tests/model/mesh/mesh_measure.h"
#include "tests/suite.h"

static sb_mesh thinned(const sb_mesh *mesh, int target) {
    sb_thin_def def = {
        .target = target, .most = target, .longest_m = 1e9, .fidelity_m = 1e9};
    sb_mesh out = {0};
    sb_error err = {0};
    sb_status status = sb_mesh_thin(mesh, &def, &out, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return out;
}

static sb_mesh_report report_of(const sb_mesh *mesh) {
    sb_mesh copy = {0}, clean = {0};
    sb_mesh_report report;
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&copy, mesh, &err), SB_OK);
    ck_assert_int_eq(sb_mesh_clean(&copy, &clean, &report, &err), SB_OK);
    sb_mesh_free(&clean);
    return report;
}

static sb_vec3 normal_of(const sb_mesh *mesh, int face) {
    const int *f = mesh->faces[face];
    sb_vec3 a = mesh->vertices[f[0]];
    return sb_vec3_normalised(
        sb_vec3_cross(sb_vec3_sub(mesh->vertices[f[1]], a),
                      sb_vec3_sub(mesh->vertices[f[2]], a)));
}

/* n x n quads of a square with side 1 in the x-z plane, whose halves are two
 * charts of the texture: one is moved by 10. */
static sb_mesh *flat_square(int n, float (*uvs)[3][2]) {
    surface_begin();
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
            /* Inside, not on a grid. */
            double shift = i % n && j % n && 2 * j != n ? .3 / n : 0;
            surface_vertex((j + shift * sin(7.0 * i + 3 * j)) / n, 0,
                           (i + shift * cos(5.0 * i + j)) / n);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int a = i * (n + 1) + j, b = a + n + 1;
            surface_quad(a, b, b + 1, a + 1);
            for (int k = 0; uvs && k < 2; k++) {
                int f = surface_mesh.face_count - 2 + k;
                for (int c = 0; c < 3; c++) {
                    sb_vec3 at = surface_vertices[surface_faces[f][c]];
                    uvs[f][c][0] = (float)(at.x + (2 * j < n ? 0 : 10));
                    uvs[f][c][1] = (float)at.z;
                }
            }
        }
    }
    surface_mesh.uvs = uvs;
    return &surface_mesh;
}

/* --- what stays ----------------------------------------------------------- */

START_TEST(a_ball_stays_closed_round_and_as_large) {
    sb_mesh *ball = surface_sphere(.1, 60, 120);
    double volume = mesh_volume_m3(ball);
    sb_mesh coarse = thinned(ball, 700);
    sb_mesh_report report = report_of(&coarse);
    ck_assert_int_eq(coarse.vertex_count, 700);
    ck_assert_int_eq(coarse.face_count, 1396); /* Euler: 2 V - 4 */
    ck_assert(report.is_closed);
    ck_assert_int_eq(report.dropped_faces + report.welded_vertices, 0);
    ck_assert_double_eq_tol(mesh_volume_m3(&coarse) / volume, 1, 5e-3);
    for (int i = 0; i < coarse.vertex_count; i++) {
        double r = sb_vec3_length(coarse.vertices[i]);
        ck_assert_double_eq_tol(r, .1, 5e-4);
    }
    for (int f = 0; f < coarse.face_count; f++) {
        sb_vec3 out = sb_vec3_normalised(coarse.vertices[coarse.faces[f][0]]);
        ck_assert_double_ge(sb_vec3_dot(normal_of(&coarse, f), out), .9);
    }
    sb_mesh_free(&coarse);
}
END_TEST

START_TEST(sharp_edges_and_volumes_of_boxes_are_exact) {
    static double strip[2][3] = {{0, 0, .005}, {.2, 0, .005}};
    sb_mesh *bar = surface_strip((const double(*)[3])strip, 2, .02);
    double volume = mesh_volume_m3(bar);
    sb_mesh coarse = thinned(bar, 8);
    ck_assert_double_eq_tol(mesh_volume_m3(&coarse), volume, 1e-15);
    sb_mesh_free(&coarse);
    sb_mesh *cup = surface_cup(.04, .09, .003, 60, 120);
    volume = mesh_volume_m3(cup);
    coarse = thinned(cup, 3000);
    ck_assert(report_of(&coarse).is_closed);
    ck_assert_double_eq_tol(mesh_volume_m3(&coarse) / volume, 1, 2e-3);
    sb_mesh_free(&coarse);
}
END_TEST

START_TEST(the_border_of_a_sheet_stays) {
    sb_mesh coarse = thinned(flat_square(60, NULL), 300);
    sb_mesh_report report = report_of(&coarse);
    ck_assert_int_eq(coarse.vertex_count, 300);
    ck_assert_double_eq_tol(mesh_area_m2(&coarse), 1, 1e-9);
    ck_assert_int_eq(report.hole_count, 1);
    for (int f = 0; f < coarse.face_count; f++)
        ck_assert_double_ge(normal_of(&coarse, f).y, .999999);
    sb_mesh_free(&coarse);
}
END_TEST

START_TEST(seams_stay_and_textures_can_be_carried_over) {
    static float uvs[2 * SURFACE_MOST][3][2];
    sb_mesh *square = flat_square(60, uvs);
    sb_mesh coarse = thinned(square, 300);
    sb_error err;
    ck_assert_int_eq(sb_uv_transfer(square, &coarse, &coarse.uvs, &err), SB_OK);
    for (int f = 0; f < coarse.face_count; f++) {
        double x = 0;
        for (int c = 0; c < 3; c++)
            x += coarse.vertices[coarse.faces[f][c]].x / 3;
        for (int c = 0; c < 3; c++) {
            sb_vec3 at = coarse.vertices[coarse.faces[f][c]];
            double u = at.x + (x < .5 ? 0 : 10);
            ck_assert_double_eq_tol((double)coarse.uvs[f][c][0], u, 1e-4);
            ck_assert_double_eq_tol((double)coarse.uvs[f][c][1], at.z, 1e-4);
        }
    }
    sb_mesh_free(&coarse);
}
END_TEST

/* --- limits --------------------------------------------------------------- */

START_TEST(no_edge_grows_beyond_the_limit_and_no_detail_is_lost) {
    sb_mesh out;
    sb_error err;
    sb_thin_def def = {
        .target = 10, .most = 1 << 30, .longest_m = .02, .fidelity_m = 1e-4};
    sb_mesh *ball = surface_sphere(.1, 60, 120);
    ck_assert_int_eq(sb_mesh_thin(ball, &def, &out, &err), SB_OK);
    for (int v = 0; v < out.vertex_count; v++)
        ck_assert_double_eq_tol(sb_vec3_length(out.vertices[v]), .1, 1.5e-4);
    for (int i = 0; i < 3 * out.face_count; i++) {
        const int *f = out.faces[i / 3];
        sb_vec3 side =
            sb_vec3_sub(out.vertices[f[i % 3]], out.vertices[f[(i + 1) % 3]]);
        ck_assert_double_le(sb_vec3_length(side), .02);
    }
    sb_mesh_free(&out);
}
END_TEST

static bool stop_soon(void *context, int done, int expected) {
    (void)expected;
    int *calls = context;
    ++*calls;
    return done < 2000;
}

START_TEST(it_can_be_interrupted) {
    sb_mesh out;
    sb_error err;
    int calls = 0;
    sb_thin_def def = {.target = 100,
                       .longest_m = 1e9,
                       .progress = stop_soon,
                       .context = &calls};
    sb_mesh *ball = surface_sphere(.1, 60, 120);
    ck_assert_int_eq(sb_mesh_thin(ball, &def, &out, &err), SB_INTERRUPTED);
    ck_assert_int_ge(calls, 2);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(without_memory_it_fails_and_keeps_nothing) {
    sb_mesh *ball = surface_sphere(.1, 20, 30);
    sb_thin_def def = {.target = 50, .longest_m = 1e9};
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status != SB_OK; n++) {
        sb_mesh out = {0};
        sb_error err;
        sb_memory_fail_after(n);
        status = sb_mesh_thin(ball, &def, &out, &err);
        sb_memory_fail_after(-1);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        sb_mesh_free(&out);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("thin");
    TCase *tcase = tcase_create("thin");
    tcase_add_test(tcase, a_ball_stays_closed_round_and_as_large);
    tcase_add_test(tcase, sharp_edges_and_volumes_of_boxes_are_exact);
    tcase_add_test(tcase, the_border_of_a_sheet_stays);
    tcase_add_test(tcase, seams_stay_and_textures_can_be_carried_over);
    tcase_add_test(tcase, no_edge_grows_beyond_the_limit_and_no_detail_is_lost);
    tcase_add_test(tcase, it_can_be_interrupted);
    tcase_add_test(tcase, without_memory_it_fails_and_keeps_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
