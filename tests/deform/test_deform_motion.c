/* SPDX-License-Identifier: MIT */
/* Small motion: pitch against the modes of the same mesh, energy, damping, spin;
 * and that neither threads nor checkpoints change a bit. */
#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/fem/fem.h"
#include "tests/deform/deform_fixture.h"

/* The lumped masses and inertias as a matrix. */
static sb_sparse mass_matrix(const sb_deform *d, const sb_fem *fem,
                             int per_node) {
    sb_sparse_builder *builder = NULL;
    sb_sparse m;
    sb_error err = {0};
    ck_assert(!sb_sparse_begin(&builder, fem->dof_count, &err));
    for (int i = 0; i < fem->node_count; i++) {
        int node = node_near(d, fem->nodes[i]);
        for (int k = 0; k < per_node; k++) {
            int at = per_node * i + k;
            double own = k < 3 ? d->mass[node] : d->inertia[node];
            ck_assert(!sb_sparse_add(builder, &at, 1, &own, &err));
        }
    }
    ck_assert(!sb_sparse_end(builder, &m, &err));
    return m;
}

/* Starts the body in mode `x` (mass-normalised) and returns its frequency. */
static double mode_hz(sb_deform *d, const sb_fem *fem, int per_node,
                      const double *x, double omega) {
    int *number = sb_alloc((size_t)fem->node_count, sizeof *number);
    double size = 1e-8 * omega, last = 0, first_s = -1, last_s = -1;
    int count = 0;
    for (int i = 0; i < fem->node_count; i++) {
        const double *own = x + per_node * i;
        number[i] = node_near(d, fem->nodes[i]);
        set_row(d->velocities, number[i],
                (sb_vec3){size * own[0], size * own[1], size * own[2]});
        if (per_node == 6)
            set_row(d->spins, number[i],
                    (sb_vec3){size * own[3], size * own[4], size * own[5]});
    }
    while (count < 3) {
        double q = 0;
        steps(d, 1);
        for (int i = 0; i < fem->node_count; i++) {
            const double *own = x + per_node * i;
            sb_vec3 u = sb_vec3_sub(row_vec3(d->positions, number[i]),
                                    row_vec3(d->rest, number[i]));
            q += d->mass[number[i]] *
                 (own[0] * u.x + own[1] * u.y + own[2] * u.z);
        }
        double t = sb_deform_time_s(d);
        if (last < 0 && q >= 0) {
            last_s = t - d->step_s * q / (q - last);
            if (first_s < 0)
                first_s = last_s;
            else
                count++;
        }
        last = q;
    }
    sb_free(number);
    return count / (last_s - first_s);
}

static sb_status make_fem(const sb_deform_body_def *body, bool is_lumped,
                          sb_fem *out, sb_error *err) {
    const sb_fem_def def = {.method =
                                body->solid ? SB_METHOD_SOLID : SB_METHOD_SHELL,
                            .is_lumped = is_lumped,
                            .material = &body->material,
                            .sheet = body->sheet,
                            .thickness_m = body->thickness_m,
                            .solid = body->solid};
    return sb_fem_make(&def, out, err);
}

/* Modes of the same mesh have the same masses. */
static void check_lumps(const sb_deform_body_def *body, const sb_sparse *m) {
    sb_fem fem;
    sb_error err = {0};
    sb_status status = make_fem(body, true, &fem, &err);
    ck_assert_msg(!status, "%s", err.message);
    ck_assert_int_eq(fem.dof_count, m->n);
    for (int i = 0; i < m->n; i++) {
        double own = m->values[m->starts[i]];
        ck_assert_double_lt(fabs(fem.m.values[fem.m.starts[i]] / own - 1),
                            1e-12);
    }
    sb_fem_free(&fem);
}

