/* SPDX-License-Identifier: MIT */
/* Reads and checks the arguments of Lua functions: fields by their rows,
 * ranges, suggestions for misspelt names; registers functions and types.
 * Thread: the one that runs the script. */
#include "bindings/bind.h"

#include "runtime/base/memory.h"
#include "runtime/base/nearest.h"
#include "runtime/base/utf8.h"
#include "runtime/base/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A call that made this much outside Lua is worth a step of the collector. */
enum { LARGE_BYTES = 1 << 14 };

/* Lua sees a surface or a mesh as a handle of some bytes, and would collect
 * ten thousand of them too late. What a call has made counts as if it were
 * made in Lua: the collector keeps pace with it. */
static int call_function(lua_State *L) {
    const bind_function *row = lua_touserdata(L, lua_upvalueindex(1));
    int64_t before = sb_memory_own_bytes();
    int result_count = row->function(L);
    int64_t made = sb_memory_own_bytes() - before;
    if (made >= LARGE_BYTES) (void)lua_gc(L, LUA_GCSTEP, (int)(made >> 10));
    return result_count;
}

void bind_add_functions(lua_State *L, const bind_function *functions) {
    for (; functions && functions->name; functions++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)functions);
        lua_pushcclosure(L, call_function, 1);
        lua_setfield(L, -2, functions->name);
    }
}

static int say_word(lua_State *L) {
    const bind_type *type = lua_touserdata(L, lua_upvalueindex(1));
    const char *name = bind_check_self(L, 1, type->name, type->word);
    if (type->has_name)
        lua_pushfstring(L, "%s '%s'", type->word, name);
    else
        lua_pushstring(L, type->word);
    return 1;
}

void bind_new_type(lua_State *L, const bind_type *type) {
    luaL_newmetatable(L, type->name);
    lua_newtable(L);
    bind_add_functions(L, type->methods);
    bind_refuse_unknown(L, strchr(type->name, '.') + 1);
    lua_setfield(L, -2, "__index");
    if (type->meta) luaL_setfuncs(L, type->meta, 0);
    if (type->word) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)type);
        lua_pushcclosure(L, say_word, 1);
        lua_setfield(L, -2, "__tostring");
    }
    lua_pushliteral(L, "locked");
    lua_setfield(L, -2, "__metatable"); /* scripts cannot forge a handle */
    lua_pop(L, 1);
}

void bind_set_number(lua_State *L, const char *name, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

/* Call levels searched for a line of the script; finding level n takes n steps.
 */
enum { FARTHEST = 250 };

void bind_line(lua_State *L, char *out, size_t size) {
    lua_Debug at;
    out[0] = '\0';
    for (int level = 0; level <= FARTHEST && lua_getstack(L, level, &at);
         level++) {
        (void)lua_getinfo(L, "Sl", &at);
        if (at.currentline > 0) {
            (void)snprintf(out, size, "%s:%d: ", at.short_src, at.currentline);
            return;
        }
    }
}

int bind_error(lua_State *L, const char *format, ...) {
    va_list arguments;
    char line[LUA_IDSIZE + 32];
    luaL_checkstack(L, 8, NULL);
    bind_line(L, line, sizeof line);
    lua_pushstring(L, line);
    va_start(arguments, format);
    (void)lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    lua_concat(L, 2);
    return lua_error(L);
}

/* Of the latest error that had one; the key of it in the registry. */
static const char hint_key;

const char *bind_hint(lua_State *L, const char *near) {
    if (!near) return "";
    const char *hint = lua_pushfstring(L, "; did you mean '%s'?", near);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &hint_key);
    return hint;
}

void bind_find_hint(lua_State *L, sb_error *err) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &hint_key);
    const char *hint = lua_tostring(L, -1);
    /* A script may have caught that error; this may be another one. */
    if (hint && strstr(err->message, hint))
        sb_error_set_hint(err, "%s", hint + strlen("; "));
    lua_pop(L, 1);
}

