/* SPDX-License-Identifier: MIT */
/* Thin sheets against the closed forms of plates, disks, cylinders, spheres. */
#include "runtime/model/fem/shell_element.h"
#include "tests/model/fem/fem_fixture.h"

static const double side = 0.3, thin = 0.002;

static sb_shape plate(sb_support support) {
    return (sb_shape){.kind = SB_SHAPE_PLATE,
                      .support = support,
                      .width = side,
                      .depth = side,
                      .thickness = thin};
}

static void plate_modes(const sb_mesh *mesh, sb_support support,
                        sb_material material, int count, double *freqs) {
    sb_hold *holds =
        holds_of(plate(support), mesh->vertices, mesh->vertex_count);
    sb_fem fem = sheet(SB_METHOD_SHELL, mesh, material, thin, holds);
    modes_of(&fem, support == SB_SUPPORT_FREE ? 6 : 0, count, 100, freqs);
    sb_free(holds);
}

/* --- one element ---------------------------------------------------------- */

static const sb_vec3 skew[3] = {
    {0.1, 0.2, -0.3}, {1.3, 0.4, 0.1}, {0.2, 1.1, 0.6}};

static double energy(double k[SB_SHELL_DOFS][SB_SHELL_DOFS], const double *u) {
    double sum = 0;
    for (int i = 0; i < SB_SHELL_DOFS; i++) {
        for (int j = 0; j < SB_SHELL_DOFS; j++) {
            sum += 0.5 * u[i] * k[i][j] * u[j];
        }
    }
    return sum;
}

/* Displacement and rotation of all corners: u = a + w x r. */
START_TEST(rigid_motion_costs_nothing) {
    double k[SB_SHELL_DOFS][SB_SHELL_DOFS], trace = 0;
    const sb_shell_section section = {1, 0.3, 0.1};
    sb_shell_element(skew, &section, k);
    for (int i = 0; i < SB_SHELL_DOFS; i++) {
        trace += k[i][i];
    }
    for (int motion = 0; motion < 6; motion++) {
        double u[SB_SHELL_DOFS] = {0};
        sb_vec3 w = {motion == 3, motion == 4, motion == 5};
        for (int c = 0; c < 3; c++) {
            sb_vec3 shift = sb_vec3_cross(w, skew[c]);
            if (motion < 3) u[6 * c + motion] = 1;
            u[6 * c] += shift.x;
            u[6 * c + 1] += shift.y;
            u[6 * c + 2] += shift.z;
            if (motion >= 3) u[6 * c + motion] = 1;
        }
        ck_assert_double_lt(fabs(energy(k, u)), 1e-15 * trace);
    }
}
END_TEST

/* Any plane state of constant strain, and any constant curvature, has the
 * energy of the continuum, whatever the triangle. In the x-z plane, y is the
 * normal: e are strains xx, zz, xz, c are w,xx w,zz w,xz. */
static double plate_energy(const double *s, double nu) {
    return 0.5 / (1 - nu * nu) *
           (s[0] * s[0] + s[1] * s[1] + 2 * nu * s[0] * s[1] +
            0.5 * (1 - nu) * s[2] * s[2]);
}

