/* SPDX-License-Identifier: MIT */
/* tests/studio/lesson_test.h -- lessons, asked as `sandbell check` asks them: a
 * test writes what is done, runs it, and compares the verdicts with closed
 * forms. Included by the main files of these tests only. */
#pragma once

#include "bindings/host/host.h"
#include "bindings/studio/session/session.h"
#include "runtime/base/pi.h"
#include "runtime/model/material.h"
#include "tests/suite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID = 1000, MOST = 5000 };

static const char *const lessons[] = {"01_one_mode",
                                      "02_ratios",
                                      "03_where_you_strike",
                                      "04_damping",
                                      "05_shapes",
                                      "06_contact_time",
                                      "07_from_a_mesh",
                                      "08_numbers_that_lie",
                                      "09_touching",
                                      "10_too_much",
                                      "11_what_reaches_the_ear"};
enum { LESSONS = sizeof lessons / sizeof *lessons };

/* --- what is done, and the verdicts ------------------------------------------ */

typedef struct verdict {
    char question[40];
    bool is_right;
    char text[200];
} verdict;

static verdict got[MOST];
static int got_count;
static double now_s;
static FILE *script;
static char *script_text;
static size_t script_size;

static inline void take(void *user, const char *question, bool is_right,
                        const char *text) {
    (void)user;
    ck_assert_int_lt(got_count, MOST);
    verdict *v = &got[got_count++];
    (void)snprintf(v->question, sizeof v->question, "%s", question);
    (void)snprintf(v->text, sizeof v->text, "%s", text);
    v->is_right = is_right;
}

static inline void begin(void) {
    script = open_memstream(&script_text, &script_size);
    ck_assert_ptr_nonnull(script);
    now_s = 0.3;
    got_count = 0;
}

/* Steps are 10 ms: what loads the scene again is done in the next. */
static inline void later(double s) {
    now_s += s;
}

__attribute__((format(printf, 1, 2))) static inline void act(const char *format,
                                                             ...) {
    va_list values;
    (void)fprintf(script, "{\"t\":%.6f,\"message\":{", now_s);
    va_start(values, format);
    (void)vfprintf(script, format, values);
    va_end(values);
    (void)fputs("}}\n", script);
}

static inline void turn(const char *name, double value) {
    act("\"type\":\"param.set\",\"name\":\"%s\",\"value\":%.17g", name, value);
}

static inline void press(const char *name) {
    act("\"type\":\"lesson.press\",\"name\":\"%s\"", name);
}

static inline void check(const char *question) {
    act("\"type\":\"lesson.check\",\"name\":\"%s\"", question);
}

static inline void answer(const char *question, const char *typed) {
    act("\"type\":\"lesson.check\",\"name\":\"%s\",\"answer\":\"%s\"", question,
        typed);
}

#define DOWN "[0,-1,0]"

/* A blow so short that every mode takes it fully, at a place of the body. */
static inline void strike(const char *body, double x, double y, double z,
                          const char *direction) {
    act("\"type\":\"strike\",\"body\":\"%s\",\"point\":[%.9g,%.9g,%.9g],"
        "\"direction\":%s,\"speed\":0.001,\"striker\":{\"mass\":1e-6,"
        "\"hardness\":1e12}",
        body, x, y, z, direction);
}

static inline void run_at(const char *path, double rate_hz) {
    (void)fclose(script);
    sb_host_def host = sb_host_def_default();
    session_replaying def = {.scene = path,
                             .text = script_text,
                             .seconds = now_s + 0.1,
                             .host = &host,
                             .verdict = take};
    host.sample_rate_hz = rate_hz;
    sb_error err = {.message = ""};
    ck_assert_msg(session_replay(&def, NULL, &err) == SB_OK, "%s: %s", path,
                  err.message);
    free(script_text); /* allocated by open_memstream */
}

