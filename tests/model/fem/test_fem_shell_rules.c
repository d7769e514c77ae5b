/* SPDX-License-Identifier: MIT */
/* Thin sheets: invariances, and refused input. */
#include "tests/model/eigen/residual.h"
#include "tests/model/fem/fem_fixture.h"

static const double side = 0.3, thin = 0.002;

enum { MODES = 8 };

/* A tube, whose modes combine bending and stretching. */
static void reference(sb_mesh *mesh, double *freqs) {
    *mesh = tube(0.05, 0.06, 16, 4);
    sb_fem fem = sheet(SB_METHOD_SHELL, mesh, steel(), 0.004, NULL);
    modes_of(&fem, 6, MODES, 1000, freqs);
}

static void expect_scaled(const sb_mesh *mesh, sb_material material,
                          double thickness, const double *base, double factor) {
    double got[MODES], want[MODES];
    sb_fem fem = sheet(SB_METHOD_SHELL, mesh, material, thickness, NULL);
    modes_of(&fem, 6, MODES, 1000 * factor, got);
    for (int k = 0; k < MODES; k++) {
        want[k] = factor * base[k];
    }
    expect_near("the same", got, want, MODES, 1e-9);
}

START_TEST(size_stiffness_and_density_only_scale) {
    sb_mesh mesh;
    double base[MODES];
    reference(&mesh, base);
    sb_material stiff = steel(), dense = steel();
    stiff.youngs_modulus *= 4;
    dense.density *= 4;
    expect_scaled(&mesh, stiff, 0.004, base, 2);
    expect_scaled(&mesh, dense, 0.004, base, 0.5);
    move_points(mesh.vertices, mesh.vertex_count, doubled);
    expect_scaled(&mesh, steel(), 0.008, base, 0.5);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(place_side_and_numbering_do_not_matter) {
    sb_mesh mesh;
    double base[MODES];
    reference(&mesh, base);
    move_points(mesh.vertices, mesh.vertex_count, moved);
    expect_scaled(&mesh, steel(), 0.004, base, 1);
    move_points(mesh.vertices, mesh.vertex_count, mirrored);
    expect_scaled(&mesh, steel(), 0.004, base, 1);
    sb_mesh other = empty_mesh(mesh.vertex_count, mesh.face_count);
    int *order = shuffled(mesh.vertex_count);
    int *turn = shuffled(mesh.face_count);
    for (int i = 0; i < mesh.vertex_count; i++) {
        other.vertices[order[i]] = mesh.vertices[i];
    }
    for (int i = 0; i < mesh.face_count; i++) {
        for (int j = 0; j < 3; j++) {
            other.faces[turn[i]][(i + j) % 3] = order[mesh.faces[i][j]];
        }
    }
    other.vertex_count = mesh.vertex_count;
    other.face_count = mesh.face_count;
    expect_scaled(&other, steel(), 0.004, base, 1);
    sb_free(order);
    sb_free(turn);
    drop_mesh(&other);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(thickness_doubles_bending_and_leaves_stretching) {
    double one[40], two[40];
    sb_mesh mesh = square(side, 8, ALTERNATING);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.002, NULL);
    modes_of(&fem, 6, 3, 100, one);
    fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.004, NULL);
    modes_of(&fem, 6, 3, 100, two);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(two[k] / one[k], 2, 2e-9);
    }
    drop_mesh(&mesh);
    /* The lowest modes of a closed thin ball stretch its wall. */
    mesh = ball(0.05, 2);
    fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 1e-5, NULL);
    modes_of(&fem, 6, 5, 10000, one);
    fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 2e-5, NULL);
    modes_of(&fem, 6, 5, 10000, two);
    for (int k = 0; k < 5; k++) {
        ck_assert_double_eq_tol(two[k] / one[k], 1, 1e-3);
    }
    drop_mesh(&mesh);
}
END_TEST

START_TEST(splitting_a_face_hardly_matters) {
    double one[6], two[6];
    sb_mesh mesh = square(side, 12, ALTERNATING);
    sb_mesh split = empty_mesh(mesh.vertex_count + 1, mesh.face_count + 2);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), thin, NULL);
    modes_of(&fem, 6, 6, 100, one);
    split.vertex_count = mesh.vertex_count + 1;
    split.face_count = mesh.face_count;
    memcpy(split.vertices, mesh.vertices,
           (size_t)mesh.vertex_count * sizeof(sb_vec3));
    memcpy(split.faces, mesh.faces, (size_t)mesh.face_count * sizeof(int[3]));
    int *face = split.faces[101], centre = mesh.vertex_count;
    const sb_vec3 *p = mesh.vertices;
    split.vertices[centre] = sb_vec3_scale(
        sb_vec3_add(p[face[0]], sb_vec3_add(p[face[1]], p[face[2]])), 1 / 3.0);
    add_triangle(&split, face[1], face[2], centre);
    add_triangle(&split, face[2], face[0], centre);
    face[2] = centre;
    fem = sheet(SB_METHOD_SHELL, &split, steel(), thin, NULL);
    modes_of(&fem, 6, 6, 100, two);
    expect_near("split", two, one, 6, 0.01);
    drop_mesh(&split);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(masses_add_up_to_the_sheet) {
    sb_mesh mesh = square(side, 9, JITTERED);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), thin, NULL);
    double want = 7850 * side * side * thin;
    ck_assert_double_eq_tol(fem.mass_kg, want, 1e-12 * want);
    for (int axis = 0; axis < 3; axis++) {
        ck_assert_double_eq_tol(sum_of_mass(&fem, axis), want, 1e-12 * want);
    }
    ck_assert_int_eq(fem.dof_count, 6 * mesh.vertex_count);
    ck_assert_int_eq(fem.element_count, mesh.face_count);
    ck_assert_int_eq(fem.face_count, mesh.face_count);
    ck_assert_mem_eq(fem.faces, mesh.faces,
                     (size_t)mesh.face_count * sizeof(int[3]));
    sb_fem_free(&fem);
    drop_mesh(&mesh);
}
END_TEST