int bind_get(lua_State *L, int index, const char *name) {
    index = lua_absindex(L, index);
    (void)lua_pushstring(L, name);
    return lua_rawget(L, index);
}

bool bind_has(lua_State *L, int index, const char *name) {
    bool is_there = bind_get(L, index, name) != LUA_TNIL;
    lua_pop(L, 1);
    return is_there;
}

int bind_list_length(lua_State *L, int index, int most) {
    index = lua_absindex(L, index);
    lua_Unsigned length = lua_rawlen(L, index);
    lua_Unsigned count = 0;
    if (length > (lua_Unsigned)most) return -1;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        count++;
        if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 ||
            (lua_Unsigned)lua_tointeger(L, -1) > length) {
            lua_pop(L, 1);
            return -1;
        }
    }
    return count == length ? (int)length : -1;
}

const char *bind_show(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TNUMBER: /* C prints NaN as nan or -nan */
        if (isnan(lua_tonumber(L, index))) return lua_pushstring(L, "nan");
        return luaL_tolstring(L, index, NULL);
    case LUA_TUSERDATA:
        if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING) {
            const char *dot = strchr(lua_tostring(L, -1), '.');
            return lua_pushfstring(L, "a %s", dot ? dot + 1 : "userdata");
        }
        return lua_pushstring(L, "a userdata");
    case LUA_TSTRING: {
        const char *text = lua_tostring(L, index);
        return lua_pushfstring(L, strlen(text) > 40 ? "a long string" : "'%s'",
                               text);
    }
    case LUA_TNIL:
    case LUA_TNONE:
        lua_pushliteral(L, "nil");
        return lua_tostring(L, -1);
    case LUA_TBOOLEAN:
        return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
    default:
        return lua_pushfstring(L, "a %s", luaL_typename(L, index));
    }
}

void *bind_check_self(lua_State *L, int arg, const char *type_name,
                      const char *method) {
    void *self = luaL_testudata(L, arg, type_name);
    if (!self) {
        const char *colon = strchr(method, ':');
        bind_error(L, "%s needs a %s before the colon, got %s%s", method,
                   strchr(type_name, '.') + 1, bind_show(L, arg),
                   colon ? " (write object:method, not object.method)" : "");
    }
    return self;
}

void bind_check_table(lua_State *L, int arg, const char *where) {
    if (lua_istable(L, arg)) return;
    bind_error(L, "%s needs a table { field = value, ... }, got %s", where,
               bind_show(L, arg));
}

void bind_check_function(lua_State *L, int arg, const char *where) {
    if (lua_isfunction(L, arg)) return;
    bind_error(L, "%s needs a function, got %s", where, bind_show(L, arg));
}

const char *bind_check_text(lua_State *L, int arg, const char *where,
                            const char *what) {
    if (lua_type(L, arg) != LUA_TSTRING) {
        bind_error(L, "%s: %s must be a string, got %s", where, what,
                   bind_show(L, arg));
    }
    size_t length;
    const char *text = lua_tolstring(L, arg, &length);
    if (strlen(text) != length) {
        bind_error(L, "%s: %s must not hold a zero byte", where, what);
    }
    return text;
}

const char *bind_check_name(lua_State *L, int arg, const char *where) {
    const char *name = bind_check_text(L, arg, where, "the name");
    for (const char *at = name; *at;) {
        int length = sb_utf8_length(at);
        if (length == 0)
            bind_error(L, "%s: the name must be valid UTF-8", where);
        if (sb_utf8_is_control(at))
            bind_error(L, "%s: the name must not hold control characters",
                       where);
        at += length;
    }
    return name;
}

double bind_check_row(lua_State *L, int index, const char *where,
                      const sb_field *row) {
    char text[SB_FIELD_SENTENCE];
    double value = lua_tonumber(L, index);
    if (lua_type(L, index) != LUA_TNUMBER || !sb_field_allows(row, value))
        bind_error(L, "%s: %s", where,
                   sb_field_refusal(row, bind_show(L, index), text));
    return value;
}

