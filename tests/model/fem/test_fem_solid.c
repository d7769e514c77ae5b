/* SPDX-License-Identifier: MIT */
/* Solid bodies against three-dimensional elasticity. */
#include "runtime/model/fem/tet10.h"
#include "runtime/model/grid/grid.h"
#include "tests/model/fem/fem_fixture.h"

static const sb_shape bar = {
    .kind = SB_SHAPE_BAR, .length = 0.2, .width = 0.02, .thickness = 0.005};

static sb_fem filled(sb_method method, const sb_solid_mesh *solid,
                     sb_material material, const sb_hold *holds) {
    sb_fem fem = {0};
    sb_error err = {0};
    sb_status status = make_solid(method, solid, &material, holds, &fem, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return fem;
}

/* --- one element ---------------------------------------------------------- */

static void straight_nodes(sb_vec3 nodes[10]) {
    const sb_vec3 corners[4] = {
        {0.1, 0, 0.2}, {1.2, 0.1, 0}, {0.3, 0.9, 0.1}, {0.2, 0.4, 1.1}};
    memcpy(nodes, corners, sizeof corners);
    for (int e = 0; e < 6; e++) {
        nodes[4 + e] = sb_vec3_scale(
            sb_vec3_add(nodes[sb_tet_edges[e][0]], nodes[sb_tet_edges[e][1]]),
            0.5);
    }
}

static void bent_nodes(sb_vec3 nodes[10]) {
    straight_nodes(nodes);
    nodes[5].x += 0.05;
    nodes[8].y -= 0.04;
    nodes[9] = sb_vec3_add(nodes[9], (sb_vec3){0.03, 0.04, 0.05});
}

static double quadratic_form(const double *matrix, int n, const double *u) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += u[i] * matrix[i * n + j] * u[j];
        }
    }
    return sum;
}

/* u = grad r with grad the 3 x 3 matrix. */
static void linear_field(const sb_vec3 *nodes, int count, const double *grad,
                         double *u) {
    for (int a = 0; a < count; a++) {
        const double r[3] = {nodes[a].x, nodes[a].y, nodes[a].z};
        for (int i = 0; i < 3; i++) {
            u[3 * a + i] = grad[3 * i] * r[0] + grad[3 * i + 1] * r[1] +
                           grad[3 * i + 2] * r[2];
        }
    }
}

static double strain_energy(const double *grad, sb_material material) {
    double e = material.youngs_modulus, nu = material.poisson_ratio;
    double l = e * nu / ((1 + nu) * (1 - 2 * nu)), m = e / (2 * (1 + nu));
    double trace = grad[0] + grad[4] + grad[8], sum = 0;
    for (int i = 0; i < 9; i++) {
        double strain = 0.5 * (grad[i] + grad[i % 3 * 3 + i / 3]);
        sum += strain * strain;
    }
    return l * trace * trace + 2 * m * sum; /* twice the energy */
}

START_TEST(constant_strain_is_exact_even_when_bent) {
    const double grads[4][9] = {{1, 0, 0, 0, 0, 0, 0, 0, 0},
                                {0.3, 1, -2, 0.5, 0.7, 0, 1, 0.2, -1},
                                {0, 1, 0, -1, 0, 0, 0, 0, 0}, /* a rotation */
                                {0, 0, 1, 0, 0, 0, 1, 0, 0}};
    sb_material material = elastic(2, 3, 0.3);
    sb_tet_matrices element;
    sb_vec3 nodes[10];
    double u[30];
    for (int kind = 0; kind < 3; kind++) {
        int count = kind == 2 ? 4 : 10;
        if (kind == 1)
            bent_nodes(nodes);
        else
            straight_nodes(nodes);
        ck_assert(kind == 2 ? sb_tet4(nodes, &material, &element)
                            : sb_tet10(nodes, &material, &element));
        for (int i = 0; i < 4; i++) {
            linear_field(nodes, count, grads[i], u);
            double want = element.volume_m3 * strain_energy(grads[i], material);
            ck_assert_double_eq_tol(quadratic_form(element.k, 3 * count, u),
                                    want, 1e-12);
        }
    }
}
END_TEST

/* Mass of the whole and of x^2: integral of x^2 over a tetrahedron is V / 20
 * times (sum of x)^2 + sum of x^2. */
