/* SPDX-License-Identifier: MIT */
#include "bindings/reference/complete.h"

#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/script/protect.h"
#include "runtime/scene/param.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* --- a piece of Lua up to the cursor ---------------------------------------

   Read as far as completion needs it:

       sb.body("F3", { shape = sb.ba|   word "ba", separator '.', chain "sb"
       bar:strike { contact = "pu|      word "pu" in a string, field "contact" */

enum { READING_DEPTH = 64, READING_NAME = 96 };

typedef struct reading {
    const char *text;
    size_t word_start;
    char word[READING_NAME]; /* typed so far */
    bool is_string;          /* the cursor is inside quotes */
    bool is_comment;
    bool is_key;                /* a table key is possible here */
    char separator;             /* '.' or ':' before the word, or 0 */
    char chain[READING_NAME];   /* "a.b" before the separator */
    char call[READING_NAME];    /* function called before the cursor */
    bool is_method;             /* of `call` */
    char field[READING_NAME];   /* field = "...: in a string */
    size_t open[READING_DEPTH]; /* open brackets, outermost first */
    int depth;
} reading;

static bool reading_is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Going back from a place: all return the new place. */

static size_t skip_blanks(const char *text, size_t end) {
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    return end;
}

/* Copy the word that ends at `end`; returns its start. */
static size_t take_word(const char *text, size_t end, char out[READING_NAME]) {
    size_t start = end;
    while (start > 0 && reading_is_word(text[start - 1]))
        start--;
    (void)snprintf(out, READING_NAME, "%.*s", (int)(end - start), text + start);
    return start;
}

/* The name of the function called just before `end`. */
static void take_call(const char *text, size_t end, reading *out) {
    size_t start = take_word(text, skip_blanks(text, end), out->call);
    start = skip_blanks(text, start);
    out->is_method = start > 0 && text[start - 1] == ':';
}

/* Copy the dotted name ("a.b") that ends at `end`. */
static void take_chain(const char *text, size_t end, char out[READING_NAME]) {
    size_t start = end;
    while (start > 0 &&
           (reading_is_word(text[start - 1]) || text[start - 1] == '.'))
        start--;
    (void)snprintf(out, READING_NAME, "%.*s", (int)(end - start), text + start);
}

/* Position of the bracket that matches the one at end - 1; ignores strings. */
static size_t matching(const char *text, size_t end) {
    int depth = 0;
    while (end > 0) {
        char c = text[--end];
        if (strchr(")]}", c)) depth++;
        if (strchr("([{", c) && --depth == 0) break;
    }
    return end;
}

/* Position after the string that opens at `i`, or the end if it is not closed.
 */
static size_t pass_string(const char *text, size_t i, reading *out) {
    char quote = text[i];
    size_t start = ++i;
    while (text[i] && text[i] != quote && text[i] != '\n') {
        if (text[i] == '\\' && text[i + 1]) i++;
        i++;
    }
    if (text[i]) return i + 1;
    out->is_string = true;
    out->word_start = start;
    return i;
}

static void read_brackets(const char *text, reading *out) {
    size_t i = 0;
    while (text[i]) {
        char c = text[i];
        if (c == '"' || c == '\'') {
            i = pass_string(text, i, out);
            continue;
        }
        if (c == '-' && text[i + 1] == '-') {
            i += strcspn(text + i, "\n");
            out->is_comment = !text[i];
            continue;
        }
        if (strchr("([{", c) && out->depth < READING_DEPTH) {
            out->open[out->depth++] = i;
        } else if (strchr(")]}", c) && out->depth > 0) {
            out->depth--;
        }
        i++;
    }
}

static void read_string_place(const char *text, reading *out) {
    size_t end = skip_blanks(text, out->word_start - 1);
    if (end > 0 && text[end - 1] == '=') {
        (void)take_word(text, skip_blanks(text, end - 1), out->field);
        return;
    }
    if (end > 0 && text[end - 1] == '(') end = skip_blanks(text, end - 1);
    take_call(text, end, out);
}

static void read_word_place(const char *text, size_t end, reading *out) {
    out->word_start = take_word(text, end, out->word);
    size_t before = skip_blanks(text, out->word_start);
    char c = before > 0 ? text[before - 1] : '\0';
    bool is_concat = before > 1 && text[before - 2] == c;
    if ((c == '.' || c == ':') && !is_concat) {
        out->separator = c;
        before = skip_blanks(text, before - 1);
        if (before > 0 && strchr(")}", text[before - 1])) {
            size_t open = matching(text, before);
            take_call(text, open, out);
        } else {
            take_chain(text, before, out->chain);
        }
        return;
    }
    out->is_key = out->depth > 0 && text[out->open[out->depth - 1]] == '{' &&
                  (c == '{' || c == ',' || c == ';');
}

static void reading_read(const char *text, reading *out) {
    memset(out, 0, sizeof *out);
    out->text = text;
    read_brackets(text, out);
    if (out->is_string) {
        (void)snprintf(out->word, sizeof out->word, "%s",
                       text + out->word_start);
        read_string_place(text, out);
        return;
    }
    read_word_place(text, strlen(text), out);
}

/* The record whose fields are expected in the bracket at `depth` (1 is the
 * outermost), or NULL. */
static const bind_record *reading_record(const reading *at, int depth) {
    char name[READING_NAME];
    reading before;
    if (depth < 1) return NULL;
    const char *text = at->text;
    size_t open = at->open[depth - 1];
    size_t end = skip_blanks(text, open);
    char c = end > 0 ? text[end - 1] : '\0';
    if (text[open] == '{' && c == '=') { /* at = { */
        const bind_record *outer = reading_record(at, depth - 1);
        (void)take_word(text, skip_blanks(text, end - 1), name);
        const bind_field *field =
            outer ? api_find_field(outer->fields, name, strlen(name)) : NULL;
        return field && field->type ? api_find_record(field->type) : NULL;
    }
    if (c == '(' || c == ',' || c == '{') { /* one of several arguments */
        return reading_record(at, depth - 1);
    }
    take_call(text, end, &before);
    const bind_function *function =
        api_find_function(before.call, before.is_method);
    return function ? api_find_record(function->arguments) : NULL;
}

static const char *const keywords[] = {
    "and",      "break",  "do",   "else", "elseif", "end",   "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",   "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while", NULL};

typedef struct completing {
    sb_script *script;
    reading at;
    completions *out;
} completing;

/* --- the list ------------------------------------------------------------- */

/* Insert `word` in sorted order if it starts with the typed text; skip
 * duplicates. */
static void add(completing *self, const char *word) {
    completions *out = self->out;
    size_t typed = strlen(self->at.word);
    int i = out->count;
    if (strncmp(word, self->at.word, typed) != 0 ||
        strlen(word) >= COMPLETION_SIZE || i == MOST_COMPLETIONS) {
        return;
    }
    for (int k = 0; k < out->count; k++)
        if (strcmp(out->words[k], word) == 0) return;
    for (; i > 0 && strcmp(word, out->words[i - 1]) < 0; i--)
        memcpy(out->words[i], out->words[i - 1], COMPLETION_SIZE);
    (void)snprintf(out->words[i], COMPLETION_SIZE, "%s", word);
    out->count++;
}

static void add_fields(completing *self, const bind_field *fields) {
    for (; fields && fields->name; fields++)
        add(self, fields->name);
}

static void add_functions(completing *self, const bind_function *functions) {
    for (; functions && functions->name; functions++)
        add(self, functions->name);
}

static bool is_identifier(const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (!reading_is_word(text[i])) return false;
    return length > 0 && !isdigit((unsigned char)text[0]);
}

static void add_bodies(completing *self, bool only_identifiers) {
    const sb_scene *scene = script_scene(self->script);
    for (int i = 0; scene && i < sb_scene_body_count(scene); i++) {
        const char *name =
            sb_scene_body_name(scene, sb_scene_body_at(scene, i));
        if (!only_identifiers || is_identifier(name)) add(self, name);
    }
}

static void add_params(completing *self) {
    const sb_params *params = script_params(self->script);
    for (int i = 0; i < params->count; i++)
        if (is_identifier(params->items[i].name))
            add(self, params->items[i].name);
}

static void add_materials(completing *self) {
    for (int i = 0; i < sb_material_count(); i++)
        add(self, sb_material_name(i));
}

/* Add the string keys of the table on top; does not pop it. */
static void add_keys(lua_State *L, completing *self, bool only_functions) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        bool is_wanted = !only_functions || lua_isfunction(L, -1);
        lua_pop(L, 1);
        if (!is_wanted || lua_type(L, -1) != LUA_TSTRING) continue;
        if (is_identifier(lua_tostring(L, -1))) add(self, lua_tostring(L, -1));
    }
}

/* --- what stands before the dot or colon ---------------------------------- */

/* Push the value of a global name at the prompt. */
static void push_named(lua_State *L, const char *name, size_t length) {
    script_push_environment(L);
    (void)lua_pushlstring(L, name, length);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        char body[COMPLETION_SIZE];
        (void)snprintf(body, sizeof body, "%.*s", (int)length, name);
        const sb_scene *scene = script_scene(script_of(L));
        lua_pop(L, 1);
        if (strcmp(body, "sb") == 0) {
            script_push_module(L);
        } else if (scene && sb_scene_find(scene, body).generation) {
            body_push_named(L, body);
        } else {
            lua_pushnil(L);
        }
    }
    lua_remove(L, -2);
}

