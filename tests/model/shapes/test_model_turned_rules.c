/* SPDX-License-Identifier: MIT */
/* Walls of revolution under changes that must not matter; the shapes of their
 * modes; mistakes. */
#include "runtime/base/memory.h"
#include "runtime/model/revolve/outline.h"
#include "tests/model/turned_test.h"

/* --- what must not matter ------------------------------------------------- */

START_TEST(the_number_of_points_does_not_matter) {
    double hz[3];
    const int pieces[3] = {8, 20, 90};
    for (int i = 0; i < 3; i++) {
        sb_shape shape = sphere(0.05, 0.001, pieces[i]);
        sb_model *model = make_below(shape, steel(), 13000);
        hz[i] = sb_model_modes(model)[0].freq_hz;
        sb_model_release(model);
        sb_profile_release(shape.profile);
    }
    close_to(hz[0], hz[2], 0.001, "8 pieces");
    close_to(hz[1], hz[2], 0.001, "20 pieces");
}
END_TEST

START_TEST(size_and_stiffness_scale_all_frequencies) {
    sb_profile_point large[4];
    for (int i = 0; i < 4; i++)
        large[i] =
            (sb_profile_point){3 * bowl[i].r, 3 * bowl[i].y, 3 * bowl[i].t};
    sb_shape one = revolve(bowl, 4, true), three = revolve(large, 4, true);
    sb_model *small = make_below(one, steel(), 9000);
    sb_model *big = make_below(three, elastic(50e9, 7850, 0.29), 1500);
    ck_assert_int_eq(sb_model_mode_count(small), sb_model_mode_count(big));
    for (int k = 0; k < sb_model_mode_count(small); k++)
        close_to(sb_model_modes(big)[k].freq_hz * 6,
                 sb_model_modes(small)[k].freq_hz, 1e-6, "scaled");
    sb_material soft = elastic(50e9, 7850, 0.29);
    sb_model *again = NULL;
    ck_assert(sb_model_can_rescale(small, &three, &soft));
    ck_assert_int_eq(sb_model_rescale(small, &three, &soft, &again, NULL),
                     SB_OK);
    close_to(sb_model_modes(again)[0].freq_hz, sb_model_modes(big)[0].freq_hz,
             1e-6, "rescaled");
    close_to(weight_at(again, 0, 0, 0.9, NULL), weight_at(big, 0, 0, 0.9, NULL),
             1e-6, "weight");
    one.support = SB_SUPPORT_CLAMPED_FREE;
    ck_assert(!sb_model_can_rescale(small, &one, &soft));
    sb_model_release(again);
    sb_model_release(small);
    sb_model_release(big);
    sb_profile_release(one.profile);
    sb_profile_release(three.profile);
}
END_TEST

START_TEST(the_lowest_modes_alone_are_the_same) {
    sb_shape shapes[2] = {tube(0.1, 0.05, 0.001), sphere(0.05, 0.0001, 12)};
    for (int i = 0; i < 2; i++) {
        sb_material material = steel();
        sb_model_limits limits = {.max_hz = 13000, .max_modes = 5};
        sb_model *few = NULL, *all = make_below(shapes[i], material, 13000);
        ck_assert_int_eq(
            sb_model_create(&shapes[i], &material, &limits, &few, NULL), SB_OK);
        ck_assert_int_eq(sb_model_mode_count(few), 5);
        for (int k = 0; k < 5; k++)
            close_to(sb_model_modes(few)[k].freq_hz,
                     sb_model_modes(all)[k].freq_hz, 0.003, "lowest");
        sb_model_release(few);
        sb_model_release(all);
        sb_profile_release(shapes[i].profile);
    }
}
END_TEST

START_TEST(a_fold_is_not_rounded_and_a_long_piece_stays_straight) {
    const sb_profile_point can[] = {
        {0.03, 0, 1e-3}, {0.03, 0.1, 1e-3}, {0, 0.1, 1e-3}};
    const sb_profile_point stem[] = {
        {0.004, 0, 1e-3}, {0.004, 0.08, 1e-3}, {0.006, 0.085, 1e-3}};
    sb_profile_point made[3 * SB_SMOOTH_PIECES];
    int second = 0;
    ck_assert_int_eq(sb_profile_smooth(can, 3, made, &second), 3);
    int count = sb_profile_smooth(stem, 3, made, &second);
    ck_assert_int_gt(count, 3);
    for (int i = 0; i < count && made[i].y < 0.08; i++)
        ck_assert_msg(fabs(made[i].r - 0.004) < 1e-4, "a stem bulges to %g m",
                      made[i].r);
}
END_TEST

