/* SPDX-License-Identifier: MIT */
/* runtime/base/field.h -- the fields of a struct, described as data.
 *
 * A list of rows beside a struct describes which of its fields may be set, and
 * where each value is stored. Lua, the page's messages, the command line and
 * the library read and check the struct by these rows; the editor stubs, the
 * API reference and the sliders of the page get names, ranges and units from
 * them.
 *
 * Thread: any. Memory: rows are constant.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_field_kind {
    SB_FIELD_NUMBER, /* double */
    SB_FIELD_COUNT,  /* int */
    SB_FIELD_VEC3,   /* sb_vec3 */
    SB_FIELD_CHOICE, /* int or enum: one of `choices` */
    SB_FIELD_BOOL,   /* bool */
    SB_FIELD_OTHER   /* read by the caller; only the name is listed here */
} sb_field_kind;

typedef struct sb_field {
    const char *name; /* NULL ends the list */
    sb_field_kind kind;
    bool is_needed;
    size_t offset;    /* in the struct that the list describes */
    double min, max;  /* inclusive; every number must also be finite */
    double usual[2];  /* what a slider spans; both 0: min .. max */
    const char *zero; /* what a 0 outside min .. max means, or NULL: refused */
    double ungiven;   /* in the struct: nobody gave it */
    const char *unit; /* "m", or "" */
    const char *const *choices; /* ends with NULL */
    const int *values;          /* one per choice; NULL: the choice's index */
    const char *type;           /* of an OTHER field, as in stubs: "string" */
    const char *help;           /* one line */
} sb_field;

/* A value by name: --set name=value. */
typedef struct sb_setting {
    const char *name;
    double value;
} sb_setting;

/* Rows for lists and for macros of rows. */
#define SB_FIELD_ROW(called, at, least, most, low, high, none, in, text)     \
    {                                                                        \
        .name = (called), .kind = SB_FIELD_NUMBER, .offset = (at),           \
        .min = (least), .max = (most), .usual = {low, high}, .zero = (none), \
        .unit = (in), .help = (text)                                         \
    }
/* ... whose struct has -1 unless it is given. */
#define SB_FIELD_OR_LESS(called, at, most, in, text)               \
    {                                                              \
        .name = (called), .kind = SB_FIELD_NUMBER, .offset = (at), \
        .max = (most), .ungiven = -1, .unit = (in), .help = (text) \
    }
#define SB_FIELD_WHOLE(called, at, least, most, low, high, text)         \
    {                                                                    \
        .name = (called), .kind = SB_FIELD_COUNT, .offset = (at),        \
        .min = (least), .max = (most), .usual = {low, high}, .unit = "", \
        .help = (text)                                                   \
    }
#define SB_FIELD_XYZ(called, at, most, in, text)                    \
    {                                                               \
        .name = (called), .kind = SB_FIELD_VEC3, .offset = (at),    \
        .min = -(most), .max = (most), .unit = (in), .help = (text) \
    }
#define SB_FIELD_ONE_OF(called, at, list, text)                                \
    {                                                                          \
        .name = (called), .kind = SB_FIELD_CHOICE, .offset = (at), .unit = "", \
        .choices = (list), .help = (text)                                      \
    }
#define SB_FIELD_TRUE_OR_FALSE(called, at, text)                             \
    {                                                                        \
        .name = (called), .kind = SB_FIELD_BOOL, .offset = (at), .unit = "", \
        .type = "boolean", .help = (text)                                    \
    }
#define SB_FIELD_READ_BY_CALLER(called, of, in, text)                         \
    {                                                                         \
        .name = (called), .kind = SB_FIELD_OTHER, .unit = (in), .type = (of), \
        .help = (text)                                                        \
    }
#define SB_FIELDS_END \
    { .name = NULL }

/* Largest coordinate that anybody may give, m. */
#define SB_FARTHEST_M 1e6

/* The row of `fields` called `name`, or NULL. */
const sb_field *sb_field_find(const sb_field *fields, const char *name);

/* The least number that a script may give: 0 if that has a meaning, else min. */
double sb_field_least(const sb_field *field);

/* The number that a NUMBER row describes, and where it is. */
double sb_field_value(const sb_field *field, const void *def);
double *sb_field_slot(const sb_field *field, void *def);

/* Whether the row allows the number; a NaN is refused, and a COUNT is whole. */
bool sb_field_allows(const sb_field *field, double value);

/* Why it does not: "density must be a number from 1 to 100000 kg/m^3, got 0".
 * Every reader of a row says it so. Returns `out`. */
enum { SB_FIELD_SENTENCE = 400 };
const char *sb_field_refusal(const sb_field *field, const char *got,
                             char out[SB_FIELD_SENTENCE]);

/* BAD_ARGUMENT with that sentence, "body 'x': gain must be ...". */
SB_NODISCARD sb_status sb_field_check_number(const sb_field *field,
                                             double value, const char *what,
                                             sb_error *err);

/* The same if the row does not allow what `def` has:
 * "material: density must be ..."; `what` may be "". An OTHER is not looked at.
 */
SB_NODISCARD sb_status sb_field_check(const sb_field *field, const void *def,
                                      const char *what, sb_error *err);

/* All rows of the list; with `is_given_only` without the numbers that were not
 * given. */
SB_NODISCARD sb_status sb_fields_check(const sb_field *fields,
                                       bool is_given_only, const void *def,
                                       const char *what, sb_error *err);