static inline void run(const char *lesson) {
    char path[400];
    (void)snprintf(path, sizeof path, SANDBELL_SOURCE "/scripts/lessons/%s.lua",
                   lesson);
    run_at(path, strncmp(lesson, "08", 2) == 0 ? 44100.0 : 48000.0);
}

/* --- expected verdicts --------------------------------------------------------- */

typedef enum expected { REFUSED, ACCEPTED, BORDER } expected;

/* Accepted if `left` is positive; within `margin` of 0 it is not judged. */
static inline expected if_positive(double left, double margin) {
    return fabs(left) <= margin ? BORDER : left > 0 ? ACCEPTED : REFUSED;
}

static inline expected if_near(double value, double wanted, double share) {
    return if_positive(share - fabs(value / wanted - 1.0), 1e-9);
}

static int borders, accepted;

static inline void expect(int i, expected wanted, const char *name, double at) {
    ck_assert_int_lt(i, got_count);
    borders += wanted == BORDER;
    accepted += wanted == ACCEPTED;
    ck_assert_msg(wanted == BORDER || got[i].is_right == (wanted == ACCEPTED),
                  "%s at %.6g: %s", name, at, got[i].text);
}

/* Of a grid, few points are on a border, and some are right. */
static inline void expect_some(const char *name, int count) {
    ck_assert_msg(borders <= count / 20, "%s: %d of %d are on a border", name,
                  borders, count);
    ck_assert_msg(accepted > 0, "%s: none is right", name);
    borders = accepted = 0;
}

static inline double on_grid(int i, double low, double high, bool is_log) {
    double part = (i + 0.5) / GRID;
    return is_log ? low * pow(high / low, part) : low + part * (high - low);
}

/* --- closed forms ---------------------------------------------------------------- */

static const double free_bar[] = {4.73004074, 7.85320462, 10.99560784,
                                  14.13716549};

/* Frequency of bending mode n of a thin free bar. */
static inline double bar_hz(const char *material, double length,
                            double thickness, int n) {
    const sb_material *m = sb_material_find(material);
    double kl = n <= 4 ? free_bar[n - 1] : (n + 0.5) * SB_PI;
    return kl * kl * thickness * sqrt(m->youngs_modulus / (12 * m->density)) /
           (SB_TAU * length * length);
}

/* Its shape at u, from 0 to 1, of mean square 1. */
static inline double bar_shape(int n, double u) {
    double k = free_bar[n - 1];
    double ratio = (cosh(k) - cos(k)) / (sinh(k) - sin(k));
    return cosh(k * u) + cos(k * u) - ratio * (sinh(k * u) + sin(k * u));
}

/* Level of bending mode a over b after a short blow at u. */
static inline double level_db(int a, int b, double u) {
    return 20 * log10(fabs(bar_shape(a, u) / bar_shape(b, u)));
}

/* Energy share of a half sine of this duration at this frequency. */
static inline double pulse_share(double hz, double duration_s) {
    double x = 2 * hz * duration_s;
    double p = cos(0.5 * SB_PI * x) / (1 - x * x);
    return p * p;
}

/* What a lesson says: "... lasted 1.07 ms". */
static inline double said(int i, const char *before) {
    const char *at = strstr(got[i].text, before);
    ck_assert_msg(at != NULL, "%s", got[i].text);
    return strtod(at + strlen(before), NULL);
}

/* Type a grid of numbers between low and high. */
static inline void type_grid(const char *question, double low, double high) {
    char typed[40];
    for (int i = 0; i < GRID; i++) {
        (void)snprintf(typed, sizeof typed, "%.9g",
                       on_grid(i, low, high, true));
        answer(question, typed);
    }
}

static inline void expect_numbers(const char *question, int first, double low,
                                  double high, double wanted, double share) {
    for (int i = 0; i < GRID; i++) {
        double x = on_grid(i, low, high, true);
        expect(first + i, if_near(x, wanted, share), question, x);
    }
    expect_some(question, GRID);
}
