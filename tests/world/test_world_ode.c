/* SPDX-License-Identifier: MIT */
/* ODE's error handlers in a program that has its own. */
#include "tests/world/world_fixture.h"

#include <ode/ode.h>
#include <pthread.h>

static int errors, messages; /* of the program's own handlers */
static bool is_broken;       /* collisions fail inside ODE */

int __real_dCollide(dGeomID one, dGeomID other, int flags, dContactGeom *found,
                    int skip);
int __wrap_dCollide(dGeomID one, dGeomID other, int flags, dContactGeom *found,
                    int skip);

int __wrap_dCollide(dGeomID one, dGeomID other, int flags, dContactGeom *found,
                    int skip) {
    if (is_broken) dMessage(1, "inside");
    if (is_broken) dError(1, "inside");
    return __real_dCollide(one, other, flags, found, skip);
}

static void on_error(int number, const char *text, va_list args) {
    (void)number, (void)text, (void)args;
    errors++;
}

static void on_message(int number, const char *text, va_list args) {
    ck_assert_int_eq(number, 7);
    ck_assert_str_eq(text, "of %s");
    ck_assert_str_eq(va_arg(args, const char *), "the host");
    messages++;
}

/* Two boxes, one in the other: ODE finds their contacts. */
static int overlaps(void) {
    sb_found found[SB_RAW_POINTS];
    sb_world *world = world_at(1000);
    sb_solid_def box = a_box((sb_vec3){.1, .1, .1}, (sb_vec3){0, 0, 0});
    (void)put(world, &box);
    box.pose.rotation = sb_quat_about((sb_vec3){1, 1, 0}, .3);
    (void)put(world, &box);
    int count = sb_geoms_collide(&world->solids[0], &world->solids[1], found);
    sb_world_destroy(world);
    return count;
}

START_TEST(errors_inside_are_ours_and_outside_the_program_s) {
    dSetErrorHandler(on_error);
    dSetMessageHandler(on_message);
    ck_assert_int_gt(overlaps(), 0);
    is_broken = true;
    ck_assert_int_eq(overlaps(), 0);
    ck_assert_int_eq(errors, 0);
    ck_assert_int_eq(messages, 0);
    dMessage(7, "of %s", "the host");
    ck_assert_int_eq(messages, 1);
    is_broken = false;
    ck_assert_int_gt(overlaps(), 0);
}
END_TEST

START_TEST(handlers_that_are_set_later_do_not_end_the_process) {
    ck_assert_int_gt(overlaps(), 0);
    dSetErrorHandler(on_error);
    dSetMessageHandler(on_message);
    is_broken = true;
    ck_assert_int_eq(overlaps(), 0);
    ck_assert_int_eq(errors, 0);
    dMessage(7, "of %s", "the host");
    ck_assert_int_eq(messages, 1);
}
END_TEST

static void *fail_often(void *argument) {
    for (int i = 0; i < 300; i++)
        if (overlaps() != 0) return argument;
    return NULL;
}

START_TEST(threads_fail_beside_each_other) {
    pthread_t threads[4];
    dSetErrorHandler(on_error);
    dSetMessageHandler(on_message);
    is_broken = true;
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fail_often, threads),
                         0);
    for (int i = 0; i < 300; i++)
        dMessage(7, "of %s", "the host");
    for (int i = 0; i < 4; i++) {
        void *fault = NULL;
        ck_assert_int_eq(pthread_join(threads[i], &fault), 0);
        ck_assert_ptr_null(fault);
    }
    ck_assert_int_eq(errors, 0);
    ck_assert_int_eq(messages, 300);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_ode");
    TCase *tcase = tcase_create("world_ode");
    tcase_add_test(tcase, errors_inside_are_ours_and_outside_the_program_s);
    tcase_add_test(tcase, handlers_that_are_set_later_do_not_end_the_process);
    tcase_add_test(tcase, threads_fail_beside_each_other);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
