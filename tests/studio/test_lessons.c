/* SPDX-License-Identifier: MIT */
/* Every question of every lesson, with grids of answers, places and buttons:
 * exactly the right ones are accepted, by closed forms that are stated here and
 * not taken from the lessons. */
#include "bindings/lesson/lesson.h"
#include "bindings/lesson/number.h"
#include "tests/scratch.h"
#include "tests/studio/lesson_test.h"

/* --- numbers ---------------------------------------------------------------------- */

START_TEST(answers_are_right_near_the_closed_form_only) {
    double w = free_bar[1] / free_bar[0];
    const struct {
        int lesson;
        const char *question;
        double low, high, wanted, share;
    } rows[] = {
        {1, "twenty", 0.1, 10, 2.0 / 3, 0.03},
        {2, "ratio", 1, 10, w * w, 0.01},
        {4, "least", 10, 1000, sqrt(0.5 / 1.5e-6) / SB_TAU, 0.03},
        {8, "limit", 1000, 44100, 44100 / SB_PI, 0.02},
        {9, "rate", 50, 5000, 500, 0.03},
        {11, "front", 1, 20, 20 * log10(sqrt(3)), 0.0524},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        begin();
        type_grid(rows[r].question, rows[r].low, rows[r].high);
        run(lessons[rows[r].lesson - 1]);
        expect_numbers(rows[r].question, 0, rows[r].low, rows[r].high,
                       rows[r].wanted, rows[r].share);
    }
}
END_TEST

START_TEST(numbers_are_read_as_they_are_typed) {
    const struct {
        const char *typed, *unit;
        double value;
    } good[] = {{"0.67 sec", "s", 0.67},
                {"~0.67", "s", 0.67},
                {"2\u00f73", "s", 2.0 / 3},
                {"2/3 s", "s", 2.0 / 3},
                {".67", "s", 0.67},
                {"0,67", "s", 0.67},
                {"667 ms", "s", 0.667},
                {"\u2248 0.67 seconds.", "s", 0.67},
                {"1.4", "ms", 1.4},
                {"1.4 ms", "ms", 1.4},
                {"0.0014 s", "ms", 1.4},
                {"14,037", "Hz", 14037},
                {"14 kHz", "Hz", 14000},
                {"44100/pi", "Hz", 44100 / SB_PI},
                {"44100/2\u03c0", "Hz", 44100 / SB_TAU},
                {"20/s", "Hz", 20},
                {"20 beats", "Hz", 20},
                {"386 %", "%", 386},
                {"-1e-3", "", -1e-3},
                {"2.757 times", "", 2.757},
                {"2 \u00d7 3", "", 6}};
    const char *const bad[] = {"",    "soon", "nan",   "inf",  "1e999", "0x10",
                               "1/0", "5 dB", "1.2.3", "2 Hz", "-",     "e5",
                               "3 4", "./.",  "pies",  "1e",   "--1"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(lesson_number(good[i].typed, good[i].unit, &value), "%s",
                      good[i].typed);
        ck_assert_double_eq_tol(value, good[i].value,
                                1e-12 * fabs(good[i].value));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!lesson_number(bad[i], "s", &value), "%s", bad[i]);
}
END_TEST

/* --- an untouched scene ----------------------------------------------------------- */

/* Calls `each` for every question of a lesson, and whether it has a field. */
static void each_question(const char *lesson,
                          void (*each)(const char *name, bool has_field)) {
    char path[400];
    lesson_doc *doc;
    (void)snprintf(path, sizeof path, SANDBELL_SOURCE "/scripts/lessons/%s.md",
                   lesson);
    ck_assert_int_eq(lesson_doc_read(path, &doc, NULL), SB_OK);
    for (int i = 0; i < lesson_doc_count(doc); i++) {
        const lesson_part *part = lesson_doc_at(doc, i);
        if (part->kind == LESSON_TASK || part->kind == LESSON_ANSWER)
            each(part->name, part->kind == LESSON_ANSWER);
    }
    lesson_doc_free(doc);
}