/* Push the value of "a.b.c". */
static void push_chain(lua_State *L, const char *chain) {
    size_t length = strcspn(chain, ".");
    push_named(L, chain, length);
    while (chain[length] && lua_istable(L, -1)) {
        chain += length + 1;
        length = strcspn(chain, ".");
        (void)lua_pushlstring(L, chain, length);
        (void)lua_rawget(L, -2);
        lua_remove(L, -2);
    }
}

static void add_type(completing *self, const bind_type *type) {
    if (!type) return;
    if (self->at.separator == ':') {
        add_functions(self, type->methods);
    } else {
        add_fields(self, type->properties);
    }
}

/* The type named in "sandbell.Body?", or NULL. */
static const bind_type *type_named(const char *name) {
    for (const api_chapter *const *at = api_chapters; *at; at++)
        if ((*at)->type && strstr(name, (*at)->type->name)) return (*at)->type;
    return NULL;
}

static void add_members(lua_State *L, completing *self) {
    if (*self->at.call) { /* sb.find("F3"): */
        const bind_function *function =
            api_find_function(self->at.call, self->at.is_method);
        if (function) add_type(self, type_named(function->returns));
        return;
    }
    push_chain(L, self->at.chain);
    if (lua_istable(L, -1)) {
        add_keys(L, self, self->at.separator == ':');
    } else if (luaL_testudata(L, -1, PARAMS_TYPE)) {
        add_params(self);
    } else if (lua_isuserdata(L, -1) &&
               luaL_getmetafield(L, -1, "__name") == LUA_TSTRING) {
        add_type(self, api_find_type(lua_tostring(L, -1)));
    }
}

