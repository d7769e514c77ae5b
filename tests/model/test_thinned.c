/* SPDX-License-Identifier: MIT */
/* Meshes with far more vertices than needed: their modes are those of a coarse
 * mesh of the same body, and textures and points stay in place. */
#include "runtime/model/solve/mesh_prepare.h"

#include "runtime/base/pi.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shape.h"
#include "runtime/model/solve/solve.h"
#include "tests/model/fill/boundaries.h"
#include "tests/suite.h"

#include <string.h>

enum { MODES = 10 };

static sb_mesh_source *source_of(const sb_mesh *borrowed) {
    sb_mesh soup = {0}, mesh = {0};
    sb_mesh_report report;
    sb_mesh_source *source;
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&soup, borrowed, &err), SB_OK);
    ck_assert_int_eq(sb_mesh_clean(&soup, &mesh, &report, &err), SB_OK);
    ck_assert_int_eq(
        sb_mesh_source_create("thing.obj", &mesh, &report, &source, &err),
        SB_OK);
    return source;
}

static sb_solution *solved(const sb_mesh *mesh, double thickness_m) {
    sb_mesh_source *source = source_of(mesh);
    sb_shape shape = {
        .kind = SB_SHAPE_MESH, .thickness = thickness_m, .mesh = source};
    sb_solve_def def = {.shape = &shape,
                        .poisson_ratio = .3,
                        .max_lambda = INFINITY,
                        .max_modes = MODES};
    sb_solution *solution;
    sb_error err = {0};
    sb_status status = sb_solve(&def, &solution, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    sb_mesh_source_release(source);
    return solution;
}

static void expect_same_modes(sb_solution *fine, sb_solution *coarse) {
    for (int k = 0; k < MODES; k++) {
        double ratio = sqrt(fine->lambdas[k] / coarse->lambdas[k]);
        ck_assert_msg(fabs(ratio - 1) < .01, "mode %d: %.4f", k + 1, ratio);
    }
    ck_assert_double_eq_tol(fine->facts.volume_m3 / coarse->facts.volume_m3, 1,
                            .01);
}

/* A bowl open above; u is the longitude and v the height of its texture. */
static sb_mesh *bowl(int rows, int columns, float (*uvs)[3][2]) {
    surface_begin();
    for (int i = 0; i <= rows; i++) {
        double b = SB_PI / 2 * (.2 + .8 * i / rows);
        for (int j = 0; j < columns; j++) {
            double a = 2 * SB_PI * j / columns;
            surface_vertex(.1 * sin(b) * cos(a), .1 * sin(b) * sin(a),
                           -.1 * cos(b));
        }
    }
    surface_weave(0, rows + 1, columns, 0);
    for (int f = 0; uvs && f < surface_mesh.face_count; f++) {
        int quad = f / 2, i = quad / columns, j = quad % columns;
        for (int c = 0; c < 3; c++) {
            int v = surface_faces[f][c], row = v / columns;
            int column = v % columns;
            if (j == columns - 1 && column == 0) column = columns;
            uvs[f][c][0] = (float)column / (float)columns;
            uvs[f][c][1] = (float)row / (float)rows;
            ck_assert(row == i || row == i + 1);
        }
    }
    surface_mesh.uvs = uvs;
    return &surface_mesh;
}

START_TEST(a_fine_ball_rings_as_a_coarse_one) {
    sb_solution *coarse = solved(surface_sphere(.1, 40, 80), .002);
    sb_solution *fine = solved(surface_sphere(.1, 120, 240), .002);
    ck_assert_int_eq(fine->vertex_count, 5000);
    expect_same_modes(fine, coarse);
    sb_solution_release(coarse);
    sb_solution_release(fine);
}
END_TEST

START_TEST(a_fine_bowl_rings_as_a_coarse_one_with_its_texture) {
    static float uvs[2 * SURFACE_MOST][3][2];
    sb_solution *coarse = solved(bowl(50, 120, NULL), .003);
    sb_solution *fine = solved(bowl(100, 300, uvs), .003);
    ck_assert_int_le(fine->vertex_count, 5000);
    expect_same_modes(fine, coarse);
    ck_assert_ptr_nonnull(fine->uvs);
    for (int i = 0; i < 3 * fine->face_count; i++) {
        const float *at = fine->vertices[fine->faces[i / 3][i % 3]];
        const float *uv = fine->uvs[i / 3][i % 3];
        double a = 2 * SB_PI * (double)uv[0];
        double b = SB_PI / 2 * (.2 + .8 * (double)uv[1]);
        sb_vec3 apart = {.1 * sin(b) * cos(a) - (double)at[0],
                         .1 * sin(b) * sin(a) - (double)at[1],
                         -.1 * cos(b) - (double)at[2]};
        /* A tenth of an edge. */
        ck_assert_double_le(sb_vec3_length(apart), 4e-4);
    }
    sb_solution_release(coarse);
    sb_solution_release(fine);
}
END_TEST

/* --- which are thinned, and how far --------------------------------------- */

static int vertices_for(const sb_shape *shape, double max_lambda, int modes) {
    sb_thinned_def def = {.shape = shape,
                          .poisson_ratio = .3,
                          .max_lambda = max_lambda,
                          .max_modes = modes};
    sb_mesh_source *out;
    sb_error err;
    ck_assert_int_eq(sb_thinned_make(&def, &out, &err), SB_OK);
    int count = out ? sb_mesh_source_mesh(out)->vertex_count : 0;
    sb_mesh_source_release(out);
    return count;
}

START_TEST(the_shortest_wave_decides) {
    sb_mesh_source *source = source_of(surface_sphere(.1, 120, 240));
    sb_shape shape = {.kind = SB_SHAPE_MESH, .thickness = .002, .mesh = source};
    /* Steel, 22 kHz: waves of 29 mm, of which eight edges cover an area of
     * 0.126 m2 with 10,600 vertices. */
    double lambda = pow(2 * SB_PI * 22000, 2) * 7850 / 2e11;
    ck_assert_int_eq(vertices_for(&shape, lambda, 1200), 9000);
    /* At half the frequency half as many. D k^4 = rho h omega^2 for waves of
     * the number k: here k^2 = omega sqrt(12 (1 - nu^2) rho / E) / h. */
    double k2 = 2 * SB_PI * 11000 * sqrt(12 * .91 * 7850 / 2e11) / .002;
    double edge = 2 * SB_PI / sqrt(k2) / 8;
    double needed = 4 * SB_PI * .01 / (sqrt(3.0) / 2 * edge * edge);
    ck_assert_double_eq_tol(vertices_for(&shape, lambda / 4, 1200), needed,
                            .005 * needed);
    ck_assert_int_eq(vertices_for(&shape, lambda, 20), 5000);
    sb_mesh_source_release(source);
}
END_TEST

START_TEST(solids_literal_springs_and_small_meshes_stay) {
    sb_mesh_source *source = source_of(surface_sphere(.1, 120, 240));
    sb_shape shape = {.kind = SB_SHAPE_MESH, .mesh = source};
    char text[512];
    ck_assert_int_eq(vertices_for(&shape, INFINITY, 20), 0);
    shape.thickness = .002;
    shape.method = SB_METHOD_SPRINGS_LITERAL;
    ck_assert_int_eq(vertices_for(&shape, INFINITY, 20), 0);
    ck_assert(!sb_thinned_remark(&shape, text, sizeof text));
    shape.method = SB_METHOD_SHELL;
    ck_assert_int_gt(vertices_for(&shape, INFINITY, 20), 0);
    ck_assert(sb_thinned_remark(&shape, text, sizeof text));
    ck_assert_ptr_nonnull(strstr(text, "thing.obj: 28802 vertices"));
    sb_mesh_source_release(source);
    source = source_of(surface_sphere(.1, 80, 140));
    shape.mesh = source;
    ck_assert_int_eq(vertices_for(&shape, INFINITY, 20), 0);
    ck_assert(!sb_thinned_remark(&shape, text, sizeof text));
    sb_mesh_source_release(source);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("thinned");
    TCase *tcase = tcase_create("thinned");
    tcase_add_test(tcase, a_fine_ball_rings_as_a_coarse_one);
    tcase_add_test(tcase, a_fine_bowl_rings_as_a_coarse_one_with_its_texture);
    tcase_add_test(tcase, the_shortest_wave_decides);
    tcase_add_test(tcase, solids_literal_springs_and_small_meshes_stay);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