static void ask_untouched(const char *name, bool has_field) {
    static const char *const typed[] = {"", "0", "-1", "nan", "inf", "soon"};
    check(name);
    for (int i = 0; has_field && i < 6; i++)
        answer(name, typed[i]);
}

START_TEST(an_untouched_scene_answers_nothing) {
    for (int i = 0; i < LESSONS; i++) {
        begin();
        each_question(lessons[i], ask_untouched);
        later(1.0);
        each_question(lessons[i], ask_untouched);
        run(lessons[i]);
        ck_assert_int_ge(got_count, 6);
        for (int k = 0; k < got_count; k++)
            ck_assert_msg(!got[k].is_right, "%s, %s: %s", lessons[i],
                          got[k].question, got[k].text);
    }
}
END_TEST

/* Nor one whose question is always true. */
START_TEST(any_touch_is_one_until_the_scene_starts_again) {
    scratch_make();
    const char *path = scratch_path("yes.lua");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs("local sb = require 'sandbell'\n"
                "sb.param('p', { max = 1, default = 0 })\n"
                "sb.question('yes', function() return true end)\n",
                file);
    (void)fclose(file);
    begin();
    check("yes");
    answer("yes", "1");
    turn("p", 1);
    check("yes");
    act("\"type\":\"transport\",\"action\":\"reset\"");
    later(0.05);
    check("yes");
    run_at(path, 48000.0);
    scratch_remove();
    for (int i = 0; i < 4; i++)
        expect(i, i % 3 ? ACCEPTED : REFUSED, "yes", i);
}
END_TEST

static void ask_plainly(const char *name, bool has_field) {
    if (!has_field) check(name);
}

static void press_each(const char *lesson) {
    char path[400];
    lesson_doc *doc;
    (void)snprintf(path, sizeof path, SANDBELL_SOURCE "/scripts/lessons/%s.md",
                   lesson);
    ck_assert_int_eq(lesson_doc_read(path, &doc, NULL), SB_OK);
    for (int i = 0; i < lesson_doc_count(doc); i++) {
        const lesson_part *part = lesson_doc_at(doc, i);
        if (part->kind != LESSON_PRESS) continue;
        act("\"type\":\"transport\",\"action\":\"reset\"");
        later(0.05);
        press(part->name);
        later(0.15);
        each_question(lesson, ask_plainly);
        later(0.05);
    }
    lesson_doc_free(doc);
}

/* But for one that asks which of them is best. */
START_TEST(a_button_alone_answers_nothing) {
    for (int i = 0; i < LESSONS; i++) {
        int right = 0;
        begin();
        press_each(lessons[i]);
        run(lessons[i]);
        for (int k = 0; k < got_count; k++) {
            bool is_best = strcmp(got[k].question, "better") == 0;
            ck_assert_msg(is_best || !got[k].is_right, "%s, %s: %s", lessons[i],
                          got[k].question, got[k].text);
            right += got[k].is_right;
        }
        ck_assert_int_eq(right, i == 6);
    }
}
END_TEST

/* --- places ------------------------------------------------------------------------ */

START_TEST(places_on_the_bar_are_judged_by_its_shapes) {
    static const char *const asked[] = {"silent_second", "node", "all_four"};
    for (int q = 0; q < 3; q++) {
        begin();
        for (int i = 0; i < GRID; i++) {
            strike("bar", 0.36 * (on_grid(i, 0, 1, false) - 0.5), 0.00635, 0,
                   DOWN);
            check(asked[q]);
            if (i % 4 == 3) later(0.01);
        }
        run("03_where_you_strike");
        for (int i = 0; i < GRID; i++) {
            double u = on_grid(i, 0, 1, false), least = 1e9;
            for (int a = 1; a <= 4; a++)
                for (int b = 1; b <= 4; b++)
                    least = fmin(least, level_db(a, b, u) + 20);
            double left[] = {level_db(1, 2, u) - 20, level_db(2, 1, u) - 20,
                             least};
            expected wanted = if_positive(left[q], 0.3);
            if (q == 0 && fabs(u - 0.5) < 0.1) wanted = REFUSED;
            expect(i, wanted, asked[q], u);
        }
        expect_some(asked[q], GRID);
    }
}
END_TEST

