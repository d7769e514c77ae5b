/* JSON in and out. Thread: any. */
#include "bindings/studio/studio_internal.h"

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

cJSON *json_array3(sb_vec3 v) {
    const double xyz[3] = {v.x, v.y, v.z};
    return cJSON_CreateDoubleArray(xyz, 3);
}

void json_vec3(cJSON *json, const char *name, sb_vec3 v) {
    (void)cJSON_AddItemToObject(json, name, json_array3(v));
}

static const cJSON *field(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNull(item) ? NULL : item;
}

bool has_field(const cJSON *json, const char *name) {
    return field(json, name) != NULL;
}

bool read_number(const cJSON *json, const char *name, double min, double max,
                 double *out, sb_error *err) {
    const cJSON *item = field(json, name);
    if (!item) return true;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) ||
        item->valuedouble < min || item->valuedouble > max) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be a number from %g to %g",
                      name, min, max);
        return false;
    }
    *out = item->valuedouble;
    return true;
}

bool read_fields(const cJSON *json, const sb_field *fields, void *def,
                 sb_error *err) {
    for (; fields->name; fields++) {
        if (fields->kind == SB_FIELD_NUMBER &&
            !read_number(json, fields->name, sb_field_least(fields),
                         fields->max, sb_field_slot(fields, def), err))
            return false;
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

bool read_vec3(const cJSON *json, const char *name, sb_vec3 *out,
               bool *is_there, sb_error *err) {
    const cJSON *item = field(json, name);
    double xyz[3];
    if (is_there) *is_there = item != NULL;
    if (!item) return true;
    bool is_good = cJSON_IsArray(item) && cJSON_GetArraySize(item) == 3;
    for (int i = 0; i < 3 && is_good; i++) {
        const cJSON *part = cJSON_GetArrayItem(item, i);
        is_good = cJSON_IsNumber(part) && fabs(part->valuedouble) <= 1e6;
        xyz[i] = is_good ? part->valuedouble : 0.0;
    }
    if (!is_good) {
        (void)sb_fail(err, SB_BAD_ARGUMENT,
                      "%s must be three numbers, each up to 1e6", name);
        return false;
    }
    *out = (sb_vec3){xyz[0], xyz[1], xyz[2]};
    return true;
}

bool read_bool(const cJSON *json, const char *name, bool *out, bool *is_there,
               sb_error *err) {
    const cJSON *item = field(json, name);
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
    const cJSON *item = field(json, name);
    *out = NULL;
    if (!item) return true;
    if (!cJSON_IsString(item)) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be a text", name);
        return false;
    }
    *out = item->valuestring;
    return true;
}
