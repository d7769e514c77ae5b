/* SPDX-License-Identifier: MIT */
/* Masses and springs: what two layers reproduce and one layer cannot. */
#include "tests/model/fem/fem_fixture.h"

static const double side = 0.3, thin = 0.002;

static sb_shape plate(sb_support support) {
    return (sb_shape){.kind = SB_SHAPE_PLATE,
                      .support = support,
                      .width = side,
                      .depth = side,
                      .thickness = thin};
}

static sb_material springy(void) {
    return elastic(200e9, 7850, 1.0 / 3);
}

static void lambdas(const sb_mesh *mesh, sb_support support, double thickness,
                    int count, double *got) {
    sb_hold *holds =
        holds_of(plate(support), mesh->vertices, mesh->vertex_count);
    sb_fem fem = sheet(SB_METHOD_SPRINGS, mesh, springy(), thickness, holds);
    modes_of(&fem, support == SB_SUPPORT_FREE ? 6 : 0, count, 100, got);
    for (int k = 0; k < count; k++) {
        got[k] *= lambda_per_hz(springy(), thickness, side);
    }
    sb_free(holds);
}

START_TEST(equilateral_plates_match_a_third) {
    const double free_edges[] = {13.1655, 19.2200, 24.4243,
                                 34.2267, 34.2267, 60.9304};
    const double clamped[] = {35.9852, 73.3938, 73.3938, 108.2165};
    const double pinned[] = {19.7392, 49.3480, 49.3480, 78.9568};
    double got[6];
    sb_mesh mesh = surface_of(plate(SB_SUPPORT_FREE), 24);
    lambdas(&mesh, SB_SUPPORT_FREE, thin, 6, got);
    expect_near("free", got, free_edges, 6, 0.015);
    lambdas(&mesh, SB_SUPPORT_CLAMPED, thin, 4, got);
    expect_near("clamped", got, clamped, 4, 0.03);
    lambdas(&mesh, SB_SUPPORT_PINNED, thin, 4, got);
    expect_near("pinned", got, pinned, 4, 0.02);
    drop_mesh(&mesh);
}
END_TEST