double bind_check_number(lua_State *L, int index, const char *where,
                         const char *what, double min, double max,
                         const char *unit) {
    return bind_check_row(
        L, index, where,
        &(sb_field){.name = what, .min = min, .max = max, .unit = unit});
}

void bind_read_tuple(lua_State *L, const char *where, const char *what,
                     const char *words, int count, const sb_field *rows,
                     double *out) {
    int table = lua_gettop(L);
    if (!lua_istable(L, table) || bind_list_length(L, table, count) != count) {
        bind_error(L, "%s: %s must be %s, got %s", where, what, words,
                   lua_istable(L, table) ? "another table"
                                         : bind_show(L, table));
    }
    for (int i = 0; i < count; i++) {
        char name[80];
        sb_field row = rows[i];
        row.name = name;
        (void)snprintf(name, sizeof name, "%s[%d]", what, i + 1);
        lua_rawgeti(L, table, i + 1);
        out[i] = bind_check_row(L, -1, where, &row);
        lua_pop(L, 1);
    }
}

static void read_vec3(lua_State *L, const char *where, const bind_field *field,
                      sb_vec3 *out) {
    const sb_field rows[3] = {*field, *field, *field};
    double xyz[3];
    char words[80];
    (void)snprintf(words, sizeof words, "three numbers { x, y, z }%s%s",
                   *field->unit ? " in " : "", field->unit);
    bind_read_tuple(L, where, field->name, words, 3, rows, xyz);
    *out = (sb_vec3){xyz[0], xyz[1], xyz[2]};
}

static bool read_bool(lua_State *L, const char *where,
                      const bind_field *field) {
    if (lua_type(L, -1) != LUA_TBOOLEAN)
        bind_error(L, "%s: %s must be true or false, got %s", where,
                   field->name, bind_show(L, -1));
    return lua_toboolean(L, -1);
}

static const char *field_name_at(const void *names, int i) {
    return ((const bind_field *)names)[i].name;
}

static const char *text_at(const void *names, int i) {
    return ((const char *const *)names)[i];
}

/* --- fields --------------------------------------------------------------- */

void bind_unknown_field(lua_State *L, const char *where,
                        const bind_field *fields, const char *name) {
    int count = 0;
    while (fields[count].name)
        count++;
    const char *near = sb_nearest(name, count, field_name_at, fields);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 0; i < count; i++) {
        if (i) luaL_addstring(&text, ", ");
        luaL_addstring(&text, fields[i].name);
    }
    if (count == 0) luaL_addstring(&text, "none");
    luaL_pushresult(&text);
    const char *all = lua_tostring(L, -1);
    bind_error(L, "%s: unknown field '%s'%s (known: %s)", where, name,
               bind_hint(L, near), all);
}

static int read_choice(lua_State *L, const char *where,
                       const bind_field *field) {
    int count = 0;
    const char *wanted =
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (; field->choices[count]; count++) {
        if (wanted && strcmp(wanted, field->choices[count]) == 0) break;
        luaL_addstring(&text, count ? ", '" : "'");
        luaL_addstring(&text, field->choices[count]);
        luaL_addstring(&text, "'");
    }
    luaL_pushresult(&text);
    if (wanted && field->choices[count]) {
        lua_pop(L, 1);
        return field->values ? field->values[count] : count;
    }
    const char *all = lua_tostring(L, -1);
    const char *near =
        wanted ? sb_nearest(wanted, count, text_at, field->choices) : NULL;
    const char *got = bind_show(L, -2);
    return bind_error(L, "%s: %s must be one of %s, got %s%s", where,
                      field->name, all, got, bind_hint(L, near));
}

