/* SPDX-License-Identifier: MIT */
/* Large bending against closed forms: strips and plates whose edges cannot
 * move, and a strip rolled up by a moment. */
#include "tests/deform/deform_fixture.h"

static const double length = 0.2, width = 0.02, thin = 0.001;

static sb_hold *hold_ends(const sb_mesh *mesh, sb_hold how) {
    sb_hold *holds = sb_alloc((size_t)mesh->vertex_count, sizeof *holds);
    for (int i = 0; i < mesh->vertex_count; i++) {
        if (fabs(fabs(mesh->vertices[i].x) - 0.5 * length) < 1e-9)
            holds[i] = how;
    }
    return holds;
}

/* A strip whose first mode has been given the velocity V phi, phi = 1 at its
 * greatest. */
static double strip_hz(sb_hold how, double velocity_m_s, double *amplitude_m) {
    const int cells = 24;
    sb_mesh mesh = cells_mesh(length, width, cells, 3);
    sb_hold *holds = hold_ends(&mesh, how);
    sb_deform_body_def body = sheet_body(&mesh, thin, holds);
    body.material.poisson_ratio = 0;
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    double k = 4.730040744862704,
           ratio = (cosh(k) - cos(k)) / (sinh(k) - sin(k));
    double most = cosh(k / 2) - cos(k / 2) - ratio * (sinh(k / 2) - sin(k / 2));
    for (int i = 0; i < d->node_count; i++) {
        double x = row_vec3(d->rest, i).x / length + 0.5;
        double phi = how == SB_HOLD_PINNED
                         ? sin(SB_PI * x)
                         : (cosh(k * x) - cos(k * x) -
                            ratio * (sinh(k * x) - sin(k * x))) /
                               most;
        double slope = how == SB_HOLD_PINNED
                           ? SB_PI * cos(SB_PI * x)
                           : k *
                                 (sinh(k * x) + sin(k * x) -
                                  ratio * (cosh(k * x) - cos(k * x))) /
                                 most;
        if (d->inverse_mass[i] > 0)
            set_row(d->velocities, i, (sb_vec3){0, velocity_m_s * phi, 0});
        if (d->inverse_inertia[i] > 0)
            set_row(d->spins, i,
                    (sb_vec3){0, 0, velocity_m_s * slope / length});
    }
    int middle = node_near(d, (sb_vec3){0, 0, 0.5 * width});
    double hz = crossing_hz(d, middle, 4, how == SB_HOLD_PINNED ? 0.06 : 0.027,
                            amplitude_m);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
    sb_free(holds);
    return hz;
}

START_TEST(clamped_strip_hardens) {
    static const double speeds[3] = {0.5, 1, 2};
    static const double ratios[3] = {1.00555, 1.02150, 1.07674};
    double r = thin / sqrt(12), amplitude;
    double small = strip_hz(SB_HOLD_CLAMPED, 1e-5, &amplitude);
    for (int i = 0; i < 3; i++) {
        double speed = speeds[i] * SB_TAU * small * r;
        double ratio = strip_hz(SB_HOLD_CLAMPED, speed, &amplitude) / small;
        ck_assert_double_lt(fabs(ratio / ratios[i] - 1), 1e-3);
    }
}
END_TEST

START_TEST(hinged_strip_hardens) {
    double r = thin / sqrt(12), amplitude;
    double small = strip_hz(SB_HOLD_PINNED, 1e-5, &amplitude);
    /* Energy of Duffing's: V^2 = w0^2 (a^2 + eps a^4 / 2 / a^2 ...), a/r = 1. */
    double speed = SB_TAU * small * r * sqrt(1 + 0.125);
    double ratio = strip_hz(SB_HOLD_PINNED, speed, &amplitude) / small;
    ck_assert_double_lt(fabs(amplitude / r - 1), 0.02);
    ck_assert_double_lt(fabs(ratio / 1.08916 - 1), 2e-3);
}
END_TEST

