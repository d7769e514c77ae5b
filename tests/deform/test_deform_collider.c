/* SPDX-License-Identifier: MIT */
/* Rigid bodies with a mass: momentum, energy, a rod against a block, and what a
 * world is told of them. */
#include "tests/deform/deform_fixture.h"

static sb_deform_collider ball(double radius_m, double mass_kg) {
    double inertia = 0.4 * mass_kg * radius_m * radius_m;
    return (sb_deform_collider){.form = SB_DEFORM_SPHERE,
                                .sizes_m = {radius_m, 0, 0},
                                .rotation = sb_quat_identity(),
                                .mass_kg = mass_kg,
                                .inertia_kg_m2 = {inertia, inertia, inertia}};
}

typedef struct total {
    sb_vec3 momentum, spin;
    double energy_j;
} total;

/* Of one body and one collider, about the origin. */
static total total_of(sb_deform *d, const sb_deform_collider *now) {
    deform_motion body = deform_motion_of(d, 0);
    sb_deform_energy energy = d->state->energy;
    sb_vec3 p = sb_vec3_scale(now->velocity_m_s, now->mass_kg);
    double inertia = now->inertia_kg_m2[0];
    total sum = {sb_vec3_add(p, body.momentum_ns),
                 sb_vec3_scale(now->spin_rad_s, inertia),
                 energy.kinetic_j + energy.elastic_j + energy.smoothed_j};
    sum.spin = sb_vec3_add(sum.spin, body.spin_nms);
    sum.spin =
        sb_vec3_add(sum.spin, sb_vec3_cross(body.centre_m, body.momentum_ns));
    sum.spin = sb_vec3_add(sum.spin, sb_vec3_cross(now->position_m, p));
    sum.energy_j +=
        0.5 * sb_vec3_dot(p, now->velocity_m_s) +
        0.5 * inertia * sb_vec3_dot(now->spin_rad_s, now->spin_rad_s);
    return sum;
}

/* Moves it freely, then by the reaction, as a world does. */
static void fly(sb_deform *d, sb_deform_collider *own, double t) {
    sb_deform_reaction by = sb_deform_take_reaction(d, 0);
    sb_vec3 gained = sb_vec3_scale(own->acceleration_m_s2, t);
    sb_vec3 mean = sb_vec3_add(own->velocity_m_s, sb_vec3_scale(gained, 0.5));
    double spin = sb_vec3_length(own->spin_rad_s);
    own->position_m = sb_vec3_add(own->position_m, sb_vec3_scale(mean, t));
    own->position_m = sb_vec3_add(own->position_m, by.shift_m);
    own->rotation =
        sb_quat_times(sb_quat_about(own->spin_rad_s, spin * t), own->rotation);
    own->rotation = sb_quat_times(
        sb_quat_about(by.turn_rad, sb_vec3_length(by.turn_rad)), own->rotation);
    own->velocity_m_s =
        sb_vec3_add(sb_vec3_add(own->velocity_m_s, gained), by.velocity_m_s);
    own->spin_rad_s = sb_vec3_add(own->spin_rad_s, by.spin_rad_s);
}

static void reach(sb_deform *d, double time_s) {
    sb_error err = {0};
    ck_assert_msg(!sb_deform_reach(d, time_s, &err), "%s", err.message);
}

static double off(sb_vec3 a, sb_vec3 b) {
    return sb_vec3_length(sb_vec3_sub(a, b));
}

/* A spinning ball strikes a free plate aslant, off its centre. */
START_TEST(a_ball_and_a_plate_keep_their_momentum) {
    sb_mesh mesh = cells_mesh(0.2, 0.2, 12, 12);
    for (int rubs = 0; rubs < 2; rubs++) {
        sb_deform_body_def body = sheet_body(&mesh, 0.002, NULL);
        sb_deform_collider own = ball(0.005, 4e-3);
        own.position_m = (sb_vec3){0.031, 0.006 + 1e-5, -0.017};
        own.velocity_m_s = (sb_vec3){0.5, -1, 0.2};
        own.spin_rad_s = (sb_vec3){30, 20, -60};
        own.friction = rubs ? 0.3 : 0;
        sb_deform_def def = sb_deform_def_default();
        def.collider_count = 1;
        def.colliders = &own;
        sb_deform *d = create_one(def, &body);
        steps(d, 1);
        total before = total_of(d, &own);
        reach(d, 1e-3);
        fly(d, &own, sb_deform_time_s(d));
        total after = total_of(d, &own);
        double p = sb_vec3_length(before.momentum);
        ck_assert_double_gt(own.velocity_m_s.y, 0);
        ck_assert_double_lt(off(after.momentum, before.momentum), 1e-12 * p);
        ck_assert_double_lt(off(after.spin, before.spin), 1e-12 * p * 0.1);
        double kept = after.energy_j / before.energy_j;
        ck_assert_msg(kept < 1 + 1e-3 && kept > (rubs ? 0.9 : 0.995), "%g",
                      kept);
        sb_deform_destroy(d);
    }
    sb_mesh_free(&mesh);
}
END_TEST

