/* SPDX-License-Identifier: MIT */
/* Prints Lua values for the prompt: numbers, strings, tables with their
 * contents in order.
 * Thread: control. */
#include "bindings/show.h"
#include "bindings/bind.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Limits: the text should fit on a few lines of a terminal. */
enum { MOST_ITEMS = 24, MOST_DEPTH = 3, MOST_TEXT = 60 };

static void add_table(lua_State *L, int index, int depth, luaL_Buffer *out);

/* Inside a table, numbers have few digits and strings have quotes. */
static void add_item(lua_State *L, int index, int depth, luaL_Buffer *out) {
    char number[40];
    switch (lua_type(L, index)) {
    case LUA_TTABLE:
        add_table(L, index, depth + 1, out);
        return;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            (void)snprintf(number, sizeof number, "%lld",
                           (long long)lua_tointeger(L, index));
        } else {
            (void)snprintf(number, sizeof number, "%.6g",
                           lua_tonumber(L, index));
        }
        luaL_addstring(out, number);
        return;
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        luaL_addchar(out, '"');
        luaL_addlstring(out, text, length < MOST_TEXT ? length : MOST_TEXT);
        luaL_addstring(out, length < MOST_TEXT ? "\"" : "...\"");
        return;
    }
    case LUA_TBOOLEAN:
        luaL_addstring(out, lua_toboolean(L, index) ? "true" : "false");
        return;
    case LUA_TFUNCTION: /* an address would not help */
    case LUA_TTHREAD:
    case LUA_TLIGHTUSERDATA:
        luaL_addstring(out, luaL_typename(L, index));
        return;
    default:
        break;
    }
    (void)luaL_tolstring(L, index, NULL);
    luaL_addvalue(out);
}

static bool is_identifier(const char *text) {
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && *text != '_') return false;
    }
    return true;
}

/* Collect the string keys of the table, sorted, up to the array's size. *total
 * is the number of all keys. The table owns the strings. */
static int sorted_keys(lua_State *L, int index, const char **keys, int *total) {
    int count = 0;
    *total = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING) continue;
        const char *key = lua_tostring(L, -1);
        int at = count < MOST_ITEMS ? count++ : count;
        ++*total;
        for (; at > 0 && strcmp(key, keys[at - 1]) < 0; at--) {
            if (at < MOST_ITEMS) keys[at] = keys[at - 1];
        }
        if (at < MOST_ITEMS) keys[at] = key;
    }
    return count;
}

static void add_key(const char *key, luaL_Buffer *out) {
    bool is_plain = is_identifier(key);
    if (!is_plain) luaL_addstring(out, "[\"");
    luaL_addstring(out, key);
    luaL_addstring(out, is_plain ? " = " : "\"] = ");
}

/* Print the value on top of the stack and pop it. */
static void add_top(lua_State *L, int depth, luaL_Buffer *out) {
    int value = lua_gettop(L);
    luaL_Buffer item;
    luaL_buffinit(L, &item);
    add_item(L, value, depth, &item);
    luaL_pushresult(&item);
    lua_remove(L, value);
    luaL_addvalue(out);
}

static void add_table(lua_State *L, int index, int depth, luaL_Buffer *out) {
    const char *keys[MOST_ITEMS];
    int total, shown = 0;
    index = lua_absindex(L, index);
    if (depth > MOST_DEPTH) {
        luaL_addstring(out, "{ ... }");
        return;
    }
    luaL_checkstack(L, 8, "table");
    lua_Unsigned length = lua_rawlen(L, index);
    int count = sorted_keys(L, index, keys, &total);
    for (lua_Unsigned i = 1; i <= length && shown < MOST_ITEMS; i++) {
        luaL_addstring(out, shown++ ? ", " : "{ ");
        lua_rawgeti(L, index, (lua_Integer)i);
        add_top(L, depth, out);
    }
    for (int i = 0; i < count && shown < MOST_ITEMS; i++) {
        luaL_addstring(out, shown++ ? ", " : "{ ");
        add_key(keys[i], out);
        (void)lua_pushstring(L, keys[i]);
        (void)lua_rawget(L, index);
        add_top(L, depth, out);
    }
    bool has_more = length + (lua_Unsigned)total > (lua_Unsigned)shown;
    luaL_addstring(out, !shown ? "{}" : has_more ? ", ... }" : " }");
}

void show_value(lua_State *L, int index) {
    index = lua_absindex(L, index);
    if (lua_type(L, index) == LUA_TTABLE &&
        luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) {
        luaL_Buffer text;
        luaL_buffinit(L, &text);
        add_table(L, index, 1, &text);
        luaL_pushresult(&text);
        return;
    }
    (void)luaL_tolstring(L, index, NULL);
}
