/* SPDX-License-Identifier: MIT */
/* Closed-form shapes as meshes: sizes, quality, faces, constraints. */
#include "runtime/model/grid/grid.h"
#include "runtime/model/shapes/shapes.h"
#include "tests/model/fem/fem_fixture.h"

static const sb_shape bar = {
    .kind = SB_SHAPE_BAR, .length = 0.2, .width = 0.02, .thickness = 0.005};
static const sb_shape plate = {
    .kind = SB_SHAPE_PLATE, .width = 0.3, .depth = 0.2, .thickness = 0.002};
static const sb_shape disk = {
    .kind = SB_SHAPE_DISK, .radius = 0.15, .thickness = 0.01};
static const sb_shape round_ring = {
    .kind = SB_SHAPE_RING, .radius = 0.05, .wire_radius = 0.002};
static const sb_shape flat_ring = {
    .kind = SB_SHAPE_RING, .radius = 0.05, .width = 0.004, .thickness = 0.002};

static sb_vec3 face_normal(const sb_vec3 *points, const int *face) {
    sb_vec3 a = sb_vec3_sub(points[face[1]], points[face[0]]);
    sb_vec3 b = sb_vec3_sub(points[face[2]], points[face[0]]);
    return sb_vec3_scale(sb_vec3_cross(a, b), 0.5); /* length is the area */
}

/* Edges of `faces`, each counted in both directions. */
static void check_edges_once(const sb_mesh *mesh, bool is_closed) {
    for (int i = 0; i < mesh->face_count; i++) {
        for (int j = 0; j < 3; j++) {
            int a = mesh->faces[i][j], b = mesh->faces[i][(j + 1) % 3];
            int same = 0, opposite = 0;
            for (int k = 0; k < 3 * mesh->face_count; k++) {
                int c = mesh->faces[k / 3][k % 3];
                int d = mesh->faces[k / 3][(k % 3 + 1) % 3];
                same += c == a && d == b;
                opposite += c == b && d == a;
            }
            ck_assert_int_eq(same, 1);
            ck_assert_int_le(opposite, 1);
            if (is_closed) ck_assert_int_eq(opposite, 1);
        }
    }
}

static double smallest_angle(const sb_vec3 *p, const int *face) {
    double least = SB_PI;
    for (int i = 0; i < 3; i++) {
        sb_vec3 a = sb_vec3_sub(p[face[(i + 1) % 3]], p[face[i]]);
        sb_vec3 b = sb_vec3_sub(p[face[(i + 2) % 3]], p[face[i]]);
        double c = sb_vec3_dot(sb_vec3_normalised(a), sb_vec3_normalised(b));
        least = fmin(least, acos(c));
    }
    return least * 180 / SB_PI;
}

static void check_flat(sb_shape shape, int resolution, double area,
                       double tolerance, double least_angle) {
    sb_mesh mesh = surface_of(shape, resolution);
    double sum = 0, angle = 180;
    for (int i = 0; i < mesh.face_count; i++) {
        sb_vec3 normal = face_normal(mesh.vertices, mesh.faces[i]);
        ck_assert_double_gt(normal.y, 0);
        sum += normal.y;
        angle = fmin(angle, smallest_angle(mesh.vertices, mesh.faces[i]));
    }
    ck_assert_double_eq_tol(sum, area, tolerance * area);
    ck_assert_double_gt(angle, least_angle);
    check_edges_once(&mesh, false);
    drop_mesh(&mesh);
}

START_TEST(surfaces_are_clean_and_face_up) {
    check_flat(bar, 30, 0.2 * 0.02, 1e-12, 25);
    check_flat(plate, 12, 0.3 * 0.2, 1e-12, 25);
    check_flat(disk, 20, SB_PI * 0.15 * 0.15, 2e-3, 40);
    sb_shape strip = bar;
    strip.width = 0.002;
    check_flat(strip, 10, 0.2 * 0.002, 1e-12, 10); /* finer than requested */
    check_flat(plate, 1, 0.06, 1e-12, 10);
    check_flat(disk, 1, SB_PI * 0.15 * 0.15, 0.2, 40);
}
END_TEST

START_TEST(rings_are_closed_and_face_outward) {
    const sb_shape *rings[] = {&round_ring, &flat_ring};
    const double sections[] = {SB_PI * 0.002 * 0.002, 0.004 * 0.002};
    for (int i = 0; i < 2; i++) {
        sb_mesh mesh = surface_of(*rings[i], 48);
        check_edges_once(&mesh, true);
        double volume = 0, want = sections[i] * 2 * SB_PI * 0.05;
        for (int f = 0; f < mesh.face_count; f++) {
            sb_vec3 normal = face_normal(mesh.vertices, mesh.faces[f]);
            volume += sb_vec3_dot(normal, mesh.vertices[mesh.faces[f][0]]) / 3;
        }
        /* Eight vertices around a round wire are an octagon. */
        ck_assert_double_eq_tol(volume, want, (i ? 0.01 : 0.11) * want);
        drop_mesh(&mesh);
    }
}
END_TEST