START_TEST(constant_strain_and_curvature_are_exact) {
    const sb_vec3 flat[3] = {{0, 0, 0}, {0.2, 0, 1.1}, {1.3, 0, -0.2}};
    const double states[3][3] = {{1, 0, 0}, {0.3, -1, 0.5}, {0, 0, 1}};
    const double area = 0.5 * (1.1 * 1.3 + 0.2 * 0.2), nu = 0.3, h = 0.1;
    const sb_shell_section section = {1, nu, h};
    double k[SB_SHELL_DOFS][SB_SHELL_DOFS];
    sb_shell_element(flat, &section, k);
    for (int i = 0; i < 3; i++) {
        const double *s = states[i];
        double u[SB_SHELL_DOFS] = {0}, w[SB_SHELL_DOFS] = {0};
        for (int c = 0; c < 3; c++) {
            double x = flat[c].x, z = flat[c].z;
            u[6 * c] = s[0] * x + 0.5 * s[2] * z;
            u[6 * c + 2] = s[1] * z + 0.5 * s[2] * x;
            w[6 * c + 1] =
                0.5 * s[0] * x * x + 0.5 * s[1] * z * z + 0.5 * s[2] * x * z;
            w[6 * c + 3] = -(s[1] * z + 0.5 * s[2] * x); /* -w,z */
            w[6 * c + 5] = s[0] * x + 0.5 * s[2] * z;    /* w,x */
        }
        double want = plate_energy(s, nu) * area * h;
        ck_assert_double_eq_tol(energy(k, u), want, 1e-12 * want);
        want *= h * h / 12;
        ck_assert_double_eq_tol(energy(k, w), want, 1e-12 * want);
    }
}
END_TEST

/* In-plane bending: two triangles make a rectangle that has nearly the
 * energy of the beam, however long it is. With constant strain a long one
 * has a hundred times that energy. */
START_TEST(rectangles_bend_in_their_plane_as_beams_do) {
    const int halves[2][3] = {{0, 2, 1}, {1, 2, 3}};
    const double h = 0.1, b = 1;
    for (int i = 0; i < 6; i++) {
        double nu = i % 2 ? 0.3 : 0, a = i / 2 == 0 ? 1 : i / 2 == 1 ? 3 : 0.2;
        const sb_shell_section section = {1, nu, h};
        double k[SB_SHELL_DOFS][SB_SHELL_DOFS], sum = 0;
        for (int half = 0; half < 2; half++) {
            sb_vec3 corners[3];
            double u[SB_SHELL_DOFS] = {0};
            for (int c = 0; c < 3; c++) {
                int at = halves[half][c];
                double x = at % 2 ? a / 2 : -a / 2, z = at / 2 ? b / 2 : -b / 2;
                corners[c] = (sb_vec3){x, 0, z};
                u[6 * c] = x * z;
                u[6 * c + 2] = -0.5 * (x * x + nu * z * z);
                u[6 * c + 4] = x;
            }
            sb_shell_element(corners, &section, k);
            sum += energy(k, u);
        }
        double want = 0.5 * h * a * b * b * b / 12;
        ck_assert_msg(sum < want && sum > 0.75 * want, "a %g nu %g: %g", a, nu,
                      sum / want);
    }
}
END_TEST

/* --- plates --------------------------------------------------------------- */

START_TEST(square_plates_match_on_every_mesh) {
    const double free_hz[] = {73.003,  106.113, 130.429,
                              188.290, 188.290, 329.212};
    const double clamped_hz[] = {193.775, 395.214, 395.214,
                                 582.729, 708.542, 711.902};
    const double pinned_hz[] = {106.293, 265.731, 265.731,
                                425.170, 531.463, 531.463};
    const diagonals patterns[] = {SAME, ALTERNATING, JITTERED};
    double got[6];
    for (int i = 0; i < 3; i++) {
        sb_mesh mesh = square(side, 24, patterns[i]);
        plate_modes(&mesh, SB_SUPPORT_FREE, steel(), 6, got);
        expect_near("free", got, free_hz, 6, 0.015);
        plate_modes(&mesh, SB_SUPPORT_CLAMPED, steel(), 6, got);
        expect_near("clamped", got, clamped_hz, 6, 0.015);
        plate_modes(&mesh, SB_SUPPORT_PINNED, steel(), 6, got);
        expect_near("pinned", got, pinned_hz, 6, 0.015);
        drop_mesh(&mesh);
    }
}
END_TEST

