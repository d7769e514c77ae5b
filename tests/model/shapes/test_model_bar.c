/* SPDX-License-Identifier: MIT */
/* Bars against closed forms and published tables of bar vibration. */
#include "tests/model/model_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sb_shape b1 = {
    .kind = SB_SHAPE_BAR, .length = 0.2, .width = 0.02, .thickness = 0.005};
static const sb_shape b2 = {
    .kind = SB_SHAPE_BAR, .length = 0.36, .width = 0.05, .thickness = 0.0127};

static sb_shape with(sb_shape bar, sb_support support, sb_theory theory) {
    bar.support = support;
    bar.theory = theory;
    return bar;
}

static sb_material aluminium(void) {
    return elastic(70e9, 2700, 0.33);
}

static void check_series(sb_shape bar, sb_material material, const char *name,
                         const double *printed, int count, double tolerance) {
    sb_model *model = make(bar, material);
    for (int n = 1; n <= count; n++) {
        char label[SB_MODE_LABEL_SIZE];
        (void)snprintf(label, sizeof label, "%s %d", name, n);
        ck_assert_double_eq_tol(freq_of(model, label), printed[n - 1],
                                tolerance);
    }
    sb_model_release(model);
}

START_TEST(euler_wave_numbers_match_the_table) {
    const struct {
        sb_support support;
        double beta_l[6];
    } rows[] = {
        {SB_SUPPORT_FREE,
         {4.73004074, 7.85320462, 10.99560784, 14.13716549, 17.27875966,
          20.42035225}},
        {SB_SUPPORT_CLAMPED,
         {4.73004074, 7.85320462, 10.99560784, 14.13716549, 17.27875966,
          20.42035225}},
        {SB_SUPPORT_CLAMPED_FREE,
         {1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839,
          17.27875953}},
        {SB_SUPPORT_CLAMPED_PINNED,
         {3.92660231, 7.06858275, 10.21017612, 13.35176878, 16.49336143,
          19.63495408}},
        {SB_SUPPORT_PINNED,
         {SB_PI, 2 * SB_PI, 3 * SB_PI, 4 * SB_PI, 5 * SB_PI, 6 * SB_PI}},
    };
    double unit = b1.thickness * sqrt(200e9 / (12 * 7850.0)) /
                  (2 * SB_PI * b1.length * b1.length);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sb_model *model =
            make(with(b1, rows[i].support, SB_BAR_EULER), steel());
        for (int n = 1; n <= 6; n++) {
            char label[SB_MODE_LABEL_SIZE];
            (void)snprintf(label, sizeof label, "flexural %d", n);
            double beta_l = sqrt(freq_of(model, label) / unit);
            ck_assert_double_eq_tol(beta_l, rows[i].beta_l[n - 1], 6e-9);
        }
        sb_model_release(model);
    }
}
END_TEST

START_TEST(named_bars_match_both_theories) {
    const double b1_euler[] = {648.559, 1787.778, 3504.759, 5793.545, 8654.557};
    const double b1_thick[] = {647.098, 1776.331, 3461.307, 5676.505, 8398.005};
    const double b2_euler[] = {512.891, 1413.804, 2771.621, 4581.630, 6844.165};
    const double b2_thick[] = {510.573, 1395.705, 2703.566, 4400.700, 6453.742};
    sb_shape e1 = with(b1, SB_SUPPORT_FREE, SB_BAR_EULER);
    sb_shape e2 = with(b2, SB_SUPPORT_FREE, SB_BAR_EULER);
    check_series(e1, steel(), "flexural", b1_euler, 5, 6e-4);
    check_series(b1, steel(), "flexural", b1_thick, 5, 6e-4);
    check_series(e2, aluminium(), "flexural", b2_euler, 5, 6e-4);
    check_series(b2, aluminium(), "flexural", b2_thick, 5, 6e-4);
}
END_TEST

START_TEST(cantilevers_match_both_theories) {
    const double b1_euler[] = {101.923, 638.738, 1788.485, 3504.716};
    const double b1_thick[] = {101.873, 636.572, 1774.148, 3453.401};
    const double b2_euler[] = {80.602, 505.124, 1414.363};
    const double b2_thick[] = {80.522, 501.659, 1391.618};
    sb_support support = SB_SUPPORT_CLAMPED_FREE;
    check_series(with(b1, support, SB_BAR_EULER), steel(), "flexural", b1_euler,
                 4, 6e-4);
    check_series(with(b1, support, SB_BAR_TIMOSHENKO), steel(), "flexural",
                 b1_thick, 4, 6e-4);
    check_series(with(b2, support, SB_BAR_EULER), aluminium(), "flexural",
                 b2_euler, 3, 6e-4);
    check_series(with(b2, support, SB_BAR_TIMOSHENKO), aluminium(), "flexural",
                 b2_thick, 3, 6e-4);
}
END_TEST

