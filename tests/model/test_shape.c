/* SPDX-License-Identifier: MIT */
/* Shapes: names, checks and error messages; modes by hand and rigid bodies;
 * models when memory or modes run out. */
#include "runtime/base/memory.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/solve.h"
#include "tests/model/model_test.h"

static const sb_hand_mode bell[] = {{880, 2, -1}, {440, 4, 0.5}, {30000, 1, 1}};

/* One valid shape of each kind and method, small enough to be solved
 * quickly. */
static const sb_shape good[] = {
    {.kind = SB_SHAPE_RIGID},
    {.kind = SB_SHAPE_BAR, .length = .2, .width = .02, .thickness = .005},
    {.kind = SB_SHAPE_PLATE, .width = .1, .depth = .1, .thickness = .004},
    {.kind = SB_SHAPE_PLATE,
     .support = SB_SUPPORT_CLAMPED_FREE,
     .width = .1,
     .depth = .08,
     .thickness = .004},
    {.kind = SB_SHAPE_PLATE,
     .support = SB_SUPPORT_PINNED,
     .width = .1,
     .depth = .1,
     .thickness = .002},
    {.kind = SB_SHAPE_DISK, .radius = .1, .thickness = .003},
    {.kind = SB_SHAPE_MEMBRANE,
     .radius = .16,
     .tension = 900,
     .surface_density = .26},
    {.kind = SB_SHAPE_MEMBRANE,
     .width = .2,
     .depth = .3,
     .tension = 900,
     .surface_density = .26},
    {.kind = SB_SHAPE_STRING, .length = .65, .diameter = .001, .tension = 126},
    {.kind = SB_SHAPE_RING, .radius = .05, .wire_radius = .002},
    {.kind = SB_SHAPE_MODES, .modes = bell, .mode_count = 3},
};
enum { GOOD_COUNT = sizeof good / sizeof good[0] };

START_TEST(kinds_and_supports_have_names) {
    static const char *const supports[SB_SUPPORT_COUNT] = {
        "free", "clamped", "clamped-free", "clamped-pinned", "pinned"};
    for (int i = 0; i < SB_SUPPORT_COUNT; i++)
        ck_assert_str_eq(sb_support_name((sb_support)i), supports[i]);
    ck_assert_str_eq(sb_shape_kind_name(SB_SHAPE_BAR), "bar");
    ck_assert_str_eq(sb_shape_kind_name(SB_SHAPE_KIND_COUNT), "unknown");
    ck_assert_str_eq(sb_support_name(SB_SUPPORT_COUNT), "unknown");
}
END_TEST

