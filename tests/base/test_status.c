/* SPDX-License-Identifier: MIT */
/* Failures: the sentence, and file, line and hint as fields. */
#include "runtime/base/status.h"

#include "tests/suite.h"

#include <string.h>

START_TEST(a_failure_in_a_file_begins_with_its_place) {
    sb_error err;
    ck_assert_int_eq(sb_fail_in(&err, SB_BAD_FORMAT, "a.lua", 12, "%d", 7),
                     SB_BAD_FORMAT);
    ck_assert_str_eq(err.message, "a.lua:12: 7");
    ck_assert_str_eq(err.file, "a.lua");
    ck_assert_int_eq(err.line, 12);
    (void)sb_fail_in(&err, SB_IO_ERROR, "b.png", 0, "is empty");
    ck_assert_str_eq(err.message, "b.png: is empty");
    ck_assert_int_eq(err.line, 0);
    (void)sb_fail(&err, SB_NO_MEMORY, "none");
    ck_assert_str_eq(err.file, "");
}
END_TEST

START_TEST(what_leads_a_message_keeps_its_fields) {
    sb_error err;
    (void)sb_fail_in(&err, SB_NOT_FOUND, "/x/a.obj", 3, "is gone");
    sb_error_set_hint(&err, "look %s", "there");
    sb_error_rename(&err, "/x/a.obj", "a.obj");
    ck_assert_str_eq(err.message, "a.obj:3: is gone");
    ck_assert_int_eq(sb_error_lead(&err, SB_BAD_FORMAT, "body '%s'", "bell"),
                     SB_BAD_FORMAT);
    ck_assert_str_eq(err.message, "body 'bell': a.obj:3: is gone");
    ck_assert_int_eq(err.status, SB_BAD_FORMAT);
    ck_assert_str_eq(err.file, "a.obj");
    ck_assert_int_eq(err.line, 3);
    ck_assert_str_eq(err.hint, "look there");
    ck_assert_int_eq(sb_error_lead(NULL, SB_IO_ERROR, "x"), SB_IO_ERROR);
}
END_TEST

START_TEST(a_long_place_is_cut_and_terminated) {
    char path[2000];
    sb_error err;
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = '\0';
    (void)sb_fail_in(&err, SB_NOT_FOUND, path, 5, "%s", path);
    ck_assert_uint_eq(strlen(err.file), sizeof err.file - 1);
    ck_assert_uint_eq(strlen(err.message), sizeof err.message - 1);
    (void)sb_error_lead(&err, SB_NOT_FOUND, "%s", path);
    ck_assert_uint_eq(strlen(err.message), sizeof err.message - 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("status");
    TCase *tests = tcase_create("core");
    tcase_add_test(tests, a_failure_in_a_file_begins_with_its_place);
    tcase_add_test(tests, what_leads_a_message_keeps_its_fields);
    tcase_add_test(tests, a_long_place_is_cut_and_terminated);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