static double m_dot(const sb_fem *fem, const double *x, const double *y,
                    double *room) {
    double sum = 0;
    sb_sparse_multiply(&fem->m, x, room);
    for (int i = 0; i < fem->dof_count; i++) {
        sum += room[i] * y[i];
    }
    return sum;
}

START_TEST(shapes_are_orthonormal_and_solve) {
    sb_mesh mesh = tube(0.05, 0.06, 16, 4);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.004, NULL);
    sb_eigen_result result = solve(&fem, 16, 1000);
    double *room = sb_alloc((size_t)fem.dof_count, sizeof *room);
    size_t n = (size_t)result.n;
    for (size_t k = 0; k < 16; k++) {
        for (size_t l = 0; l <= k; l++) {
            double dot = m_dot(&fem, result.vectors + k * n,
                               result.vectors + l * n, room);
            ck_assert_double_eq_tol(dot, k == l, 1e-10);
        }
    }
    ck_assert_double_lt(worst_residual(&fem.k, &fem.m, &result), 1e-8);
    sb_free(room);
    sb_eigen_result_free(&result);
    sb_fem_free(&fem);
    drop_mesh(&mesh);
}
END_TEST

/* Mass-normalised bending modes are 2 / sqrt(m) at a bar's free end. */
START_TEST(shapes_have_the_size_of_the_closed_form) {
    const sb_shape bar = {
        .kind = SB_SHAPE_BAR, .length = 0.2, .width = 0.01, .thickness = 0.002};
    sb_mesh mesh = surface_of(bar, 40);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.002, NULL);
    sb_eigen_result result = solve(&fem, 8, 200);
    double want = 2 / sqrt(fem.mass_kg);
    for (int k = 6; k < 8; k++) {
        const double *shape = result.vectors + (size_t)k * (size_t)result.n;
        for (int i = 0; i < fem.node_count; i++) {
            if (fabs(fem.nodes[i].x) < 0.0999) continue;
            double end = fabs(shape[fem.dofs[i][1]]);
            ck_assert_double_eq_tol(end, want, 0.01 * want);
        }
    }
    sb_eigen_result_free(&result);
    sb_fem_free(&fem);
    drop_mesh(&mesh);
}
END_TEST

/* Reciprocity: force and response may be exchanged. */
START_TEST(push_and_response_may_change_places) {
    sb_mesh mesh = tube(0.05, 0.06, 12, 3);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.004, NULL);
    size_t n = (size_t)fem.dof_count;
    double *x = sb_alloc(n, sizeof *x), *y = sb_alloc(n, sizeof *y);
    for (size_t i = 0; i < 40; i++) {
        size_t from = i * 37 % n, to = i * 101 % n;
        x[from] = 1;
        sb_sparse_multiply(&fem.k, x, y);
        double there = y[to];
        x[from] = 0;
        x[to] = 1;
        sb_sparse_multiply(&fem.k, x, y);
        ck_assert_double_eq(y[from], there);
        x[to] = 0;
    }
    sb_free(x);
    sb_free(y);
    sb_fem_free(&fem);
    drop_mesh(&mesh);
}
END_TEST

/* A vertex may have any number of neighbours. */
START_TEST(fans_are_allowed) {
    enum { RIM = 150 };
    double freqs[3];
    sb_mesh mesh = empty_mesh(RIM + 1, RIM);
    for (int i = 0; i < RIM; i++) {
        double angle = 2 * SB_PI * i / RIM;
        mesh.vertices[i + 1] = (sb_vec3){cos(angle), 0, sin(angle)};
        add_triangle(&mesh, 0, (i + 1) % RIM + 1, i + 1);
    }
    mesh.vertex_count = RIM + 1;
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.02, NULL);
    ck_assert_double_eq_tol(fem.mass_kg, 7850 * 0.02 * SB_PI, 0.5);
    modes_of(&fem, 6, 3, 20, freqs);
    drop_mesh(&mesh);
}
END_TEST