START_TEST(twist_and_stretch_match_the_closed_forms) {
    check_series(b1, steel(), "longitudinal", (double[]){12618.86}, 1, 6e-3);
    check_series(b2, aluminium(), "longitudinal", (double[]){7071.88}, 1, 6e-3);
    check_series(b1, steel(), "torsion",
                 (double[]){3497.72, 2 * 3497.72, 3 * 3497.72}, 3, 2e-2);
    check_series(b2, aluminium(), "torsion", (double[]){1956.59}, 1, 6e-3);
    /* One end held: odd quarter wavelengths. Both held: as free. */
    sb_support held = SB_SUPPORT_CLAMPED_FREE;
    check_series(with(b1, held, SB_BAR_EULER), steel(), "torsion",
                 (double[]){3497.72 / 2, 3497.72 * 1.5}, 2, 1e-2);
    check_series(with(b1, held, SB_BAR_EULER), steel(), "longitudinal",
                 (double[]){12618.86 / 2, 12618.86 * 1.5}, 2, 1e-2);
    check_series(with(b1, SB_SUPPORT_PINNED, SB_BAR_EULER), steel(), "torsion",
                 (double[]){3497.72}, 1, 1e-2);
}
END_TEST

START_TEST(thick_theory_stays_close_to_full_elasticity) {
    const struct {
        const char *label;
        double hz;
    } exact_b1[] = {{"flexural 1", 647.36},  {"flexural 2", 1778.86},
                    {"lateral 1", 2507.21},  {"flexural 3", 3471.11},
                    {"torsion 1", 3503.80},  {"flexural 4", 5701.93},
                    {"lateral 2", 6531.87},  {"torsion 2", 7043.73},
                    {"flexural 5", 8450.11}, {"flexural 6", 11689.17},
                    {"lateral 3", 11937.09}, {"longitudinal 1", 12614.18}},
      exact_b2[] = {{"flexural 1", 511.04},  {"flexural 2", 1400.07},
                    {"lateral 1", 1894.64},  {"torsion 1", 1962.85},
                    {"flexural 3", 2719.47}, {"flexural 4", 4439.19},
                    {"lateral 2", 4737.48},  {"longitudinal 1", 7065.27}};
    sb_model *first = make(b1, steel()), *second = make(b2, aluminium());
    for (size_t i = 0; i < sizeof exact_b1 / sizeof exact_b1[0]; i++) {
        double ratio = freq_of(first, exact_b1[i].label) / exact_b1[i].hz;
        ck_assert_double_eq_tol(ratio, 1, 0.01);
    }
    for (size_t i = 0; i < sizeof exact_b2 / sizeof exact_b2[0]; i++) {
        double ratio = freq_of(second, exact_b2[i].label) / exact_b2[i].hz;
        ck_assert_double_eq_tol(ratio, 1, 0.01);
    }
    sb_model_release(first);
    sb_model_release(second);
}
END_TEST

START_TEST(thin_bars_tend_to_euler) {
    sb_shape thin = b1;
    thin.thickness = 1e-4;
    sb_model *thick = make(thin, steel());
    sb_model *euler = make(with(thin, thin.support, SB_BAR_EULER), steel());
    double ratio = freq_of(thick, "flexural 1") / freq_of(euler, "flexural 1");
    ck_assert_double_lt(ratio, 1);
    ck_assert_double_gt(ratio, 1 - 2e-6);
    sb_model_release(thick);
    sb_model_release(euler);
}
END_TEST

