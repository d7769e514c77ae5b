/* SPDX-License-Identifier: MIT */
#include "tests/bench/report.h"

#include "bindings/cli/console/console.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 64 };

static cJSON *here(const report *to) {
    return to->at[to->depth];
}

static void enter(report *to, cJSON *object) {
    assert(to->depth + 1 < (int)(sizeof to->at / sizeof *to->at));
    to->at[++to->depth] = object;
}

void report_open(report *to, const char *name, bool is_json) {
    *to = (report){.root = is_json ? cJSON_CreateObject() : NULL};
    to->at[0] = to->root;
    if (name) report_begin(to, name);
}

int report_close(report *to, bool has_failed) {
    char *text = to->root && !has_failed ? cJSON_Print(to->root) : NULL;
    if (text) {
        sb_utf8_mend(text);
        (void)printf("%s\n", text);
    }
    bool is_lost = to->root && !text;
    cJSON_free(text);
    cJSON_Delete(to->root);
    return is_lost || to->is_bad ? EXIT_SCRIPT : EXIT_OK;
}

void report_begin(report *to, const char *key) {
    enter(to, to->root ? cJSON_AddObjectToObject(here(to), key) : NULL);
}

void report_end(report *to) {
    to->depth--;
}

void report_say(const report *to, const char *format, ...) {
    if (to->root) return;
    progress_end();
    va_list list;
    va_start(list, format);
    (void)vprintf(format, list);
    va_end(list);
    (void)fflush(stdout);
}

void report_put(report *to, const char *key, double value) {
    if (here(to)) (void)cJSON_AddNumberToObject(here(to), key, value);
}

void report_put_text(report *to, const char *key, const char *value) {
    if (here(to)) (void)cJSON_AddStringToObject(here(to), key, value);
}

void report_put_flag(report *to, const char *key, bool value) {
    if (here(to)) (void)cJSON_AddBoolToObject(here(to), key, value);
}

/* As wide as a number would be, if it is none. */
static const char *cell_of(const char *format, double scale, double value,
                           char text[CELL]) {
    char number[CELL];
    bool is_none = isnan(value);
    double shown = is_none ? 0.0 : value * (scale == 0.0 ? 1.0 : scale);
// The formats are those of our own tables.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int width = snprintf(number, sizeof number, format, shown);
#pragma GCC diagnostic pop
    (void)snprintf(text, CELL, "%*s", width, is_none ? "-" : number);
    return text;
}

void report_value(report *to, const char *key, const char *label,
                  const char *format, double scale, double value) {
    char text[CELL];
    if (key) report_put(to, key, value);
    if (label)
        report_say(to, "  %-44s %s\n", label,
                   cell_of(format, scale, value, text));
}

void report_table(report *to, const char *key, const char *name_key,
                  const char *head, int width, const report_column *columns) {
    char text[CELL];
    to->columns = columns;
    to->name_key = name_key;
    to->name_width = width;
    cJSON *list = NULL;
    if (to->root && key && !*key) {
        list = here(to);
    } else if (to->root && key) {
        list = name_key ? cJSON_AddArrayToObject(here(to), key)
                        : cJSON_AddObjectToObject(here(to), key);
    }
    enter(to, list);
    report_say(to, width > 0 ? "  %-*s" : " %-*s", width,
               width > 0 ? head : "");
    for (const report_column *c = columns; c->key || c->head; c++)
        if (c->head)
            report_say(to, " %*s",
                       (int)strlen(cell_of(c->format, 1.0, 0.0, text)),
                       c->head);
    report_say(to, "\n");
}

cJSON *report_row(report *to, const char *name, const char *label,
                  const double *values) {
    char text[CELL];
    cJSON *row = here(to) ? cJSON_CreateObject() : NULL;
    if (row && to->name_key) {
        if (name) (void)cJSON_AddStringToObject(row, to->name_key, name);
        (void)cJSON_AddItemToArray(here(to), row);
    } else if (row) {
        (void)cJSON_AddItemToObject(here(to), name, row);
    }
    const char *shown = label ? label : name;
    bool has_name = to->name_width > 0;
    report_say(to, has_name ? "  %-*s" : " %-*s", to->name_width,
               has_name ? shown : "");
    for (int i = 0; to->columns[i].key || to->columns[i].head; i++) {
        const report_column *c = &to->columns[i];
        if (row && c->key)
            (void)cJSON_AddNumberToObject(row, c->key, values[i]);
        if (c->head)
            report_say(to, " %s",
                       cell_of(c->format, c->scale, values[i], text));
    }
    report_say(to, "%s\n", to->note ? to->note : "");
    to->note = NULL;
    return row;
}
