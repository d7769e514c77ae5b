/* SPDX-License-Identifier: MIT */
/* Closed forms merge their modes as models of elements do. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "tests/model/model_test.h"

static const sb_shape forms[] = {
    {.kind = SB_SHAPE_BAR, .length = .8, .width = .03, .thickness = .005},
    {.kind = SB_SHAPE_PLATE,
     .width = .4,
     .depth = .3,
     .thickness = .003,
     .max_hz = 5000},
    {.kind = SB_SHAPE_DISK, .radius = .15, .thickness = .003, .max_hz = 6000},
    {.kind = SB_SHAPE_MEMBRANE,
     .radius = .2,
     .tension = 2000,
     .surface_density = .26,
     .max_hz = 3000},
    {.kind = SB_SHAPE_STRING, .length = .65, .diameter = 6e-4, .tension = 70},
    {.kind = SB_SHAPE_RING, .radius = .1, .wire_radius = .003},
    {.kind = SB_SHAPE_TUBE,
     .length = .2,
     .radius = .03,
     .thickness = .001,
     .max_hz = 6000},
};
enum {
    FORMS = sizeof forms / sizeof forms[0],
    DISK = 2,
    MEMBRANE = 3,
    MOST = WEIGHTS_MOST
};

static sb_model *merge_by(sb_shape shape, double merge, bool keeps_beats) {
    sb_material material = steel();
    sb_model *model;
    sb_error err = {0};
    shape.merge = merge;
    shape.keeps_beats = keeps_beats;
    ck_assert_msg(sb_model_create(&shape, &material, NULL, &model, &err) ==
                      SB_OK,
                  "%s", err.message);
    return model;
}

START_TEST(merge_0_keeps_all_modes_of_a_closed_form) {
    sb_model *plain = merge_by(forms[_i], 0, false);
    sb_model *off = merge_by(forms[_i], 0, true);
    int count = sb_model_mode_count(plain);
    ck_assert_int_eq(sb_model_mode_count(off), count);
    ck_assert_int_eq(sb_model_plain_modes(off, NULL, NULL), 0);
    double a[MOST], b[MOST];
    sb_model_weights(plain, (sb_model_point){0, .3, .4}, NULL, a);
    sb_model_weights(off, (sb_model_point){0, .3, .4}, NULL, b);
    for (int k = 0; k < count; k++) {
        const sb_mode *one = &sb_model_modes(plain)[k];
        const sb_mode *other = &sb_model_modes(off)[k];
        ck_assert_mem_eq(one, other, sizeof *one);
        ck_assert_double_eq(a[k], b[k]);
    }
    sb_model_release(plain);
    sb_model_release(off);
}
END_TEST

START_TEST(more_merging_leaves_fewer_modes) {
    static const double scales[] = {.2, 1, 5, 25};
    sb_model *plain = merge_by(forms[_i], 0, true);
    int all = sb_model_mode_count(plain), before = all;
    sb_model_release(plain);
    for (int i = 0; i < 4; i++) {
        sb_model *model = merge_by(forms[_i], scales[i], false);
        int count = sb_model_mode_count(model);
        ck_assert_int_le(count, before);
        if (count < all) {
            ck_assert_int_eq(sb_model_plain_modes(model, NULL, NULL), all);
        }
        for (int k = 1; k < count; k++)
            ck_assert_double_gt(sb_model_modes(model)[k].freq_hz,
                                sb_model_modes(model)[k - 1].freq_hz);
        before = count;
        sb_model_release(model);
    }
    ck_assert_int_lt(before, all);
}
END_TEST

/* The sum of (g phi)^2 over all modes at a point. */
static double power_at(const sb_model *model, double u, double v) {
    double weights[MOST], sum = 0;
    sb_model_weights(model, (sb_model_point){0, u, v}, NULL, weights);
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        double part = sb_model_modes(model)[k].radiation * weights[k];
        sum += part * part;
    }
    return sum;
}

/* Far fields of a membrane have no directions: the energies of its modes add
 * up wherever it is struck. */
START_TEST(a_merged_membrane_is_as_loud_at_every_place) {
    sb_model *plain = merge_by(forms[MEMBRANE], 0, true);
    sb_model *merged = merge_by(forms[MEMBRANE], 2, false);
    for (int i = 0; i < 20; i++) {
        double u = .2 + .03 * i, v = .7 - .02 * i;
        ck_assert_double_eq_tol(power_at(merged, u, v) / power_at(plain, u, v),
                                1, 1e-9);
    }
    sb_model_release(plain);
    sb_model_release(merged);
}
END_TEST

