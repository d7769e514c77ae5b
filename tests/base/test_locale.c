/* SPDX-License-Identifier: MIT */
/* The C locale for one thread, in a program that writes 1,5. */
#include "runtime/base/locale.h"

#include "runtime/model/linear/workers.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <locale.h>
#include <stdbool.h>

/* A locale with a decimal comma, made here: no machine need have one. False
 * where localedef has no sources. */
static bool set_comma(void) {
    char command[300];
    (void)snprintf(command, sizeof command,
                   "localedef -c -i de_DE -f UTF-8 %s/de >/dev/null 2>&1",
                   scratch_directory);
    (void)system(command);
    ck_assert_int_eq(setenv("LOCPATH", scratch_directory, 1), 0);
    return setlocale(LC_ALL, "de") != NULL;
}

static const char *shown(void) {
    static _Thread_local char text[16];
    (void)snprintf(text, sizeof text, "%g", 1.5);
    return text;
}

START_TEST(the_locale_of_the_thread_comes_back) {
    locale_t own = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    locale_t global = uselocale((locale_t)0);
    ck_assert(own);
    sb_locale outer = sb_locale_enter();
    ck_assert(uselocale((locale_t)0) != global);
    sb_locale inner = sb_locale_enter();
    sb_locale_leave(inner);
    ck_assert(uselocale((locale_t)0) != global);
    sb_locale_leave(outer);
    ck_assert(uselocale((locale_t)0) == global);
    (void)uselocale(own);
    sb_locale_leave(sb_locale_enter());
    ck_assert(uselocale((locale_t)0) == own);
    (void)uselocale(global);
    freelocale(own);
}
END_TEST

static void show_part(void *context, int part) {
    char(*texts)[16] = context;
    (void)strcpy(texts[part], shown());
}

START_TEST(numbers_have_a_point_inside_and_a_comma_outside) {
    if (set_comma()) {
        char texts[64][16];
        ck_assert_str_eq(shown(), "1,5");
        sb_locale own = sb_locale_enter();
        ck_assert_str_eq(shown(), "1.5");
        ck_assert_double_eq(strtod("2.5", NULL), 2.5);
        sb_workers_run(4, 64, show_part, texts);
        for (int i = 0; i < 64; i++)
            ck_assert_str_eq(texts[i], "1.5");
        sb_locale_leave(own);
        ck_assert_str_eq(shown(), "1,5");
    }
    char command[200];
    (void)snprintf(command, sizeof command, "rm -rf %s/de", scratch_directory);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("locale");
    TCase *tcase = tcase_create("locale");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, the_locale_of_the_thread_comes_back);
    tcase_add_test(tcase, numbers_have_a_point_inside_and_a_comma_outside);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
