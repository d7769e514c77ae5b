/* SPDX-License-Identifier: MIT */
/* Values of a struct checked by their rows. Thread: any. */
#include "runtime/base/field.h"

#include "runtime/base/vec3.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const sb_field *sb_field_find(const sb_field *fields, const char *name) {
    for (; fields && fields->name; fields++)
        if (strcmp(fields->name, name) == 0) return fields;
    return NULL;
}

double sb_field_least(const sb_field *field) {
    return field->zero && field->min > 0 ? 0 : field->min;
}

double sb_field_value(const sb_field *field, const void *def) {
    return *(const double *)(const void *)((const char *)def + field->offset);
}

double *sb_field_slot(const sb_field *field, void *def) {
    return (double *)(void *)((char *)def + field->offset);
}

bool sb_field_allows(const sb_field *field, double value) {
    if (field->kind == SB_FIELD_COUNT && value != floor(value)) return false;
    return (value >= field->min && value <= field->max) ||
           (value == 0 && field->zero);
}

const char *sb_field_refusal(const sb_field *field, const char *got,
                             char out[SB_FIELD_SENTENCE]) {
    if (field->min <= -DBL_MAX && field->max >= DBL_MAX) {
        (void)snprintf(out, SB_FIELD_SENTENCE,
                       "%s must be a finite number, got %s", field->name, got);
        return out;
    }
    (void)snprintf(out, SB_FIELD_SENTENCE,
                   "%s must be %s%s%sa %snumber from %g to %g%s%s, got %s",
                   field->name, field->zero ? "0 (" : "",
                   field->zero ? field->zero : "", field->zero ? ") or " : "",
                   field->kind == SB_FIELD_COUNT ? "whole " : "", field->min,
                   field->max, *field->unit ? " " : "", field->unit, got);
    return out;
}

sb_status sb_field_check_number(const sb_field *field, double value,
                                const char *what, sb_error *err) {
    if (sb_field_allows(field, value)) return SB_OK;
    char got[32], text[SB_FIELD_SENTENCE];
    (void)snprintf(got, sizeof got, "%.14g", value);
    return sb_fail(err, SB_BAD_ARGUMENT, "%s%s%s", what, *what ? ": " : "",
                   sb_field_refusal(field, got, text));
}

static sb_status check_vec3(const sb_field *field, sb_vec3 v, const char *what,
                            sb_error *err) {
    const double part[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        char name[64];
        sb_field row = *field;
        row.name = name;
        (void)snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
        sb_status status = sb_field_check_number(&row, part[i], what, err);
        if (status) return status;
    }
    return SB_OK;
}

static sb_status check_choice(const sb_field *field, int value,
                              const char *what, sb_error *err) {
    int count = 0;
    while (field->choices[count]) {
        if ((field->values ? field->values[count] : count) == value)
            return SB_OK;
        count++;
    }
    return sb_fail(err, SB_BAD_ARGUMENT, "%s%s%s is %d: no such choice", what,
                   *what ? ": " : "", field->name, value);
}

sb_status sb_field_check(const sb_field *field, const void *def,
                         const char *what, sb_error *err) {
    const void *at = (const char *)def + field->offset;
    double value = 0.0;
    switch (field->kind) {
    case SB_FIELD_NUMBER:
        value = *(const double *)at;
        break;
    case SB_FIELD_COUNT:
        value = *(const int *)at;
        break;
    case SB_FIELD_VEC3:
        return check_vec3(field, *(const sb_vec3 *)at, what, err);
    case SB_FIELD_CHOICE:
        return check_choice(field, *(const int *)at, what, err);
    case SB_FIELD_BOOL:
    case SB_FIELD_OTHER:
        return SB_OK;
    }
    return sb_field_check_number(field, value, what, err);
}

sb_status sb_fields_check(const sb_field *fields, bool is_given_only,
                          const void *def, const char *what, sb_error *err) {
    for (; fields->name; fields++) {
        if (is_given_only && fields->kind == SB_FIELD_NUMBER &&
            sb_field_value(fields, def) == fields->ungiven)
            continue;
        sb_status status = sb_field_check(fields, def, what, err);
        if (status) return status;
    }
    return SB_OK;
}
