/* SPDX-License-Identifier: MIT */
#include "bindings/reference/reference.h"

#include "bindings/api/api.h"

#include <float.h>
#include <string.h>

static void put(FILE *out, const char *text) {
    (void)fputs(text, out);
}

/* "sandbell.Body" to "Body". */
static const char *short_name(const char *name) {
    const char *dot = strchr(name, '.');
    return dot ? dot + 1 : name;
}

/* Length of the first argument in "name: type, name: type"; commas inside
 * brackets do not separate. */
static size_t argument_length(const char *arguments) {
    int depth = 0;
    size_t n = 0;
    for (; arguments[n]; n++) {
        if (strchr("([{", arguments[n])) depth++;
        if (strchr(")]}", arguments[n])) depth--;
        if (depth == 0 && arguments[n] == ',') break;
    }
    return n;
}

static const char *next_argument(const char *arguments) {
    const char *end = arguments + argument_length(arguments);
    return *end ? end + 2 : end; /* past ", " */
}

/* Print the type of a field in the syntax of a stub. */
static void put_type(FILE *out, const bind_field *field) {
    switch (field->kind) {
    case SB_FIELD_NUMBER:
    case SB_FIELD_COUNT:
        put(out, "number");
        break;
    case SB_FIELD_VEC3:
        put(out, "sandbell.Vec3");
        break;
    case SB_FIELD_CHOICE:
        for (int i = 0; field->choices[i]; i++)
            (void)fprintf(out, "%s\"%s\"", i ? "|" : "", field->choices[i]);
        break;
    case SB_FIELD_BOOL:
    case SB_FIELD_OTHER:
        put(out, field->type);
        break;
    }
}

static int has_range(const bind_field *field) {
    return field->kind != SB_FIELD_CHOICE && field->kind != SB_FIELD_OTHER &&
           field->kind != SB_FIELD_BOOL && field->max < DBL_MAX;
}

/* Print "0.001 .. 100 m", only the unit, or nothing. */
static int put_range(FILE *out, const bind_field *field) {
    if (has_range(field)) {
        (void)fprintf(out, "%g .. %g", sb_field_least(field), field->max);
        if (*field->unit) put(out, " ");
    }
    put(out, field->unit);
    return has_range(field) || *field->unit;
}

/* --- stubs ---------------------------------------------------------------- */

/* `is_option`: the field may be omitted. */
static void stub_field(FILE *out, const bind_field *field, int is_option) {
    (void)fprintf(out, "---@field %s%s ", field->name,
                  is_option && !field->is_needed ? "?" : "");
    put_type(out, field);
    put(out, " ");
    if (put_range(out, field)) put(out, "; ");
    (void)fprintf(out, "%s\n", field->help);
}

static int is_given_by_script(const char *name) {
    size_t length = strlen(name);
    return (length > 3 && strcmp(name + length - 3, "Def") == 0) ||
           strcmp(name, "sandbell.At") == 0;
}

static void stub_record(FILE *out, const bind_record *record) {
    int is_option = is_given_by_script(record->name);
    (void)fprintf(out, "---%s\n---@class %s%s\n", record->help,
                  is_option ? "(exact) " : "", record->name);
    for (const bind_field *f = record->fields; f->name; f++)
        stub_field(out, f, is_option);
    put(out, "\n");
}

static void stub_function(FILE *out, const char *owner, char separator,
                          const bind_function *function) {
    (void)fprintf(out, "---%s\n", function->help);
    const char *a;
    for (a = function->arguments; *a; a = next_argument(a)) {
        int length = (int)argument_length(a);
        int name = (int)strcspn(a, ":");
        (void)fprintf(out, "---@param %.*s%.*s\n", name, a, length - name - 1,
                      a + name + 1);
    }
    if (*function->returns)
        (void)fprintf(out, "---@return %s\n", function->returns);
    (void)fprintf(out, "function %s%c%s(", owner, separator, function->name);
    for (a = function->arguments; *a; a = next_argument(a)) {
        (void)fprintf(out, "%s%.*s", a == function->arguments ? "" : ", ",
                      (int)strcspn(a, "?:"), a);
    }
    put(out, ") end\n\n");
}

static void stub_type(FILE *out, const bind_type *type) {
    (void)fprintf(out, "---%s\n---@class %s\n", type->help, type->name);
    for (const bind_field *f = type->properties; f && f->name; f++)
        stub_field(out, f, 0);
    if (type->call) (void)fprintf(out, "---@overload fun(): %s\n", type->call);
    (void)fprintf(out, "local %s = {}\n\n", short_name(type->name));
    for (const bind_function *f = type->methods; f && f->name; f++)
        stub_function(out, short_name(type->name), ':', f);
}

static void stub_scene(FILE *out) {
    put(out, "---What the scene does when; all of them may be left out.\n"
             "---@class sandbell.Scene\n");
    for (const bind_field *f = scene_callbacks; f->name; f++)
        stub_field(out, f, 1);
    put(out,
        "scene = {}\n\n"
        "---Survives when the scene is loaded again; emptied by a reset.\n"
        "---@type table\n"
        "state = {}\n\n"
        "---What was measured of the thing; for sandbell truth.\n"
        "---@class (exact) sandbell.Truth\n"
        "---@field object string what was measured\n"
        "---@field source string who measured it, and where that is written\n"
        "---@field measured number[] frequencies, or values as unit says\n"
        "---@field bound number|number[] %, or dB: greatest error, of all or of each value\n"
        "---@field unit? string default Hz; of levels dB\n"
        "---@field ratio? boolean all values are relative to the first\n"
        "---@field rms? boolean the bound is that of the root mean square of all errors\n"
        "---@field names? string[] of the values\n"
        "---@field body? string its name, if the scene has several\n"
        "---@field modes? string|string[] beginning of the labels of the modes that were measured, or one for each value\n"
        "---@field computed? fun(peak: number): number|number[] values that are not frequencies of modes\n"
        "---@field run? number s; of the scene before they are computed\n"
        "---@field miss? string believed cause where it is known that the bound does not hold\n"
        "---@type sandbell.Truth?\n"
        "truth = nil\n\n");
}