/* --- the rest ------------------------------------------------------------- */

static void add_in_string(completing *self) {
    const reading *at = &self->at;
    const bind_record *record = reading_record(at, at->depth);
    const bind_field *field =
        record && *at->field
            ? api_find_field(record->fields, at->field, strlen(at->field))
            : NULL;
    bool is_material =
        strcmp(at->call, "material") == 0 ||
        (field && field->type && strstr(field->type, "sandbell.Material"));
    if (field && field->choices) {
        for (int i = 0; field->choices[i]; i++)
            add(self, field->choices[i]);
    } else if (is_material) {
        add_materials(self);
    } else {
        add_bodies(self, false);
    }
}

static void add_plain(lua_State *L, completing *self) {
    const bind_record *record =
        self->at.is_key ? reading_record(&self->at, self->at.depth) : NULL;
    if (record) {
        add_fields(self, record->fields);
        return;
    }
    for (int i = 0; keywords[i]; i++)
        add(self, keywords[i]);
    add(self, "sb");
    add_bodies(self, true);
    add_params(self);
    script_push_environment(L);
    add_keys(L, self, false);
}

static int run(lua_State *L) {
    completing *self = lua_touserdata(L, 1);
    if (self->at.is_comment) return 0;
    if (self->at.is_string) {
        add_in_string(self);
    } else if (self->at.separator) {
        add_members(L, self);
    } else {
        add_plain(L, self);
    }
    return 0;
}

void complete(sb_script *script, const char *text, completions *out) {
    completing self = {.script = script, .out = out};
    reading_read(text, &self.at);
    out->start = self.at.word_start;
    out->count = 0;
    if (script_protect(script, GUARD_CALL, run, &self, NULL)) out->count = 0;
}

size_t completions_common(const completions *found) {
    size_t length = found->count ? strlen(found->words[0]) : 0;
    for (int i = 1; i < found->count; i++) {
        size_t same = 0;
        while (same < length && found->words[i][same] == found->words[0][same])
            same++;
        length = same;
    }
    return length;
}
