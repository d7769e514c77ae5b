/* SPDX-License-Identifier: MIT */
/* UTF-8: the boundaries of every length, and what is mended. */
#include "runtime/base/utf8.h"
#include "tests/suite.h"

#include <check.h>
#include <string.h>

static const struct {
    const char *text;
    int length;
} cases[] = {
    {"a", 1},
    {"\x7F", 1},
    {"", 0},
    {"\x80", 0},
    {"\xBF", 0},
    {"\xC0\x80", 0},
    {"\xC1\xBF", 0},
    {"\xC2\x80", 2},
    {"\xDF\xBF", 2},
    {"\xC3", 0},
    {"\xC3(", 0},
    {"\xE0\x9F\xBF", 0},
    {"\xE0\xA0\x80", 3},
    {"\xED\x9F\xBF", 3},
    {"\xED\xA0\x80", 0},
    {"\xEF\xBF\xBF", 3},
    {"\xE2\x82", 0},
    {"\xF0\x8F\xBF\xBF", 0},
    {"\xF0\x90\x80\x80", 4},
    {"\xF4\x8F\xBF\xBF", 4},
    {"\xF4\x90\x80\x80", 0},
    {"\xF5\x80\x80\x80", 0},
    {"\xFF", 0},
};

START_TEST(the_length_of_a_character) {
    ck_assert_int_eq(sb_utf8_length(cases[_i].text), cases[_i].length);
}
END_TEST

START_TEST(controls_are_c0_delete_and_c1) {
    ck_assert(sb_utf8_is_control("\x1B"));
    ck_assert(sb_utf8_is_control("\x7F"));
    ck_assert(sb_utf8_is_control("\xC2\x9B"));
    ck_assert(!sb_utf8_is_control(" "));
    ck_assert(!sb_utf8_is_control("\xC2\xA0"));
    ck_assert(!sb_utf8_is_control("\xC3\x9B"));
}
END_TEST

START_TEST(only_invalid_bytes_are_mended) {
    char text[] = "a\xFF\xC3\xA4\xE2\x82z\xC3";
    sb_utf8_mend(text);
    ck_assert_str_eq(text, "a?\xC3\xA4??z?");
    sb_utf8_mend(NULL);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("utf8");
    TCase *tcase = tcase_create("utf8");
    tcase_add_loop_test(tcase, the_length_of_a_character, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tcase, controls_are_c0_delete_and_c1);
    tcase_add_test(tcase, only_invalid_bytes_are_mended);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
