/* SPDX-License-Identifier: MIT */
/* Places on the textures of model files, and on closed forms. */
#include "runtime/model/mesh/mesh_file.h"
#include "tests/model/solve_fixture.h"

static sb_model *from_file(const char *name, double thickness, int elements) {
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .thickness = thickness,
                      .elements = elements,
                      .max_modes = 4};
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s.obj", MODELS, name);
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_mesh_source *source = NULL;
    sb_error err = {0};
    sb_status status = sb_mesh_read(path, 1, &mesh, &report, &err);
    ck_assert_msg(!status, "%s", err.message);
    status = sb_mesh_source_create(name, &mesh, &report, &source, &err);
    ck_assert_msg(!status, "%s", err.message);
    shape.mesh = source;
    return solved_mesh(shape, heard_steel());
}

static sb_vec3 place(const sb_model *model, double u, double v) {
    return sb_model_position(model, sb_model_point_at(model, u, v));
}

START_TEST(a_bowl_is_found_by_its_texture) {
    sb_model *bowl = from_file("bowl", .003, 0);
    ck_assert(sb_model_has_uv(bowl));
    for (int i = 0; i <= 40; i++) {
        double u = i / 40.0;
        sb_vec3 rim = place(bowl, u, 1);
        double angle = atan2(rim.z, rim.x) / (2 * SB_PI);
        ck_assert_msg(fabs(remainder(angle - u, 1)) < 1e-3, "%g: %g", u, angle);
        ck_assert_double_gt(rim.y, .04);
        /* The inverse. */
        double back_u, back_v;
        sb_model_uv(bowl, sb_model_point_at(bowl, u, 0.7), &back_u, &back_v);
        ck_assert_double_eq_tol(back_u, u, 1e-6);
        ck_assert_double_eq_tol(back_v, 0.7, 1e-6);
    }
    sb_vec3 bottom = place(bowl, 0.3, 0);
    ck_assert_double_lt(hypot(bottom.x, bottom.z), .005);
    ck_assert_double_lt(bottom.y, -.04);
    sb_model_release(bowl);
}
END_TEST

/* The skin of a filled body takes its coordinates from the mesh. */
START_TEST(a_filled_bar_keeps_its_texture) {
    sb_model *bar = from_file("bar", 0, 20);
    ck_assert(sb_model_has_uv(bar));
    for (int i = 1; i < 10; i++) {
        sb_vec3 at = place(bar, i / 10.0, 0.5);
        ck_assert_double_eq_tol(at.x, .2 * (i / 10.0 - 0.5), 1e-4);
        ck_assert_double_eq_tol(at.y, .0025, 1e-5);
        ck_assert_double_eq_tol(at.z, 0, 1e-4);
    }
    sb_model_release(bar);
}
END_TEST

static void expect_ring(const sb_model *ring, double radius, double wire) {
    for (int i = 0; i <= 24; i++) {
        double u = i / 24.0;
        sb_vec3 out = place(ring, u, 0.02), up = place(ring, u, 0.25);
        double angle = atan2(out.z, out.x) / (2 * SB_PI);
        ck_assert_msg(fabs(remainder(angle - u, 1)) < 5e-3, "%g: %g", u, angle);
        ck_assert_double_eq_tol(hypot(out.x, out.z), radius + wire, .1 * wire);
        ck_assert_double_eq_tol(up.y, wire, .1 * wire);
        ck_assert_double_eq_tol(hypot(up.x, up.z), radius, .15 * wire);
    }
}

START_TEST(a_ring_has_no_gap_at_its_seam) {
    sb_model *ring = from_file("ring", 0, 36);
    ck_assert(sb_model_has_uv(ring));
    expect_ring(ring, .05, .004);
    sb_model_release(ring);
    sb_shape form = {.kind = SB_SHAPE_RING,
                     .radius = .05,
                     .wire_radius = .004,
                     .method = SB_METHOD_SOLID,
                     .elements = 36,
                     .max_modes = 4};
    ring = solved(form, heard_steel());
    ck_assert(sb_model_has_uv(ring));
    expect_ring(ring, .05, .004);
    sb_model_release(ring);
}
END_TEST

/* Closed forms solved by elements have the same places as in closed form. */
START_TEST(closed_forms_keep_their_places) {
    sb_shape forms[] = {
        {.kind = SB_SHAPE_BAR, .length = .2, .width = .02, .thickness = .005},
        {.kind = SB_SHAPE_PLATE, .width = .3, .depth = .2, .thickness = .002},
        {.kind = SB_SHAPE_DISK, .radius = .1, .thickness = .003}};
    static const sb_method methods[] = {SB_METHOD_SHELL, SB_METHOD_SPRINGS,
                                        SB_METHOD_SOLID};
    for (int i = 0; i < 3; i++) {
        sb_model *exact = solved(forms[i], heard_steel());
        for (int j = 0; j < 3; j++) {
            sb_shape shape = forms[i];
            shape.method = methods[j];
            shape.elements = 12;
            shape.max_modes = 4;
            sb_model *model = solved(shape, heard_steel());
            for (int k = 0; k < 25; k++) {
                double u = .3 + .1 * (k % 5), v = .3 + .1 * (k / 5);
                sb_vec3 a = place(exact, u, v), b = place(model, u, v);
                ck_assert_double_le(hypot(a.x - b.x, a.z - b.z), 1e-4);
                /* A sheet is the middle surface, a solid has its top. */
                ck_assert_double_le(fabs(a.y - b.y), .0026);
                ck_assert_double_gt(
                    sb_model_normal(model, sb_model_point_at(model, u, v)).y,
                    .99);
            }
            sb_model_release(model);
        }
        sb_model_release(exact);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve_places");
    TCase *tcase = tcase_create("solve_places");
    tcase_add_test(tcase, a_bowl_is_found_by_its_texture);
    tcase_add_test(tcase, a_filled_bar_keeps_its_texture);
    tcase_add_test(tcase, a_ring_has_no_gap_at_its_seam);
    tcase_add_test(tcase, closed_forms_keep_their_places);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