START_TEST(free_shapes_match_the_table) {
    const struct {
        int node_count;
        double nodes[5], middle, quarter, tenth;
    } rows[] = {
        {2, {.224158, .775842}, -.60782, -.09920, .53716},
        {3, {.132108, .5, .867892}, 0, -.58475, .22743},
        {4, {.094443, .355803, .644197, .905557}, .71119, -.62114, -.05196},
        {5, {.073453, .276780, .5, .723220, .926547}, 0, -.25602, -.29401},
    };
    sb_model *model = make(with(b1, SB_SUPPORT_FREE, SB_BAR_EULER), steel());
    double end = 2 / sqrt(sb_model_mass_kg(model));
    ck_assert_double_eq_tol(sb_model_mass_kg(model), 0.157, 1e-12);
    for (int n = 1; n <= 4; n++) {
        char label[SB_MODE_LABEL_SIZE];
        (void)snprintf(label, sizeof label, "flexural %d", n);
        int k = find_mode(model, label);
        /* Straight into the surface is down, while the shape is up. */
        ck_assert_double_eq_tol(weight_at(model, k, 0, 0.5, NULL), -end,
                                1e-9 * end);
        ck_assert_double_eq_tol(weight_at(model, k, 0, 0.5, NULL), -5.0475,
                                5e-5);
        const double at[3] = {0.5, 0.25, 0.1};
        const double value[3] = {rows[n - 1].middle, rows[n - 1].quarter,
                                 rows[n - 1].tenth};
        for (int i = 0; i < 3; i++) {
            double phi = weight_at(model, k, at[i], 0.3, &along_y) / end;
            ck_assert_double_eq_tol(phi, value[i], 6e-6);
        }
        for (int i = 0; i < rows[n - 1].node_count; i++) {
            double node = rows[n - 1].nodes[i];
            double before = weight_at(model, k, node - 1e-6, 0.5, &along_y);
            double after = weight_at(model, k, node + 1e-6, 0.5, &along_y);
            ck_assert_double_lt(before * after, 0);
            if (node != 0.5) continue;
            ck_assert_double_eq_tol(weight_at(model, k, node, 0.5, NULL) / end,
                                    0, 1e-9);
        }
    }
    sb_model_release(model);
}
END_TEST

START_TEST(a_strike_at_the_end_shares_its_energy_as_printed) {
    sb_model *model = make(with(b1, SB_SUPPORT_FREE, SB_BAR_EULER), steel());
    const double impulse_ns = 0.01;
    for (int n = 1; n <= 6; n++) {
        char label[SB_MODE_LABEL_SIZE];
        (void)snprintf(label, sizeof label, "flexural %d", n);
        double velocity = impulse_ns * weight_at(model, find_mode(model, label),
                                                 0, 0.5, NULL);
        ck_assert_double_eq_tol(0.5 * velocity * velocity, 1.273885e-3, 1e-9);
    }
    /* The rigid body contributes 1/m and, at its end, about three times as
     * much by rotation (exactly for a line, which the published value
     * assumes). */
    double inverse =
        sb_model_inverse_mass(model, sb_model_point_at(model, 0, 0.5), NULL);
    double l = b1.length, h = b1.thickness, m = sb_model_mass_kg(model);
    double turning = l * l / 4 * 12 / (m * (l * l + h * h));
    ck_assert_double_eq_tol(inverse, 1 / m + turning, 1e-9);
    double energy = 0.5 * impulse_ns * impulse_ns * inverse;
    ck_assert_double_eq_tol(energy, 3.184713e-4 + 9.554140e-4, 1e-6);
    sb_model_release(model);
}
END_TEST

/* Modal mass between two modes, from surface motion alone: sections rotate
 * as planes, so the interior follows (bar.c). */
static double shared_mass(const sb_model *model, const sb_shape *bar, int k,
                          int l, double density) {
    enum { POINTS = 16, PANELS = 24 };
    double nodes[POINTS], weights[POINTS], sum = 0;
    static double x[WEIGHTS_MOST], y[WEIGHTS_MOST], z[WEIGHTS_MOST];
    sb_gauss_legendre(POINTS, nodes, weights);
    double w = bar->width, h = bar->thickness, m = sb_model_mass_kg(model);
    const char *label = sb_model_modes(model)[k].label;
    for (int i = 0; i < PANELS * POINTS; i++) {
        int panel = i / POINTS;
        double u = (panel + 0.5 + 0.5 * nodes[i % POINTS]) / PANELS;
        double v = strncmp(label, "flex", 4) == 0 ? 0.5 : 1.0;
        sb_model_weights(model, sb_model_point_at(model, u, v), &along_x, x);
        sb_model_weights(model, sb_model_point_at(model, u, v), &along_y, y);
        sb_model_weights(model, sb_model_point_at(model, u, v), &along_z, z);
        double part = 0;
        if (strncmp(label, "flex", 4) == 0) {
            part = m * (y[k] * y[l] + x[k] * x[l] / 3);
        } else if (strncmp(label, "lat", 3) == 0) {
            part = m * (z[k] * z[l] + x[k] * x[l] / 3);
        } else if (strncmp(label, "tor", 3) == 0) {
            double polar = w * h * (w * w + h * h) / 12;
            part = density * polar * bar->length * y[k] * y[l] / (w * w / 4);
        } else {
            part = m * x[k] * x[l];
        }
        sum += 0.5 / PANELS * weights[i % POINTS] * part;
    }
    return sum;
}

