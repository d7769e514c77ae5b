/* SPDX-License-Identifier: MIT */
/* What is refused, with which words, and that failures lose nothing. */
#include "runtime/deform/run/build.h"
#include "runtime/model/shape.h"
#include "tests/deform/deform_fixture.h"

static sb_error failing(const sb_deform_def *def, sb_status expected) {
    sb_deform *deform = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_deform_create(def, &deform, &err), expected);
    ck_assert_ptr_null(deform);
    return err;
}

static void says(const char *message, const char *part) {
    ck_assert_msg(strstr(message, part) != NULL, "'%s' has no '%s'", message,
                  part);
}

START_TEST(bad_definitions_are_refused) {
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def body = sheet_body(&mesh, 1e-3, NULL);
    sb_deform_def def = sb_deform_def_default();
    says(failing(&def, SB_BAD_ARGUMENT).message, "1 to 64, got 0");
    def.body_count = 1;
    def.bodies = &body;
    body.name = "gong";
    body.thickness_m = 0;
    says(failing(&def, SB_BAD_ARGUMENT).message,
         "gong: thickness must be above 0");
    body.thickness_m = 1e-3;
    mesh.vertices[2].y = NAN;
    says(failing(&def, SB_BAD_ARGUMENT).message, "node 2 of its mesh is at");
    mesh.vertices[2].y = 0;
    mesh.faces[1][0] = mesh.faces[1][1];
    says(failing(&def, SB_BAD_ARGUMENT).message, "face 1 has no area");
    mesh.faces[1][0] = 99;
    says(failing(&def, SB_BAD_ARGUMENT).message,
         "element 1 refers to node 99 of 12");
    mesh.faces[1][0] = 0;
    body.spin_rad_s.x = INFINITY;
    says(failing(&def, SB_BAD_ARGUMENT).message, "spin must be finite");
    body.spin_rad_s.x = 0;
    body.sheet = NULL;
    says(failing(&def, SB_BAD_ARGUMENT).message,
         "needs one of shape, sheet and solid");
    body.sheet = &mesh;
    def.instruction_set = "abacus";
    says(failing(&def, SB_BAD_ARGUMENT).message, "no instruction set");
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(bad_solids_are_refused) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 2, 1, 1);
    sb_deform_body_def body = solid_body(&solid, NULL);
    sb_deform_def def = sb_deform_def_default();
    def.body_count = 1;
    def.bodies = &body;
    int kept = solid.tets[3][1];
    solid.tets[3][1] = solid.tets[3][2];
    says(failing(&def, SB_BAD_ARGUMENT).message, "is flat or inside out");
    solid.tets[3][1] = kept;
    def.memory_bytes = 1000;
    says(failing(&def, SB_NO_MEMORY).message, "GB allowed: use fewer elements");
    def.memory_bytes = 0;
    body.material.poisson_ratio = 0.7;
    says(failing(&def, SB_BAD_ARGUMENT).message, "poisson_ratio");
    sb_hold *holds = sb_alloc((size_t)solid.node_count, sizeof *holds);
    for (int i = 0; i < solid.node_count; i++) {
        holds[i] = SB_HOLD_CLAMPED;
    }
    body.material.poisson_ratio = 0.3;
    body.holds = holds;
    says(failing(&def, SB_BAD_ARGUMENT).message, "no node is free to move");
    sb_shape bar = {.kind = SB_SHAPE_BAR,
                    .length = 0.1,
                    .width = 0.02,
                    .thickness = 0.005,
                    .method = SB_METHOD_SPRINGS};
    body.solid = NULL;
    body.holds = NULL;
    body.shape = &bar;
    says(failing(&def, SB_BAD_ARGUMENT).message, "does not deform");
    sb_free(holds);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(bad_colliders_are_refused) {
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def body = sheet_body(&mesh, 1e-3, NULL);
    sb_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    int faces[1][3] = {{0, 1, 2}};
    sb_deform_collider own = {.form = SB_DEFORM_CYLINDER, .sizes_m = {1, 0, 0}};
    sb_deform_def def = sb_deform_def_default();
    def.body_count = 1;
    def.bodies = &body;
    def.collider_count = 1;
    def.colliders = &own;
    says(failing(&def, SB_BAD_ARGUMENT).message,
         "collider 0: its sizes must be above 0, got 0 m");
    own.form = SB_DEFORM_MESH;
    says(failing(&def, SB_BAD_ARGUMENT).message, "it has no triangles");
    own.faces = (sb_deform_faces){points, 3, (const int(*)[3])faces, 1};
    points[1].z = NAN;
    says(failing(&def, SB_BAD_ARGUMENT).message, "point 1 is at (1, 0, nan)");
    points[1].z = 0;
    faces[0][2] = 3;
    says(failing(&def, SB_BAD_ARGUMENT).message,
         "triangle 0 refers to point 3 of 3");
    faces[0][2] = 2;
    own.mass_kg = 1;
    says(failing(&def, SB_BAD_ARGUMENT).message,
         "a mass and three moments of inertia must be above 0");
    own.mass_kg = 0;
    own.velocity_m_s.x = INFINITY;
    says(failing(&def, SB_BAD_ARGUMENT).message, "must be finite");
    own.velocity_m_s.x = 0;
    def.collider_count = 129;
    says(failing(&def, SB_BAD_ARGUMENT).message, "at most 128 colliders");
    sb_mesh_free(&mesh);
}
END_TEST

