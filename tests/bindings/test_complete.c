/* SPDX-License-Identifier: MIT */
/* The prompt: what TAB completes, how values are shown, and that completion
 * runs no code of the script. */
#include "bindings/host/host.h"
#include "bindings/reference/complete.h"
#include "runtime/base/memory.h"
#include "tests/suite.h"

#include <string.h>

static sb_host *host;
static completions found;

static char *evaluate(const char *text) {
    char *result = NULL;
    bool is_incomplete;
    sb_error err = {0};
    if (sb_host_evaluate(host, text, &result, &is_incomplete, &err)) {
        return sb_copy_text(is_incomplete ? "incomplete" : err.message);
    }
    return result ? result : sb_copy_text("");
}

static void says(const char *text, const char *wanted) {
    char *result = evaluate(text);
    ck_assert_msg(strcmp(result, wanted) == 0, "%s gives %s, wanted %s", text,
                  result, wanted);
    sb_free(result);
}

static void open_host(void) {
    sb_error err = {0};
    sb_host_def def = sb_host_def_default();
    ck_assert_msg(!sb_host_open(NULL, &def, &host, &err), "%s", err.message);
    says("bar = sb.body('bar', { shape = sb.modes { { 440, 1 } } })", "");
    says("sb.body('F3', { shape = sb.rigid() })", "body 'F3'");
    says("sb.body('two words', { shape = sb.rigid() })", "body 'two words'");
    says("steel, list = sb.material 'steel', { inner = { deep = 1 } }", "");
}