/* Read one field; its value is on top of the stack. */
static void read_field(lua_State *L, const char *where, const bind_field *field,
                       void *def) {
    void *slot = (char *)def + field->offset;
    switch (field->kind) {
    case SB_FIELD_NUMBER:
        *(double *)slot = bind_check_row(L, -1, where, field);
        break;
    case SB_FIELD_COUNT:
        *(int *)slot = (int)bind_check_row(L, -1, where, field);
        break;
    case SB_FIELD_VEC3:
        read_vec3(L, where, field, slot);
        break;
    case SB_FIELD_CHOICE:
        *(int *)slot = read_choice(L, where, field);
        break;
    case SB_FIELD_BOOL:
        *(bool *)slot = read_bool(L, where, field);
        break;
    case SB_FIELD_OTHER:
        break;
    }
}

void bind_read_fields(lua_State *L, int arg, const char *where,
                      const bind_field *fields, void *def) {
    bind_check_table(L, arg, where);
    lua_pushnil(L);
    while (lua_next(L, arg)) {
        /* Only a real string may be read as one: lua_tostring would turn a
         * number key into a string in place and confuse lua_next. */
        if (lua_type(L, -2) != LUA_TSTRING) {
            const char *value = bind_show(L, -1);
            const char *key = bind_show(L, -3);
            bind_error(L, "%s: fields have names; [%s] = %s does not", where,
                       key, value);
        }
        const char *name = lua_tostring(L, -2);
        const bind_field *field = sb_field_find(fields, name);
        if (!field) {
            bind_unknown_field(L, where, fields, name);
        } else {
            read_field(L, where, field, def);
        }
        lua_pop(L, 1);
    }
}

void bind_need(lua_State *L, int arg, const char *where,
               const bind_field *fields) {
    for (; fields->name; fields++) {
        if (!fields->is_needed) continue;
        if (bind_get(L, arg, fields->name) == LUA_TNIL) {
            bind_error(L, "%s: field '%s' is missing", where, fields->name);
        }
        lua_pop(L, 1);
    }
}

/* --- names that are not there --------------------------------------------- */

enum { MOST_MEMBERS = 64 };

/* __index of a table that refuses unknown names. Upvalues: the table of known
 * names, and what it belongs to. */
static int refuse_unknown(lua_State *L) {
    const char *names[MOST_MEMBERS];
    int count = 0;
    const char *what = lua_tostring(L, lua_upvalueindex(2));
    if (lua_type(L, 2) != LUA_TSTRING) {
        return bind_error(L, "%s has no [%s]", what, bind_show(L, 2));
    }
    lua_pushnil(L);
    while (count < MOST_MEMBERS && lua_next(L, lua_upvalueindex(1))) {
        names[count++] = lua_tostring(L, -2);
        lua_pop(L, 1);
    }
    const char *wanted = lua_tostring(L, 2);
    const char *near = sb_nearest(wanted, count, text_at, names);
    return bind_error(L, "%s has no '%s'%s", what, wanted, bind_hint(L, near));
}

void bind_refuse_unknown(lua_State *L, const char *what) {
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, -2);
    lua_pushstring(L, what);
    lua_pushcclosure(L, refuse_unknown, 2);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "locked");
    lua_setfield(L, -2, "__metatable");
    (void)lua_setmetatable(L, -2);
}

/* --- failures ------------------------------------------------------------- */

int bind_raise(lua_State *L, const char *where, const sb_error *err) {
    return bind_error(L, "%s: %s", where, err->message);
}

int bind_fail(lua_State *L, const char *where, const sb_error *err) {
    bool is_mistake = err->status == SB_BAD_ARGUMENT ||
                      err->status == SB_STALE_HANDLE ||
                      err->status == SB_NO_MODES;
    if (is_mistake) return bind_raise(L, where, err);
    luaL_pushfail(L);
    lua_pushfstring(L, "%s: %s", where, err->message);
    lua_pushstring(L, sb_status_name(err->status));
    return 3;
}

int bind_done(lua_State *L, const char *where, sb_status status,
              const sb_error *err) {
    if (status) return bind_fail(L, where, err);
    lua_settop(L, 1);
    return 1;
}