/* With far fields that interfere, it is as loud on average over the surface. */
START_TEST(a_merged_form_is_as_loud_on_average) {
    sb_model *plain = merge_by(forms[_i], 0, true);
    sb_model *merged = merge_by(forms[_i], 1, false);
    double before = 0, after = 0;
    for (int i = 0; i < 16 * 16; i++) {
        double u = (i % 16 + .5) / 16, v = ((i / 16) + .5) / 16;
        if (sb_shape_kind_name(forms[_i].kind)[0] == 'd' &&
            hypot(u - .5, v - .5) > .5)
            continue;
        before += power_at(plain, u, v);
        after += power_at(merged, u, v);
    }
    ck_assert_msg(fabs(10 * log10(after / before)) < .5, "%s: %+.2f dB",
                  sb_shape_kind_name(forms[_i].kind),
                  10 * log10(after / before));
    sb_model_release(plain);
    sb_model_release(merged);
}
END_TEST

/* Cosine and sine: where their nodes lie is arbitrary, and has no meaning for
 * the merged mode. */
START_TEST(a_pair_of_a_disk_has_the_same_weight_all_around) {
    sb_model *disk = merge_by(forms[DISK], 1e-6, false);
    double first[MOST], here[MOST];
    ck_assert_int_gt(sb_model_plain_modes(disk, NULL, NULL), 0);
    sb_model_weights(disk, (sb_model_point){0, .9, .5}, NULL, first);
    for (int i = 1; i < 16; i++) {
        double angle = SB_TAU * i / 16 + .05;
        sb_model_point at = {0, .5 + .4 * cos(angle), .5 + .4 * sin(angle)};
        sb_model_weights(disk, at, NULL, here);
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq_tol(fabs(here[k]), fabs(first[k]),
                                    .01 * fabs(first[k]));
    }
    sb_model_release(disk);
}
END_TEST

START_TEST(a_mode_that_is_alone_keeps_its_sign_and_level) {
    sb_model *plain = merge_by(forms[0], 0, true);
    sb_model *merged = merge_by(forms[0], 1, false);
    double a[MOST], b[MOST];
    int negative = 0;
    for (int i = 0; i < 10; i++) {
        sb_model_point at = {0, .05 + .1 * i, .3};
        sb_model_weights(plain, at, NULL, a);
        sb_model_weights(merged, at, NULL, b);
        ck_assert_double_eq(a[0], b[0]);
        negative += b[0] < 0;
    }
    ck_assert_int_gt(negative, 0);
    ck_assert_int_lt(negative, 10);
    ck_assert_double_eq(sb_model_modes(plain)[0].radiation,
                        sb_model_modes(merged)[0].radiation);
    sb_model_release(plain);
    sb_model_release(merged);
}
END_TEST

START_TEST(a_merged_form_can_be_rescaled) {
    sb_shape shape = forms[DISK];
    sb_material material = steel();
    sb_model *disk = merge_by(shape, 1, false), *large;
    sb_error err = {0};
    shape.merge = 1;
    shape.radius *= 2;
    shape.thickness *= 2;
    ck_assert(sb_model_can_rescale(disk, &shape, &material));
    ck_assert_msg(sb_model_rescale(disk, &shape, &material, &large, &err) ==
                      SB_OK,
                  "%s", err.message);
    int count = sb_model_mode_count(disk);
    ck_assert_int_eq(sb_model_mode_count(large), count);
    double a[MOST], b[MOST];
    sb_model_weights(disk, (sb_model_point){0, .7, .6}, NULL, a);
    sb_model_weights(large, (sb_model_point){0, .7, .6}, NULL, b);
    for (int k = 0; k < count; k++) {
        ck_assert_double_eq_tol(2 * sb_model_modes(large)[k].freq_hz,
                                sb_model_modes(disk)[k].freq_hz,
                                1e-6 * sb_model_modes(disk)[k].freq_hz);
        ck_assert_double_eq_tol(b[k] * sqrt(8), a[k], 1e-9 + 1e-9 * fabs(a[k]));
    }
    sb_model_release(large);
    sb_model_release(disk);
}
END_TEST

