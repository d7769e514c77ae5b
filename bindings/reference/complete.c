/* Finds the words that could follow at the cursor of the prompt, from the
 * chapters of the API and the values of the running scene.
 * Thread: control. */
#include "bindings/reference/complete.h"

#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/reference/reading.h"
#include "bindings/script/protect.h"
#include "runtime/scene/param.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
    for (int k = 0; k < out->count; k++) {
        if (strcmp(out->words[k], word) == 0) return;
    }
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
    for (; functions->name; functions++)
        add(self, functions->name);
}

static bool is_identifier(const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if (!reading_is_word(text[i])) return false;
    }
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
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        if ((*at)->type && strstr(name, (*at)->type->name)) return (*at)->type;
    }
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