START_TEST(mass_is_exact) {
    sb_material material = elastic(2, 3, 0.3);
    sb_tet_matrices element;
    sb_vec3 nodes[10];
    double u[10];
    for (int kind = 0; kind < 2; kind++) {
        int count = kind ? 4 : 10;
        straight_nodes(nodes);
        ck_assert(kind ? sb_tet4(nodes, &material, &element)
                       : sb_tet10(nodes, &material, &element));
        double sum = 0, squares = 0;
        for (int i = 0; i < 4; i++) {
            sum += nodes[i].x;
            squares += nodes[i].x * nodes[i].x;
        }
        double want = 3 * element.volume_m3 / 20 * (sum * sum + squares);
        for (int a = 0; a < count; a++) {
            u[a] = nodes[a].x;
        }
        ck_assert_double_eq_tol(quadratic_form(element.m, count, u), want,
                                1e-12);
        for (int a = 0; a < count; a++) {
            u[a] = 1;
        }
        want = 3 * element.volume_m3;
        ck_assert_double_eq_tol(quadratic_form(element.m, count, u), want,
                                1e-12);
    }
}
END_TEST

/* The two rules agree where both are exact: nodes slightly off the straight
 * line. */
START_TEST(bent_and_straight_rules_agree) {
    sb_material material = elastic(2, 3, 0.3);
    sb_tet_matrices one, other;
    sb_vec3 nodes[10];
    straight_nodes(nodes);
    ck_assert(sb_tet10(nodes, &material, &one));
    nodes[4].x += 1e-8;
    ck_assert(sb_tet10(nodes, &material, &other));
    for (int i = 0; i < 900; i++) {
        ck_assert_double_eq_tol(one.k[i], other.k[i], 1e-6);
    }
    for (int i = 0; i < 100; i++) {
        ck_assert_double_eq_tol(one.m[i], other.m[i], 1e-7);
    }
}
END_TEST

/* --- bodies --------------------------------------------------------------- */

START_TEST(bars_match_three_dimensional_elasticity) {
    const double want[] = {647.36, 1778.86, 2507.21, 3471.11, 3503.80, 5701.93};
    double got[6];
    sb_solid_mesh solid = solid_of(bar, 26);
    sb_fem fem = filled(SB_METHOD_SOLID, &solid, steel(), NULL);
    ck_assert_double_eq_tol(fem.mass_kg, 0.157, 1e-12);
    ck_assert_double_eq_tol(sum_of_mass(&fem, 2), 0.157, 1e-12);
    modes_of(&fem, 6, 6, 600, got);
    expect_near("bar", got, want, 6, 0.01);
    drop_solid(&solid);
}
END_TEST

START_TEST(linear_tetrahedra_lock) {
    double got;
    sb_solid_mesh solid = solid_of(bar, 20);
    sb_fem fem = filled(SB_METHOD_TET4, &solid, steel(), NULL);
    ck_assert_int_eq(fem.node_count, solid.corner_count);
    ck_assert_double_eq_tol(fem.mass_kg, 0.157, 1e-12);
    modes_of(&fem, 6, 1, 600, &got);
    ck_assert_double_gt(got / 647.36, 1.5);
    ck_assert_double_lt(got / 647.36, 4);
    drop_solid(&solid);
}
END_TEST

START_TEST(held_bars_match) {
    const double cantilever[] = {101.873, 636.572};
    sb_shape held = bar;
    double got[4];
    held.support = SB_SUPPORT_CLAMPED_FREE;
    sb_solid_mesh solid = solid_of(held, 26);
    sb_hold *holds = holds_of(held, solid.nodes, solid.node_count);
    sb_fem fem = filled(SB_METHOD_SOLID, &solid, steel(), holds);
    modes_of(&fem, 0, 3, 100, got);
    got[1] = got[2]; /* skips the sideways one */
    expect_near("cantilever", got, cantilever, 2, 0.015);
    sb_free(holds);
    drop_solid(&solid);
    held.support = SB_SUPPORT_PINNED; /* Euler-Bernoulli, n^2 */
    const double hinged[] = {286.101, 1144.404};
    solid = solid_of(held, 26);
    holds = holds_of(held, solid.nodes, solid.node_count);
    fem = filled(SB_METHOD_SOLID, &solid, steel(), holds);
    modes_of(&fem, 0, 2, 200, got);
    expect_near("hinged", got, hinged, 2, 0.01);
    sb_free(holds);
    drop_solid(&solid);
}
END_TEST

START_TEST(cubes_match) {
    const double want[] = {28567.97, 28567.97, 38443.99, 38443.99,
                           38443.99, 39115.83, 39115.83, 39115.83,
                           44441.15, 44441.15, 44441.15};
    const sb_shape cube = {
        .kind = SB_SHAPE_BAR, .length = 0.05, .width = 0.05, .thickness = 0.05};
    double got[11];
    sb_solid_mesh solid = solid_of(cube, 4);
    sb_fem fem = filled(SB_METHOD_SOLID, &solid, steel(), NULL);
    modes_of(&fem, 6, 11, 20000, got);
    expect_near("cube", got, want, 11, 0.01);
    drop_solid(&solid);
}
END_TEST