/* More pushes and drives than there are places for, one after the other. */
START_TEST(finished_events_are_forgotten) {
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def body = sheet_body(&mesh, 1e-3, NULL);
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    sb_error err = {0};
    for (int i = 0; i < 40; i++) {
        double now = sb_deform_time_s(d);
        sb_deform_push_def push = {.low_m = {-1, -1, -1},
                                   .high_m = {0, 1, 1},
                                   .force_n = {0, 1, 0},
                                   .signal = {.start_s = now,
                                              .count = 2,
                                              .times_s = {0, 1e-5},
                                              .values = {1, 0}}};
        sb_deform_drive_def drive = {.low_m = {0.04, -1, -1},
                                     .high_m = {1, 1, 1},
                                     .until_s = now + 1e-5,
                                     .signal = {.count = 1}};
        ck_assert_msg(!sb_deform_push(d, &push, &err), "%s", err.message);
        ck_assert_msg(!sb_deform_drive(d, &drive, &err), "%s", err.message);
        steps(d, 64);
    }
    ck_assert_int_eq(d->state->pushes_used, 0);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(bad_events_are_refused) {
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def body = sheet_body(&mesh, 1e-3, NULL);
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    sb_error err = {0};
    sb_deform_strike_def strike = {.body = 1, .mass_kg = 1};
    ck_assert(sb_deform_strike(d, &strike, NULL, &err));
    says(err.message, "strike: body 1 of 1");
    strike.body = 0;
    strike.mass_kg = -1;
    ck_assert(sb_deform_strike(d, &strike, NULL, &err));
    says(err.message, "needs a mass above 0");
    strike.mass_kg = 1;
    for (int i = 0; i < STRIKES_MOST; i++) {
        ck_assert(!sb_deform_strike(d, &strike, NULL, &err));
    }
    ck_assert_int_eq(sb_deform_strike(d, &strike, NULL, &err), SB_QUEUE_FULL);
    sb_deform_push_def push = {.high_m = {1, 1, 1}, .low_m = {0.5, 0, 0}};
    ck_assert(sb_deform_push(d, &push, &err));
    says(err.message, "a signal needs 1 to 64 points");
    push.signal.count = 1;
    ck_assert(sb_deform_push(d, &push, &err));
    says(err.message, "has no node between (0.5, 0, 0) and (1, 1, 1) m");
    sb_deform_drive_def drive = {.high_m = {1, 1, 1},
                                 .low_m = {0.5, 0, 0},
                                 .until_s = INFINITY,
                                 .signal = {.count = 1}};
    ck_assert(sb_deform_drive(d, &drive, &err));
    says(err.message, "a drive has no node");
    steps(d, 640);
    strike.time_s = 0;
    ck_assert(sb_deform_strike(d, &strike, NULL, &err));
    says(err.message, "has passed");
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

/* A step a thousandth above the limit is noticed, and what was heard stays. */
START_TEST(a_step_too_long_is_noticed) {
    static const sb_vec3 ear_m = {0, 0.1, 0};
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.005, 4, 1, 1);
    sb_deform_body_def body = solid_body(&solid, NULL);
    sb_deform_def def = sb_deform_def_default();
    def.ear_m = &ear_m;
    sb_deform *d = create_one(def, &body);
    double step = d->step_s;
    sb_deform_destroy(d);
    def.step_s = step * 1.25;
    d = create_one(def, &body);
    sb_error err = {0};
    sb_deform_strike_def strike = {.mass_kg = 1e-4, .speed_m_s = 0.1};
    ck_assert(!sb_deform_strike(d, &strike, NULL, &err));
    sb_status status = SB_OK;
    int64_t frames = 0;
    for (; !status && frames < 4800; frames += 16) {
        status = deform_advance(d, frames, &err);
    }
    ck_assert_int_eq(status, SB_NO_CONVERGENCE);
    says(err.message, "solid: its energy is");
    says(err.message, "is too long");
    ck_assert_int_eq(deform_advance(d, frames, &err), SB_NO_CONVERGENCE);
    float heard[64];
    int64_t kept = d->state->frames < 64 ? d->state->frames : 64;
    ck_assert_int_eq(sb_deform_read(d, 64, heard), kept);
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(an_element_inside_out_is_named) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 4, 1, 1);
    sb_deform_body_def body = solid_body(&solid, NULL);
    body.name = "jelly";
    body.material.youngs_modulus = 1e5;
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    sb_error err = {0};
    sb_deform_strike_def strike = {
        .at_m = {0.05, 0, 0}, .mass_kg = 0.05, .speed_m_s = 40};
    ck_assert(!sb_deform_strike(d, &strike, NULL, &err));
    ck_assert_int_eq(deform_advance(d, 4800, &err), SB_NO_CONVERGENCE);
    says(err.message, "jelly: an element is inside out near (0.0");
    says(err.message, " s: it is bent or pressed");
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(costs_are_known_before) {
    sb_shape bar = {.kind = SB_SHAPE_BAR,
                    .length = 0.2,
                    .width = 0.02,
                    .thickness = 0.005,
                    .method = SB_METHOD_SOLID,
                    .elements = 20};
    sb_deform_body_def body = sb_deform_body_def_default();
    body.shape = &bar;
    sb_deform_def def = sb_deform_def_default();
    static const sb_vec3 ear_m = {0, 1, 0};
    def.ear_m = &ear_m;
    sb_deform *d = create_one(def, &body);
    sb_deform_cost cost = sb_deform_cost_of(d);
    ck_assert_int_eq(cost.tet_count, 20 * 2 * 6);
    ck_assert_int_eq(cost.triangle_count, 0);
    ck_assert_double_lt(fabs(cost.step_s / 2.26e-7 - 1), 0.2);
    ck_assert_double_lt(fabs(cost.steps_per_s * cost.step_s - 1), 1e-12);
    double expected = deform_bytes_for(d, cost.tet_count);
    ck_assert_double_lt(fabs(cost.bytes / expected - 1), 0.2);
    ck_assert_double_gt(cost.seconds_per_s, 20);
    sb_deform_destroy(d);
}
END_TEST

/* What shapes become without a number of elements. */
START_TEST(shapes_have_default_elements) {
    static const struct {
        sb_shape shape;
        int tets, triangles; /* 0: some */
    } cases[] = {
        {{.kind = SB_SHAPE_BAR,
          .length = 0.2,
          .width = 0.02,
          .thickness = 0.005,
          .method = SB_METHOD_SOLID},
         30 * 6 * 6,
         0},
        {{.kind = SB_SHAPE_PLATE,
          .width = 0.3,
          .depth = 0.15,
          .thickness = 0.002,
          .support = SB_SUPPORT_PINNED},
         0,
         24 * 12 * 2},
        {{.kind = SB_SHAPE_BOX, .width = 0.1, .height = 0.1, .depth = 0.1},
         6 * 6 * 6 * 6,
         0},
        {{.kind = SB_SHAPE_DISK, .radius = 0.1, .thickness = 0.002}, 0, 0},
        {{.kind = SB_SHAPE_TUBE,
          .length = 0.2,
          .radius = 0.03,
          .thickness = 0.001},
         0,
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_deform_body_def body = sb_deform_body_def_default();
        body.shape = &cases[i].shape;
        sb_deform *d = create_one(sb_deform_def_default(), &body);
        sb_deform_cost cost = sb_deform_cost_of(d);
        if (cases[i].tets > 0) ck_assert_int_eq(cost.tet_count, cases[i].tets);
        if (cases[i].triangles > 0)
            ck_assert_int_eq(cost.triangle_count, cases[i].triangles);
        ck_assert_int_gt(cost.tet_count + cost.triangle_count, 50);
        ck_assert_int_lt(cost.tet_count + cost.triangle_count, 6000);
        steps(d, 3);
        sb_deform_destroy(d);
    }
}
END_TEST

START_TEST(no_allocation_may_fail_badly) {
    static const sb_vec3 ear_m = {0, 0.1, 0};
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 2, 1, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def bodies[2] = {solid_body(&solid, NULL),
                                    sheet_body(&mesh, 1e-3, NULL)};
    sb_deform_def def = sb_deform_def_default();
    def.body_count = 2;
    def.bodies = bodies;
    def.ear_m = &ear_m;
    def.bodies_touch = true;
    const sb_deform_faces faces = {
        (const sb_vec3[]){{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, 4,
        (const int[][3]){{0, 1, 2}, {0, 2, 3}}, 2};
    const sb_deform_collider colliders[2] = {
        {.form = SB_DEFORM_HULL, .faces = faces, .is_heard = true},
        {.form = SB_DEFORM_MESH, .faces = faces}};
    def.collider_count = 2;
    def.colliders = colliders;
    sb_deform *d = NULL;
    sb_error err = {0};
    long before = sb_memory_live_blocks(), n = 0;
    sb_status status = SB_NO_MEMORY;
    for (; status == SB_NO_MEMORY && n < 500; n++) {
        sb_memory_fail_after(n);
        status = sb_deform_create(&def, &d, &err);
        sb_memory_fail_after(-1);
        if (status) ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    ck_assert_int_eq(status, SB_OK);
    ck_assert_int_gt(n, 20);
    sb_deform_destroy(d);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_rules");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, bad_definitions_are_refused);
    tcase_add_test(cases, bad_solids_are_refused);
    tcase_add_test(cases, bad_colliders_are_refused);
    tcase_add_test(cases, bad_events_are_refused);
    tcase_add_test(cases, finished_events_are_forgotten);
    tcase_add_test(cases, a_step_too_long_is_noticed);
    tcase_add_test(cases, an_element_inside_out_is_named);
    tcase_add_test(cases, costs_are_known_before);
    tcase_add_test(cases, shapes_have_default_elements);
    tcase_add_test(cases, no_allocation_may_fail_badly);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
