/* runtime/base/field.h -- the fields of a struct, described as data.
 *
 * A list of rows describes which fields a script may set in a table and where
 * in a struct each value is stored. Argument checks, the Lua bindings, the
 * editor stubs and the API reference all read the same rows.
 *
 * Thread: any. Memory: rows are constant.
 */
#ifndef SB_BASE_FIELD_H
#define SB_BASE_FIELD_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_field_kind {
    SB_FIELD_NUMBER, /* double */
    SB_FIELD_COUNT,  /* int; fractions are truncated */
    SB_FIELD_VEC3,   /* sb_vec3 */
    SB_FIELD_CHOICE, /* int or enum: one of `choices` */
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

/* A NUMBER with all that a .def file gives. */
#define SB_FIELD_ROW(called, at, least, most, low, high, none, in, text)     \
    {                                                                        \
        .name = (called), .kind = SB_FIELD_NUMBER, .offset = (at),           \
        .min = (least), .max = (most), .usual = {low, high}, .zero = (none), \
        .unit = (in), .help = (text)                                         \
    }

/* What readers ask for first: 0 if that has a meaning, else min. */
double sb_field_least(const sb_field *field);

/* The number that a NUMBER row describes, and where it is. */
double sb_field_value(const sb_field *field, const void *def);
double *sb_field_slot(const sb_field *field, void *def);

/* Whether the row allows the number; a NaN is refused. */
bool sb_field_allows(const sb_field *field, double value);

/* BAD_ARGUMENT if it does not allow the number of `def`:
 * "material: density must be 1 to 100000 kg/m^3, got 0". */
SB_NODISCARD sb_status sb_field_check(const sb_field *field, const void *def,
                                      const char *what, sb_error *err);

#endif