/* Flat on top, hollowed below: a vibraphone bar. */
static sb_vec3 undercut(const void *context, double a, double b, double c) {
    (void)context;
    const double full = 13.3736e-3, thin = 0.367896 * full;
    const double hollow = 0.289404 * 0.36, t = fabs(a) / hollow;
    double h = t < 1 ? thin + (full - thin) * t * t * t : full;
    return (sb_vec3){a, h * (c - 1), b};
}

START_TEST(undercut_bars_match) {
    const double want[] = {185.29, 718.56, 742.63, 1543.91, 1846.05, 2875.49};
    double got[6];
    sb_flat flat;
    sb_solid_mesh solid;
    ck_assert_int_eq(sb_flat_cells(0.36, 0.05, 32, 4, &flat, NULL), SB_OK);
    ck_assert_int_eq(
        sb_flat_sweep(&flat, 2, false, undercut, NULL, &solid, NULL), SB_OK);
    sb_fem fem =
        filled(SB_METHOD_SOLID, &solid, elastic(70e9, 2700, 0.33), NULL);
    modes_of(&fem, 6, 6, 180, got);
    expect_near("undercut bar", got, want, 6, 0.01);
    ck_assert_double_eq_tol(got[2] / got[0], 4, 0.04);
    ck_assert_double_eq_tol(got[4] / got[0], 10, 0.1);
    sb_flat_free(&flat);
    drop_solid(&solid);
}
END_TEST

START_TEST(disks_and_rings_match) {
    const double disk_hz[] = {115.104, 115.104, 178.542};
    const double ring_hz[] = {946.76, 946.76, 995.63, 995.63};
    const sb_shape disk = {
        .kind = SB_SHAPE_DISK, .radius = 0.3, .thickness = 0.008};
    const sb_shape ring = {.kind = SB_SHAPE_RING,
                           .radius = 0.05,
                           .width = 0.004,
                           .thickness = 0.004};
    double got[4];
    sb_solid_mesh solid = solid_of(disk, 12);
    sb_fem fem =
        filled(SB_METHOD_SOLID, &solid, elastic(62e9, 2600, 0.2), NULL);
    modes_of(&fem, 6, 3, 100, got);
    expect_near("disk", got, disk_hz, 3, 0.01);
    drop_solid(&solid);
    solid = solid_of(ring, 48);
    fem = filled(SB_METHOD_SOLID, &solid, steel(), NULL);
    modes_of(&fem, 6, 4, 900, got);
    expect_near("ring", got, ring_hz, 4, 0.01);
    drop_solid(&solid);
}
END_TEST

/* --- invariances ---------------------------------------------------------- */

enum { MODES = 6 };

static void expect_scaled(const sb_solid_mesh *solid, sb_material material,
                          const double *base, double factor) {
    double got[MODES], want[MODES];
    sb_fem fem = filled(SB_METHOD_SOLID, solid, material, NULL);
    modes_of(&fem, 6, MODES, 2000 * factor, got);
    for (int k = 0; k < MODES; k++) {
        want[k] = factor * base[k];
    }
    expect_near("the same", got, want, MODES, 1e-9);
}

static void turn_inside_out(sb_solid_mesh *solid) {
    static const int swapped[10] = {1, 0, 2, 3, 4, 6, 5, 8, 7, 9};
    for (int i = 0; i < solid->tet_count; i++) {
        int old[10];
        memcpy(old, solid->tets[i], sizeof old);
        for (int j = 0; j < 10; j++) {
            solid->tets[i][j] = old[swapped[j]];
        }
    }
}

START_TEST(size_stiffness_place_and_side_only_scale) {
    const sb_shape disk = {
        .kind = SB_SHAPE_DISK, .radius = 0.05, .thickness = 0.02};
    double base[MODES];
    sb_solid_mesh solid = solid_of(disk, 4);
    sb_material stiff = steel(), dense = steel();
    stiff.youngs_modulus *= 4;
    dense.density *= 4;
    sb_fem fem = filled(SB_METHOD_SOLID, &solid, steel(), NULL);
    modes_of(&fem, 6, MODES, 2000, base);
    expect_scaled(&solid, stiff, base, 2);
    expect_scaled(&solid, dense, base, 0.5);
    move_points(solid.nodes, solid.node_count, moved);
    expect_scaled(&solid, steel(), base, 1);
    move_points(solid.nodes, solid.node_count, mirrored);
    turn_inside_out(&solid);
    expect_scaled(&solid, steel(), base, 1);
    move_points(solid.nodes, solid.node_count, doubled);
    expect_scaled(&solid, steel(), base, 0.5);
    drop_solid(&solid);
}
END_TEST

