/* SPDX-License-Identifier: MIT */
/* Elements: forces are the gradient of the energy, rigid motion costs nothing,
 * and at rest the stiffness is that of runtime/model/fem. */
#include "runtime/base/random.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/model/fem/fem.h"
#include "tests/deform/deform_fixture.h"

static double elastic_j(sb_deform *d) {
    double sum = 0;
    for (int c = 0; c < d->chunks.group_count; c++) {
        deform_group_forces(d, c, true);
    }
    for (int g = 0; g < d->elements.tet_groups + d->elements.shell_groups;
         g++) {
        sum += d->elements.energy_j[g];
    }
    return sum;
}

/* Force (and moment) on a node from the elements. */
static sb_vec3 force_on(const sb_deform *d, int node, bool is_moment) {
    sb_vec3 sum = {0, 0, 0};
    for (int row = d->elements.row_start[node];
         row < d->elements.row_start[node + 1]; row++) {
        sum = sb_vec3_add(
            sum, row_vec3(is_moment ? d->elements.moments : d->elements.forces,
                          row));
    }
    return sum;
}

static void turn_node(sb_deform *d, int node, sb_vec3 angle_rad) {
    sb_quat by = sb_quat_about(angle_rad, sb_vec3_length(angle_rad));
    double *own = d->quats + 4 * (size_t)node;
    sb_quat q = sb_quat_times(by, (sb_quat){own[3], own[0], own[1], own[2]});
    const double now[4] = {q.x, q.y, q.z, q.w};
    memcpy(own, now, sizeof now);
}

static sb_vec3 any_vector(sb_random *random, double size) {
    return (sb_vec3){size * (2 * sb_random_unit(random) - 1),
                     size * (2 * sb_random_unit(random) - 1),
                     size * (2 * sb_random_unit(random) - 1)};
}

static void shake(sb_deform *d, double move_m, double turn_rad) {
    sb_random random = sb_random_make(1, 2);
    for (int i = 0; i < d->node_count; i++) {
        add_row(d->positions, i, any_vector(&random, move_m));
        if (i < d->turn_count) turn_node(d, i, any_vector(&random, turn_rad));
    }
}

static sb_vec3 axis(int k, double size) {
    return (sb_vec3){k == 0 ? size : 0, k == 1 ? size : 0, k == 2 ? size : 0};
}

static double part(sb_vec3 v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/* Central differences of the energy against the forces, for all nodes. */
static void check_gradient(sb_deform *d, double small_m) {
    double scale = 0;
    (void)elastic_j(d);
    for (int i = 0; i < d->node_count; i++) {
        scale = fmax(scale, sb_vec3_length(force_on(d, i, false)));
    }
    for (int i = 0; i < d->node_count; i += 3) {
        for (int k = 0; k < 3; k++) {
            add_row(d->positions, i, axis(k, small_m));
            double more = elastic_j(d);
            add_row(d->positions, i, axis(k, -2 * small_m));
            double less = elastic_j(d);
            add_row(d->positions, i, axis(k, small_m));
            (void)elastic_j(d);
            double f = part(force_on(d, i, false), k);
            double slope = -(more - less) / (2 * small_m);
            ck_assert_double_lt(fabs(f - slope), 1e-5 * scale);
        }
    }
}

START_TEST(solid_forces_are_the_gradient_of_the_energy) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 3, 1, 1);
    sb_deform_body_def body = solid_body(&solid, NULL);
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    shake(d, 5e-4, 0);
    check_gradient(d, 1e-8);
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(sheet_forces_are_the_gradient_of_the_energy) {
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def body = sheet_body(&mesh, 1e-3, NULL);
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    shake(d, 2e-3, 0.2);
    check_gradient(d, 1e-8);
    double small = 1e-6, scale = 0;
    for (int i = 0; i < d->turn_count; i++) {
        scale = fmax(scale, sb_vec3_length(force_on(d, i, true)));
    }
    for (int i = 0; i < d->turn_count; i++) {
        for (int k = 0; k < 3; k++) {
            turn_node(d, i, axis(k, small));
            double more = elastic_j(d);
            turn_node(d, i, axis(k, -2 * small));
            double less = elastic_j(d);
            turn_node(d, i, axis(k, small));
            (void)elastic_j(d);
            double m = part(force_on(d, i, true), k);
            ck_assert_double_lt(fabs(m + (more - less) / (2 * small)),
                                1e-5 * scale);
        }
    }
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

/* Energy and forces of a bent body do not change when it is turned. */
static void check_rotation(sb_deform *d) {
    sb_quat by = sb_quat_about((sb_vec3){1, 2, -0.5}, 2.2);
    double before = elastic_j(d);
    sb_vec3 force = force_on(d, 1, false);
    for (int i = 0; i < d->node_count; i++) {
        sb_vec3 x = sb_quat_turn(by, row_vec3(d->positions, i));
        set_row(d->positions, i, x);
        if (i < d->turn_count)
            turn_node(
                d, i,
                sb_vec3_scale(sb_vec3_normalised((sb_vec3){1, 2, -0.5}), 2.2));
    }
    double after = elastic_j(d);
    sb_vec3 off = sb_vec3_sub(force_on(d, 1, false), sb_quat_turn(by, force));
    ck_assert_double_lt(fabs(after / before - 1), 1e-9);
    ck_assert_double_lt(sb_vec3_length(off), 1e-7 * sb_vec3_length(force));
}

START_TEST(turned_bodies_have_turned_forces) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 3, 1, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def bodies[2] = {solid_body(&solid, NULL),
                                    sheet_body(&mesh, 1e-3, NULL)};
    for (int i = 0; i < 2; i++) {
        sb_deform *d = create_one(sb_deform_def_default(), &bodies[i]);
        shake(d, 2e-4, 0.05);
        check_rotation(d);
        sb_deform_destroy(d);
    }
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
}
END_TEST