/* A heavy ball meets a thin sheet at many places between its nodes. While it
 * begins to press on few of them, what they have is what came in, less what is
 * damped: at each check, not only in the mean. */
START_TEST(a_sheet_has_what_a_heavy_ball_gave_it) {
    sb_mesh mesh = cells_mesh(0.18, 0.18, 18, 18);
    for (int i = 0; i < 8; i++) {
        sb_deform_body_def body = sheet_body(&mesh, 4e-4, NULL);
        sb_deform_collider own = ball(0.012, 0.056);
        own.position_m = (sb_vec3){1e-3 * i, 0.0122 + 1e-5, 2e-3};
        own.velocity_m_s = (sb_vec3){0, -1.2, 0};
        sb_deform_def def = sb_deform_def_default();
        def.collider_count = 1;
        def.colliders = &own;
        def.gravity_m_s2 = (sb_vec3){0, 0, 0};
        sb_deform *d = create_one(def, &body);
        for (int k = 0; k < 40; k++) {
            steps(d, CHECK_STEPS);
            sb_deform_energy is = d->state->energy;
            double has = is.kinetic_j + is.elastic_j + is.smoothed_j;
            ck_assert_msg(has <= 1.002 * is.work_j + 1e-12,
                          "%d: %g J of %g J at %g s", i, has, is.work_j,
                          sb_deform_time_s(d));
        }
        ck_assert_double_gt(d->state->energy.work_j, 1e-3);
        sb_deform_destroy(d);
    }
    sb_mesh_free(&mesh);
}
END_TEST

/* A rod of mass m at speed V pushes a block of mass M for 2 L / c, with
 * M v' = Z (V - v): it leaves with V (1 - exp(-2 m / M)). */
START_TEST(a_rod_pushes_a_block_as_waves_do) {
    const double length = 0.2, side = 0.01;
    sb_solid_mesh solid = cells_solid(length, side, side, 24, 1, 1);
    static const double ratios[] = {0.5, 1, 4};
    for (int i = 0; i < 3; i++) {
        sb_deform_body_def body = solid_body(&solid, NULL);
        body.material.poisson_ratio = 0;
        body.velocity_m_s = (sb_vec3){1, 0, 0};
        double rod_kg = 7850 * length * side * side, c = sqrt(200e9 / 7850);
        double mass = rod_kg * ratios[i], inertia = mass * 2e-4;
        sb_deform_collider own = {
            .form = SB_DEFORM_BOX,
            .sizes_m = {0.02, 0.02, 0.02},
            .position_m = {0.5 * length + 0.02 + 1e-9, 0, 0},
            .rotation = sb_quat_identity(),
            .mass_kg = mass,
            .inertia_kg_m2 = {inertia, inertia, inertia}};
        sb_deform_def def = sb_deform_def_default();
        def.collider_count = 1;
        def.colliders = &own;
        sb_deform *d = create_one(def, &body);
        double touch_s = 0;
        sb_vec3 impulse = {0, 0, 0}, velocity = {0, 0, 0};
        while (sb_deform_time_s(d) < 3 * length / c) {
            steps(d, 1);
            sb_deform_reaction by = sb_deform_take_reaction(d, 0);
            if (by.impulse_ns.x > 0) touch_s = sb_deform_time_s(d);
            impulse = sb_vec3_add(impulse, by.impulse_ns);
            velocity = sb_vec3_add(velocity, by.velocity_m_s);
        }
        double expected = -expm1(-2 / ratios[i]);
        ck_assert_msg(fabs(velocity.x / expected - 1) < 0.02, "%g: %g, not %g",
                      ratios[i], velocity.x, expected);
        ck_assert_double_lt(fabs(impulse.x / (mass * velocity.x) - 1), 1e-12);
        ck_assert_double_lt(fabs(touch_s / (2 * length / c) - 1), 0.05);
        deform_motion rod = deform_motion_of(d, 0);
        ck_assert_double_lt(
            fabs((rod.momentum_ns.x + impulse.x) / rod.mass_kg - 1), 1e-12);
        sb_deform_destroy(d);
    }
    sb_solid_mesh_free(&solid);
}
END_TEST

/* The same flight in one piece, and told to a world every millisecond. */
START_TEST(a_world_can_follow_what_happens) {
    sb_mesh mesh = cells_mesh(0.2, 0.2, 8, 8);
    sb_deform_collider ends[2];
    for (int is_world = 0; is_world < 2; is_world++) {
        sb_deform_body_def body = sheet_body(&mesh, 0.001, NULL);
        sb_deform_collider own = ball(0.01, 0.02);
        own.position_m = (sb_vec3){0.02, 0.0107, 0.01};
        own.velocity_m_s = (sb_vec3){0.3, -0.5, 0};
        own.spin_rad_s = (sb_vec3){0, 20, 40};
        own.acceleration_m_s2 = (sb_vec3){0, -9.81, 0};
        own.friction = 0.2;
        sb_deform_def def = sb_deform_def_default();
        def.collider_count = 1;
        def.colliders = &own;
        def.threads = is_world + 1;
        sb_deform *d = create_one(def, &body);
        double before = 0;
        for (int i = 1; i <= 6; i++) {
            reach(d, i * 1e-3);
            if (!is_world && i < 6) continue;
            double now = sb_deform_time_s(d);
            fly(d, &own, now - before);
            before = now;
            sb_deform_set_collider(d, 0, &own);
        }
        ends[is_world] = own;
        sb_deform_destroy(d);
    }
    ck_assert_double_gt(off(ends[0].velocity_m_s, (sb_vec3){0.3, -0.56, 0}),
                        0.1);
    ck_assert_double_lt(off(ends[0].position_m, ends[1].position_m), 1e-7);
    ck_assert_double_lt(off(ends[0].velocity_m_s, ends[1].velocity_m_s), 1e-4);
    ck_assert_double_lt(off(ends[0].spin_rad_s, ends[1].spin_rad_s), 1e-2);
    ck_assert_double_lt(fabs(ends[0].rotation.y - ends[1].rotation.y), 1e-4);
    sb_mesh_free(&mesh);
}
END_TEST

