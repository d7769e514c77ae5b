/* SPDX-License-Identifier: MIT */
/* bindings/bind.h -- shared by all files of the Lua API.
 *
 * Two kinds of failure, distinguished everywhere in the API:
 *   - a mistake in the script (wrong type, out of range, misspelt field, use
 *     after removal) raises a Lua error at the line of the script; it names the
 *     function, the field, the range and the nearest known name;
 *   - a run-time failure (missing file, no device, out of memory) returns
 *     nil, message, code, as io.open does, so a script can continue.
 *
 * A Lua error is a longjmp: no cleanup below the call runs. Hence the order in
 * every function: check all arguments, then create the userdata, then acquire
 * resources.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include "runtime/base/field.h"
#include "runtime/base/status.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* One row per field that a table may hold. The rows are its only description:
 * tables are read with them, and the editor file, the prompt's completion and
 * the README are generated from them (bindings/api/api.h). */
typedef sb_field bind_field;

#define FIELD(field, at, low, high, in, text) \
    SB_FIELD_ROW(field, at, low, high, 0, 0, NULL, in, text)
#define FIELD_NEEDED(field, at, low, high, in, text)                    \
    {                                                                   \
        .name = field, .kind = SB_FIELD_NUMBER, .is_needed = true,      \
        .offset = at, .min = low, .max = high, .unit = in, .help = text \
    }
#define FIELD_VEC3   SB_FIELD_XYZ
#define FIELD_CHOICE SB_FIELD_ONE_OF
#define FIELD_BOOL   SB_FIELD_TRUE_OR_FALSE
#define FIELD_OTHER  SB_FIELD_READ_BY_CALLER
#define FIELD_END    SB_FIELDS_END

/* One row per function: registered and documented from this row. */
typedef struct bind_function {
    const char *name; /* NULL ends the list */
    lua_CFunction function;
    const char *arguments; /* "name: string, gain?: number" */
    const char *returns;   /* "sandbell.Body", or "" */
    const char *help;      /* one line */
} bind_function;

/* A kind of userdata. */
typedef struct bind_type {
    const char *name; /* "sandbell.Body" */
    const char *help;
    const bind_function *methods; /* or NULL */
    const luaL_Reg *meta;         /* or NULL; __index hides the methods */
    const bind_field *properties; /* readable fields, or NULL */
    const char *call;             /* result of calling it, or NULL */
    const char *word;             /* what tostring says, or NULL: as in meta */
    bool has_name; /* ... and 'name', which begins the userdata */
} bind_type;

/* Never returns. The type is int so that a caller can return the result; the
 * attribute declares this to clang-tidy. */
#ifdef __clang_analyzer__
#define BIND_RAISES __attribute__((analyzer_noreturn))
#else
#define BIND_RAISES
#endif

/* Raises like luaL_error, but names the nearest line of the script, even if the
 * call came through pcall or was a tail call. */
int bind_error(lua_State *L, const char *format, ...) BIND_RAISES;

/* Write that line as "file:12: ", or an empty text. Pushes nothing. */
void bind_line(lua_State *L, char *out, size_t size);

/* Push field `name` of the table at `index` with raw access, and return its
 * type. No metamethod of a script runs while arguments are read. */
int bind_get(lua_State *L, int index, const char *name);

/* Whether the table at `index` has field `name`. */
bool bind_has(lua_State *L, int index, const char *name);

/* The length of the table at `index` if it is a list of at most `most` items:
 * keys 1 .. n, no holes, no other keys. Otherwise -1. */
int bind_list_length(lua_State *L, int index, int most);

/* Raise an error if the table at `arg` lacks a required field. */
void bind_need(lua_State *L, int arg, const char *where,
               const bind_field *fields);

/* Set field `name` of the table on top. */
void bind_set_number(lua_State *L, const char *name, double value);

/* Add the functions to the table on top. */
void bind_add_functions(lua_State *L, const bind_function *functions);

/* "; did you mean 'strike'?" for the end of a message, which is raised next, or
 * "" if `near` is NULL. */
const char *bind_hint(lua_State *L, const char *near);
/* The hint of the error that was raised with this message. */
void bind_find_hint(lua_State *L, sb_error *err);

/* Make the table on top raise an error for a name it does not have, with the
 * nearest one: "<what> has no 'strik'; did you mean 'strike'?" */
void bind_refuse_unknown(lua_State *L, const char *what);

/* Create the type's metatable, locked against scripts. */
void bind_new_type(lua_State *L, const bind_type *type);

/* The userdata at `arg`, or an error naming what was expected. `method` is
 * as a script would write it: "body:strike". */
void *bind_check_self(lua_State *L, int arg, const char *type_name,
                      const char *method);

/* Overwrite the fields of `def` that the table at `arg` names. An unknown
 * field is an error that gives the nearest known one and lists them all. */
void bind_read_fields(lua_State *L, int arg, const char *where,
                      const bind_field *fields, void *def);

/* Raise an error for a field `name` that is not one of `fields`. */
void bind_unknown_field(lua_State *L, const char *where,
                        const bind_field *fields, const char *name);

/* The table at `arg`, or an error; `where` is the function's name. */
void bind_check_table(lua_State *L, int arg, const char *where);

/* The number at stack index `index`, finite and in range, or an error:
 * "<where>: <what> must be a number from 0 to 1 m, got 'x'". */
double bind_check_number(lua_State *L, int index, const char *where,
                         const char *what, double min, double max,
                         const char *unit);

/* The same for the number of a row. */
double bind_check_row(lua_State *L, int index, const char *where,
                      const sb_field *row);

/* Read the list of `count` numbers on top of the stack, each by its row, or
 * raise: "<where>: <what> must be <words>, got 3". */
void bind_read_tuple(lua_State *L, const char *where, const char *what,
                     const char *words, int count, const sb_field *rows,
                     double *out);

/* The string at `arg`: not a number, no zero bytes inside. */
const char *bind_check_text(lua_State *L, int arg, const char *where,
                            const char *what);

/* The name at `arg` of something that is made: text of valid UTF-8 without
 * control characters, because it is shown on terminals and written to JSON. */
const char *bind_check_name(lua_State *L, int arg, const char *where);

/* The function at `arg`. */
void bind_check_function(lua_State *L, int arg, const char *where);

/* A short text of any value for messages, pushed: 12, 'abc', nil, a table. */
const char *bind_show(lua_State *L, int index);

/* "<where>: " and the sentence of `err`, raised at the script's line. */
int bind_raise(lua_State *L, const char *where, const sb_error *err);

/* A mistake of the script raises; a run-time failure pushes nil, message, code.
 */
int bind_fail(lua_State *L, const char *where, const sb_error *err);

/* The end of a method: bind_fail, or what is at index 1 is the result. */
int bind_done(lua_State *L, const char *where, sb_status status,
              const sb_error *err);
