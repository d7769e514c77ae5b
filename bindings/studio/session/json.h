/* SPDX-License-Identifier: MIT */
/* bindings/studio/session/json.h -- messages as JSON: writing and reading.
 *
 * Thread: any. Memory: the trees of cJSON.
 */
#pragma once

#include "runtime/base/field.h"
#include "runtime/base/vec3.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

void json_number(cJSON *json, const char *name, double value); /* null: NaN */
void json_text(cJSON *json, const char *name, const char *text);
void json_text_or_null(cJSON *json, const char *name, const char *text);
void json_bool(cJSON *json, const char *name, bool value);
void json_vec3(cJSON *json, const char *name, sb_vec3 v);
void json_add(cJSON *json, const char *name, cJSON *item);
void json_numbers(cJSON *json, const char *name, const double *values,
                  int count);
void json_push(cJSON *list, cJSON *item);
void json_add_text(cJSON *list, const char *text);
void json_add_numbers(cJSON *list, const double *values, int count);
/* The text, valid UTF-8, which the caller frees with cJSON_free; deletes the
 * JSON. NULL: no memory. */
char *json_print(cJSON *json);

/* NULL: it is missing, or null. */
const cJSON *json_field(const cJSON *json, const char *name);

/* Reading a message: each returns false, with a message, if the field is there
 * and is not what it must be; `out` is unchanged if it is missing or null. */
bool read_number(const cJSON *json, const char *name, double min, double max,
                 double *out, sb_error *err);
/* All numbers that the rows describe, in `def`. */
bool read_fields(const cJSON *json, const sb_field *fields, void *def,
                 sb_error *err);
/* A list of `count` numbers, or one number for all of them. */
bool read_numbers(const cJSON *item, const sb_field *row, int count,
                  double *out, sb_error *err);
bool read_whole(const cJSON *json, const char *name, double min, double max,
                long long *out, sb_error *err);
bool read_vec3(const cJSON *json, const char *name, sb_vec3 *out,
               bool *is_there, sb_error *err);
bool read_bool(const cJSON *json, const char *name, bool *out, bool *is_there,
               sb_error *err);
/* The text, or NULL if it is missing. */
bool read_text(const cJSON *json, const char *name, const char **out,
               sb_error *err);
