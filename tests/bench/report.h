/* SPDX-License-Identifier: MIT */
/* tests/bench/report.h -- the printer of all benches: the same calls give text or
 * one JSON object.
 *
 * Text is printed at once, so that the rows of a long bench appear as they are
 * measured; JSON is collected and printed by report_close. What has no key is
 * only in the text, what has no label only in JSON. A number that is NaN is "-"
 * in the text and null in JSON.
 *
 * Thread: control. Memory: until report_close; tables of columns are kept by
 * pointer.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

/* A NULL key and head end a list of columns. */
typedef struct report_column {
    const char *key, *head;
    const char *format; /* of one double; its width is the column's */
    double scale;       /* of the text; 0: 1 */
} report_column;

typedef struct report {
    cJSON *root; /* NULL: text */
    cJSON *at[8];
    int depth;
    const report_column *columns;
    const char *name_key;
    int name_width;
    const char *note; /* at the end of the next row's text, or NULL */
    bool is_bad;      /* what was measured is wrong: the exit code says so */
} report;

/* { "name": { ... } }, or { ... } if the name is NULL. */
void report_open(report *to, const char *name, bool is_json);
/* Prints what was collected, unless the bench has failed. The exit code. */
int report_close(report *to, bool has_failed);

/* An object in the present one, until report_end. */
void report_begin(report *to, const char *key);
void report_end(report *to);

/* Text only. */
void report_say(const report *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* JSON only. */
void report_put(report *to, const char *key, double value);
void report_put_text(report *to, const char *key, const char *value);
void report_put_flag(report *to, const char *key, bool value);

/* "  label    value", with the value scaled as in a column. */
void report_value(report *to, const char *key, const char *label,
                  const char *format, double scale, double value);

/* A table, until report_end: a list of objects whose member `name_key` is the
 * name of the row, or an object with the rows' names as keys if `name_key` is
 * NULL. With the key "" the rows are in the present object; with a NULL key it
 * is only text. `head` is over the names, `width` their
 * width; 0: they are not printed. */
void report_table(report *to, const char *key, const char *name_key,
                  const char *head, int width, const report_column *columns);
/* One value per column. `label` is the name in the text; NULL: `name`, which may
 * be NULL in a list. Returns the object of the row, or NULL in a text. */
cJSON *report_row(report *to, const char *name, const char *label,
                  const double *values);