/* --- shapes of modes ------------------------------------------------------ */

/* Sums rho t phi_j . phi_k over the wall. */
static double product(const sb_model *model, const sb_outline *outline, int j,
                      int k) {
    static double x[3][WEIGHTS_MOST];
    const sb_vec3 *axes[3] = {&along_x, &along_y, &along_z};
    enum { AROUND = 24, ALONG = 400 };
    double sum = 0;
    for (int i = 0; i < AROUND * ALONG; i++) {
        double u = (double)(i % AROUND) / AROUND;
        double v = (i / AROUND + 0.5) / ALONG;
        sb_outline_place at = sb_outline_at(outline, v);
        sb_model_point point = sb_model_point_at(model, u, v);
        double mass =
            7850 * at.t * SB_TAU * at.r / AROUND * outline->length_m / ALONG;
        for (int c = 0; c < 3; c++) {
            sb_model_weights(model, point, axes[c], x[c]);
            sum += mass * x[c][j] * x[c][k];
        }
    }
    return sum;
}

START_TEST(modes_have_unit_mass_and_are_orthogonal) {
    const sb_profile_point bell[] = {{0, 0.16, 0.003},    {0.04, 0.155, 0.003},
                                     {0.05, 0.13, 0.002}, {0.055, 0.08, 0.002},
                                     {0.07, 0.04, 0.003}, {0.095, 0, 0.004}};
    sb_shape shape = revolve(bell, 6, true);
    sb_model *model = make_below(shape, steel(), 2500);
    sb_outline outline = sb_outline_of(sb_profile_points(shape.profile),
                                       sb_profile_count(shape.profile), 1);
    int count = sb_model_mode_count(model);
    ck_assert_int_ge(count, 6);
    for (int k = 0; k < 6; k++) {
        double one = product(model, &outline, k, k);
        ck_assert_msg(fabs(one - 1) < 0.01, "mode %d has a mass of %g", k, one);
        for (int j = 0; j < k; j++)
            ck_assert(fabs(product(model, &outline, j, k)) < 0.01);
    }
    ck_assert(outline.outward < 0); /* it runs down */
    sb_model_release(model);
    sb_profile_release(shape.profile);
}
END_TEST

START_TEST(pairs_differ_by_a_quarter_wave) {
    sb_model *model = make_below(tube(0.1, 0.05, 0.001), steel(), 1500);
    int cosine = find_mode(model, "(3,0) cos"),
        sine = find_mode(model, "(3,0) sin");
    ck_assert(sb_model_modes(model)[cosine].freq_hz ==
              sb_model_modes(model)[sine].freq_hz);
    for (int i = 0; i < 10; i++) {
        double u = 0.07 * i, a = weight_at(model, cosine, u, 0.3, NULL);
        double b = weight_at(model, sine, u + 1.0 / 12, 0.3, NULL);
        ck_assert_double_eq_tol(a, b, 1e-9);
    }
    close_to(sb_model_modes(model)[cosine].radiation,
             sb_model_modes(model)[sine].radiation, 0.02, "radiation");
    sb_model_release(model);
}
END_TEST

/* A unit force that moves the body as a whole: the modes of a wall alone do not
 * say how heavy it is, its mass properties do. */
START_TEST(mass_properties_are_those_of_the_wall) {
    sb_model *model = make_below(tube(0.2, 0.03, 0.002), steel(), 4000);
    double mass = 7850 * SB_PI * (0.031 * 0.031 - 0.029 * 0.029) * 0.2;
    close_to(sb_model_mass_kg(model), mass, 1e-9, "mass");
    sb_model_point side = sb_model_point_at(model, 0, 1);
    /* Struck at the end of its side it also turns about z. */
    double inertia = mass * ((0.031 * 0.031 + 0.029 * 0.029) / 4 + 0.04 / 12);
    close_to(sb_model_inverse_mass(model, side, &along_x),
             1 / mass + 0.01 / inertia, 1e-9, "effective mass");
    sb_model_release(model);
}
END_TEST