static void check_lines(const sb_deform_body_def *body, int per_node) {
    sb_fem fem;
    sb_error err = {0};
    sb_status status = make_fem(body, false, &fem, &err);
    ck_assert_msg(!status, "%s", err.message);
    sb_deform *d = create_one(sb_deform_def_default(), body);
    sb_sparse m = mass_matrix(d, &fem, per_node);
    check_lumps(body, &m);
    sb_eigen_result modes;
    const sb_eigen_def def = {.k = &fem.k,
                              .m = &m,
                              .max_value = INFINITY,
                              .max_count = 14,
                              .scale = 1e7};
    ck_assert_msg(!sb_eigen_sparse(&def, &modes, &err), "%s", err.message);
    for (int k = 6; k < 14; k += 2) {
        double omega = sqrt(modes.values[k]);
        /* Central differences. */
        double swings = 2 / d->step_s * asin(0.5 * omega * d->step_s) / SB_TAU;
        sb_deform_destroy(d);
        d = create_one(sb_deform_def_default(), body);
        double hz =
            mode_hz(d, &fem, per_node,
                    modes.vectors + (size_t)k * (size_t)fem.dof_count, omega);
        ck_assert_double_lt(fabs(hz / swings - 1), 1e-4);
    }
    sb_eigen_result_free(&modes);
    sb_sparse_free(&m);
    sb_fem_free(&fem);
    sb_deform_destroy(d);
}

START_TEST(lines_are_those_of_the_same_mesh) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.005, 8, 2, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.06, 6, 4);
    sb_deform_body_def bar = solid_body(&solid, NULL);
    sb_deform_body_def plate = sheet_body(&mesh, 1e-3, NULL);
    check_lines(&bar, 3);
    check_lines(&plate, 6);
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
}
END_TEST

static sb_deform *struck_bar(int threads, double alpha, double beta,
                             sb_solid_mesh *solid, double speed_m_s) {
    static const sb_vec3 ear_m = {0.1, 0.5, 0};
    sb_deform_body_def body = solid_body(solid, NULL);
    body.material.alpha = alpha;
    body.material.beta = beta;
    sb_deform_def def = sb_deform_def_default();
    def.threads = threads;
    def.ear_m = &ear_m;
    sb_deform *d = create_one(def, &body);
    sb_deform_strike_def strike = {
        .at_m = {0.04, 0.0025, 0.006}, .mass_kg = 1e-3, .speed_m_s = speed_m_s};
    sb_error err = {0};
    ck_assert_msg(!sb_deform_strike(d, &strike, NULL, &err), "%s", err.message);
    return d;
}

/* A twentieth of a second here; the bound is 1e-5 in a second. */
START_TEST(energy_does_not_drift) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.005, 4, 1, 1);
    sb_deform *d = struck_bar(1, 0, 0, &solid, 0.01);
    steps(d, 65);
    sb_deform_energy first = d->state->energy;
    steps(d, (int64_t)(0.05 / d->step_s) / 64 * 64);
    sb_deform_energy last = d->state->energy;
    double before = first.kinetic_j + first.elastic_j;
    double after = last.kinetic_j + last.elastic_j;
    ck_assert_double_lt(fabs(after / before - 1), 1e-6);
    ck_assert_double_lt(fabs(before / first.work_j - 1), 1e-3);
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(a_spinning_bar_keeps_its_spin) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.005, 4, 1, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.06, 4, 2);
    sb_deform_body_def bodies[2] = {solid_body(&solid, NULL),
                                    sheet_body(&mesh, 1e-3, NULL)};
    for (int i = 0; i < 2; i++) {
        bodies[i].material.alpha = 200;
        bodies[i].material.beta = 1e-6;
        bodies[i].spin_rad_s = (sb_vec3){3, 40, 5};
        bodies[i].velocity_m_s = (sb_vec3){1, 0, 0};
        sb_deform *d = create_one(sb_deform_def_default(), &bodies[i]);
        deform_motion first = deform_motion_of(d, 0);
        steps(d, 20000);
        deform_motion last = deform_motion_of(d, 0);
        sb_vec3 spin = sb_vec3_sub(last.spin_nms, first.spin_nms);
        sb_vec3 push = sb_vec3_sub(last.momentum_ns, first.momentum_ns);
        ck_assert_double_lt(sb_vec3_length(spin),
                            2e-13 * sb_vec3_length(first.spin_nms));
        ck_assert_double_lt(sb_vec3_length(push),
                            2e-13 * sb_vec3_length(first.momentum_ns));
        sb_deform_destroy(d);
    }
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
}
END_TEST