/* Nothing is near: only the acceleration counts, and it is not a reaction. */
START_TEST(what_flies_freely_has_no_reaction) {
    sb_mesh mesh = cells_mesh(0.1, 0.1, 3, 3);
    sb_deform_body_def body = sheet_body(&mesh, 0.001, NULL);
    sb_deform_collider own = ball(0.01, 0.02);
    own.position_m.y = 1;
    own.acceleration_m_s2.y = -9.81;
    sb_deform_def def = sb_deform_def_default();
    def.collider_count = 1;
    def.colliders = &own;
    sb_deform *d = create_one(def, &body);
    reach(d, 2e-3);
    sb_deform_reaction by = sb_deform_take_reaction(d, 0);
    ck_assert_double_eq(sb_vec3_length(by.velocity_m_s), 0);
    ck_assert_double_eq(sb_vec3_length(by.shift_m), 0);
    ck_assert_double_eq(sb_vec3_length(by.impulse_ns), 0);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

/* A rod end-on presses with rho c A V for 2 L / c. */
START_TEST(touches_are_heard_frame_by_frame) {
    const double length = 1, side = 0.03, c = sqrt(200e9 / 7850);
    const double rate = SB_DEFORM_RATE_HZ;
    sb_solid_mesh solid = cells_solid(length, side, side, 30, 1, 1);
    sb_deform_body_def body = solid_body(&solid, NULL);
    body.material.poisson_ratio = 0;
    body.velocity_m_s = (sb_vec3){1, 0, 0};
    sb_deform_collider wall[2] = {{.form = SB_DEFORM_PLANE,
                                   .position_m = {0, -1, 0},
                                   .rotation = sb_quat_identity(),
                                   .is_heard = true},
                                  {.form = SB_DEFORM_PLANE,
                                   .position_m = {0.5 * length + 1e-4, 0, 0},
                                   .is_heard = true}};
    wall[1].rotation = sb_quat_about((sb_vec3){0, 0, 1}, SB_PI / 2);
    sb_deform_def def = sb_deform_def_default();
    def.collider_count = 2;
    def.colliders = wall;
    sb_deform *d = create_one(def, &body);
    sb_deform_touch_frame touch;
    sb_vec3 sum = {0, 0, 0};
    int count = 0;
    int64_t last = -1;
    double force = 7850 * c * side * side;
    for (int i = 1; i <= 60; i++) {
        reach(d, i * 1.3e-5);
        while (sb_deform_next_touch(d, &touch)) {
            ck_assert_int_eq(touch.collider, 1);
            ck_assert_int_gt(touch.frame, last);
            ck_assert_double_le((double)(touch.frame + 1) / rate,
                                sb_deform_time_s(d) + 1e-12);
            last = touch.frame;
            sum = sb_vec3_add(sum, touch.impulse_ns);
            ck_assert_double_lt(off(touch.point_m, wall[1].position_m),
                                0.2 * side);
            count++;
            if (count > 2 && count < 18)
                ck_assert_msg(fabs(touch.impulse_ns.x * rate / force - 1) < .2,
                              "%d: %g", count, touch.impulse_ns.x * rate);
        }
    }
    /* 1e-4 s until it touches: frame 4; then 19 frames. */
    ck_assert_int_ge(count, 19);
    ck_assert_int_le(count, 22);
    ck_assert_int_le(llabs(last - count - 4), 1);
    sb_vec3 all = sb_deform_take_reaction(d, 1).impulse_ns;
    ck_assert_double_lt(off(sum, all), 1e-12 * all.x);
    ck_assert_double_lt(fabs(all.x / (force * 2 * length / c) - 1), 0.04);
    sb_error err = {0};
    ck_assert_int_eq(sb_deform_reach(d, 0.1, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "read the touches"));
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_collider");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, a_ball_and_a_plate_keep_their_momentum);
    tcase_add_test(cases, a_sheet_has_what_a_heavy_ball_gave_it);
    tcase_add_test(cases, a_rod_pushes_a_block_as_waves_do);
    tcase_add_test(cases, a_world_can_follow_what_happens);
    tcase_add_test(cases, what_flies_freely_has_no_reaction);
    tcase_add_test(cases, touches_are_heard_frame_by_frame);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
