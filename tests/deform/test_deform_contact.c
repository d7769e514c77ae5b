/* SPDX-License-Identifier: MIT */
/* Contact: a rod that falls on its end, a ball that hits a plate, friction,
 * drives. */
#include "runtime/deform/contact/deform_touch.h"
#include "tests/deform/deform_fixture.h"

static const double rod_m = 0.2;

/* Waves run up the rod and down again: then it leaves. */
START_TEST(a_rod_end_on_rebounds_after_two_lengths) {
    sb_solid_mesh solid = cells_solid(rod_m, 0.01, 0.01, 24, 1, 1);
    sb_deform_body_def body = solid_body(&solid, NULL);
    body.rotation = sb_quat_about((sb_vec3){0, 0, 1}, SB_PI / 2);
    body.position_m = (sb_vec3){0, 0.5 * rod_m + 1e-9, 0};
    body.velocity_m_s = (sb_vec3){0, -1, 0};
    sb_deform_collider floor = {.form = SB_DEFORM_PLANE,
                                .rotation = sb_quat_identity()};
    sb_deform_def def = sb_deform_def_default();
    def.collider_count = 1;
    def.colliders = &floor;
    sb_deform *d = create_one(def, &body);
    double touch_s = 0, impulse = 0;
    for (int i = 0; sb_deform_time_s(d) < 140e-6; i++) {
        steps(d, 1);
        double own = sb_deform_take_reaction(d, 0).impulse_ns.y;
        if (own < 0) touch_s = sb_deform_time_s(d);
        impulse -= own;
    }
    deform_motion after = deform_motion_of(d, 0);
    double speed = after.momentum_ns.y / after.mass_kg;
    ck_assert_double_lt(fabs(touch_s / 79.25e-6 - 1), 0.04);
    ck_assert_double_gt(speed, 0.93);
    ck_assert_double_lt(speed, 1);
    ck_assert_double_lt(fabs(impulse / (after.mass_kg * (1 + speed)) - 1),
                        1e-9);
    sb_deform_energy energy = d->state->energy;
    ck_assert_double_lt(
        fabs((energy.kinetic_j + energy.elastic_j) / (0.5 * after.mass_kg) - 1),
        2e-3);
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

/* m x'' = -F, and an endless plate yields v = F / (8 sqrt(D rho h)). */
START_TEST(a_ball_leaves_a_plate_as_an_endless_one) {
    sb_mesh mesh = cells_mesh(0.3, 0.3, 40, 40);
    sb_deform_body_def body = sheet_body(&mesh, 0.002, NULL);
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    sb_deform_strike_def strike = {.direction = {0, -1, 0},
                                   .mass_kg = 4e-3,
                                   .speed_m_s = 1,
                                   .stiffness = 1e8};
    sb_error err = {0};
    int index;
    ck_assert_msg(!sb_deform_strike(d, &strike, &index, &err), "%s",
                  err.message);
    steps(d, (int64_t)(300e-6 / d->step_s));
    sb_deform_blow blow = d->state->strikes[index].blow;
    ck_assert(blow.is_over);
    ck_assert_double_lt(fabs(-blow.speed_m_s / 0.7746 - 1), 0.01);
    ck_assert_double_lt(fabs(blow.contact_s / 229.6e-6 - 1), 0.01);
    ck_assert_double_lt(
        fabs(blow.impulse_ns / (4e-3 * (1 - blow.speed_m_s)) - 1), 1e-9);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

/* A box on a plane that is tilted less and more than its friction allows. */
START_TEST(friction_is_coulombs) {
    sb_solid_mesh solid = cells_solid(0.04, 0.04, 0.02, 2, 2, 1);
    for (int slides = 0; slides < 2; slides++) {
        sb_deform_body_def body = solid_body(&solid, NULL);
        body.material.youngs_modulus = 1e8; /* fewer steps */
        body.material.beta = 2e-6;
        body.position_m = (sb_vec3){0, 0.01, 0};
        sb_deform_collider floor = {.form = SB_DEFORM_BOX,
                                    .sizes_m = {1, 1, 1},
                                    .position_m = {0, -1, 0},
                                    .rotation = sb_quat_identity(),
                                    .friction = 0.3};
        double angle = atan(0.3) * (slides ? 1.5 : 0.5), g = 9.81;
        sb_deform_def def = sb_deform_def_default();
        def.collider_count = 1;
        def.colliders = &floor;
        def.gravity_m_s2 = (sb_vec3){g * sin(angle), -g * cos(angle), 0};
        sb_deform *d = create_one(def, &body);
        steps(d, (int64_t)(0.05 / d->step_s));
        deform_motion now = deform_motion_of(d, 0);
        double speed = now.momentum_ns.x / now.mass_kg;
        double expected =
            slides ? 0.05 * g * (sin(angle) - 0.3 * cos(angle)) : 0;
        ck_assert_double_lt(fabs(speed - expected), 5e-3);
        ck_assert_double_lt(fabs(now.centre_m.y - 0.01), 1e-4);
        sb_deform_destroy(d);
    }
    sb_solid_mesh_free(&solid);
}
END_TEST

/* A strip is bent by its end and let go. */
START_TEST(a_driven_strip_swings_when_it_is_let_go) {
    sb_mesh mesh = cells_mesh(0.1, 0.02, 8, 2);
    sb_hold *holds = sb_alloc((size_t)mesh.vertex_count, sizeof *holds);
    for (int i = 0; i < mesh.vertex_count; i++) {
        if (mesh.vertices[i].x < -0.05 + 1e-9) holds[i] = SB_HOLD_CLAMPED;
    }
    sb_deform_body_def body = sheet_body(&mesh, 1e-3, holds);
    body.material.poisson_ratio = 0;
    body.material.beta = 1e-6;
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    sb_deform_drive_def drive = {
        .low_m = {0.05 - 1e-6, -1, -1},
        .high_m = {1, 1, 1},
        .displacement_m = {0, 5e-3, 0},
        .until_s = 0.06,
        .is_loose = true,
        .signal = {.count = 2, .times_s = {0, 0.05}, .values = {0, 1}}};
    sb_error err = {0};
    ck_assert_msg(!sb_deform_drive(d, &drive, &err), "%s", err.message);
    int tip = node_near(d, (sb_vec3){0.05, 0, 0.01});
    steps(d, (int64_t)(0.0595 / d->step_s));
    ck_assert_double_lt(fabs(row_vec3(d->positions, tip).y - 5e-3), 1e-12);
    sb_deform_energy bent = d->state->energy;
    double stiffness = 3 * 200e9 * 0.02 * 1e-9 / 12 / 1e-3;
    double expected = 0.5 * stiffness * 25e-6;
    ck_assert_double_lt(fabs(bent.elastic_j / expected - 1), 0.02);
    ck_assert_double_lt(fabs(bent.work_j / expected - 1), 0.05);
    double amplitude, hz = crossing_hz(d, tip, 4, 0.1, &amplitude);
    ck_assert_double_lt(fabs(hz / 81.5 - 1), 0.02);
    ck_assert_double_gt(amplitude, 4e-3);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
    sb_free(holds);
}
END_TEST

/* Equal rods end to end: the wave takes all of the motion over. */
START_TEST(a_rod_hands_its_motion_to_another) {
    sb_solid_mesh solid = cells_solid(0.1, 0.01, 0.01, 12, 1, 1);
    sb_deform_body_def bodies[2] = {solid_body(&solid, NULL),
                                    solid_body(&solid, NULL)};
    bodies[0].position_m = (sb_vec3){-0.05 - 1e-7, 0, 0};
    bodies[0].velocity_m_s = (sb_vec3){1, 0, 0};
    bodies[1].position_m = (sb_vec3){0.05, 0, 0};
    sb_deform_def def = sb_deform_def_default();
    def.body_count = 2;
    def.bodies = bodies;
    def.bodies_touch = true;
    def.threads = 2;
    sb_deform *d = create_all(&def);
    steps(d, (int64_t)(80e-6 / d->step_s));
    deform_motion first = deform_motion_of(d, 0);
    deform_motion second = deform_motion_of(d, 1);
    double mass = first.mass_kg;
    ck_assert_double_gt(second.momentum_ns.x, 0.93 * mass);
    ck_assert_double_lt(fabs(first.momentum_ns.x), 0.07 * mass);
    ck_assert_double_lt(
        fabs((first.momentum_ns.x + second.momentum_ns.x) / mass - 1), 1e-10);
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

/* A block falls on a sheet, bends it and comes back, from either side. */
START_TEST(a_block_bounces_from_a_sheet) {
    sb_solid_mesh solid = cells_solid(0.02, 0.02, 0.01, 2, 2, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.1, 8, 8);
    sb_hold *holds = sb_alloc((size_t)mesh.vertex_count, sizeof *holds);
    for (int i = 0; i < mesh.vertex_count; i++) {
        sb_vec3 p = mesh.vertices[i];
        if (fmax(fabs(p.x), fabs(p.z)) > 0.05 - 1e-9)
            holds[i] = SB_HOLD_CLAMPED;
    }
    for (int side = -1; side <= 1; side += 2) {
        sb_deform_body_def bodies[2] = {solid_body(&solid, NULL),
                                        sheet_body(&mesh, 1e-3, holds)};
        bodies[0].material.youngs_modulus = 1e9;
        bodies[0].position_m = (sb_vec3){0.003, side * (0.0055 + 1e-5), 0.002};
        bodies[0].velocity_m_s = (sb_vec3){0, -side, 0};
        sb_deform_def def = sb_deform_def_default();
        def.body_count = 2;
        def.bodies = bodies;
        def.bodies_touch = true;
        def.threads = 1;
        sb_deform *d = create_all(&def);
        double closest = 1;
        for (int i = 0; i < 60; i++) {
            steps(d, (int64_t)(5e-5 / d->step_s));
            double height = deform_motion_of(d, 0).centre_m.y;
            closest = fmin(closest, side * height);
        }
        deform_motion after = deform_motion_of(d, 0);
        ck_assert_double_lt(closest, 0.0054); /* the sheet gave way */
        ck_assert_double_gt(closest, 0.003);  /* and was not pierced */
        ck_assert_double_gt(side * after.momentum_ns.y, 0.2 * after.mass_kg);
        sb_deform_destroy(d);
    }
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
    sb_free(holds);
}
END_TEST

/* A block and a driven sheet that fall on the floor and on each other, under
 * blows. */
static sb_deform *busy_scene(const sb_solid_mesh *solid, const sb_mesh *mesh,
                             int threads) {
    static const sb_vec3 ear_m = {0, 0.5, 0};
    static sb_deform_collider colliders[2] = {
        {.form = SB_DEFORM_PLANE, .rotation = {1, 0, 0, 0}, .friction = 0.4},
        {.form = SB_DEFORM_SPHERE,
         .sizes_m = {0.01, 0, 0},
         .position_m = {0.02, 0.009, 0},
         .rotation = {1, 0, 0, 0},
         .velocity_m_s = {0, 1, 0},
         .mass_kg = 0.01,
         .is_heard = true,
         .inertia_kg_m2 = {4e-7, 4e-7, 4e-7}}};
    sb_deform_body_def bodies[2] = {solid_body(solid, NULL),
                                    sheet_body(mesh, 1e-3, NULL)};
    bodies[0].material.youngs_modulus = 1e9;
    bodies[0].material.alpha = 10;
    bodies[0].material.beta = 1e-6;
    bodies[0].position_m = (sb_vec3){0, 0.0261, 0};
    bodies[0].velocity_m_s = (sb_vec3){0, -2, 0};
    bodies[1].position_m = (sb_vec3){0, 0.02, 0};
    bodies[1].material.beta = 1e-7;
    sb_deform_def def = sb_deform_def_default();
    def.body_count = 2;
    def.bodies = bodies;
    def.bodies_touch = true;
    def.collider_count = 2;
    def.colliders = colliders;
    def.gravity_m_s2 = (sb_vec3){0, -9.81, 0};
    def.ear_m = &ear_m;
    def.threads = threads;
    sb_deform *d = create_all(&def);
    sb_error err = {0};
    sb_deform_drive_def drive = {
        .body = 1,
        .low_m = {-1, -1, -1},
        .high_m = {-0.05, 1, 1},
        .displacement_m = {0, 1e-3, 0},
        .until_s = 1e-3,
        .is_clamped = true,
        .signal = {.freq_hz = 500, .count = 1, .values = {1}}};
    sb_deform_strike_def strike = {.body = 1,
                                   .at_m = {0.04, 0, 0.04},
                                   .time_s = 5e-4,
                                   .mass_kg = 1e-3,
                                   .speed_m_s = 1,
                                   .stiffness = 1e7};
    ck_assert(!sb_deform_drive(d, &drive, &err));
    ck_assert(!sb_deform_strike(d, &strike, NULL, &err));
    d->pace.trial_step = INT64_MAX;
    return d;
}

static void advance(sb_deform *d, int64_t frames) {
    sb_error err = {0};
    ck_assert_msg(!deform_advance(d, frames, &err), "%s", err.message);
}

START_TEST(checkpoints_keep_contacts) {
    sb_solid_mesh solid = cells_solid(0.02, 0.02, 0.01, 2, 2, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.1, 6, 6);
    sb_deform *whole = busy_scene(&solid, &mesh, 1);
    sb_deform *first = busy_scene(&solid, &mesh, 2);
    sb_deform *second = busy_scene(&solid, &mesh, 3);
    size_t bytes = sb_deform_state_bytes(first);
    void *block = sb_alloc(bytes, 1);
    sb_error err = {0};
    advance(whole, 80);
    advance(first, 32);
    ck_assert_int_gt(*first->touch->count, 0);
    sb_deform_save(first, block);
    ck_assert(!sb_deform_restore(second, block, bytes, &err));
    advance(second, 80);
    size_t places = 4 * (size_t)whole->node_count * sizeof(double);
    ck_assert_mem_eq(whole->positions, second->positions, places);
    ck_assert_mem_eq(whole->velocities, second->velocities, places);
    float heard[2][2 * 80]; /* of two bodies */
    ck_assert_int_eq(sb_deform_read(whole, 80, heard[0]), 80);
    ck_assert_int_eq(sb_deform_read(second, 80, heard[1]), 80);
    ck_assert_mem_eq(heard[0], heard[1], sizeof heard[0]);
    sb_deform_reaction by[2] = {sb_deform_take_reaction(whole, 1),
                                sb_deform_take_reaction(second, 1)};
    sb_deform_touch_frame touches[2];
    int count = 0;
    while (sb_deform_next_touch(whole, &touches[0])) {
        ck_assert(sb_deform_next_touch(second, &touches[1]));
        ck_assert_int_eq(touches[0].frame, touches[1].frame);
        ck_assert_mem_eq(&touches[0].impulse_ns, &touches[1].impulse_ns,
                         sizeof touches[0].impulse_ns);
        count++;
    }
    ck_assert_int_gt(count, 2);
    ck_assert(!sb_deform_next_touch(second, &touches[1]));
    ck_assert_double_gt(sb_vec3_length(by[0].shift_m), 0);
    ck_assert_mem_eq(&by[0], &by[1], sizeof by[0]);
    ck_assert(whole->state->strikes[0].blow.has_begun);
    sb_deform_destroy(whole);
    sb_deform_destroy(first);
    sb_deform_destroy(second);
    sb_free(block);
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_contact");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, a_rod_end_on_rebounds_after_two_lengths);
    tcase_add_test(cases, a_ball_leaves_a_plate_as_an_endless_one);
    tcase_add_test(cases, friction_is_coulombs);
    tcase_add_test(cases, a_driven_strip_swings_when_it_is_let_go);
    tcase_add_test(cases, a_rod_hands_its_motion_to_another);
    tcase_add_test(cases, a_block_bounces_from_a_sheet);
    tcase_add_test(cases, checkpoints_keep_contacts);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
