/* SPDX-License-Identifier: MIT */
/* Strings and rings against their closed forms. */
#include "tests/model/model_test.h"

#include <stdio.h>

static const sb_shape string_110 = {.kind = SB_SHAPE_STRING,
                                    .length = .65,
                                    .diameter = .001,
                                    .tension = 126.076};
static const sb_shape r1 = {
    .kind = SB_SHAPE_RING, .radius = .05, .width = .004, .thickness = .004};

START_TEST(stiff_strings_match_the_table) {
    sb_shape shape = string_110;
    /* The tension that gives 110 Hz exactly; published as 126.076 N. */
    double line = 7850 * SB_PI * .001 * .001 / 4;
    shape.tension = line * pow(2 * .65 * 110, 2);
    ck_assert_double_eq_tol(shape.tension, 126.076, 6e-4);
    sb_model *model = make(shape, steel());
    const struct {
        const char *label;
        double hz;
    } rows[] = {{"transverse 1", 110.100},   {"transverse 2", 220.799},
                {"transverse 3", 332.690},   {"transverse 5", 562.367},
                {"transverse 10", 1195.869}, {"transverse 20", 2891.652},
                {"horizontal 20", 2891.652}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_double_eq_tol(freq_of(model, rows[i].label), rows[i].hz,
                                6e-4);
    }
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    ck_assert_double_eq(
        sb_model_inverse_mass(model, sb_model_point_at(model, .3, .5), NULL),
        0);
    sb_model_release(model);
}
END_TEST

START_TEST(a_blow_from_above_drives_only_the_vertical) {
    sb_model *model = make(string_110, steel());
    double scale = sqrt(2 / sb_model_mass_kg(model));
    for (int n = 1; n <= 6; n++) {
        char label[SB_MODE_LABEL_SIZE];
        (void)snprintf(label, sizeof label, "transverse %d", n);
        int k = find_mode(model, label);
        (void)snprintf(label, sizeof label, "horizontal %d", n);
        int l = find_mode(model, label);
        double want = scale * sin(n * SB_PI * .2);
        ck_assert_double_eq_tol(weight_at(model, k, .2, .5, NULL), -want,
                                1e-9 * scale);
        ck_assert_double_eq(weight_at(model, l, .2, .5, NULL), 0);
        ck_assert_double_eq(weight_at(model, k, .2, .5, &along_z), 0);
        ck_assert_double_eq_tol(weight_at(model, l, .2, .5, &along_z), want,
                                1e-9 * scale);
    }
    /* Plucked at a fifth, the fifth partial is silent. */
    int fifth = find_mode(model, "transverse 5");
    ck_assert_double_lt(fabs(weight_at(model, fifth, .2, .5, NULL)),
                        1e-9 * scale);
    sb_model_release(model);
}
END_TEST