void api_print_stubs(FILE *out) {
    put(out, "---@meta sandbell\n"
             "-- The Lua API of Sandbell, for editors. Made by\n"
             "--     sandbell help --api-stubs\n"
             "-- from the tables that scripts are read with: change those.\n"
             "-- Units are SI; a range holds both of its ends.\n"
             "-- luacheck: ignore\n\n"
             "---Three numbers { x, y, z }; y is up.\n"
             "---@alias sandbell.Vec3 number[]\n\n");
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        for (const bind_record *r = (*at)->records; r && r->name; r++)
            stub_record(out, r);
    }
    for (const api_chapter *const *at = api_chapters; *at; at++)
        if ((*at)->type) stub_type(out, (*at)->type);
    stub_scene(out);
    put(out, "---@class sandbell\n");
    for (const bind_field *f = module_fields; f->name; f++)
        stub_field(out, f, 0);
    put(out, "local sb = {}\n\n");
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        for (const bind_function *f = (*at)->functions; f && f->name; f++)
            stub_function(out, "sb", '.', f);
    }
    put(out, "return sb\n");
}

/* --- Markdown ------------------------------------------------------------- */

/* Print a table cell: escapes |, and removes the prefix "sandbell.". */
static void put_cell(FILE *out, const char *text) {
    while (*text) {
        if (strncmp(text, "sandbell.", 9) == 0) {
            text += 9;
            continue;
        }
        if (*text == '|') put(out, "\\");
        (void)fputc(*text++, out);
    }
}

static void markdown_function(FILE *out, const char *owner, char separator,
                              const bind_function *function) {
    (void)fprintf(out, "| `%s%c%s(", owner, separator, function->name);
    for (const char *a = function->arguments; *a; a = next_argument(a)) {
        int length = (int)strcspn(a, ":"); /* with its question mark */
        (void)fprintf(out, "%s%.*s", a == function->arguments ? "" : ", ",
                      length, a);
    }
    put(out, ")` | ");
    put_cell(out, function->returns);
    (void)fprintf(out, " | ");
    put_cell(out, function->help);
    put(out, " |\n");
}

static void markdown_field(FILE *out, const bind_field *field) {
    (void)fprintf(out, "| `%s`%s | ", field->name,
                  field->is_needed ? " (needed)" : "");
    if (field->kind == SB_FIELD_CHOICE) {
        for (int i = 0; field->choices[i]; i++)
            (void)fprintf(out, "%s`%s`", i ? ", " : "", field->choices[i]);
    } else if (field->kind == SB_FIELD_OTHER || field->kind == SB_FIELD_BOOL) {
        put_cell(out, field->type);
        if (*field->unit) (void)fprintf(out, ", %s", field->unit);
    } else {
        if (field->kind == SB_FIELD_VEC3) put(out, "{ x, y, z } ");
        if (!put_range(out, field)) put(out, "number");
    }
    put(out, " | ");
    put_cell(out, field->help);
    put(out, " |\n");
}

static void markdown_fields(FILE *out, const char *name, const char *help,
                            const bind_field *fields) {
    (void)fprintf(out, "\n**%s**: %s\n", name, help);
    if (!fields->name) return; /* nothing to list */
    (void)fprintf(out, "\n| field | value | |\n|---|---|---|\n");
    for (const bind_field *f = fields; f->name; f++)
        markdown_field(out, f);
}

/* "Body" to "body", a variable name for a value of the type. */
static void variable_name(const char *type, char *out, size_t size) {
    (void)snprintf(out, size, "%s", short_name(type));
    if (out[0] >= 'A' && out[0] <= 'Z') out[0] = (char)(out[0] - 'A' + 'a');
}

static void markdown_properties(FILE *out, const char *owner,
                                const bind_field *properties) {
    for (const bind_field *f = properties; f && f->name; f++) {
        (void)fprintf(out, "| `%s.%s` | %s | ", owner, f->name,
                      f->kind == SB_FIELD_OTHER ? f->type : "number");
        (void)fprintf(out, "%s%s%s |\n", f->unit, *f->unit ? "; " : "",
                      f->help);
    }
}

static void markdown_chapter(FILE *out, const api_chapter *chapter) {
    char owner[32] = "";
    (void)fprintf(out, "\n### %s\n\n| call | gives | |\n|---|---|---|\n",
                  chapter->title);
    for (const bind_function *f = chapter->functions; f && f->name; f++)
        markdown_function(out, "sb", '.', f);
    if (chapter->type) {
        variable_name(chapter->type->name, owner, sizeof owner);
        for (const bind_function *f = chapter->type->methods; f && f->name; f++)
            markdown_function(out, owner, ':', f);
        if (chapter->type->call) {
            (void)fprintf(out, "| `%s()` | %s | %s |\n", owner,
                          chapter->type->call, chapter->type->help);
        }
        markdown_properties(out, owner, chapter->type->properties);
    }
    for (const bind_record *r = chapter->records; r && r->name; r++)
        markdown_fields(out, short_name(r->name), r->help, r->fields);
}

void api_print_markdown(FILE *out) {
    put(out, API_MARK_BEGIN "\n");
    for (const api_chapter *const *at = api_chapters; *at; at++)
        markdown_chapter(out, *at);
    markdown_fields(out, "scene",
                    "what a script may define; `state` survives a reload.",
                    scene_callbacks);
    put(out, "\n" API_MARK_END "\n");
}
