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

#endif
