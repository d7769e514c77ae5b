/* runtime/base/field.h -- fields of a struct as data.
 *
 * A list of rows describes what a script may write into a table and where in a
 * struct each value goes. Checks, the Lua bindings, the stubs for editors and
 * the API reference all read the same rows.
 *
 * Thread: any. Memory: rows are constant.
 */
#ifndef SB_BASE_FIELD_H
#define SB_BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_field_kind {
    SB_FIELD_NUMBER, /* double */
    SB_FIELD_COUNT,  /* int; a fraction is cut off */
    SB_FIELD_VEC3,   /* sb_vec3 */
    SB_FIELD_CHOICE, /* int or enum: one of `choices` */
    SB_FIELD_OTHER   /* the caller reads it; only its name is listed here */
} sb_field_kind;

typedef struct sb_field {
    const char *name; /* NULL ends the list */
    sb_field_kind kind;
    bool is_needed;
    size_t offset;    /* in the struct that the list describes */
    double min, max;  /* inclusive; every number must also be finite */
    const char *unit; /* "m", or "" */
    const char *const *choices; /* NULL-ended */
    const int *values;          /* one per choice; NULL: its index */
    const char *type;           /* of OTHER, as a stub writes it: "string" */
    const char *help;           /* one line */
} sb_field;

#endif
