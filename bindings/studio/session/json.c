/* SPDX-License-Identifier: MIT */
/* JSON in and out. Thread: any. */
#include "bindings/studio/session/json.h"

#include "runtime/base/utf8.h"

#include <math.h>
#include <string.h>

void json_number(cJSON *json, const char *name, double value) {
    if (isfinite(value)) {
        (void)cJSON_AddNumberToObject(json, name, value);
    } else {
        (void)cJSON_AddNullToObject(json, name);
    }
}

void json_text(cJSON *json, const char *name, const char *text) {
    (void)cJSON_AddStringToObject(json, name, text);
}

void json_bool(cJSON *json, const char *name, bool value) {
    (void)cJSON_AddBoolToObject(json, name, value);
}

void json_text_or_null(cJSON *json, const char *name, const char *text) {
    if (text) {
        json_text(json, name, text);
    } else {
        (void)cJSON_AddNullToObject(json, name);
    }
}

void json_add(cJSON *json, const char *name, cJSON *item) {
    (void)cJSON_AddItemToObject(json, name, item);
}

void json_numbers(cJSON *json, const char *name, const double *values,
                  int count) {
    json_add(json, name, cJSON_CreateDoubleArray(values, count));
}

void json_push(cJSON *list, cJSON *item) {
    (void)cJSON_AddItemToArray(list, item);
}

void json_add_numbers(cJSON *list, const double *values, int count) {
    json_push(list, cJSON_CreateDoubleArray(values, count));
}

void json_add_text(cJSON *list, const char *text) {
    json_push(list, cJSON_CreateString(text));
}

void json_vec3(cJSON *json, const char *name, sb_vec3 v) {
    json_numbers(json, name, (double[]){v.x, v.y, v.z}, 3);
}

char *json_print(cJSON *json) {
    char *text = cJSON_PrintUnformatted(json);
    sb_utf8_mend(text);
    cJSON_Delete(json);
    return text;
}

const cJSON *json_field(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNull(item) ? NULL : item;
}

/* What was given instead of what a row wants, in `out`. */
static const char *show(const cJSON *item, char out[64]) {
    if (cJSON_IsNumber(item))
        (void)snprintf(out, 64, "%.14g", item->valuedouble);
    else if (cJSON_IsString(item))
        (void)snprintf(out, 64, "'%.40s'", item->valuestring);
    else
        (void)snprintf(out, 64, "%s",
                       cJSON_IsBool(item) ? "true or false" : "a list");
    return out;
}

static bool read_row(const cJSON *item, const sb_field *row, double *out,
                     sb_error *err) {
    char text[SB_FIELD_SENTENCE], got[64];
    if (!cJSON_IsNumber(item) || !sb_field_allows(row, item->valuedouble)) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s",
                      sb_field_refusal(row, show(item, got), text));
        return false;
    }
    *out = item->valuedouble;
    return true;
}

bool read_number(const cJSON *json, const char *name, double min, double max,
                 double *out, sb_error *err) {
    const cJSON *item = json_field(json, name);
    const sb_field row = {.name = name, .min = min, .max = max, .unit = ""};
    return !item || read_row(item, &row, out, err);
}

static bool read_choice(const cJSON *item, const sb_field *row, int *out,
                        sb_error *err) {
    char got[64];
    for (int i = 0; cJSON_IsString(item) && row->choices[i]; i++) {
        if (strcmp(row->choices[i], item->valuestring) != 0) continue;
        *out = row->values ? row->values[i] : i;
        return true;
    }
    (void)sb_fail(err, SB_BAD_ARGUMENT, "%s: %s is no such choice", row->name,
                  show(item, got));
    return false;
}

static bool read_xyz(const cJSON *item, const sb_field *row, sb_vec3 *out,
                     sb_error *err) {
    double *const xyz[3] = {&out->x, &out->y, &out->z};
    bool is_good = cJSON_IsArray(item) && cJSON_GetArraySize(item) == 3;
    if (!is_good)
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be three numbers",
                      row->name);
    for (int i = 0; i < 3 && is_good; i++) {
        char name[64];
        sb_field part = *row;
        part.name = name;
        (void)snprintf(name, sizeof name, "%s[%d]", row->name, i + 1);
        is_good = read_row(cJSON_GetArrayItem(item, i), &part, xyz[i], err);
    }
    return is_good;
}

bool read_vec3(const cJSON *json, const char *name, sb_vec3 *out,
               bool *is_there, sb_error *err) {
    const cJSON *item = json_field(json, name);
    const sb_field row = SB_FIELD_XYZ(name, 0, SB_FARTHEST_M, "", "");
    sb_vec3 read = *out;
    if (is_there) *is_there = item != NULL;
    if (!item) return true;
    if (!read_xyz(item, &row, &read, err)) return false;
    *out = read;
    return true;
}

bool read_fields(const cJSON *json, const sb_field *fields, void *def,
                 sb_error *err) {
    bool is_well = true;
    for (; fields->name && is_well; fields++) {
        const cJSON *item = json_field(json, fields->name);
        void *slot = (char *)def + fields->offset;
        double value = 0.0;
        if (!item || fields->kind == SB_FIELD_OTHER) continue;
        if (fields->kind == SB_FIELD_VEC3) {
            is_well = read_xyz(item, fields, slot, err);
        } else if (fields->kind == SB_FIELD_BOOL) {
            is_well = read_bool(json, fields->name, slot, NULL, err);
        } else if (fields->kind == SB_FIELD_CHOICE) {
            is_well = read_choice(item, fields, slot, err);
        } else {
            is_well = read_row(item, fields, &value, err);
            if (is_well && fields->kind == SB_FIELD_COUNT)
                *(int *)slot = (int)value;
            else if (is_well)
                *(double *)slot = value;
        }
    }
    return is_well;
}

bool read_numbers(const cJSON *item, const sb_field *row, int count,
                  double *out, sb_error *err) {
    bool is_list = cJSON_IsArray(item);
    if (is_list && cJSON_GetArraySize(item) != count) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be %d numbers", row->name,
                      count);
        return false;
    }
    for (int i = 0; i < count; i++) {
        const cJSON *one = is_list ? cJSON_GetArrayItem(item, i) : item;
        if (!read_row(one, row, &out[i], err)) return false;
    }
    return true;
}

bool read_whole(const cJSON *json, const char *name, double min, double max,
                long long *out, sb_error *err) {
    double value = (double)*out;
    if (!read_number(json, name, min, max, &value, err)) return false;
    if (value != floor(value)) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be a whole number", name);
        return false;
    }
    *out = (long long)value;
    return true;
}

bool read_bool(const cJSON *json, const char *name, bool *out, bool *is_there,
               sb_error *err) {
    const cJSON *item = json_field(json, name);
    if (is_there) *is_there = item != NULL;
    if (!item) return true;
    if (!cJSON_IsBool(item)) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be true or false", name);
        return false;
    }
    *out = cJSON_IsTrue(item);
    return true;
}

bool read_text(const cJSON *json, const char *name, const char **out,
               sb_error *err) {
    const cJSON *item = json_field(json, name);
    *out = NULL;
    if (!item) return true;
    if (!cJSON_IsString(item)) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be a text", name);
        return false;
    }
    *out = item->valuestring;
    return true;
}