/* As expected: on right triangles the first mode is some 15 % low. */
START_TEST(right_angles_are_their_weakness) {
    double got[2];
    sb_mesh mesh = square(side, 16, ALTERNATING);
    lambdas(&mesh, SB_SUPPORT_FREE, thin, 2, got);
    ck_assert_double_lt(got[0] / 13.1655, 0.9);
    ck_assert_double_gt(got[0] / 13.1655, 0.75);
    ck_assert_double_gt(got[1] / 19.2200, 1.05);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(free_disks_match_a_third) {
    double got[3];
    sb_shape disk = {.kind = SB_SHAPE_DISK, .radius = 0.3, .thickness = 0.004};
    sb_mesh mesh = surface_of(disk, 20);
    sb_fem fem = sheet(SB_METHOD_SPRINGS, &mesh, springy(), 0.004, NULL);
    modes_of(&fem, 6, 3, 50, got);
    for (int k = 0; k < 3; k++) {
        got[k] *= lambda_per_hz(springy(), 0.004, 0.3);
    }
    /* nu = .33 */
    const double want[] = {5.2620, 5.2620, 9.0689};
    expect_near("disk", got, want, 3, 0.05);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(thickness_doubles_bending) {
    double one[4], two[4];
    sb_mesh mesh = surface_of(plate(SB_SUPPORT_FREE), 8);
    sb_fem fem = sheet(SB_METHOD_SPRINGS, &mesh, springy(), 1e-4, NULL);
    modes_of(&fem, 6, 4, 5, one);
    fem = sheet(SB_METHOD_SPRINGS, &mesh, springy(), 2e-4, NULL);
    modes_of(&fem, 6, 4, 10, two);
    for (int k = 0; k < 4; k++) {
        ck_assert_double_eq_tol(two[k] / one[k], 2, 1e-4);
    }
    drop_mesh(&mesh);
}
END_TEST

enum { MODES = 6 };

static void expect_scaled(sb_method method, const sb_mesh *mesh,
                          sb_material material, double thickness,
                          const double *base, double factor) {
    double got[MODES], want[MODES];
    sb_fem fem = sheet(method, mesh, material, thickness, NULL);
    modes_of(&fem, 6, MODES, 100 * factor, got);
    for (int k = 0; k < MODES; k++) {
        want[k] = factor * base[k];
    }
    expect_near("the same", got, want, MODES, 1e-9);
}

START_TEST(size_stiffness_place_and_side_only_scale) {
    double base[MODES];
    sb_mesh mesh = surface_of(plate(SB_SUPPORT_FREE), 8);
    for (int i = 0; i < mesh.vertex_count; i++) {
        sb_vec3 *p = &mesh.vertices[i];
        p->y = 0.3 * p->x * p->x - 0.2 * p->z * p->z + 0.4 * p->x * p->z;
    }
    sb_material stiff = springy(), dense = springy();
    stiff.youngs_modulus *= 4;
    dense.density *= 4;
    sb_fem fem = sheet(SB_METHOD_SPRINGS, &mesh, springy(), 0.01, NULL);
    modes_of(&fem, 6, MODES, 100, base);
    expect_scaled(SB_METHOD_SPRINGS, &mesh, stiff, 0.01, base, 2);
    expect_scaled(SB_METHOD_SPRINGS, &mesh, dense, 0.01, base, 0.5);
    move_points(mesh.vertices, mesh.vertex_count, moved);
    expect_scaled(SB_METHOD_SPRINGS, &mesh, springy(), 0.01, base, 1);
    move_points(mesh.vertices, mesh.vertex_count, mirrored);
    expect_scaled(SB_METHOD_SPRINGS, &mesh, springy(), 0.01, base, 1);
    move_points(mesh.vertices, mesh.vertex_count, doubled);
    expect_scaled(SB_METHOD_SPRINGS, &mesh, springy(), 0.02, base, 0.5);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(masses_add_up_to_the_sheet) {
    sb_mesh mesh = square(side, 6, JITTERED);
    const sb_method methods[] = {SB_METHOD_SPRINGS, SB_METHOD_SPRINGS_LITERAL};
    double want = 7850 * side * side * thin;
    for (int i = 0; i < 2; i++) {
        sb_fem fem = sheet(methods[i], &mesh, steel(), thin, NULL);
        ck_assert_double_eq_tol(fem.mass_kg, want, 1e-12 * want);
        ck_assert_double_eq_tol(sum_of_mass(&fem, 1), want, 1e-12 * want);
        ck_assert_int_eq(fem.dof_count, (i ? 3 : 6) * mesh.vertex_count);
        sb_fem_free(&fem);
    }
    drop_mesh(&mesh);
}
END_TEST

static int count_zeros(const sb_fem *fem) {
    sb_eigen_def def = {.k = &fem->k,
                        .m = &fem->m,
                        .max_value = INFINITY,
                        .max_count = fem->dof_count,
                        .method = SB_EIGEN_DENSE,
                        .threads = 1};
    sb_eigen_result result = {0};
    sb_error err = {0};
    ck_assert_msg(sb_eigen_sparse(&def, &result, &err) == SB_OK, "%s",
                  err.message);
    ck_assert_int_eq(result.count, fem->dof_count);
    double top = result.values[result.count - 1];
    int zeros = 0;
    while (zeros < result.count && result.values[zeros] < 1e-10 * top) {
        zeros++;
    }
    if (zeros < result.count) {
        ck_assert_double_gt(result.values[zeros], 1e-5 * top);
    }
    sb_eigen_result_free(&result);
    return zeros;
}

/* N vertices that can leave the plane freely, and three rigid motions in it. */
START_TEST(one_flat_layer_cannot_bend) {
    const int cells[] = {4, 8, 12};
    const int zeros[] = {28, 84, 172};
    for (int i = 0; i < 3; i++) {
        sb_mesh mesh = square(side, cells[i], SAME);
        sb_fem fem =
            sheet(SB_METHOD_SPRINGS_LITERAL, &mesh, steel(), thin, NULL);
        ck_assert_int_eq(count_zeros(&fem), zeros[i]);
        ck_assert_int_eq(zeros[i], mesh.vertex_count + 3);
        sb_fem_free(&fem);
        drop_mesh(&mesh);
    }
}
END_TEST

/* k and m both grow with t. */
START_TEST(one_layer_does_not_know_its_thickness) {
    double base[3], other[3];
    sb_mesh mesh = square(side, 5, SAME);
    sb_fem fem = sheet(SB_METHOD_SPRINGS_LITERAL, &mesh, steel(), thin, NULL);
    modes_of(&fem, mesh.vertex_count + 3, 3, 5000, base);
    fem = sheet(SB_METHOD_SPRINGS_LITERAL, &mesh, steel(), 3 * thin, NULL);
    modes_of(&fem, mesh.vertex_count + 3, 3, 5000, other);
    expect_near("thicker", other, base, 3, 1e-9);
    drop_mesh(&mesh);
}
END_TEST

/* One spring E t between the masses of two triangles, along the edge. */
START_TEST(one_edge_is_a_spring_of_its_thickness) {
    sb_mesh mesh = empty_mesh(3, 1);
    mesh.vertices[0] = (sb_vec3){0, 0, 0};
    mesh.vertices[1] = (sb_vec3){1, 0, 0};
    mesh.vertices[2] = (sb_vec3){0.5, 0, 1};
    mesh.vertex_count = 3;
    add_triangle(&mesh, 0, 1, 2);
    const sb_hold holds[] = {SB_HOLD_PINNED, SB_HOLD_CLAMPED, SB_HOLD_FREE};
    sb_fem fem =
        sheet(SB_METHOD_SPRINGS_LITERAL, &mesh, elastic(2, 3, 0.3), 0.1, holds);
    ck_assert_int_eq(fem.dof_count, 3);
    ck_assert_int_eq(fem.dofs[0][0], -1);
    ck_assert_int_eq(fem.dofs[2][2], 2);
    double x[3] = {0, 0, 1}, y[3];
    sb_sparse_multiply(&fem.k, x, y); /* two springs, cos^2 = 1 / 1.25 */
    ck_assert_double_eq_tol(y[2], 2 * 2 * 0.1 / 1.25, 1e-12);
    sb_sparse_multiply(&fem.m, x, y);
    ck_assert_double_eq_tol(y[2], 3 * 0.1 * 0.5 / 3, 1e-12);
    sb_fem_free(&fem);
    /* Two layers: the pinned vertex keeps its half-difference. */
    fem = sheet(SB_METHOD_SPRINGS, &mesh, elastic(2, 3, 0.3), 0.1, holds);
    ck_assert_int_eq(fem.dof_count, 9);
    ck_assert_int_eq(fem.dofs[2][0], 3);
    sb_fem_free(&fem);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(every_allocation_may_fail) {
    sb_mesh mesh = square(side, 3, SAME);
    sb_material material = steel();
    long blocks = sb_memory_live_blocks();
    for (int i = 0; i < 2; i++) {
        sb_status status = SB_NO_MEMORY;
        for (long n = 0; status; n++) {
            sb_fem fem = {0};
            sb_memory_fail_after(n);
            status = i ? make_sheet(SB_METHOD_SPRINGS_LITERAL, &mesh, &material,
                                    thin, NULL, &fem, NULL)
                       : make_sheet(SB_METHOD_SPRINGS, &mesh, &material, thin,
                                    NULL, &fem, NULL);
            sb_memory_fail_after(-1);
            ck_assert_int_lt(n, 100);
            if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
            sb_fem_free(&fem);
            ck_assert_int_eq(sb_memory_live_blocks(), blocks);
        }
    }
    drop_mesh(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fem_springs");
    TCase *tests = tcase_create("springs");
    tcase_add_test(tests, equilateral_plates_match_a_third);
    tcase_add_test(tests, right_angles_are_their_weakness);
    tcase_add_test(tests, free_disks_match_a_third);
    tcase_add_test(tests, thickness_doubles_bending);
    tcase_add_test(tests, size_stiffness_place_and_side_only_scale);
    tcase_add_test(tests, masses_add_up_to_the_sheet);
    tcase_add_test(tests, one_flat_layer_cannot_bend);
    tcase_add_test(tests, one_layer_does_not_know_its_thickness);
    tcase_add_test(tests, one_edge_is_a_spring_of_its_thickness);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
