/* SPDX-License-Identifier: MIT */
/* The world against exact values: the quick runs of the bench's scenes
 * (tests/bench/motion), each figure against its bound. Timed figures are left to
 * the bench. */
#include "runtime/base/pi.h"
#include "tests/bench/motion/motion_scene.h"
#include "tests/bench/motion/rolling_disk.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static figure_sheet measure(const char *name) {
    figure_sheet sheet = {0};
    sb_error err = {0};
    const figure_part *part = motion_parts;
    while (part->name && strcmp(part->name, name) != 0)
        part++;
    ck_assert_msg(part->measure && !part->measure(true, &sheet, &err), "%s: %s",
                  name, err.message);
    return sheet;
}

static void check_sheet(const figure_sheet *sheet, const char *name) {
    int checked = 0;
    for (int i = 0; i < sheet->count; i++) {
        const figure *f = &sheet->figures[i];
        if (f->is_timed) continue;
        ck_assert_msg(f->is_ok, "%s: %s is %g %s, not within %g", name, f->what,
                      f->value, f->unit, f->bound);
        checked++;
    }
    ck_assert_msg(checked > 0, "%s: no figures", name);
}

static void check_figures(const char *name) {
    figure_sheet sheet = measure(name);
    check_sheet(&sheet, name);
}

/* A second run of a part gives the bits of the first. */
static void check_repeat(const figure_sheet *first, const char *name) {
    figure_sheet again = measure(name);
    ck_assert_int_eq(first->count, again.count);
    for (int i = 0; i < again.count; i++) {
        const figure *a = &first->figures[i], *b = &again.figures[i];
        ck_assert_msg(memcmp(&a->value, &b->value, sizeof a->value) == 0,
                      "%s: %s is %.17g, then %.17g", name, a->what, a->value,
                      b->value);
    }
}

START_TEST(a_disk_without_loss_keeps_energy_and_precession) {
    check_figures("disk");
}
END_TEST

START_TEST(a_disk_with_a_lever_falls_in_the_exact_time) {
    check_figures("lever");
}
END_TEST

START_TEST(disks_of_other_sizes_do_so_too) {
    check_figures("sizes");
}
END_TEST

START_TEST(dropped_coins_come_to_rest_in_the_same_time_at_twice_the_rate) {
    check_figures("coin");
}
END_TEST

START_TEST(chains_keep_their_links) {
    figure_sheet sheet = measure("chain");
    check_sheet(&sheet, "chain");
    check_repeat(&sheet, "chain");
}
END_TEST

START_TEST(rings_in_a_heap_do_not_interlock_and_come_to_rest) {
    check_figures("heap");
}
END_TEST

START_TEST(a_stack_stays_where_it_is) {
    check_figures("stack");
}
END_TEST

START_TEST(a_box_slides_or_stays_as_friction_says) {
    check_figures("incline");
}
END_TEST

START_TEST(a_blow_gives_spin_and_takes_none) {
    check_figures("landing");
}
END_TEST

START_TEST(cylinders_capsules_wheels_and_cones_roll) {
    check_figures("rolling");
    check_figures("cone");
}
END_TEST

START_TEST(a_ball_bounces_within_a_microsecond) {
    check_figures("drop");
}
END_TEST

START_TEST(a_ball_swings_in_a_bowl_as_a_pendulum) {
    check_figures("bowl");
    check_figures("turned_bowl");
}
END_TEST

START_TEST(a_crowd_at_one_point_parts_and_does_not_explode) {
    check_figures("crowd");
}
END_TEST

START_TEST(a_blow_passes_through_a_cradle) {
    check_figures("cradle");
}
END_TEST

START_TEST(the_same_scenes_give_the_same_bits) {
    static const char *const names[] = {"disk", "sizes", "turned_bowl",
                                        "cradle"};
    for (int n = 0; n < 4; n++) {
        figure_sheet first = measure(names[n]);
        check_repeat(&first, names[n]);
    }
}
END_TEST

/* The reference without a lever: steady precession is a solution. */
START_TEST(the_reference_disk_keeps_its_tilt) {
    const disk_size size = {0.0375, 0.013, 0};
    const double tilt = SB_PI / 6;
    rolling_disk disk = disk_steady(&size, tilt);
    ck_assert_double_eq_tol(disk_precession(&size, tilt), 47.353, 5e-4);
    for (int n = 0; n < 20000; n++)
        disk_advance(&size, 1e-4, &disk);
    ck_assert_double_eq_tol(disk_tilt_rad(disk.axis), tilt, 1e-7);
    /* 2 s of precession: where its axis points. */
    double turn = disk_precession(&size, tilt) * 2;
    double off = atan2(disk.axis.z, disk.axis.x);
    ck_assert_double_eq_tol(fabs(remainder(fabs(off), 2 * SB_PI)),
                            fabs(remainder(turn, 2 * SB_PI)), 1e-5);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_exact");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, a_disk_without_loss_keeps_energy_and_precession);
    tcase_add_test(tcase, a_disk_with_a_lever_falls_in_the_exact_time);
    tcase_add_test(tcase, disks_of_other_sizes_do_so_too);
    tcase_add_test(
        tcase, dropped_coins_come_to_rest_in_the_same_time_at_twice_the_rate);
    tcase_add_test(tcase, chains_keep_their_links);
    tcase_add_test(tcase, rings_in_a_heap_do_not_interlock_and_come_to_rest);
    tcase_add_test(tcase, a_stack_stays_where_it_is);
    tcase_add_test(tcase, a_box_slides_or_stays_as_friction_says);
    tcase_add_test(tcase, a_blow_gives_spin_and_takes_none);
    tcase_add_test(tcase, cylinders_capsules_wheels_and_cones_roll);
    tcase_add_test(tcase, a_ball_bounces_within_a_microsecond);
    tcase_add_test(tcase, a_ball_swings_in_a_bowl_as_a_pendulum);
    tcase_add_test(tcase, a_crowd_at_one_point_parts_and_does_not_explode);
    tcase_add_test(tcase, a_blow_passes_through_a_cradle);
    tcase_add_test(tcase, the_same_scenes_give_the_same_bits);
    tcase_add_test(tcase, the_reference_disk_keeps_its_tilt);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