/* First mode of a cantilever, by the energy at two times. */
static double decay_1_s(double alpha, double beta, double *hz) {
    sb_mesh mesh = cells_mesh(0.1, 0.02, 8, 2);
    sb_hold *holds = sb_alloc((size_t)mesh.vertex_count, sizeof *holds);
    for (int i = 0; i < mesh.vertex_count; i++) {
        if (mesh.vertices[i].x < -0.05 + 1e-9) holds[i] = SB_HOLD_CLAMPED;
    }
    sb_deform_body_def body = sheet_body(&mesh, 2e-3, holds);
    body.material.alpha = alpha;
    body.material.beta = beta;
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    for (int i = 0; i < d->node_count; i++) {
        double x = row_vec3(d->rest, i).x + 0.05;
        if (d->inverse_mass[i] == 0) continue;
        set_row(d->velocities, i, (sb_vec3){0, x * x, 0});
        set_row(d->spins, i, (sb_vec3){0, 0, 2 * x});
    }
    int tip = node_near(d, (sb_vec3){0.05, 0, 0});
    double first, second;
    *hz = crossing_hz(d, tip, 2, 0.06, NULL);
    (void)crossing_hz(d, tip, 2, 3 / *hz, &first);
    double from = sb_deform_time_s(d);
    steps(d, (int64_t)(17 / *hz / d->step_s));
    double to = sb_deform_time_s(d);
    (void)crossing_hz(d, tip, 2, 3 / *hz, &second);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
    sb_free(holds);
    return log(first / second) / (to - from + 3 / *hz);
}

START_TEST(damping_is_rayleighs) {
    double hz, decay = decay_1_s(40, 0, &hz);
    ck_assert_double_lt(fabs(decay / 20 - 1), 0.01);
    decay = decay_1_s(0, 1e-5, &hz);
    double omega = SB_TAU * hz;
    ck_assert_double_lt(fabs(decay / (0.5 * 1e-5 * omega * omega) - 1), 0.01);
}
END_TEST

enum { FRAMES = 96 };

static void read_all(sb_deform *d, int frames, float *out) {
    sb_error err = {0};
    ck_assert_msg(!deform_advance(d, frames, &err), "%s", err.message);
    ck_assert_int_eq(sb_deform_read(d, frames, out), frames);
}

START_TEST(threads_do_not_change_a_bit) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.005, 8, 3, 1);
    float first[FRAMES], other[FRAMES];
    for (int threads = 1; threads <= 3; threads++) {
        sb_deform *d = struck_bar(threads, 5, 1e-7, &solid, 1);
        read_all(d, FRAMES, threads == 1 ? first : other);
        if (threads > 1) ck_assert_mem_eq(first, other, sizeof first);
        sb_deform_destroy(d);
    }
    double loudest = 0;
    for (int i = 0; i < FRAMES; i++) {
        loudest = fmax(loudest, fabs((double)first[i]));
    }
    ck_assert_double_gt(loudest, 1e-4);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(checkpoints_do_not_change_a_bit) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.005, 4, 1, 1);
    float whole[2 * FRAMES], parts[2 * FRAMES];
    sb_error err = {0};
    sb_deform *d = struck_bar(1, 5, 1e-7, &solid, 1);
    read_all(d, 2 * FRAMES, whole);
    sb_deform_destroy(d);
    d = struck_bar(1, 5, 1e-7, &solid, 1);
    read_all(d, 37, parts);
    size_t bytes = sb_deform_state_bytes(d);
    void *block = sb_alloc(bytes, 1);
    sb_deform_save(d, block);
    sb_deform_destroy(d);
    d = struck_bar(2, 5, 1e-7, &solid, 1);
    ck_assert_msg(!sb_deform_restore(d, block, bytes, &err), "%s", err.message);
    ck_assert(!deform_advance(d, 2 * FRAMES, &err));
    ck_assert_int_eq(sb_deform_read(d, 2 * FRAMES - 37, parts + 37),
                     2 * FRAMES - 37);
    ck_assert_mem_eq(whole, parts, sizeof whole);
    sb_deform_destroy(d);
    d = struck_bar(1, 6, 1e-7, &solid, 1);
    ck_assert_int_eq(sb_deform_restore(d, block, bytes, &err), SB_BAD_FORMAT);
    sb_deform_destroy(d);
    sb_free(block);
    sb_solid_mesh_free(&solid);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_motion");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, lines_are_those_of_the_same_mesh);
    tcase_add_test(cases, energy_does_not_drift);
    tcase_add_test(cases, a_spinning_bar_keeps_its_spin);
    tcase_add_test(cases, damping_is_rayleighs);
    tcase_add_test(cases, threads_do_not_change_a_bit);
    tcase_add_test(cases, checkpoints_do_not_change_a_bit);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