/* Three sheets on one edge, and two separate bodies. */
START_TEST(any_edges_and_many_bodies_are_allowed) {
    double freqs[2];
    sb_mesh mesh = empty_mesh(10, 6);
    const sb_vec3 points[10] = {
        {0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}, {0.5, 0, 1},
        {5, 0, 0}, {6, 0, 0}, {5, 1, 0},   {5.5, 0, 1},  {5, 1, 1}};
    memcpy(mesh.vertices, points, sizeof points);
    mesh.vertex_count = 10;
    add_triangle(&mesh, 0, 1, 2);
    add_triangle(&mesh, 0, 1, 3);
    add_triangle(&mesh, 1, 0, 4);
    add_triangle(&mesh, 5, 6, 7);
    add_triangle(&mesh, 5, 6, 8);
    add_triangle(&mesh, 5, 8, 9);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.05, NULL);
    modes_of(&fem, 12, 2, 30, freqs);
    drop_mesh(&mesh);
}
END_TEST

/* --- refused input -------------------------------------------------------- */

static void expect_refused(const sb_mesh *mesh, sb_material material,
                           double thickness, const sb_hold *holds,
                           const char *message) {
    sb_fem fem = {0};
    sb_error err = {0};
    long blocks = sb_memory_live_blocks();
    ck_assert_int_eq(make_sheet(SB_METHOD_SHELL, mesh, &material, thickness,
                                holds, &fem, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, message);
    ck_assert_ptr_null(fem.nodes);
    ck_assert_int_eq(sb_memory_live_blocks(), blocks);
}

START_TEST(nonsense_is_refused_in_words) {
    sb_mesh mesh = square(side, 2, SAME), none = {0};
    sb_hold holds[9];
    for (int i = 0; i < 9; i++) {
        holds[i] = SB_HOLD_CLAMPED;
    }
    expect_refused(&mesh, steel(), 0, NULL,
                   "mesh: thickness must be above 0, got 0 m");
    expect_refused(&mesh, steel(), NAN, NULL,
                   "mesh: thickness must be above 0, got nan m");
    expect_refused(&none, steel(), 1, NULL, "mesh: it has no faces");
    expect_refused(&mesh, steel(), 1, holds,
                   "mesh: every node is held, so nothing can move");
    expect_refused(&mesh, elastic(1, 1, 0.5), 1, NULL,
                   "material: poisson_ratio cannot be used (E 1 Pa, rho 1 "
                   "kg/m^3, nu 0.5)");
    mesh.face_count -= 2; /* those of the last vertex */
    expect_refused(&mesh, steel(), 1, NULL,
                   "mesh: node 8 of 9 is in no element");
    mesh.face_count += 2;
    mesh.faces[3][1] = mesh.faces[3][0];
    expect_refused(&mesh, steel(), 1, NULL,
                   "mesh: face 3 has no area; drop it or weld its corners");
    mesh.faces[3][1] = 9;
    expect_refused(&mesh, steel(), 1, NULL,
                   "mesh: face 3 refers to vertex 9 of 9");
    drop_mesh(&mesh);
}
END_TEST

START_TEST(every_allocation_may_fail) {
    sb_mesh mesh = square(side, 3, SAME);
    sb_material material = steel();
    long blocks = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_fem fem = {0};
        sb_error err = {0};
        sb_memory_fail_after(n);
        status = make_sheet(SB_METHOD_SHELL, &mesh, &material, thin, NULL, &fem,
                            &err);
        sb_memory_fail_after(-1);
        ck_assert_int_lt(n, 100);
        if (status) {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_ptr_nonnull(strstr(err.message, "memory"));
            ck_assert_ptr_null(fem.nodes);
        }
        sb_fem_free(&fem);
        ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    }
    drop_mesh(&mesh);
}
END_TEST

START_TEST(methods_have_names) {
    const char *names[] = {"auto", "analytic", "shell",          "solid",
                           "tet4", "springs",  "springs-literal"};
    for (int i = 0; i < SB_METHOD_COUNT; i++) {
        ck_assert_str_eq(sb_method_name((sb_method)i), names[i]);
        ck_assert_int_eq(sb_method_from_name(names[i]), i);
    }
    ck_assert_int_eq(sb_method_from_name("Shell"), -1);
    ck_assert_int_eq(sb_method_from_name(""), -1);
    ck_assert_str_eq(sb_method_name(SB_METHOD_COUNT), "unknown");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fem_shell_rules");
    TCase *tests = tcase_create("fem_shell_rules");
    tcase_add_test(tests, size_stiffness_and_density_only_scale);
    tcase_add_test(tests, place_side_and_numbering_do_not_matter);
    tcase_add_test(tests, thickness_doubles_bending_and_leaves_stretching);
    tcase_add_test(tests, splitting_a_face_hardly_matters);
    tcase_add_test(tests, masses_add_up_to_the_sheet);
    tcase_add_test(tests, shapes_are_orthonormal_and_solve);
    tcase_add_test(tests, shapes_have_the_size_of_the_closed_form);
    tcase_add_test(tests, push_and_response_may_change_places);
    tcase_add_test(tests, fans_are_allowed);
    tcase_add_test(tests, any_edges_and_many_bodies_are_allowed);
    tcase_add_test(tests, nonsense_is_refused_in_words);
    tcase_add_test(tests, every_allocation_may_fail);
    tcase_add_test(tests, methods_have_names);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