START_TEST(halving_the_edge_quarters_the_error) {
    double exact = 13.4682, error[3];
    sb_material material = elastic(200e9, 7850, 0.3);
    for (int i = 0; i < 3; i++) {
        double freq;
        sb_mesh mesh = square(side, 6 << i, ALTERNATING);
        plate_modes(&mesh, SB_SUPPORT_FREE, material, 1, &freq);
        error[i] = exact - freq * lambda_per_hz(material, thin, side);
        drop_mesh(&mesh);
    }
    for (int i = 0; i < 2; i++) {
        double ratio = error[i] / error[i + 1];
        ck_assert_msg(ratio > 3 && ratio < 5, "%g over %g is %g", error[i],
                      error[i + 1], ratio);
    }
}
END_TEST

/* Modes of supported and clamped plates do not depend on nu; free ones do. */
START_TEST(poisson_moves_only_free_edges) {
    double ratio[3];
    const sb_support supports[] = {SB_SUPPORT_PINNED, SB_SUPPORT_CLAMPED,
                                   SB_SUPPORT_FREE};
    sb_material low = elastic(200e9, 7850, 0.2), high = low;
    high.poisson_ratio = 0.4;
    sb_mesh mesh = square(side, 12, ALTERNATING);
    for (int i = 0; i < 3; i++) {
        double one, other;
        plate_modes(&mesh, supports[i], low, 1, &one);
        plate_modes(&mesh, supports[i], high, 1, &other);
        ratio[i] = one * lambda_per_hz(low, thin, side) /
                   (other * lambda_per_hz(high, thin, side));
    }
    ck_assert_double_eq_tol(ratio[0], 1, 3e-3);
    ck_assert_double_eq_tol(ratio[1], 1, 3e-3);
    ck_assert_double_gt(ratio[2], 1.1);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(disks_match) {
    const double free_hz[] = {115.104, 115.104, 178.542, 265.144,
                              265.144, 414.050, 414.050};
    const double clamped_hz[] = {110.021, 228.968, 228.968,
                                 375.614, 375.614, 428.322};
    const double pinned[] = {4.9351, 13.8982, 13.8982, 25.6133, 25.6133};
    double got[7];
    sb_shape disk = {.kind = SB_SHAPE_DISK, .radius = 0.3, .thickness = 0.008};
    sb_mesh mesh = surface_of(disk, 24);
    sb_fem fem =
        sheet(SB_METHOD_SHELL, &mesh, elastic(62e9, 2600, 0.2), 0.008, NULL);
    modes_of(&fem, 6, 7, 100, got);
    expect_near("free disk", got, free_hz, 7, 0.015);
    drop_mesh(&mesh);
    disk.radius = 0.15;
    disk.thickness = 0.001;
    mesh = surface_of(disk, 24);
    disk.support = SB_SUPPORT_CLAMPED;
    sb_hold *holds = holds_of(disk, mesh.vertices, mesh.vertex_count);
    fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.001, holds);
    modes_of(&fem, 0, 6, 100, got);
    expect_near("clamped disk", got, clamped_hz, 6, 0.01);
    sb_free(holds);
    /* A rim of straight edges that is pinned at its vertices can rotate
     * there: it does not stiffen the disk as a rim pinned all along would. */
    disk.support = SB_SUPPORT_PINNED;
    holds = holds_of(disk, mesh.vertices, mesh.vertex_count);
    sb_material material = elastic(200e9, 7850, 0.3);
    fem = sheet(SB_METHOD_SHELL, &mesh, material, 0.001, holds);
    modes_of(&fem, 0, 5, 50, got);
    for (int k = 0; k < 5; k++) {
        got[k] *= lambda_per_hz(material, 0.001, 0.15);
    }
    expect_near("pinned disk", got, pinned, 5, 0.01);
    sb_free(holds);
    drop_mesh(&mesh);
}
END_TEST

/* Bending in both directions: sideways is in-plane. In the wide direction
 * the bar is short for its width, so the reference is the 3-D value. */