START_TEST(rings_match_the_table) {
    sb_model *model = make(r1, steel());
    const struct {
        const char *label;
        double hz, tolerance;
    } rows[] = {
        {"in-plane 2 cos", 995.63, 6e-3},
        {"in-plane 2 sin", 995.63, 6e-3},
        {"in-plane 3 cos", 2816.05, 6e-3},
        {"in-plane 4 sin", 5399.54, 6e-3},
        {"out-of-plane 2 cos", 946.76, 6e-3},
        {"out-of-plane 3 sin", 2744.35, 6e-3},
        {"out-of-plane 4 cos", 5317.37, 6e-3},
        {"breathing", 16066.8, 6e-2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_double_eq_tol(freq_of(model, rows[i].label), rows[i].hz,
                                rows[i].tolerance);
    }
    const double ratios[] = {2.82843, 5.42326, 8.77058};
    for (int n = 3; n <= 5; n++) {
        char label[SB_MODE_LABEL_SIZE];
        (void)snprintf(label, sizeof label, "in-plane %d cos", n);
        double ratio = freq_of(model, label) / freq_of(model, "in-plane 2 cos");
        ck_assert_double_eq_tol(ratio, ratios[n - 3], 6e-6);
    }
    sb_model_release(model);
}
END_TEST

START_TEST(round_and_flat_wire_bend_by_their_own_section) {
    sb_shape round = {
        .kind = SB_SHAPE_RING, .radius = .05, .wire_radius = .002};
    sb_model *model = make(round, steel());
    double radius_of_gyration = .001; /* sqrt(I / A) = r / 2 */
    double unit =
        radius_of_gyration / (.05 * .05) * sqrt(200e9 / 7850) / (2 * SB_PI);
    ck_assert_double_eq_tol(freq_of(model, "in-plane 2 cos"), 2.683282 * unit,
                            1e-6 * unit);
    /* E I / G J = 1 + nu for a round wire. */
    double out = sqrt(4 * 9 / (4 + 1.29)) * unit;
    ck_assert_double_eq_tol(freq_of(model, "out-of-plane 2 sin"), out,
                            1e-9 * out);
    sb_model_release(model);
    /* A flat wire twice as wide along y bends in its plane as before. */
    sb_shape wide = r1;
    wide.width = .008;
    model = make(wide, steel());
    ck_assert_double_eq_tol(freq_of(model, "in-plane 2 cos"), 995.63, 6e-3);
    ck_assert_double_gt(freq_of(model, "out-of-plane 2 cos"), 1200);
    sb_model_release(model);
}
END_TEST

START_TEST(ring_modes_are_orthonormal_in_mass) {
    enum { ANGLES = 64 };
    sb_model *model = make(r1, steel());
    int count = sb_model_mode_count(model);
    static double at[ANGLES][3][WEIGHTS_MOST];
    for (int i = 0; i < ANGLES; i++) {
        double u = (double)i / ANGLES;
        sb_model_weights(model, sb_model_point_at(model, u, 0), &along_x,
                         at[i][0]);
        sb_model_weights(model, sb_model_point_at(model, u, 0), &along_y,
                         at[i][1]);
        sb_model_weights(model, sb_model_point_at(model, u, 0), &along_z,
                         at[i][2]);
    }
    for (int k = 0; k < count; k++) {
        for (int l = 0; l <= k; l++) {
            double sum = 0;
            for (int i = 0; i < ANGLES * 3; i++) {
                sum += at[i / 3][i % 3][k] * at[i / 3][i % 3][l];
            }
            ck_assert_double_eq_tol(sum / ANGLES * sb_model_mass_kg(model),
                                    k == l, 1e-9);
        }
    }
    sb_model_release(model);
}
END_TEST

START_TEST(a_ring_is_struck_straight_into_its_wire) {
    sb_model *model = make(r1, steel());
    int in = find_mode(model, "in-plane 2 cos");
    int out = find_mode(model, "out-of-plane 2 cos");
    double scale = sqrt(2 / sb_model_mass_kg(model));
    /* From outside at angle 0: radial motion only, against the outward
     * normal. */
    ck_assert_double_eq_tol(weight_at(model, in, 0, 0, NULL),
                            -scale * sqrt(4.0 / 5), 1e-9);
    ck_assert_double_eq_tol(weight_at(model, out, 0, 0, NULL), 0, 1e-9);
    /* From inside: the opposite sign. From above: out of plane only. */
    ck_assert_double_gt(weight_at(model, in, 0, .5, NULL), 0);
    ck_assert_double_eq_tol(weight_at(model, out, 0, .25, NULL), -scale, 1e-9);
    ck_assert_double_eq_tol(weight_at(model, in, 0, .25, NULL), 0, 1e-9);
    /* No stretching: d(tangential)/d(angle) = -radial. */
    double h = 1e-5, t = .07;
    double a = 2 * SB_PI * t, b = 2 * SB_PI * (t + h), c = 2 * SB_PI * (t - h);
    sb_vec3 radial = {cos(a), 0, sin(a)};
    sb_vec3 next = {-sin(b), 0, cos(b)}, last = {-sin(c), 0, cos(c)};
    double slope = (weight_at(model, in, t + h, 0, &next) -
                    weight_at(model, in, t - h, 0, &last)) /
                   (b - c);
    ck_assert_double_eq_tol(slope, -weight_at(model, in, t, 0, &radial),
                            1e-5 * scale);
    sb_model_release(model);
}
END_TEST

START_TEST(ring_places_lie_on_the_wire) {
    sb_model *model = make(r1, steel());
    sb_vec3 outer = sb_model_position(model, sb_model_point_at(model, 0, 0));
    sb_vec3 top = sb_model_position(model, sb_model_point_at(model, .25, .25));
    ck_assert_double_eq_tol(outer.x, .052, 1e-12);
    ck_assert_double_eq_tol(top.z, .05, 1e-12);
    ck_assert_double_eq_tol(top.y, .002, 1e-12);
    for (int i = 0; i < 20; i++) {
        double u = i / 20.0, v = i / 20.0, u_back = 0, v_back = 0;
        sb_vec3 at = sb_model_position(model, sb_model_point_at(model, u, v));
        sb_model_point back = sb_model_nearest(model, at);
        u_back = back.u, v_back = back.v;
        ck_assert_double_eq_tol(remainder(u_back - u, 1), 0, 1e-9);
        ck_assert_double_eq_tol(remainder(v_back - v, 1), 0, 1e-9);
    }
    /* Struck at the rim along the tangent it spins: 1/m + R^2 / I. */
    double m = sb_model_mass_kg(model);
    double axial = m * (.05 * .05 + .004 * .004 / 4);
    ck_assert_double_eq_tol(
        sb_model_inverse_mass(model, sb_model_point_at(model, 0, 0), &along_z),
        1 / m + .052 * .052 / axial, 1e-9);
    ck_assert_double_eq_tol(
        sb_model_inverse_mass(model, sb_model_point_at(model, 0, 0), NULL),
        1 / m, 1e-9);
    sb_model_release(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("line");
    TCase *tests = tcase_create("line");
    tcase_add_test(tests, stiff_strings_match_the_table);
    tcase_add_test(tests, a_blow_from_above_drives_only_the_vertical);
    tcase_add_test(tests, rings_match_the_table);
    tcase_add_test(tests, round_and_flat_wire_bend_by_their_own_section);
    tcase_add_test(tests, ring_modes_are_orthonormal_in_mass);
    tcase_add_test(tests, a_ring_is_struck_straight_into_its_wire);
    tcase_add_test(tests, ring_places_lie_on_the_wire);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
