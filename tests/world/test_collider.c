/* SPDX-License-Identifier: MIT */
/* Tests for runtime/world/collider_choice.h. */
#include "runtime/base/pi.h"
#include "runtime/world/collider_choice.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shape.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static sb_mesh_source *source_of(sb_mesh *soup) {
    sb_mesh mesh;
    sb_mesh_report report;
    sb_mesh_source *source;
    ck_assert_int_eq(sb_mesh_clean(soup, &mesh, &report, NULL), SB_OK);
    ck_assert_int_eq(
        sb_mesh_source_create("test", &mesh, &report, &source, NULL), SB_OK);
    return source;
}

/* A box of n x n cells per side. */
static sb_mesh_source *box_mesh(int n) {
    sb_mesh soup = {.vertex_count = 6 * (n + 1) * (n + 1),
                    .face_count = 12 * n * n};
    soup.vertices = sb_alloc((size_t)soup.vertex_count, sizeof *soup.vertices);
    soup.faces = sb_alloc((size_t)soup.face_count, sizeof *soup.faces);
    int faces = 0;
    for (int side = 0; side < 6; side++) {
        int first = side * (n + 1) * (n + 1);
        for (int i = 0; i <= n; i++) {
            for (int j = 0; j <= n; j++) {
                double p[3];
                p[side / 2] = side % 2;
                p[(side / 2 + 1) % 3] = (double)i / n;
                p[(side / 2 + 2) % 3] = (double)j / n;
                soup.vertices[first + i * (n + 1) + j] =
                    (sb_vec3){p[0], p[1], p[2]};
            }
        }
        for (int i = 0; i < n * n; i++) {
            int a = first + i / n * (n + 1) + i % n;
            int cell[2][3] = {{a, a + n + 1, a + 1},
                              {a + 1, a + n + 1, a + n + 2}};
            memcpy(soup.faces[faces++], cell[0], sizeof cell[0]);
            memcpy(soup.faces[faces++], cell[1], sizeof cell[1]);
        }
    }
    return source_of(&soup);
}

static sb_mesh_source *model_mesh(const char *path) {
    sb_mesh mesh;
    sb_mesh_report report;
    sb_mesh_source *source;
    ck_assert_int_eq(sb_mesh_read(path, 1, &mesh, &report, NULL), SB_OK);
    ck_assert_int_eq(sb_mesh_source_create(path, &mesh, &report, &source, NULL),
                     SB_OK);
    return source;
}

