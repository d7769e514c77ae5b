/* SPDX-License-Identifier: MIT */
/* A body is equally loud, whichever method finds its modes. */
#include "runtime/base/memory.h"
#include "runtime/model/solve/solve.h"
#include "tests/model/model_test.h"

static const double steel_e = 200e9;

static sb_model *make_by(sb_shape shape, sb_method method, int elements) {
    sb_material steel = elastic(steel_e, 7850, .29);
    sb_model *model;
    sb_error err = {0};
    shape.method = method;
    shape.elements = elements;
    ck_assert_msg(sb_model_create(&shape, &steel, NULL, &model, &err) == SB_OK,
                  "%s", err.message);
    return model;
}

/* The level of the mode nearest to this frequency, within 4 %; a set of
 * equal modes has the mean power. */
static double level_near(const sb_model *model, double hz) {
    const sb_mode *modes = sb_model_modes(model);
    int best = 0;
    for (int k = 1; k < sb_model_mode_count(model); k++) {
        if (fabs(modes[k].freq_hz - hz) < fabs(modes[best].freq_hz - hz))
            best = k;
    }
    ck_assert_msg(fabs(modes[best].freq_hz / hz - 1) < .04, "%g Hz: none", hz);
    double sum = 0;
    int count = 0;
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        if (fabs(modes[k].freq_hz / modes[best].freq_hz - 1) > 1e-4) continue;
        sum += modes[k].radiation * modes[k].radiation;
        count++;
    }
    return 10 * log10(sum / count);
}

static void expect_alike(sb_shape shape, sb_method method, int elements,
                         int modes, double most_db) {
    sb_model *form = make_by(shape, SB_METHOD_ANALYTIC, 0);
    sb_model *other = make_by(shape, method, elements);
    for (int k = 0; k < modes; k++) {
        double hz = sb_model_modes(form)[k].freq_hz;
        double apart = level_near(form, hz) - level_near(other, hz);
        ck_assert_msg(fabs(apart) < most_db, "%s, %.1f Hz: %+.1f dB",
                      sb_shape_kind_name(shape.kind), hz, apart);
    }
    sb_model_release(form);
    sb_model_release(other);
}

static const sb_shape bar = {
    .kind = SB_SHAPE_BAR, .length = .2, .width = .02, .thickness = .005};
static const sb_shape plate = {.kind = SB_SHAPE_PLATE,
                               .width = .3,
                               .depth = .2,
                               .thickness = .002,
                               .max_hz = 1500};
static const sb_shape disk = {
    .kind = SB_SHAPE_DISK, .radius = .15, .thickness = .004, .max_hz = 2000};
static const sb_shape ring = {
    .kind = SB_SHAPE_RING, .radius = .05, .wire_radius = .004, .max_hz = 10000};

START_TEST(a_bar_is_as_loud_as_the_same_bar_of_tetrahedra) {
    expect_alike(bar, SB_METHOD_SOLID, 24, 4, 3.0);
}
END_TEST

START_TEST(a_plate_is_as_loud_as_the_same_plate_of_shells) {
    expect_alike(plate, SB_METHOD_SHELL, 30, 6, 4.0);
}
END_TEST

START_TEST(a_disk_is_as_loud_as_the_same_disk_of_shells) {
    expect_alike(disk, SB_METHOD_SHELL, 30, 6, 4.0);
}
END_TEST

START_TEST(a_ring_is_as_loud_as_the_same_ring_of_tetrahedra) {
    expect_alike(ring, SB_METHOD_SOLID, 48, 6, 6.0);
}
END_TEST

/* Two sides that move in opposite directions cancel: below coincidence a
 * plate is much quieter than a sphere with its area and motion, and its
 * level falls steeply. */
START_TEST(low_modes_of_a_plate_move_little_air) {
    sb_model *model = make_by(plate, SB_METHOD_ANALYTIC, 0);
    const sb_mode *first = &sb_model_modes(model)[0];
    double area = 2 * .3 * .2, a = sqrt(area / (4 * SB_PI));
    double ka = 2 * SB_PI * first->freq_hz / 343.2 * a;
    double rms = 1 / sqrt(sb_model_mass_kg(model));
    double sphere = 1.204 * 343.2 * a * rms * ka / sqrt(1 + ka * ka);
    ck_assert_double_lt(first->radiation, 0.01 * sphere);
    ck_assert_double_gt(first->radiation, 0);
    sb_model_release(model);
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    sb_material steel = elastic(steel_e, 7850, .29);
    bool is_done = false;
    for (long n = 0; !is_done; n++) {
        sb_model *model = NULL;
        sb_error err = {0};
        sb_memory_fail_after(n);
        sb_status status = sb_model_create(&bar, &steel, NULL, &model, &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_model_release(model);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("hearing");
    tcase_add_test(tests, a_bar_is_as_loud_as_the_same_bar_of_tetrahedra);
    tcase_add_test(tests, a_plate_is_as_loud_as_the_same_plate_of_shells);
    tcase_add_test(tests, a_disk_is_as_loud_as_the_same_disk_of_shells);
    tcase_add_test(tests, a_ring_is_as_loud_as_the_same_ring_of_tetrahedra);
    tcase_add_test(tests, low_modes_of_a_plate_move_little_air);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    Suite *suite = suite_create("hearing");
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