/* The elastic energy of a small random displacement against u' K u / 2. */
static void check_stiffness(sb_deform *d, const sb_fem *fem, int per_node,
                            const int *number) {
    double *u = sb_alloc((size_t)fem->dof_count, sizeof *u);
    double *f = sb_alloc((size_t)fem->dof_count, sizeof *f), sum = 0;
    sb_random random = sb_random_make(3, 4);
    for (int i = 0; i < fem->node_count; i++) {
        sb_vec3 move = any_vector(&random, 1e-9);
        sb_vec3 turn = any_vector(&random, 1e-7);
        add_row(d->positions, number[i], move);
        if (per_node == 6) turn_node(d, number[i], turn);
        for (int k = 0; k < per_node; k++) {
            u[per_node * i + k] = k < 3 ? part(move, k) : part(turn, k - 3);
        }
    }
    sb_sparse_multiply(&fem->k, u, f);
    for (int i = 0; i < fem->dof_count; i++) {
        sum += 0.5 * u[i] * f[i];
    }
    ck_assert_double_lt(fabs(elastic_j(d) / sum - 1), 1e-5);
    sb_free(u);
    sb_free(f);
}

static int *numbers(const sb_deform *d, const sb_fem *fem) {
    int *number = sb_alloc((size_t)fem->node_count, sizeof *number);
    for (int i = 0; i < fem->node_count; i++) {
        number[i] = node_near(d, fem->nodes[i]);
    }
    return number;
}

START_TEST(stiffness_at_rest_is_that_of_the_linear_elements) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 3, 2, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def bodies[2] = {solid_body(&solid, NULL),
                                    sheet_body(&mesh, 1e-3, NULL)};
    for (int i = 0; i < 2; i++) {
        sb_deform *d = create_one(sb_deform_def_default(), &bodies[i]);
        sb_fem fem;
        sb_error err = {0};
        const sb_fem_def def = {.method =
                                    i == 0 ? SB_METHOD_SOLID : SB_METHOD_SHELL,
                                .material = &plain_steel,
                                .sheet = &mesh,
                                .thickness_m = 1e-3,
                                .solid = &solid};
        sb_status status = sb_fem_make(&def, &fem, &err);
        ck_assert_msg(!status, "%s", err.message);
        int *number = numbers(d, &fem);
        check_stiffness(d, &fem, i == 0 ? 3 : 6, number);
        ck_assert_double_lt(
            fabs(deform_motion_of(d, 0).mass_kg / fem.mass_kg - 1), 1e-12);
        sb_free(number);
        sb_fem_free(&fem);
        sb_deform_destroy(d);
    }
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(instruction_sets_agree) {
    if (!sb_deform_kernel_choose("avx2")) return;
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 3, 1, 1);
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def bodies[2] = {solid_body(&solid, NULL),
                                    sheet_body(&mesh, 1e-3, NULL)};
    for (int i = 0; i < 2; i++) {
        double energy[2];
        for (int k = 0; k < 2; k++) {
            sb_deform_def def = sb_deform_def_default();
            def.instruction_set = k ? "avx2" : "portable";
            bodies[i].material.beta = 1e-6;
            bodies[i].material.alpha = 3;
            sb_deform *d = create_one(def, &bodies[i]);
            shake(d, 1e-5, 1e-3);
            steps(d, 130);
            energy[k] = elastic_j(d);
            sb_deform_destroy(d);
        }
        ck_assert_double_gt(energy[0], 0);
        ck_assert_double_lt(fabs(energy[1] / energy[0] - 1), 1e-6);
    }
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_elements");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, solid_forces_are_the_gradient_of_the_energy);
    tcase_add_test(cases, sheet_forces_are_the_gradient_of_the_energy);
    tcase_add_test(cases, turned_bodies_have_turned_forces);
    tcase_add_test(cases, stiffness_at_rest_is_that_of_the_linear_elements);
    tcase_add_test(cases, instruction_sets_agree);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