START_TEST(every_kind_of_shape_has_its_collider) {
    static const struct {
        sb_shape shape;
        sb_collider collider;
    } rows[] = {
        {{.kind = SB_SHAPE_RIGID}, {.kind = SB_COLLIDER_NONE}},
        {{.kind = SB_SHAPE_RIGID, .radius = .1},
         {.kind = SB_COLLIDER_SPHERE, .radius = .1}},
        {{.kind = SB_SHAPE_MODES}, {.kind = SB_COLLIDER_NONE}},
        {{.kind = SB_SHAPE_SPHERE, .radius = .2},
         {.kind = SB_COLLIDER_SPHERE, .radius = .2}},
        {{.kind = SB_SHAPE_BOX, .width = 1, .height = 2, .depth = 3},
         {.kind = SB_COLLIDER_BOX, .width = 1, .height = 2, .depth = 3}},
        {{.kind = SB_SHAPE_BAR, .length = .3, .width = .05, .thickness = .02},
         {.kind = SB_COLLIDER_BOX, .width = .3, .height = .02, .depth = .05}},
        {{.kind = SB_SHAPE_PLATE, .width = .3, .depth = .2, .thickness = .01},
         {.kind = SB_COLLIDER_BOX, .width = .3, .height = .01, .depth = .2}},
        {{.kind = SB_SHAPE_CYLINDER, .radius = .1, .length = .4},
         {.kind = SB_COLLIDER_CYLINDER, .radius = .1, .length = .4}},
        {{.kind = SB_SHAPE_DISK, .radius = .1, .thickness = .003},
         {.kind = SB_COLLIDER_CYLINDER, .radius = .1, .length = .003}},
        {{.kind = SB_SHAPE_MEMBRANE, .radius = .1},
         {.kind = SB_COLLIDER_CYLINDER, .radius = .1, .length = .002}},
        {{.kind = SB_SHAPE_MEMBRANE, .width = .1, .depth = .3},
         {.kind = SB_COLLIDER_BOX, .width = .1, .height = .002, .depth = .3}},
        {{.kind = SB_SHAPE_STRING, .length = .6, .diameter = .001},
         {.kind = SB_COLLIDER_CAPSULE, .length = .6, .radius = .0005}},
        {{.kind = SB_SHAPE_STRING, .length = .6, .diameter = 1e-5},
         {.kind = SB_COLLIDER_CAPSULE, .length = .6, .radius = 1e-5}},
        {{.kind = SB_SHAPE_RING, .radius = .05, .wire_radius = .004},
         {.kind = SB_COLLIDER_RING,
          .radius = .05,
          .wire_radius = .004,
          .is_smooth = true}},
        {{.kind = SB_SHAPE_FLOOR}, {.kind = SB_COLLIDER_FLOOR}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sb_collider got = sb_collider_of(&rows[i].shape);
        const sb_collider *want = &rows[i].collider;
        ck_assert_str_eq(sb_collider_kind_name(got.kind),
                         sb_collider_kind_name(want->kind));
        ck_assert_double_eq_tol(got.radius, want->radius, 1e-15);
        ck_assert_double_eq_tol(got.wire_radius, want->wire_radius, 1e-15);
        ck_assert_double_eq_tol(got.width, want->width, 1e-15);
        ck_assert_double_eq_tol(got.height, want->height, 1e-15);
        ck_assert_double_eq_tol(got.depth, want->depth, 1e-15);
        ck_assert_double_eq_tol(got.length, want->length, 1e-15);
        ck_assert(got.is_smooth == want->is_smooth);
        ck_assert_int_eq(sb_collider_check(&got, &rows[i].shape, NULL), SB_OK);
    }
}
END_TEST

START_TEST(flat_wire_is_as_thick_as_round_wire_of_its_section) {
    sb_shape ring = {
        .kind = SB_SHAPE_RING, .radius = .05, .width = .004, .thickness = .002};
    sb_collider got = sb_collider_of(&ring);
    ck_assert_double_eq_tol(SB_PI * got.wire_radius * got.wire_radius, 8e-6,
                            1e-15);
}
END_TEST

START_TEST(a_box_is_not_smooth_however_fine) {
    sb_shape shape = {.kind = SB_SHAPE_MESH};
    for (int cells = 1; cells <= 8; cells += 7) {
        sb_mesh_source *box = box_mesh(cells);
        shape.mesh = box;
        sb_collider got = sb_collider_of(&shape);
        ck_assert_int_eq(got.kind, SB_COLLIDER_HULL);
        ck_assert(!got.is_smooth);
        ck_assert_int_eq(sb_collider_check(&got, &shape, NULL), SB_OK);
        sb_mesh_source_release(box);
    }
}
END_TEST

START_TEST(round_models_are_smooth_and_a_table_is_not) {
    static const struct {
        const char *path;
        bool is_smooth;
    } rows[] = {{MODELS "/ring_200.obj", true},   {MODELS "/ring.obj", true},
                {MODELS "/bowl.obj", true},       {MODELS "/die.obj", true},
                {MODELS "/table_600.obj", false}, {MODELS "/bar.obj", false}};
    sb_shape shape = {.kind = SB_SHAPE_MESH};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sb_mesh_source *source = model_mesh(rows[i].path);
        shape.mesh = source;
        ck_assert_msg(sb_collider_of(&shape).is_smooth == rows[i].is_smooth,
                      "%s", rows[i].path);
        sb_memory_fail_after(0);
        ck_assert(!sb_collider_of(&shape).is_smooth);
        sb_memory_fail_after(-1);
        sb_mesh_source_release(source);
    }
}
END_TEST