static void check_uv(const sb_shape *shape, sb_vec3 at, const float *uv) {
    double x = 0, z = 0, y = 0;
    if (shape->kind == SB_SHAPE_BAR) {
        x = (uv[0] - 0.5) * shape->length;
        z = (uv[1] - 0.5) * shape->width;
    } else if (shape->kind == SB_SHAPE_PLATE) {
        x = (uv[0] - 0.5) * shape->width;
        z = (uv[1] - 0.5) * shape->depth;
    } else if (shape->kind == SB_SHAPE_DISK) {
        x = (2 * uv[0] - 1) * shape->radius;
        z = (2 * uv[1] - 1) * shape->radius;
    } else {
        double u = 2 * SB_PI * uv[0], v = 2 * SB_PI * uv[1];
        double r = shape->radius + shape->wire_radius * cos(v);
        x = r * cos(u);
        y = shape->wire_radius * sin(v);
        z = r * sin(u);
    }
    ck_assert_double_eq_tol(at.x, x, 1e-7);
    ck_assert_double_eq_tol(at.y, y, 1e-7);
    ck_assert_double_eq_tol(at.z, z, 1e-7);
}

START_TEST(corners_know_their_place) {
    const sb_shape *shapes[] = {&bar, &plate, &disk, &round_ring};
    for (int i = 0; i < 4; i++) {
        sb_mesh mesh = surface_of(*shapes[i], 16);
        for (int f = 0; f < mesh.face_count; f++) {
            for (int j = 0; j < 3; j++) {
                check_uv(shapes[i], mesh.vertices[mesh.faces[f][j]],
                         mesh.uvs[f][j]);
            }
        }
        drop_mesh(&mesh);
    }
    /* At the seam no face spans the whole of u or v. */
    sb_mesh mesh = surface_of(flat_ring, 16);
    for (int f = 0; f < mesh.face_count; f++) {
        for (int j = 0; j < 3; j++) {
            const float *a = mesh.uvs[f][j], *b = mesh.uvs[f][(j + 1) % 3];
            ck_assert_double_lt(fabs((double)(a[0] - b[0])), 0.3);
            ck_assert_double_lt(fabs((double)(a[1] - b[1])), 0.3);
        }
    }
    drop_mesh(&mesh);
}
END_TEST