START_TEST(points_lie_on_the_outer_face) {
    sb_shape shape = revolve(bowl, 4, true);
    sb_model *model = make_below(shape, steel(), 4000);
    for (int i = 1; i < 20; i++) {
        double u = i / 20.0, v = 1 - 0.04 * i, gu, gv;
        sb_model_point point = sb_model_point_at(model, u, v);
        sb_vec3 at = sb_model_position(model, point);
        sb_vec3 out = sb_model_normal(model, point);
        sb_model_uv(model, sb_model_nearest(model, at), &gu, &gv);
        ck_assert_double_eq_tol(gu, u, 1e-9);
        ck_assert_double_eq_tol(gv, v, 0.02);
        /* Away from the axis, and down: outside of a bowl. */
        ck_assert(out.x * at.x + out.z * at.z > -1e-9);
        ck_assert(out.y < 0.1);
    }
    sb_model_release(model);
    sb_profile_release(shape.profile);
}
END_TEST

/* --- mistakes ------------------------------------------------------------- */

static void refused(const sb_profile_point *points, int count,
                    const char *wanted) {
    sb_shape shape = revolve(points, count, false);
    sb_material material = steel();
    sb_model *model = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_model_create(&shape, &material, NULL, &model, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, wanted) != NULL, "%s", err.message);
    sb_profile_release(shape.profile);
}

START_TEST(impossible_walls_are_refused) {
    const sb_profile_point thick[] = {{0.01, 0, 0.03}, {0.01, 0.2, 0.03}};
    const sb_profile_point same[] = {
        {0.1, 0, .001}, {0.1, 0, .001}, {0.1, 1, .001}};
    const sb_profile_point back[] = {
        {0.1, 0, .001}, {0.1, 1, .001}, {0.1, 0.5, .001}};
    const sb_profile_point waist[] = {
        {0.1, 0, .001}, {0, 0.1, .001}, {0.1, 0.2, .001}};
    const sb_profile_point axis[] = {{0, 0, .001}, {0, 1, .001}};
    const sb_profile_point minus[] = {{-0.1, 0, .001}, {0.1, 1, .001}};
    refused(thick, 2, "thicker than the body");
    refused(same, 3, "are the same");
    refused(back, 3, "runs back along itself");
    refused(waist, 3, "may lie on the axis");
    refused(axis, 2, "its profile is the axis");
    refused(minus, 2, "r must be 0 to 100 m");
}
END_TEST

START_TEST(memory_may_run_out_anywhere) {
    sb_shape shape = revolve(bowl, 4, true);
    sb_material material = steel();
    sb_model_limits limits = {.max_hz = 1200, .max_modes = 20};
    for (long n = 0; n < 4000; n += 1 + n / 8) {
        long before = sb_memory_live_blocks();
        sb_model *model = NULL;
        sb_error err;
        sb_memory_fail_after(n);
        sb_status status =
            sb_model_create(&shape, &material, &limits, &model, &err);
        sb_memory_fail_after(-1);
        sb_model_release(model);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
        if (!status) break;
        ck_assert_int_eq(status, SB_NO_MEMORY);
    }
    sb_profile_release(shape.profile);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("turned_rules");
    TCase *tests = tcase_create("turned_rules");
    tcase_add_test(tests, the_number_of_points_does_not_matter);
    tcase_add_test(tests, size_and_stiffness_scale_all_frequencies);
    tcase_add_test(tests,
                   a_fold_is_not_rounded_and_a_long_piece_stays_straight);
    tcase_add_test(tests, modes_have_unit_mass_and_are_orthogonal);
    tcase_add_test(tests, pairs_differ_by_a_quarter_wave);
    tcase_add_test(tests, mass_properties_are_those_of_the_wall);
    tcase_add_test(tests, points_lie_on_the_outer_face);
    tcase_add_test(tests, impossible_walls_are_refused);
    tcase_add_test(tests, memory_may_run_out_anywhere);
    tcase_add_test(tests, the_lowest_modes_alone_are_the_same);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
