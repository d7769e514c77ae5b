/* SPDX-License-Identifier: MIT */
/* A rescaled model equals a model solved anew. */
#include "runtime/base/memory.h"
#include "runtime/model/material.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/solve.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>

static const sb_material steel = {7850, 2e11, 0.29, 5, 3e-8, 1e9,
                                  2e-6, 0.5,  0.4,  0, 0};
static const sb_material other = {2700, 7e10, 0.29, 12, 9e-8, 1e9,
                                  2e-6, 0.5,  0.4,  0,  0};

static const sb_shape shapes[] = {
    {.kind = SB_SHAPE_BAR, .length = 0.2, .width = 0.02, .thickness = 0.005},
    {.kind = SB_SHAPE_PLATE,
     .theory = SB_PLATE_KIRCHHOFF,
     .width = 0.3,
     .depth = 0.2,
     .thickness = 0.006},
    {.kind = SB_SHAPE_PLATE,
     .support = SB_SUPPORT_PINNED,
     .theory = SB_PLATE_KIRCHHOFF,
     .width = 0.3,
     .depth = 0.2,
     .thickness = 0.006},
    {.kind = SB_SHAPE_PLATE, .width = 0.3, .depth = 0.2, .thickness = 0.03},
    {.kind = SB_SHAPE_PLATE,
     .support = SB_SUPPORT_PINNED,
     .width = 0.3,
     .depth = 0.2,
     .thickness = 0.03},
    {.kind = SB_SHAPE_DISK, .radius = 0.15, .thickness = 0.005},
    {.kind = SB_SHAPE_RING, .radius = 0.05, .wire_radius = 0.002},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static sb_shape scaled(sb_shape shape, double s) {
    shape.length *= s;
    shape.width *= s;
    shape.depth *= s;
    shape.thickness *= s;
    shape.radius *= s;
    shape.wire_radius *= s;
    return shape;
}

static sb_model *solved(const sb_shape *shape, const sb_material *material) {
    sb_model *model = NULL;
    sb_error err;
    ck_assert_msg(!sb_model_create(shape, material, NULL, &model, &err), "%s",
                  err.message);
    return model;
}

/* The number of terms in Ritz's method depends on the modes requested, so
 * the same plate in another size is converged slightly differently. */
static double tolerance;
static bool is_ritz;

static void near(double got, double wanted, const char *what, int k) {
    ck_assert_msg(fabs(got - wanted) <= tolerance * fmax(fabs(wanted), 1e-3),
                  "%s of mode %d is %.12g, should be %.12g", what, k + 1, got,
                  wanted);
}

/* Levels follow frequency and size by their slope, without a new solution. */
static void expect_level(double got, double wanted, int k) {
    if (wanted < 1e-9) return;
    double db = 20.0 * log10(got / wanted);
    ck_assert_msg(fabs(db) < 2.0, "mode %d is %+.2f dB", k + 1, db);
}

static int fewer(const sb_model *a, const sb_model *b) {
    int m = sb_model_mode_count(a), n = sb_model_mode_count(b);
    return m < n ? m : n;
}

static void compare(const sb_model *got, const sb_model *wanted) {
    double a[4096], b[4096];
    int count = fewer(got, wanted);
    ck_assert_int_gt(count, 3);
    sb_model_weights(got, sb_model_point_at(got, 0.13, 0.37), NULL, a);
    sb_model_weights(wanted, sb_model_point_at(wanted, 0.13, 0.37), NULL, b);
    for (int k = 0; k < count; k++) {
        const sb_mode *x = &sb_model_modes(got)[k];
        const sb_mode *y = &sb_model_modes(wanted)[k];
        ck_assert_str_eq(x->label, y->label);
        near(x->freq_hz, y->freq_hz, "frequency", k);
        near(x->sigma_per_s, y->sigma_per_s, "decay", k);
        expect_level(x->radiation, y->radiation, k);
        /* Relative to the largest: a place near a nodal line is sensitive.
         * Shapes converge as the square root of frequencies. */
        tolerance = is_ritz ? 1e-2 : 1e-9;
        near(a[k] + 1.0, b[k] + 1.0, "weight", k);
        tolerance = is_ritz ? 1e-4 : 1e-9;
    }
    near(sb_model_mass_kg(got), sb_model_mass_kg(wanted), "mass", 0);
    near(sb_model_inverse_mass(got, sb_model_point_at(got, 0.2, 0.3), NULL),
         sb_model_inverse_mass(wanted, sb_model_point_at(wanted, 0.2, 0.3),
                               NULL),
         "1/m", 0);
    sb_vec3 p = sb_model_position(got, sb_model_point_at(got, 0.2, 0.3)), q;
    q = sb_model_position(wanted, sb_model_point_at(wanted, 0.2, 0.3));
    near(sb_vec3_length(sb_vec3_sub(p, q)), 0.0, "place", 0);
    sb_model_point ours = sb_model_nearest(got, q);
    sb_model_point theirs = sb_model_nearest(wanted, q);
    near(ours.u, theirs.u, "u", 0);
    near(ours.v, theirs.v, "v", 0);
}

START_TEST(a_rescaled_model_is_the_model_solved_anew) {
    is_ritz = shapes[_i].kind == SB_SHAPE_PLATE &&
              shapes[_i].support != SB_SUPPORT_PINNED;
    tolerance = is_ritz ? 1e-4 : 1e-9;
    sb_shape larger = scaled(shapes[_i], 1.3);
    sb_model *before = solved(&shapes[_i], &steel);
    sb_model *wanted = solved(&larger, &other);
    sb_model *got = NULL, *again = NULL, *back = solved(&shapes[_i], &steel);
    ck_assert(sb_model_can_rescale(before, &larger, &other));
    ck_assert_int_eq(sb_model_rescale(before, &larger, &other, &got, NULL), 0);
    sb_model_release(before); /* the new model retains what it needs */
    compare(got, wanted);
    /* Rescaled back. */
    ck_assert_int_eq(sb_model_rescale(got, &shapes[_i], &steel, &again, NULL),
                     0);
    sb_model_release(got);
    compare(again, back);
    ck_assert_int_eq(sb_model_mode_count(again), sb_model_mode_count(back));
    sb_model_release(wanted);
    sb_model_release(again);
    sb_model_release(back);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(other_objects_are_not_rescaled) {
    sb_model *bar = solved(&shapes[0], &steel);
    sb_shape thicker = shapes[0], held = shapes[0];
    thicker.thickness *= 1.01;
    held.support = SB_SUPPORT_PINNED;
    sb_material rubbery = steel;
    rubbery.poisson_ratio = 0.3;
    ck_assert(!sb_model_can_rescale(bar, &thicker, &steel));
    ck_assert(!sb_model_can_rescale(bar, &held, &steel));
    ck_assert(!sb_model_can_rescale(bar, &shapes[1], &steel));
    ck_assert(!sb_model_can_rescale(bar, &shapes[0], &rubbery));
    ck_assert(!sb_model_can_rescale(bar, &shapes[0], NULL));
    sb_model *none = NULL;
    ck_assert_int_eq(sb_model_rescale(bar, &thicker, &steel, &none, NULL),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_null(none);
    sb_model_release(bar);
}
END_TEST

START_TEST(a_failed_allocation_leaves_nothing_behind) {
    sb_model *bar = solved(&shapes[0], &steel);
    long before = sb_memory_live_blocks();
    for (long n = 0; n < 2; n++) {
        sb_model *none = NULL;
        sb_memory_fail_after(n);
        sb_status status =
            sb_model_rescale(bar, &shapes[0], &other, &none, NULL);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    sb_model_release(bar);
}
END_TEST

int main(void) {
    TCase *rescale = tcase_create("rescale");
    tcase_add_loop_test(rescale, a_rescaled_model_is_the_model_solved_anew, 0,
                        SHAPES);
    tcase_add_test(rescale, other_objects_are_not_rescaled);
    tcase_add_test(rescale, a_failed_allocation_leaves_nothing_behind);
    Suite *suite = suite_create("rescale");
    suite_add_tcase(suite, rescale);
    return run_suite(suite);
}