/* Volume of the elements themselves, and a closed skin around them. */
static void check_solid(sb_shape shape, int resolution, double volume,
                        double tolerance) {
    sb_solid_mesh solid = solid_of(shape, resolution);
    sb_material unit = elastic(1, 1, 0.3);
    sb_fem fem = {0};
    sb_error err = {0};
    sb_status status =
        make_solid(SB_METHOD_SOLID, &solid, &unit, NULL, &fem, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_double_eq_tol(fem.mass_kg, volume, tolerance * volume);
    sb_mesh skin = {.vertex_count = fem.node_count,
                    .face_count = fem.face_count,
                    .vertices = fem.nodes,
                    .faces = fem.faces};
    check_edges_once(&skin, true);
    double inside = 0;
    for (int f = 0; f < skin.face_count; f++) {
        sb_vec3 normal = face_normal(skin.vertices, skin.faces[f]);
        inside += sb_vec3_dot(normal, skin.vertices[skin.faces[f][0]]) / 3;
    }
    /* Flat triangles lie inside a round surface. */
    ck_assert_double_eq_tol(inside, volume,
                            (tolerance > 1e-9 ? 0.05 : 1e-9) * volume);
    sb_fem_free(&fem);
    drop_solid(&solid);
}

START_TEST(solids_are_filled_without_gaps) {
    check_solid(bar, 12, 0.2 * 0.02 * 0.005, 1e-12);
    check_solid(plate, 8, 0.3 * 0.2 * 0.002, 1e-12);
    check_solid(disk, 8, SB_PI * 0.15 * 0.15 * 0.01, 2e-5);
    check_solid(flat_ring, 16, 2 * SB_PI * 0.05 * 0.004 * 0.002, 1e-4);
    check_solid(round_ring, 24, 2 * SB_PI * 0.05 * SB_PI * 4e-6, 3e-3);
}
END_TEST

static int count_holds(sb_shape shape, bool is_solid, sb_hold kind) {
    sb_mesh mesh = {0};
    sb_solid_mesh solid = {0};
    if (is_solid)
        solid = solid_of(shape, 10);
    else
        mesh = surface_of(shape, 10);
    const sb_vec3 *nodes = is_solid ? solid.nodes : mesh.vertices;
    int count = is_solid ? solid.node_count : mesh.vertex_count, found = 0;
    sb_hold *holds = holds_of(shape, nodes, count);
    for (int i = 0; i < count; i++) {
        found += holds[i] == kind;
        if (holds[i] == SB_HOLD_PINNED) {
            ck_assert_double_lt(fabs(nodes[i].y), 1e-9);
        }
        if (holds[i] != SB_HOLD_FREE && shape.kind == SB_SHAPE_DISK) {
            ck_assert_double_gt(hypot(nodes[i].x, nodes[i].z), 0.15 - 1e-6);
        }
    }
    sb_free(holds);
    drop_mesh(&mesh);
    drop_solid(&solid);
    return found;
}

START_TEST(supports_hold_the_edges) {
    sb_shape held_bar = bar, held_plate = plate, held_disk = disk;
    ck_assert_int_eq(count_holds(bar, true, SB_HOLD_CLAMPED), 0);
    held_bar.support = SB_SUPPORT_CLAMPED_FREE;
    int one_end = count_holds(held_bar, false, SB_HOLD_CLAMPED);
    int one_face = count_holds(held_bar, true, SB_HOLD_CLAMPED);
    ck_assert_int_ge(one_end, 3);
    ck_assert_int_ge(one_face, 25); /* 2 x 2 cells, with mid-edge nodes */
    held_bar.support = SB_SUPPORT_CLAMPED;
    ck_assert_int_eq(count_holds(held_bar, false, SB_HOLD_CLAMPED),
                     2 * one_end);
    ck_assert_int_eq(count_holds(held_bar, true, SB_HOLD_CLAMPED),
                     2 * one_face);
    held_bar.support = SB_SUPPORT_CLAMPED_PINNED;
    ck_assert_int_eq(count_holds(held_bar, false, SB_HOLD_PINNED), one_end);
    ck_assert_int_eq(count_holds(held_bar, false, SB_HOLD_CLAMPED), one_end);
    held_bar.support = SB_SUPPORT_PINNED;
    ck_assert_int_eq(count_holds(held_bar, false, SB_HOLD_PINNED), 2 * one_end);
    ck_assert_int_gt(count_holds(held_bar, true, SB_HOLD_PINNED), 4);
    held_plate.support = SB_SUPPORT_PINNED;
    ck_assert_int_gt(count_holds(held_plate, true, SB_HOLD_PINNED), 40);
    held_disk.support = SB_SUPPORT_CLAMPED;
    ck_assert_int_eq(count_holds(held_disk, false, SB_HOLD_CLAMPED), 30);
    ck_assert_int_eq(count_holds(held_disk, true, SB_HOLD_CLAMPED), 180);
}
END_TEST

START_TEST(what_has_no_grid_is_refused) {
    sb_shape string = {
        .kind = SB_SHAPE_STRING, .length = 1, .diameter = 1e-3, .tension = 9};
    sb_mesh mesh = {0};
    sb_solid_mesh solid = {0};
    sb_error err = {0};
    sb_hold hold = SB_HOLD_FREE;
    sb_vec3 at = {0};
    ck_assert_int_eq(sb_shape_surface(&string, 8, &mesh, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "grid: a string has no surface mesh");
    ck_assert_int_eq(sb_shape_solid(&string, 8, &solid, NULL), SB_BAD_ARGUMENT);
    ck_assert_int_eq(sb_shape_holds(&string, &at, 1, &hold), SB_BAD_ARGUMENT);
    ck_assert_int_eq(sb_shape_surface(&bar, 0, &mesh, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "grid: resolution must be 1 .. 2000, got 0");
    ck_assert_int_eq(sb_shape_solid(&plate, 2001, &solid, &err),
                     SB_BAD_ARGUMENT);
    sb_shape cube = {
        .kind = SB_SHAPE_BAR, .length = 1, .width = 1, .thickness = 1};
    ck_assert_int_eq(sb_shape_solid(&cube, 2000, &solid, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_null(solid.nodes);
    ck_assert_ptr_null(mesh.vertices);
}
END_TEST

START_TEST(every_allocation_may_fail) {
    const sb_shape *shapes[] = {&bar, &disk, &flat_ring};
    long blocks = sb_memory_live_blocks();
    for (int i = 0; i < 6; i++) {
        sb_status status = SB_NO_MEMORY;
        for (long n = 0; status; n++) {
            sb_mesh mesh = {0};
            sb_solid_mesh solid = {0};
            sb_memory_fail_after(n);
            status = i < 3 ? sb_shape_surface(shapes[i], 4, &mesh, NULL)
                           : sb_shape_solid(shapes[i - 3], 4, &solid, NULL);
            sb_memory_fail_after(-1);
            ck_assert_int_lt(n, 20);
            if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
            drop_mesh(&mesh);
            drop_solid(&solid);
            ck_assert_int_eq(sb_memory_live_blocks(), blocks);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mesh_grid");
    TCase *tests = tcase_create("mesh_grid");
    tcase_add_test(tests, surfaces_are_clean_and_face_up);
    tcase_add_test(tests, rings_are_closed_and_face_outward);
    tcase_add_test(tests, corners_know_their_place);
    tcase_add_test(tests, solids_are_filled_without_gaps);
    tcase_add_test(tests, supports_hold_the_edges);
    tcase_add_test(tests, what_has_no_grid_is_refused);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