static void close_host(void) {
    sb_host_close(host);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

/* The words, with blanks between them. */
static void completes(const char *text, const char *wanted) {
    char all[MOST_COMPLETIONS * COMPLETION_SIZE] = "";
    complete(sb_host_script(host), text, &found);
    for (int i = 0; i < found.count; i++) {
        if (i) (void)strcat(all, " ");
        (void)strcat(all, found.words[i]);
    }
    ck_assert_msg(strcmp(all, wanted) == 0, "'%s' gives '%s', wanted '%s'",
                  text, all, wanted);
}

START_TEST(names_are_completed_where_they_belong) {
    completes("sb.ma", "material materials");
    completes("x = sb . ma", "material materials");
    completes(
        "bar:",
        "contact deform directivity drive energies flex force gain is_asleep linear modes name place "
        "position push remove rotation spin strike touch velocity weights");
    completes("F3:st", "strike");
    completes("sb.find('F3'):st", "strike");
    completes("steel.d", "density");
    completes("list.inner.d", "deep");
    completes("whi", "while");
    completes("ba", "bar");
    completes("print(st", "state steel string");
    completes("nothing.", "");
    completes("nothing:", "");
    completes("1 .. st", "state steel string");
    completes("-- sb.", "");
}
END_TEST

START_TEST(params_are_names_at_the_prompt) {
    says("local p = sb.param('hardness', { min = 1, max = 9, default = 3 })",
         "");
    says("sb.param('not a name', {}) x = 1", "");
    completes("sb.params.", "hardness");
    completes("sb.para", "param params");
    completes("hardn", "hardness");
    says("hardness", "3.0");
    says("hardness = 5", "");
    says("hardness + 1", "6.0");
    says("sb.params.hardness", "5.0");
    says("hardness = 10",
         "prompt:1: param: hardness must be a number from 1 to 9, got 10");
    says("hardness", "5.0");
    says("rawget(_G or {}, 'hardness')", "nil"); /* no global was made */
    /* A global of the script that is not the param comes first. */
    says("other = 1", "");
    says("sb.param('other', {}) other = 7", "");
    says("other", "7");
    says("sb.params.other", "0.0");
    /* A global that is the param is not lost. */
    says("cut = sb.param('cut', { max = 5 })", "");
    says("cut = 4", "");
    says("cut()", "4.0");
}
END_TEST

START_TEST(fields_are_those_of_the_table_being_written) {
    completes("bar:strike { sp", "speed");
    completes("bar:strike { speed = 1, mas", "mass");
    completes("bar:strike { speed = 1, ma", "mass material");
    completes("bar:strike({ ha", "hardness");
    completes("bar:strike { at = { ", "u v");
    completes("sb.body('x', { sh", "shape");
    completes("sb.body('x', {\n  shape = sb.bar { len", "length");
    completes("sb.body('x', { shape = sb.bar { length = 1 }, pos", "position");
    completes("sb.modes { { 440, 1 }, { t", "t60");
    completes("f { sp", ""); /* nothing known of f, and no such name */
}
END_TEST

START_TEST(strings_are_bodies_materials_or_choices) {
    completes("sb.find('", "F3 bar two words");
    completes("sb.find 'tw", "two words");
    completes("sb.material('stee", "steel");
    completes("sb.material \"stee", "steel");
    completes("sb.body('x', { material = 'stee", "steel");
    completes("bar:strike { contact = 'p", "pulse");
    completes("sb.bar { support = 'h", "hinged");
}
END_TEST

START_TEST(completing_runs_nothing_and_survives_anything) {
    says("t = setmetatable({}, { __index = function() error 'ran' end })", "");
    completes("t.", "");
    completes("t.a.b.", "");
    static const char *const odd[] = {"((((",  "}}}}",   "\"",     "'\\",
                                      "a.b.c", ".",      ":",      "...",
                                      "= {",   "{ = {",  "--[[",   "]]",
                                      ")",     "):",     "f()().", "\xff\xfe.",
                                      "[[",    "x[1].y", "{{{{{{", "\t"};
    char deep[400];
    memset(deep, '{', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    complete(sb_host_script(host), deep, &found);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        complete(sb_host_script(host), odd[i], &found);
        ck_assert(found.start <= strlen(odd[i]));
    }
    says("1", "1");
}
END_TEST

START_TEST(what_words_have_in_common) {
    complete(sb_host_script(host), "sb.ma", &found);
    ck_assert_int_eq((int)found.start, 3);
    ck_assert_int_eq((int)completions_common(&found), 8);
    complete(sb_host_script(host), "sb.zz", &found);
    ck_assert_int_eq((int)completions_common(&found), 0);
}
END_TEST

START_TEST(values_are_shown) {
    says("1, 'a', nil", "1\ta\tnil");
    says("{}", "{}");
    says("{ 1, 2.5, x = 'y', ['a b'] = { 1 } }",
         "{ 1, 2.5, [\"a b\"] = { 1 }, x = \"y\" }");
    says("{ { { { 1 } } } }", "{ { { { ... } } } }");
    says("local t = {} t.t = t return t", "{ t = { t = { t = { ... } } } }");
    says("local t = {} for i = 1, 100 do t[i] = i end return t",
         "{ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
         "20, 21, 22, 23, 24, ... }");
    says("{ print, steel }", "{ function, material 'steel' }");
    says("setmetatable({}, { __tostring = function() return 'mine' end })",
         "mine");
}
END_TEST

START_TEST(lines_go_on_sleep_and_fail) {
    says("for i = 1, 2 do", "incomplete");
    says("x = {", "incomplete");
    says("x = = 1", "prompt:1: unexpected symbol near '='");
    says("error('ouch')", "prompt:1: ouch");
    says("y = 1 sb.sleep(0.05) y = 2", "");
    says("y", "1");
    for (int i = 0; i < 10; i++) {
        ck_assert_int_eq(sb_host_step(host, 0.01 * i, 0.01 * (i + 1), NULL),
                         SB_OK);
    }
    says("y", "2");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("complete");
    TCase *tests = tcase_create("prompt");
    tcase_add_checked_fixture(tests, open_host, close_host);
    tcase_add_test(tests, names_are_completed_where_they_belong);
    tcase_add_test(tests, params_are_names_at_the_prompt);
    tcase_add_test(tests, fields_are_those_of_the_table_being_written);
    tcase_add_test(tests, strings_are_bodies_materials_or_choices);
    tcase_add_test(tests, completing_runs_nothing_and_survives_anything);
    tcase_add_test(tests, what_words_have_in_common);
    tcase_add_test(tests, values_are_shown);
    tcase_add_test(tests, lines_go_on_sleep_and_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