static void check_orthonormal(sb_shape bar) {
    sb_model *model = make(bar, aluminium());
    const sb_mode *modes = sb_model_modes(model);
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        for (int l = k; l < sb_model_mode_count(model); l++) {
            /* Other families move in other directions: orthogonal by
             * symmetry. */
            if (strncmp(modes[k].label, modes[l].label, 2) != 0) continue;
            double mass = shared_mass(model, &bar, k, l, 2700);
            ck_assert_msg(fabs(mass - (k == l)) < 1e-9,
                          "%s, theory %d, %s and %s: %.12f",
                          sb_support_name(bar.support), (int)bar.theory,
                          modes[k].label, modes[l].label, mass);
        }
    }
    sb_model_release(model);
}

START_TEST(modes_are_orthonormal_in_mass) {
    for (int support = 0; support < SB_SUPPORT_COUNT; support++) {
        check_orthonormal(with(b2, (sb_support)support, SB_BAR_TIMOSHENKO));
        check_orthonormal(with(b2, (sb_support)support, SB_BAR_EULER));
    }
}
END_TEST

START_TEST(held_ends_do_not_move_and_free_ends_do) {
    for (int support = 0; support < SB_SUPPORT_COUNT; support++) {
        sb_shape bar = with(b1, (sb_support)support, SB_BAR_TIMOSHENKO);
        sb_model *model = make(bar, steel());
        double scale = 2 / sqrt(sb_model_mass_kg(model));
        for (int end = 0; end < 2; end++) {
            bool is_free = support == SB_SUPPORT_FREE ||
                           (support == SB_SUPPORT_CLAMPED_FREE && end == 1);
            double w = weight_at(model, find_mode(model, "flexural 3"), end,
                                 0.5, NULL);
            if (is_free) ck_assert_double_gt(fabs(w), 0.9 * scale);
            if (!is_free) ck_assert_double_lt(fabs(w), 1e-9 * scale);
        }
        ck_assert_int_eq(sb_model_rigid_modes(model), support == 0 ? 6 : 0);
        ck_assert_int_eq(sb_model_inverse_mass(
                             model, sb_model_point_at(model, 0, 0), NULL) > 0,
                         support == 0);
        sb_model_release(model);
    }
}
END_TEST