START_TEST(a_scale_out_of_range_is_refused) {
    sb_shape shape = forms[0];
    sb_error err = {0};
    shape.merge = 101;
    ck_assert_int_eq(sb_shape_check(&shape, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "bar: merge must be a number from 0 to 100, got 101");
}
END_TEST

/* The members of every mode, at a point, add up to its weight; one alone has
 * its sign. Returns how many modes have several members. */
static int check_members(const sb_model *model, sb_vec3 near) {
    const sb_vec3 along = sb_vec3_normalised((sb_vec3){.3, -.8, .5});
    sb_model_point point = sb_model_nearest(model, near);
    double weights[MOST];
    int merged = 0;
    ck_assert_int_le(sb_model_mode_count(model), MOST);
    sb_model_weights(model, point, &along, weights);
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        int count = sb_model_member_count(model, k);
        double sum = 0, one = 0;
        for (int i = 0; i < count; i++) {
            one = sb_vec3_dot(sb_model_member(model, k, i, point), along);
            sum += one * one;
        }
        ck_assert_double_eq_tol(count == 1 ? one : sqrt(sum), weights[k],
                                1e-9 + 1e-6 * fabs(weights[k]));
        merged += count > 1;
    }
    return merged;
}

START_TEST(members_add_up_to_the_weight_of_their_mode) {
    for (int merge = 0; merge <= 1; merge++) {
        sb_model *model = merge_by(forms[_i], merge, false);
        sb_vec3 at = sb_model_position(model, (sb_model_point){0, .3, .4});
        int merged = check_members(model, at);
        if (merge == 0) ck_assert_int_eq(merged, 0);
        if (merge == 1 && _i == DISK) ck_assert_int_gt(merged, 0);
        sb_model_release(model);
    }
}
END_TEST

START_TEST(members_of_elements_add_up_as_well) {
    sb_shape disk = forms[DISK];
    disk.method = SB_METHOD_SHELL;
    disk.max_hz = 2000;
    sb_model *model = merge_by(disk, 1, false);
    ck_assert_ptr_nonnull(sb_model_solution(model));
    ck_assert_int_gt(check_members(model, (sb_vec3){.05, .0015, .03}), 0);
    sb_model_release(model);
}
END_TEST

/* What a pair sends to be drawn has nodal lines: both signs at one radius. */
START_TEST(a_member_of_a_pair_has_both_signs) {
    sb_model *model = merge_by(forms[DISK], 1, false);
    int mode = 0;
    while (sb_model_member_count(model, mode) != 2)
        mode++;
    double low = 0, high = 0;
    for (int i = 0; i < 24; i++) {
        double angle = SB_TAU * i / 24;
        sb_vec3 at = {.14 * cos(angle), .0015, .14 * sin(angle)};
        double y =
            sb_model_member(model, mode, 1, sb_model_nearest(model, at)).y;
        low = fmin(low, y);
        high = fmax(high, y);
    }
    ck_assert_double_gt(high, 0);
    ck_assert_double_eq_tol(low / high, -1, .1);
    sb_model_release(model);
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    sb_material material = steel();
    sb_shape ring = forms[5];
    bool is_done = false;
    ring.merge = 1;
    for (int n = 0; !is_done; n++) {
        sb_model *model = NULL;
        sb_error err = {0};
        sb_memory_fail_after(n);
        sb_status status =
            sb_model_create(&ring, &material, NULL, &model, &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_model_release(model);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("merge");
    tcase_add_loop_test(tests, merge_0_keeps_all_modes_of_a_closed_form, 0,
                        FORMS);
    tcase_add_loop_test(tests, more_merging_leaves_fewer_modes, 0, FORMS);
    tcase_add_test(tests, a_merged_membrane_is_as_loud_at_every_place);
    tcase_add_loop_test(tests, a_merged_form_is_as_loud_on_average, 0,
                        MEMBRANE);
    tcase_add_test(tests, a_pair_of_a_disk_has_the_same_weight_all_around);
    tcase_add_test(tests, a_mode_that_is_alone_keeps_its_sign_and_level);
    tcase_add_test(tests, a_merged_form_can_be_rescaled);
    tcase_add_test(tests, a_scale_out_of_range_is_refused);
    tcase_add_loop_test(tests, members_add_up_to_the_weight_of_their_mode, 0,
                        FORMS);
    tcase_add_test(tests, members_of_elements_add_up_as_well);
    tcase_add_test(tests, a_member_of_a_pair_has_both_signs);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    Suite *suite = suite_create("merge");
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