/* A blow on the front edge bends the bar sideways only. */
START_TEST(the_front_edge_is_not_judged) {
    begin();
    for (int i = 0; i < 50; i++) {
        strike("bar", 0.36 * ((i + 0.5) / 50 - 0.5), 0, 0.025, "[0,0,-1]");
        check("silent_second");
        check("node");
        check("all_four");
        later(0.01);
    }
    run("03_where_you_strike");
    for (int k = 0; k < got_count; k++) {
        ck_assert_msg(!got[k].is_right, "%s: %s", got[k].question, got[k].text);
        ck_assert_ptr_null(strstr(got[k].text, "nan"));
    }
    begin();
    strike("bar", 0.1, 0, 0.025, "[0,0,-1]");
    check("bright");
    run("06_contact_time");
    ck_assert(!got[0].is_right);
}
END_TEST

START_TEST(places_on_the_plate_are_judged_by_its_shapes) {
    enum { SIDE = 32 };
    begin();
    for (int i = 0; i < SIDE * SIDE; i++) {
        double u = (i % SIDE + 0.5) / SIDE, v = (i / SIDE + 0.5) / SIDE;
        strike("plate", 0.3 * (u - 0.5), 0.001, 0.3 * (v - 0.5), DOWN);
        check("one_of_pair");
        if (i % 4 == 3) later(0.01);
    }
    run("05_shapes");
    for (int i = 0; i < SIDE * SIDE; i++) {
        double u = (i % SIDE + 0.5) / SIDE, v = (i / SIDE + 0.5) / SIDE;
        /* (1,1) is 1; (1,2) is 2 cos(pi v), (2,1) is 2 cos(pi u). */
        double rings = pow(2 * cos(SB_PI * v), 2);
        double rests = pow(2 * cos(SB_PI * u), 2);
        expect(i, if_positive(fmin(0.01 * rings - rests, rings - 0.05), 1e-4),
               "one_of_pair", u + SIDE * v);
    }
    expect_some("one_of_pair", SIDE * SIDE);
}
END_TEST

START_TEST(three_blows_on_the_string_and_no_others) {
    static const char *const names[] = {"string", "bar", "skin", "plate"};
    begin();
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 3; k++)
            press(names[(i >> (2 * k)) % 4]);
        later(0.02);
        check("harmonic");
        later(0.01);
    }
    run("02_ratios");
    for (int i = 0; i < 64; i++)
        expect(i, i == 0 ? ACCEPTED : REFUSED, "harmonic", i);
}
END_TEST

START_TEST(what_was_struck_before_a_new_start_is_forgotten) {
    begin();
    for (int i = 0; i < 2; i++)
        press("string");
    later(0.02);
    act("\"type\":\"transport\",\"action\":\"reset\"");
    later(0.05);
    press("string");
    later(0.02);
    check("harmonic");
    press("string");
    press("string");
    later(0.02);
    check("harmonic");
    run("02_ratios");
    expect(0, REFUSED, "harmonic", 1);
    expect(1, ACCEPTED, "harmonic", 3);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lessons");
    TCase *tcase = tcase_create("lessons");
    tcase_add_test(tcase, numbers_are_read_as_they_are_typed);
    tcase_add_test(tcase, answers_are_right_near_the_closed_form_only);
    tcase_add_test(tcase, an_untouched_scene_answers_nothing);
    tcase_add_test(tcase, any_touch_is_one_until_the_scene_starts_again);
    tcase_add_test(tcase, a_button_alone_answers_nothing);
    tcase_add_test(tcase, places_on_the_bar_are_judged_by_its_shapes);
    tcase_add_test(tcase, the_front_edge_is_not_judged);
    tcase_add_test(tcase, places_on_the_plate_are_judged_by_its_shapes);
    tcase_add_test(tcase, three_blows_on_the_string_and_no_others);
    tcase_add_test(tcase, what_was_struck_before_a_new_start_is_forgotten);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