START_TEST(directions_choose_the_family) {
    sb_model *model = make(b1, steel());
    double weights[3];
    const sb_vec3 *const axes[3] = {&along_x, &along_y, &along_z};
    const struct {
        const char *label;
        double v;
        bool moves[3]; /* along x, y, z at (0, v) */
    } rows[] = {
        {"flexural 1", 0.5, {true, true, false}},
        {"lateral 1", 0.5, {false, false, true}},
        {"lateral 1", 0.0, {true, false, true}},
        {"torsion 1", 0.5, {false, false, true}},
        {"torsion 1", 0.0, {false, true, true}},
        {"longitudinal 1", 0.2, {true, false, false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int k = find_mode(model, rows[i].label);
        for (int axis = 0; axis < 3; axis++) {
            weights[axis] = weight_at(model, k, 0, rows[i].v, axes[axis]);
            ck_assert_int_eq(weights[axis] != 0, rows[i].moves[axis]);
        }
    }
    /* Torsion rotates about x: (0, -theta z, theta y). */
    int k = find_mode(model, "torsion 1");
    double up = weight_at(model, k, 0, 0, &along_y);
    double side = weight_at(model, k, 0, 0, &along_z);
    ck_assert_double_gt(up, 0);
    ck_assert_double_eq_tol(side / up, b1.thickness / b1.width, 1e-12);
    sb_model_release(model);
}
END_TEST

/* phi of the mode with this label where the place `at` lies on the surface, along
 * the inward normal there. */
static double struck_at(const sb_model *model, const char *label, sb_vec3 at) {
    double *weights =
        calloc((size_t)sb_model_mode_count(model), sizeof *weights);
    sb_model_weights(model, sb_model_nearest(model, at), NULL, weights);
    double phi = NAN;
    for (int k = 0; k < sb_model_mode_count(model); k++)
        if (strcmp(sb_model_modes(model)[k].label, label) == 0)
            phi = weights[k];
    free(weights);
    return phi;
}

START_TEST(sides_are_struck_where_they_are_touched) {
    const sb_shape bar = {
        .kind = SB_SHAPE_BAR, .length = 0.3, .width = 0.04, .thickness = 0.03};
    sb_model *model = make(bar, steel());
    double x = 0.08, high = 0.5 * bar.thickness, front = 0.5 * bar.width;
    /* The front: torsion turns its upper half against its lower half. */
    double upper = struck_at(model, "torsion 1", (sb_vec3){x, 0.01, front});
    double lower = struck_at(model, "torsion 1", (sb_vec3){x, -0.01, front});
    double middle = struck_at(model, "torsion 1", (sb_vec3){x, 0, front});
    ck_assert_double_gt(fabs(upper), 0.05);
    ck_assert_double_eq_tol(upper, -lower, 1e-12);
    ck_assert_double_eq_tol(middle, 0, 1e-12);
    ck_assert_double_gt(
        fabs(struck_at(model, "lateral 1", (sb_vec3){x, 0, front})), 0.02);
    ck_assert_double_eq_tol(
        struck_at(model, "flexural 1", (sb_vec3){x, 0.01, front}), 0, 1e-12);
    /* The middle of an end: it is only stretched. */
    sb_vec3 end = {0.5 * bar.length, 0, 0};
    ck_assert_double_eq_tol(struck_at(model, "flexural 1", end), 0, 1e-12);
    ck_assert_double_eq_tol(struck_at(model, "lateral 1", end), 0, 1e-12);
    ck_assert_double_gt(fabs(struck_at(model, "longitudinal 1", end)), 0.05);
    /* From below: as from above, but for the sign. */
    ck_assert_double_eq_tol(
        struck_at(model, "flexural 1", (sb_vec3){x, -high, 0.01}),
        -struck_at(model, "flexural 1", (sb_vec3){x, high, 0.01}), 1e-12);
    /* An edge belongs to the top; a texture covers the sides from there. */
    sb_vec3 edge = {0.5 * bar.length + 1e-9, high, front};
    sb_model_point point = sb_model_nearest(model, edge);
    ck_assert_double_eq(sb_model_normal(model, point).y, 1);
    double u, v;
    point = sb_model_nearest(model, (sb_vec3){x, -0.01, front});
    ck_assert_double_eq_tol(sb_model_position(model, point).y, -0.01, 1e-12);
    sb_model_uv(model, point, &u, &v);
    ck_assert_double_eq_tol(u, 0.5 + x / bar.length, 1e-12);
    ck_assert_double_eq_tol(v, 1, 1e-12);
    sb_model_release(model);
}
END_TEST

START_TEST(deep_bars_stop_where_the_theory_does) {
    /* Above sqrt(kappa G A / rho I) a second type of wave exists. */
    sb_shape deep = {
        .kind = SB_SHAPE_BAR, .length = 0.5, .width = 0.2, .thickness = 0.05};
    sb_model *model = make(deep, steel());
    double nu = 0.29, kappa = 10 * (1 + nu) / (12 + 11 * nu);
    double shear_speed = sqrt(kappa * 200e9 / (2 * (1 + nu) * 7850));
    double end_hz = shear_speed * sqrt(12.0) / deep.width / (2 * SB_PI);
    int laterals = 0;
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        ck_assert(isfinite(mode->freq_hz) && isfinite(mode->radiation));
        if (strncmp(mode->label, "lateral", 7) != 0) continue;
        ck_assert_double_le(mode->freq_hz, end_hz);
        laterals++;
    }
    ck_assert_int_ge(laterals, 2);
    sb_model_release(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bar");
    TCase *tests = tcase_create("bar");
    tcase_add_test(tests, euler_wave_numbers_match_the_table);
    tcase_add_test(tests, named_bars_match_both_theories);
    tcase_add_test(tests, cantilevers_match_both_theories);
    tcase_add_test(tests, twist_and_stretch_match_the_closed_forms);
    tcase_add_test(tests, thick_theory_stays_close_to_full_elasticity);
    tcase_add_test(tests, thin_bars_tend_to_euler);
    tcase_add_test(tests, free_shapes_match_the_table);
    tcase_add_test(tests, a_strike_at_the_end_shares_its_energy_as_printed);
    tcase_add_test(tests, modes_are_orthonormal_in_mass);
    tcase_add_test(tests, held_ends_do_not_move_and_free_ends_do);
    tcase_add_test(tests, directions_choose_the_family);
    tcase_add_test(tests, sides_are_struck_where_they_are_touched);
    tcase_add_test(tests, deep_bars_stop_where_the_theory_does);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