START_TEST(bars_bend_both_ways) {
    const double exact[] = {647.36, 1778.86, 2507.21, 3471.11};
    const double cantilever[] = {101.923, 638.738};
    sb_shape bar = {.kind = SB_SHAPE_BAR,
                    .support = SB_SUPPORT_CLAMPED_FREE,
                    .length = 0.2,
                    .width = 0.02,
                    .thickness = 0.005};
    double got[4];
    sb_mesh mesh = surface_of(bar, 40);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.005, NULL);
    modes_of(&fem, 6, 4, 600, got);
    expect_near("bar", got, exact, 4, 0.01);
    sb_hold *holds = holds_of(bar, mesh.vertices, mesh.vertex_count);
    fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.005, holds);
    modes_of(&fem, 0, 3, 100, got);
    got[1] = got[2]; /* skips the sideways one */
    expect_near("cantilever", got, cantilever, 2, 0.01);
    sb_free(holds);
    drop_mesh(&mesh);
}
END_TEST

/* --- curved sheets -------------------------------------------------------- */

START_TEST(cylinders_match) {
    const double want[] = {257.5, 257.5,  514.6,  514.6,  728.3,
                           728.3, 1322.7, 1322.7, 1396.2, 1396.2};
    double got[10];
    sb_mesh mesh = tube(0.05, 0.04, 48, 7);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.001, NULL);
    modes_of(&fem, 6, 10, 200, got);
    expect_near("cylinder", got, want, 10, 0.02);
    drop_mesh(&mesh);
}
END_TEST

/* Rayleigh's modes: pure bending. Triangles that respond by stretching, as
 * they do when corners cannot rotate freely, give too high frequencies on a
 * thin uneven mesh. */
START_TEST(thin_uneven_cylinders_do_not_lock) {
    const double want[] = {78.02, 78.02}, ring = 2 * SB_PI / 48;
    double got[2];
    sb_random random = sb_random_make(11, 1);
    sb_mesh mesh = tube(0.05, 0.1, 48, 16);
    for (int i = 0; i < mesh.vertex_count; i++) {
        sb_vec3 *p = &mesh.vertices[i];
        double angle =
            atan2(p->z, p->x) + 0.5 * ring * (sb_random_unit(&random) - 0.5);
        if (i >= 48 && i < 48 * 16) {
            p->y += 0.025 * ring * (sb_random_unit(&random) - 0.5);
        }
        p->x = 0.05 * cos(angle);
        p->z = 0.05 * sin(angle);
    }
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.0003, NULL);
    modes_of(&fem, 6, 2, 50, got);
    expect_near("thin cylinder", got, want, 2, 0.015);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(spheres_match) {
    double got[12], want[12];
    for (int k = 0; k < 12; k++) {
        want[k] = k < 5 ? 11840 : 14010;
    }
    sb_mesh mesh = ball(0.05, 3);
    ck_assert_int_eq(mesh.vertex_count, 642);
    sb_fem fem = sheet(SB_METHOD_SHELL, &mesh, steel(), 0.0005, NULL);
    modes_of(&fem, 6, 12, 10000, got);
    expect_near("sphere", got, want, 12, 0.015);
    drop_mesh(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fem_shell");
    TCase *tests = tcase_create("fem_shell");
    tcase_add_test(tests, rigid_motion_costs_nothing);
    tcase_add_test(tests, constant_strain_and_curvature_are_exact);
    tcase_add_test(tests, rectangles_bend_in_their_plane_as_beams_do);
    tcase_add_test(tests, square_plates_match_on_every_mesh);
    tcase_add_test(tests, halving_the_edge_quarters_the_error);
    tcase_add_test(tests, poisson_moves_only_free_edges);
    tcase_add_test(tests, disks_match);
    tcase_add_test(tests, bars_bend_both_ways);
    tcase_add_test(tests, cylinders_match);
    tcase_add_test(tests, thin_uneven_cylinders_do_not_lock);
    tcase_add_test(tests, spheres_match);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