/* Corners keep the low numbers, as the mesh requires. */
START_TEST(numbering_does_not_matter) {
    double base[MODES];
    sb_solid_mesh solid = solid_of(bar, 4);
    sb_fem fem = filled(SB_METHOD_SOLID, &solid, steel(), NULL);
    modes_of(&fem, 6, MODES, 2000, base);
    int corners = solid.corner_count, others = solid.node_count - corners;
    int *low = shuffled(corners), *high = shuffled(others);
    sb_vec3 *nodes = sb_alloc((size_t)solid.node_count, sizeof *nodes);
    for (int i = 0; i < solid.node_count; i++) {
        nodes[i < corners ? low[i] : corners + high[i - corners]] =
            solid.nodes[i];
    }
    for (int i = 0; i < 10 * solid.tet_count; i++) {
        int *at = &solid.tets[i / 10][i % 10];
        *at = *at < corners ? low[*at] : corners + high[*at - corners];
    }
    sb_free(solid.nodes);
    solid.nodes = nodes;
    expect_scaled(&solid, steel(), base, 1);
    sb_free(low);
    sb_free(high);
    drop_solid(&solid);
}
END_TEST

/* --- refused input -------------------------------------------------------- */

START_TEST(bad_tetrahedra_are_named) {
    sb_solid_mesh solid = solid_of(bar, 4), none = {0};
    sb_material material = steel();
    sb_fem fem = {0};
    sb_error err = {0};
    long blocks = sb_memory_live_blocks();
    int *tet = solid.tets[17], kept = tet[0];
    tet[0] = tet[1];
    tet[1] = kept;
    ck_assert_int_eq(
        make_solid(SB_METHOD_SOLID, &solid, &material, NULL, &fem, &err),
        SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "mesh: tetrahedron 17, with"));
    ck_assert_ptr_nonnull(strstr(err.message, "is flat or inside out"));
    ck_assert_int_eq(
        make_solid(SB_METHOD_TET4, &solid, &material, NULL, &fem, &err),
        SB_BAD_ARGUMENT);
    tet[1] = tet[2];
    ck_assert_int_eq(
        make_solid(SB_METHOD_TET4, &solid, &material, NULL, &fem, &err),
        SB_BAD_ARGUMENT);
    ck_assert_int_eq(
        make_solid(SB_METHOD_SOLID, &none, &material, NULL, &fem, &err),
        SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "mesh: it has no tetrahedra");
    ck_assert_ptr_null(fem.nodes);
    ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    drop_solid(&solid);
}
END_TEST

START_TEST(every_allocation_may_fail) {
    sb_solid_mesh solid = solid_of(bar, 1);
    sb_material material = steel();
    long blocks = sb_memory_live_blocks();
    for (int i = 0; i < 2; i++) {
        sb_method method = i ? SB_METHOD_TET4 : SB_METHOD_SOLID;
        sb_status status = SB_NO_MEMORY;
        for (long n = 0; status; n++) {
            sb_fem fem = {0};
            sb_memory_fail_after(n);
            status = make_solid(method, &solid, &material, NULL, &fem, NULL);
            sb_memory_fail_after(-1);
            ck_assert_int_lt(n, 100);
            if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
            sb_fem_free(&fem);
            ck_assert_int_eq(sb_memory_live_blocks(), blocks);
        }
    }
    drop_solid(&solid);
}
END_TEST

static TCase *elements(void) {
    TCase *tests = tcase_create("elements");
    tcase_add_test(tests, constant_strain_is_exact_even_when_bent);
    tcase_add_test(tests, mass_is_exact);
    tcase_add_test(tests, bent_and_straight_rules_agree);
    tcase_add_test(tests, bad_tetrahedra_are_named);
    tcase_add_test(tests, every_allocation_may_fail);
    return tests;
}

int main(void) {
    Suite *suite = suite_create("fem_solid");
    TCase *tests = tcase_create("bodies");
    tcase_add_test(tests, bars_match_three_dimensional_elasticity);
    tcase_add_test(tests, linear_tetrahedra_lock);
    tcase_add_test(tests, held_bars_match);
    tcase_add_test(tests, cubes_match);
    tcase_add_test(tests, undercut_bars_match);
    tcase_add_test(tests, disks_and_rings_match);
    tcase_add_test(tests, size_stiffness_place_and_side_only_scale);
    tcase_add_test(tests, numbering_does_not_matter);
    suite_add_tcase(suite, elements());
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