static void expect_message(sb_shape shape, const char *message) {
    sb_error err = {0};
    ck_assert_int_eq(sb_shape_check(&shape, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, message);
    sb_model *untouched = NULL;
    sb_material material = steel();
    ck_assert_int_eq(sb_model_create(&shape, &material, NULL, &untouched, NULL),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_null(untouched);
}

#define BAR                  .kind = SB_SHAPE_BAR, .length = .2, .width = .02
#define PLATE                .kind = SB_SHAPE_PLATE, .width = .2, .depth = .1
#define DRUM                 .kind = SB_SHAPE_MEMBRANE, .radius = .2
#define EXPECT(message, ...) expect_message((sb_shape){__VA_ARGS__}, message)

START_TEST(checks_name_field_range_and_value) {
    for (int i = 0; i < GOOD_COUNT; i++) {
        sb_error err = {0};
        ck_assert_msg(sb_shape_check(&good[i], &err) == SB_OK, "%s",
                      err.message);
    }
    EXPECT("bar: thickness must be a number from 1e-05 to 100 m, got -1", BAR,
           .thickness = -1);
    EXPECT("bar: thickness must be a number from 1e-05 to 100 m, got nan", BAR,
           .thickness = NAN);
    EXPECT("bar: length must be a number from 1e-05 to 100 m, got 0",
           .kind = SB_SHAPE_BAR);
    EXPECT("bar: thickness must not exceed its length (0.2 m), got 0.3 m", BAR,
           .thickness = .3);
    EXPECT("bar: width must not exceed its length (0.2 m), got 0.5 m",
           .kind = SB_SHAPE_BAR, .length = .2, .width = .5, .thickness = .01);
    EXPECT("bar: theory must be timoshenko or euler, got 7", BAR,
           .thickness = .01, .theory = (sb_theory)7);
    EXPECT("bar: unknown support 9", BAR, .thickness = .01,
           .support = (sb_support)9);
    EXPECT("plate: depth must be a number from 1e-05 to 100 m, got 0",
           .kind = SB_SHAPE_PLATE, .width = .2);
    EXPECT("plate: thickness must not exceed its depth (0.1 m), got 0.15 m",
           PLATE, .thickness = .15);
    EXPECT("plate: support must be free, clamped, clamped-free or pinned, got "
           "clamped-pinned",
           PLATE, .thickness = .01, .support = SB_SUPPORT_CLAMPED_PINNED);
    EXPECT("plate: width and depth must not differ more than 100 to 1 unless "
           "pinned, got 200 to 1; use a bar",
           .kind = SB_SHAPE_PLATE, .width = .01, .depth = 2, .thickness = .001);
    EXPECT("disk: support must be free, clamped or pinned, got clamped-free",
           .kind = SB_SHAPE_DISK, .radius = .1, .thickness = .01,
           .support = SB_SUPPORT_CLAMPED_FREE);
    EXPECT("disk: thickness must not exceed its diameter (0.2 m), got 0.3 m",
           .kind = SB_SHAPE_DISK, .radius = .1, .thickness = .3);
    EXPECT("membrane: give radius, or width and depth, not both", DRUM,
           .width = .1);
    EXPECT("membrane: radius, or width and depth, is missing",
           .kind = SB_SHAPE_MEMBRANE);
    EXPECT("membrane: tension must be a number from 0.001 to 1e+08 N/m, got 0",
           DRUM);
    EXPECT(
        "membrane: surface_density must be a number from 0.0001 to 10000 kg/m^2, got 0",
        DRUM, .tension = 1);
    EXPECT("string: diameter must not exceed its length (0.1 m), got 0.2 m",
           .kind = SB_SHAPE_STRING, .length = .1, .diameter = .2);
    EXPECT("string: tension must be a number from 0.001 to 1e+08 N, got -5",
           .kind = SB_SHAPE_STRING, .length = .1, .diameter = .001,
           .tension = -5);
    EXPECT("string: support must be pinned, got clamped",
           .kind = SB_SHAPE_STRING, .support = SB_SUPPORT_CLAMPED);
    EXPECT("ring: give wire_radius, or width and thickness, not both",
           .kind = SB_SHAPE_RING, .radius = .1, .wire_radius = .01, .width = 1);
    EXPECT("ring: wire_radius, or width and thickness, is missing",
           .kind = SB_SHAPE_RING, .radius = .1);
    EXPECT("ring: wire_radius must not exceed its radius (0.1 m), got 0.2 m",
           .kind = SB_SHAPE_RING, .radius = .1, .wire_radius = .2);
    EXPECT("ring: support must be free, got pinned", .kind = SB_SHAPE_RING,
           .support = SB_SUPPORT_PINNED);
    EXPECT("rigid: radius must be a number from 1e-05 to 100 m, got -1",
           .kind = SB_SHAPE_RIGID, .radius = -1);
    EXPECT("sphere: radius must be a number from 1e-05 to 100 m, got 0",
           .kind = SB_SHAPE_SPHERE);
    EXPECT("sphere: support must be free, got clamped", .kind = SB_SHAPE_SPHERE,
           .radius = 1, .support = SB_SUPPORT_CLAMPED);
    EXPECT("box: height must be a number from 1e-05 to 100 m, got nan",
           .kind = SB_SHAPE_BOX, .width = 1, .height = NAN, .depth = 1);
    EXPECT("box: it must not be more than 200 times as long as thin, got 1 m "
           "and 0.0005 m; use a plate, disk or bar",
           .kind = SB_SHAPE_BOX, .width = 1, .height = .0005, .depth = .3);
    EXPECT("cylinder: length must be a number from 1e-05 to 100 m, got -1",
           .kind = SB_SHAPE_CYLINDER, .radius = 1, .length = -1);
    EXPECT("cylinder: it must not be more than 200 times as long as thin, got "
           "2 m and 0.001 m; use a plate, disk or bar",
           .kind = SB_SHAPE_CYLINDER, .radius = 1, .length = .001);
    EXPECT("floor: support must be left out, got pinned",
           .kind = SB_SHAPE_FLOOR, .support = SB_SUPPORT_PINNED);
    EXPECT("shape: unknown kind 42", .kind = (sb_shape_kind)42);
}
END_TEST

START_TEST(hand_modes_are_checked_one_by_one) {
    EXPECT("modes: 1 to 4096 modes are needed, got 0", .kind = SB_SHAPE_MODES);
    const sb_hand_mode low[] = {{440, 1, 1}, {0.5, 1, 1}};
    const sb_hand_mode dead[] = {{440, 0, 1}};
    const sb_hand_mode loud[] = {{440, 1, 1e6}};
    EXPECT("modes: mode 2: freq_hz must be 1 to 100000, got 0.5",
           .kind = SB_SHAPE_MODES, .modes = low, .mode_count = 2);
    EXPECT("modes: mode 1: t60_s must be 0.0001 to 10000, got 0",
           .kind = SB_SHAPE_MODES, .modes = dead, .mode_count = 1);
    EXPECT("modes: mode 1: gain must be -1000 to 1000, got 1e+06",
           .kind = SB_SHAPE_MODES, .modes = loud, .mode_count = 1);
}
END_TEST

START_TEST(hand_modes_answer_alike_everywhere) {
    sb_shape shape = {.kind = SB_SHAPE_MODES, .modes = bell, .mode_count = 3};
    sb_model *model = NULL;
    ck_assert_int_eq(sb_model_create(&shape, NULL, NULL, &model, NULL), SB_OK);
    ck_assert_int_eq(sb_model_mode_count(model), 2); /* 30 kHz is left out */
    const sb_mode *modes = sb_model_modes(model);
    ck_assert_double_eq(modes[0].freq_hz, 440);
    ck_assert_str_eq(modes[0].label, "given 2");
    ck_assert_double_eq_tol(modes[1].sigma_per_s, 6.907755 / 2, 1e-6);
    ck_assert_double_eq_tol(modes[0].radiation, 41.3, 0.03);
    double here[2], there[2];
    sb_model_weights(model, sb_model_point_at(model, .1, .9), NULL, here);
    sb_model_weights(model, sb_model_point_at(model, .7, .2), &along_z, there);
    ck_assert_double_eq(here[0], 0.5);
    ck_assert_double_eq(here[1], -1);
    ck_assert_double_eq(here[0], there[0]);
    ck_assert_double_eq(here[1], there[1]);
    ck_assert_double_eq(sb_model_mass_kg(model), 1);
    ck_assert_str_eq(sb_model_method(model), "given");
    sb_model_release(model);
}
END_TEST

START_TEST(rigid_bodies_have_a_mass_and_no_modes) {
    sb_shape shape = {.kind = SB_SHAPE_RIGID};
    sb_model *model = NULL;
    ck_assert_int_eq(sb_model_create(&shape, NULL, NULL, &model, NULL), SB_OK);
    ck_assert_int_eq(sb_model_mode_count(model), 0);
    ck_assert_double_eq(sb_model_mass_kg(model), 1);
    ck_assert_double_eq(
        sb_model_inverse_mass(model, sb_model_point_at(model, .5, .5), NULL),
        1);
    sb_model_weights(model, sb_model_point_at(model, .5, .5), NULL, NULL);
    sb_model_release(model);
    shape.radius = .005; /* the 10 mm steel ball of the impact table */
    model = make(shape, steel());
    ck_assert_double_eq_tol(sb_model_mass_kg(model), 4.110250e-3, 1e-8);
    sb_model_release(model);
}
END_TEST

START_TEST(silence_is_explained) {
    const struct {
        sb_shape shape;
        const char *message;
    } rows[] = {
        {{.kind = SB_SHAPE_BAR, .length = .02, .width = .01, .thickness = .01},
         "the lowest mode of this bar lies at 72.2 kHz, above the limit of 22 "
         "kHz"},
        {{.kind = SB_SHAPE_RING,
          .method = SB_METHOD_ANALYTIC,
          .radius = .002,
          .wire_radius = .001},
         "the lowest mode of this ring lies at 262 kHz, above the limit of 22 "
         "kHz"},
    };
    sb_material material = steel();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sb_error err = {0};
        sb_model *model = NULL;
        ck_assert_int_eq(
            sb_model_create(&rows[i].shape, &material, NULL, &model, &err),
            SB_NO_MODES);
        ck_assert_str_eq(err.message, rows[i].message);
        ck_assert_ptr_null(model);
    }
    /* Every kind reports its true lowest mode when that is above the limit. */
    sb_model_limits low = {1, 10, false};
    for (int i = 1; i < GOOD_COUNT; i++) {
        sb_error err = {0};
        sb_model *model = make(good[i], material), *none = NULL;
        double lowest = sb_model_modes(model)[0].freq_hz;
        ck_assert_int_eq(
            sb_model_create(&good[i], &material, &low, &none, &err),
            SB_NO_MODES);
        const char *number = strstr(err.message, "lies at ");
        ck_assert_ptr_nonnull(number);
        double named = strtod(number + 8, NULL);
        if (strstr(err.message, "kHz,")) named *= 1000;
        ck_assert_double_eq_tol(named / lowest, 1, 0.006);
        sb_model_release(model);
    }
}
END_TEST

START_TEST(limits_and_missing_materials_are_named) {
    sb_material material = steel();
    sb_model *model = NULL;
    sb_error err = {0};
    const sb_shape *bar = &good[1];
    sb_model_limits limits = {0, 10, false};
    ck_assert_int_eq(sb_model_create(bar, &material, &limits, &model, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "limits: max_hz must be 1 to 1e+06 Hz, got 0");
    limits = (sb_model_limits){.max_hz = 22000};
    ck_assert_int_eq(sb_model_create(bar, &material, &limits, &model, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "limits: max_modes must be 1 to 4096, got 0");
    ck_assert_int_eq(sb_model_create(bar, NULL, NULL, &model, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "bar: a material is needed");
    material.density = 0;
    ck_assert_int_eq(sb_model_create(bar, &material, NULL, &model, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_null(model);
}
END_TEST

START_TEST(limits_keep_the_lowest) {
    for (int i = 1; i < GOOD_COUNT - 1; i++) {
        sb_material material = steel();
        sb_model *all = make(good[i], material), *some = NULL;
        sb_model_limits limits = {22000, 5, false};
        ck_assert_int_eq(
            sb_model_create(&good[i], &material, &limits, &some, NULL), SB_OK);
        ck_assert_int_eq(sb_model_mode_count(some), 5);
        for (int k = 0; k < 5; k++) {
            const sb_mode *a = &sb_model_modes(all)[k];
            const sb_mode *b = &sb_model_modes(some)[k];
            ck_assert_str_eq(a->label, b->label);
            ck_assert_double_eq_tol(b->freq_hz / a->freq_hz, 1, 1e-5);
        }
        sb_model_release(all);
        sb_model_release(some);
    }
}
END_TEST

START_TEST(a_model_lives_until_its_last_user_lets_go) {
    long before = sb_memory_live_blocks();
    sb_model *model = make(good[1], steel());
    ck_assert_ptr_eq(sb_model_retain(model), model);
    sb_model_release(model);
    ck_assert_int_gt(sb_model_mode_count(model), 5);
    sb_model_release(model);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
    sb_model_release(NULL);
}
END_TEST

START_TEST(running_out_of_memory_leaks_nothing) {
    sb_material material = steel();
    sb_model_limits limits = {9000, 40, false};
    long before = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status != SB_OK; n++) {
        sb_model *model = NULL;
        sb_error err = {0};
        sb_memory_fail_after(n);
        status = sb_model_create(&good[_i], &material, &limits, &model, &err);
        sb_memory_fail_after(-1);
        if (status == SB_OK) {
            ck_assert_int_gt(n, 1);
            sb_model_release(model);
        } else {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_ptr_null(model);
            ck_assert_ptr_nonnull(strstr(err.message, "out of memory"));
        }
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shape");
    TCase *tests = tcase_create("shape");
    tcase_add_test(tests, kinds_and_supports_have_names);
    tcase_add_test(tests, checks_name_field_range_and_value);
    tcase_add_test(tests, hand_modes_are_checked_one_by_one);
    tcase_add_test(tests, hand_modes_answer_alike_everywhere);
    tcase_add_test(tests, rigid_bodies_have_a_mass_and_no_modes);
    tcase_add_test(tests, silence_is_explained);
    tcase_add_test(tests, limits_and_missing_materials_are_named);
    tcase_add_test(tests, limits_keep_the_lowest);
    tcase_add_test(tests, a_model_lives_until_its_last_user_lets_go);
    tcase_add_loop_test(tests, running_out_of_memory_leaks_nothing, 0,
                        GOOD_COUNT);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
