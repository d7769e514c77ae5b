/* SPDX-License-Identifier: MIT */
/* What merging and truncation took away from a body. */
#include "runtime/scene/plan/planned.h"
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 9600 };

static float usual[2 * FRAMES], removed[2 * FRAMES], all[2 * FRAMES];

static sb_body_def disk_def(double merge, int max_modes) {
    sb_body_def def = sb_body_def_default();
    def.name = "disk";
    def.shape = (sb_shape){.kind = SB_SHAPE_DISK,
                           .radius = 0.15,
                           .thickness = 0.003,
                           .max_hz = 6000,
                           .merge = merge,
                           .max_modes = max_modes};
    def.material = *sb_material_find("steel");
    def.has_material = true;
    def.gain = 0.01;
    return def;
}

/* Play one strike; returns how many modes the model has, `heard` those that
 * were taken away. */
static int play_disk(sb_body_def def, bool hears_removed, float *stereo,
                     int *heard) {
    stage on = stage_new();
    def.hears_removed = hears_removed;
    sb_body_id id = add(on, def);
    sb_place at = {.u = 0.85, .v = 0.6};
    sb_strike_def strike_def = {.impulse_ns = 0.05};
    sb_impact_estimate result;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &at, &strike_def, 0.01, &result, NULL),
        SB_OK);
    play(on, stereo, FRAMES);
    int count = sb_model_mode_count(sb_scene_body_model(on.scene, id));
    *heard = sb_planned_removed_count(sb_scene_body_planned(on.scene, id));
    stage_free(on);
    return count;
}

static double energy(const float *stereo) {
    double sum = 0;
    for (int i = 0; i < 2 * FRAMES; i++)
        sum += (double)stereo[i] * (double)stereo[i];
    return sum;
}

START_TEST(what_truncation_keeps_and_removes_is_all) {
    int heard, none;
    int few = play_disk(disk_def(0, 15), false, usual, &none);
    ck_assert_int_eq(none, 0);
    int both = play_disk(disk_def(0, 15), true, removed, &heard);
    int whole = play_disk(disk_def(0, 0), false, all, &none);
    ck_assert_int_eq(few, 15);
    ck_assert_int_eq(both, whole);
    ck_assert_int_eq(few + heard, whole);
    double most = 0, apart = 0;
    for (int i = 0; i < 2 * FRAMES; i++) {
        double sum = (double)usual[i] + (double)removed[i];
        most = fmax(most, fabs((double)all[i]));
        apart = fmax(apart, fabs(sum - (double)all[i]));
    }
    ck_assert_double_gt(most, 0);
    ck_assert_double_lt(apart, 1e-5 * most);
    ck_assert_double_gt(energy(removed), 0);
}
END_TEST

START_TEST(merged_modes_are_removed_but_for_one_of_each_group) {
    int heard, none;
    int few = play_disk(disk_def(1, 0), false, usual, &none);
    int whole = play_disk(disk_def(1, 0), true, removed, &heard);
    ck_assert_int_lt(few, whole);
    ck_assert_int_eq(few + heard, whole);
    ck_assert_int_eq(play_disk(disk_def(0, 0), false, all, &none), whole);
    ck_assert_double_gt(energy(removed), 0);
    ck_assert_double_lt(energy(removed), energy(all));
}
END_TEST

START_TEST(without_merging_nothing_is_removed) {
    int heard;
    (void)play_disk(disk_def(0, 0), true, removed, &heard);
    ck_assert_int_eq(heard, 0);
    ck_assert_double_eq(energy(removed), 0);
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    bool is_done = false;
    for (int n = 0; !is_done; n++) {
        sb_body_def def = disk_def(1, 10);
        sb_planned planned;
        sb_error err = {0};
        def.hears_removed = true;
        ck_assert_int_eq(sb_planned_init(&planned, &def, &err), SB_OK);
        sb_memory_fail_after(n);
        sb_status status = sb_planned_solve(&planned, NULL, NULL, &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_planned_free(&planned);
        /* The first failures are the quickest; the rest is sampled. */
        if (n > 40) n += 100;
    }
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("removed");
    tcase_add_test(tests, what_truncation_keeps_and_removes_is_all);
    tcase_add_test(tests, merged_modes_are_removed_but_for_one_of_each_group);
    tcase_add_test(tests, without_merging_nothing_is_removed);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    Suite *suite = suite_create("removed");
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