/* Rings and forks have hollows: they collide as they are, not as their hulls.
 * Of a box, however fine, the hull is the box. */
START_TEST(a_closed_mesh_is_its_volume) {
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .mesh = model_mesh(MODELS "/ring_200.obj")};
    ck_assert_int_eq(sb_collider_of(&shape).kind, SB_COLLIDER_MESH);
    sb_mesh_source_release(shape.mesh);
    shape.mesh = box_mesh(12);
    ck_assert_int_eq(sb_collider_of(&shape).kind, SB_COLLIDER_HULL);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

START_TEST(a_flat_open_mesh_is_a_sheet) {
    static const struct {
        const char *path;
        sb_collider_kind kind;
    } rows[] = {{MODELS "/plate.obj", SB_COLLIDER_MESH},
                {MODELS "/bowl.obj", SB_COLLIDER_HULL},
                {MODELS "/table_600.obj", SB_COLLIDER_HULL}};
    sb_shape shape = {.kind = SB_SHAPE_MESH};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sb_mesh_source *source = model_mesh(rows[i].path);
        shape.mesh = source;
        ck_assert_msg(sb_collider_of(&shape).kind == rows[i].kind, "%s: %s",
                      rows[i].path,
                      sb_collider_kind_name(sb_collider_of(&shape).kind));
        sb_mesh_source_release(source);
    }
}
END_TEST

START_TEST(what_cannot_be_run_into_is_told) {
    static const struct {
        sb_collider collider;
        const char *text;
    } rows[] = {
        {{.kind = SB_COLLIDER_SPHERE},
         "collider: radius of a sphere must be 1e-05 to 1000 m, got 0"},
        {{.kind = SB_COLLIDER_BOX, .width = 1, .height = NAN, .depth = 1},
         "collider: height of a box must be 1e-05 to 1000 m, got nan"},
        {{.kind = SB_COLLIDER_BOX, .width = 1, .height = 1, .depth = 1e9},
         "collider: depth of a box must be 1e-05 to 1000 m, got 1e+09"},
        {{.kind = SB_COLLIDER_CYLINDER, .radius = 1, .length = -1},
         "collider: length of a cylinder must be 1e-05 to 1000 m, got -1"},
        {{.kind = SB_COLLIDER_CAPSULE, .radius = INFINITY, .length = 1},
         "collider: radius of a capsule must be 1e-05 to 1000 m, got inf"},
        {{.kind = SB_COLLIDER_RING, .radius = 1},
         "collider: wire_radius of a ring must be 1e-05 to 1000 m, got 0"},
        {{.kind = SB_COLLIDER_RING, .radius = 1, .wire_radius = 2},
         "collider: wire_radius of a ring must not exceed its radius (1 m), "
         "got 2 m"},
        {{.kind = SB_COLLIDER_HULL},
         "collider: a hull collider needs a mesh, and a disk has none"},
        {{.kind = SB_COLLIDER_MESH},
         "collider: a mesh collider needs a mesh, and a disk has none"},
        {{.kind = SB_COLLIDER_KINDS}, "collider: unknown kind 10"},
    };
    sb_shape disk = {.kind = SB_SHAPE_DISK, .radius = .1, .thickness = .003};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sb_error err;
        ck_assert_int_eq(sb_collider_check(&rows[i].collider, &disk, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_str_eq(err.message, rows[i].text);
    }
    ck_assert_str_eq(sb_collider_kind_name(SB_COLLIDER_KINDS), "unknown");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("collider");
    TCase *tcase = tcase_create("collider");
    tcase_add_test(tcase, every_kind_of_shape_has_its_collider);
    tcase_add_test(tcase, flat_wire_is_as_thick_as_round_wire_of_its_section);
    tcase_add_test(tcase, a_box_is_not_smooth_however_fine);
    tcase_add_test(tcase, round_models_are_smooth_and_a_table_is_not);
    tcase_add_test(tcase, a_closed_mesh_is_its_volume);
    tcase_add_test(tcase, a_flat_open_mesh_is_a_sheet);
    tcase_add_test(tcase, what_cannot_be_run_into_is_told);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
