/* SPDX-License-Identifier: MIT */
/* Numbers of a scene: ranges, defaults, and what survives a new declaration. */
#include "runtime/scene/param.h"

#include "runtime/base/memory.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static sb_param param_of(const char *name, double min, double max,
                         double initial) {
    sb_param param = {.min = min, .max = max, .initial = initial};
    (void)snprintf(param.name, sizeof param.name, "%s", name);
    return param;
}

static int declare(sb_params *params, sb_param param) {
    int index = -1;
    sb_error err;
    ck_assert_msg(sb_params_declare(params, &param, &index, &err) == SB_OK,
                  "%s", err.message);
    return index;
}

START_TEST(a_new_param_has_its_default) {
    sb_params params = {0};
    int i = declare(&params, param_of("hardness", 1e5, 1e9, 1e7));
    ck_assert_double_eq(params.items[i].value, 1e7);
    ck_assert_int_eq(sb_params_find(&params, "hardness"), i);
    ck_assert_int_eq(sb_params_find(&params, "hard"), -1);
    ck_assert_int_eq(sb_params_find(&params, ""), -1);
    sb_params_free(&params);
}
END_TEST

START_TEST(a_value_within_the_range_is_taken) {
    sb_params params = {0};
    int i = declare(&params, param_of("x", -2, 3, 0));
    const double fine[] = {-2, 3, 0, 2.5};
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(sb_params_set(&params, i, fine[k], NULL), SB_OK);
        ck_assert_double_eq(params.items[i].value, fine[k]);
    }
    sb_params_free(&params);
}
END_TEST

START_TEST(a_value_outside_the_range_is_refused_and_named) {
    sb_params params = {0};
    int i = declare(&params, param_of("x", -2, 3, 1));
    const double wrong[] = {-2.0001, 3.0001, NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 5; k++) {
        sb_error err = {0};
        ck_assert_int_eq(sb_params_set(&params, i, wrong[k], &err),
                         SB_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(err.message, "param 'x'"));
        ck_assert_ptr_nonnull(strstr(err.message, "from -2 to 3"));
        ck_assert_double_eq(params.items[i].value, 1);
    }
    sb_params_free(&params);
}
END_TEST

START_TEST(a_second_declaration_keeps_a_value_that_still_fits) {
    sb_params params = {0};
    int i = declare(&params, param_of("x", 0, 10, 1));
    ck_assert_int_eq(sb_params_set(&params, i, 7, NULL), SB_OK);
    ck_assert_int_eq(declare(&params, param_of("x", 5, 20, 6)), i);
    ck_assert_double_eq(params.items[i].value, 7);
    ck_assert_double_eq(params.items[i].max, 20);
    ck_assert_int_eq(declare(&params, param_of("x", 0, 2, 0.5)), i);
    ck_assert_double_eq(params.items[i].value, 0.5);
    ck_assert_int_eq(params.count, 1);
    sb_params_free(&params);
}
END_TEST

START_TEST(a_bad_declaration_changes_nothing) {
    sb_params params = {0};
    int i = declare(&params, param_of("x", 1, 10, 2)), index = 99;
    sb_param bad[] = {
        param_of("", 0, 1, 0),         param_of("x", 1, 1, 1),
        param_of("x", 3, 2, 2),        param_of("x", NAN, 2, 1),
        param_of("x", 0, INFINITY, 1), param_of("x", 0, 1, 2),
        param_of("x", 0, 1, NAN),      param_of("x", 0, 1, 0.5),
    };
    bad[7].curve = SB_CURVE_LOG;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sb_error err = {0};
        ck_assert_int_eq(sb_params_declare(&params, &bad[k], &index, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_uint_gt(strlen(err.message), 10);
        ck_assert_int_eq(index, 99);
        ck_assert_int_eq(params.count, 1);
        ck_assert_double_eq(params.items[i].min, 1);
        ck_assert_double_eq(params.items[i].value, 2);
    }
    sb_params_free(&params);
}
END_TEST

START_TEST(many_params_are_all_found) {
    sb_params params = {0};
    char name[SB_NAME_SIZE];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        ck_assert_int_eq(declare(&params, param_of(name, 0, 1000, i)), i);
    }
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        ck_assert_int_eq(sb_params_find(&params, name), i);
        ck_assert_double_eq(params.items[i].value, i);
    }
    sb_params_free(&params);
}
END_TEST

START_TEST(running_out_of_memory_changes_nothing) {
    long before = sb_memory_live_blocks();
    sb_params params = {0};
    sb_param param = param_of("x", 0, 1, 0.5);
    int index = 99;
    sb_error err = {0};
    sb_memory_fail_after(0);
    ck_assert_int_eq(sb_params_declare(&params, &param, &index, &err),
                     SB_NO_MEMORY);
    sb_memory_fail_after(-1);
    ck_assert_int_eq(index, 99);
    ck_assert_int_eq(params.count, 0);
    ck_assert_int_eq(declare(&params, param), 0);
    sb_params_free(&params);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("param");
    TCase *tcase = tcase_create("param");
    tcase_add_test(tcase, a_new_param_has_its_default);
    tcase_add_test(tcase, a_value_within_the_range_is_taken);
    tcase_add_test(tcase, a_value_outside_the_range_is_refused_and_named);
    tcase_add_test(tcase, a_second_declaration_keeps_a_value_that_still_fits);
    tcase_add_test(tcase, a_bad_declaration_changes_nothing);
    tcase_add_test(tcase, many_params_are_all_found);
    tcase_add_test(tcase, running_out_of_memory_changes_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