static double plate_hz(double velocity_m_s, double *amplitude_m) {
    const double side = 0.3, h = 0.002;
    sb_mesh mesh = cells_mesh(side, side, 16, 16);
    sb_hold *holds = sb_alloc((size_t)mesh.vertex_count, sizeof *holds);
    for (int i = 0; i < mesh.vertex_count; i++) {
        sb_vec3 p = mesh.vertices[i];
        if (fmax(fabs(p.x), fabs(p.z)) > 0.5 * side - 1e-9)
            holds[i] = SB_HOLD_PINNED;
    }
    sb_deform_body_def body = sheet_body(&mesh, h, holds);
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    for (int i = 0; i < d->node_count; i++) {
        sb_vec3 p = row_vec3(d->rest, i);
        double a = SB_PI * (p.x / side + 0.5), b = SB_PI * (p.z / side + 0.5);
        double v = velocity_m_s, by = SB_PI / side;
        if (d->inverse_mass[i] > 0)
            set_row(d->velocities, i, (sb_vec3){0, v * sin(a) * sin(b), 0});
        if (d->inverse_inertia[i] > 0)
            set_row(d->spins, i,
                    (sb_vec3){-v * by * sin(a) * cos(b), 0,
                              v * by * cos(a) * sin(b)});
    }
    double hz =
        crossing_hz(d, node_near(d, (sb_vec3){0, 0, 0}), 4, 0.033, amplitude_m);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
    sb_free(holds);
    return hz;
}

START_TEST(pinned_plate_hardens) {
    double h = 0.002, amplitude;
    static const double ratios[2][2] = {{0.4, 1.0754}, {0.6, 1.1619}};
    double small = plate_hz(1e-5, &amplitude);
    for (int i = 0; i < 2; i++) {
        double a = ratios[i][0] * h, nu = 0.29;
        double eps = 3 * ((1 + nu) / 4 + (1 - nu * nu) / 8) * (a / h) * (a / h);
        double speed = SB_TAU * small * a * sqrt(1 + 0.5 * eps);
        double ratio = plate_hz(speed, &amplitude) / small;
        ck_assert_double_lt(fabs(ratio / ratios[i][1] - 1), 5e-3);
    }
}
END_TEST

/* A moment of E I pi / L at the free end rolls a strip to a half circle: on all
 * of its nodes, or at a point. */
START_TEST(strip_rolls_to_a_half_circle) {
    sb_mesh mesh = cells_mesh(length, width, 20, 2);
    sb_hold *holds = sb_alloc((size_t)mesh.vertex_count, sizeof *holds);
    for (int i = 0; i < mesh.vertex_count; i++) {
        if (mesh.vertices[i].x < -0.5 * length + 1e-9)
            holds[i] = SB_HOLD_CLAMPED;
    }
    sb_deform_body_def body = sheet_body(&mesh, thin, holds);
    body.material.poisson_ratio = 0;
    body.material.alpha = 120; /* near critical */
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    double moment = 200e9 * width * thin * thin * thin / 12 * SB_PI / length;
    sb_deform_push_def push = {
        .low_m = {0.5 * length - 1e-6, -1, -1},
        .high_m = {1, 1, 1},
        .moment_nm = {0, 0, moment},
        .signal = {.count = 2, .times_s = {0, 0.1}, .values = {0, 1}},
    };
    if (_i == 1) push.low_m = push.high_m = (sb_vec3){0.5 * length, 0, 0};
    sb_error err = {0};
    ck_assert_msg(!sb_deform_push(d, &push, &err), "%s", err.message);
    steps(d, (int64_t)(0.2 / d->step_s));
    sb_vec3 tip = {0, 0, 0};
    for (int i = 0; i < d->node_count; i++) {
        if (d->mass[i] > 0 && row_vec3(d->rest, i).x > 0.5 * length - 1e-9)
            tip = sb_vec3_add(
                tip, sb_vec3_scale(row_vec3(d->positions, i), 1.0 / 3));
    }
    ck_assert_double_lt(fabs((tip.x + 0.5 * length) / length), 5e-3);
    ck_assert_double_lt(fabs(tip.y / length / 0.63662 - 1), 5e-3);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
    sb_free(holds);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_large");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, clamped_strip_hardens);
    tcase_add_test(cases, hinged_strip_hardens);
    tcase_add_test(cases, pinned_plate_hardens);
    tcase_add_loop_test(cases, strip_rolls_to_a_half_circle, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
