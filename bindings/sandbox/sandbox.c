/* SPDX-License-Identifier: MIT */
#include "bindings/sandbox/sandbox.h"

#include "bindings/sandbox/chunk.h"
#include "bindings/sandbox/guard.h"
#include "bindings/sandbox/libs.h"
#include "bindings/sandbox/order.h"

#include <lauxlib.h>
#include <lualib.h>
#include <sys/random.h>

/* Longest text of one print, in bytes. */
enum { LONGEST_PRINT = 1 << 16 };

/* --- print ---------------------------------------------------------------- */

/* print. Upvalue: the function that receives the line. */
static int report_print(lua_State *L) {
    luaL_Buffer text;
    int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        (void)order_push_text(L, i);
        lua_replace(L, i);
    }
    luaL_buffinit(L, &text);
    for (int i = 1; i <= count; i++) {
        size_t length;
        const char *word = lua_tolstring(L, i, &length);
        if (i > 1) luaL_addchar(&text, '\t');
        if (length > LONGEST_PRINT) length = LONGEST_PRINT;
        guard_spend(L, 100 + (int64_t)length);
        for (size_t k = 0; k < length; k++) {
            if (word[k]) {
                luaL_addchar(&text, word[k]);
            } else { /* a zero byte would end the message */
                luaL_addstring(&text, "\\0");
            }
        }
    }
    luaL_pushresult(&text);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, -2);
    lua_call(L, 1, 0);
    return 0;
}

/* --- the environment ------------------------------------------------------ */

static const char *const base_names[] = {
    "assert",       "error",  "getmetatable", "ipairs",
    "next",         "pcall",  "rawequal",     "rawget",
    "rawlen",       "rawset", "select",       "tonumber",
    "tostring",     "type",   "xpcall",       "_VERSION",
    "setmetatable", NULL};

/* Additional globals of a trusted script. */
static const char *const trusted_names[] = {"collectgarbage", "dofile",
                                            "loadfile", "load", NULL};

/* Push a copy of the table on top. */
static void push_copy(lua_State *L) {
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, -3)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
}

/* Set in the table on top a copy of the library `name`, so that a script can
 * change only its own copy. `limit` (may be NULL) replaces functions first. */
static void copy_library(lua_State *L, const char *name, lua_CFunction open,
                         void (*limit)(lua_State *L)) {
    luaL_requiref(L, name, open, 0);
    if (limit) limit(L);
    push_copy(L);
    lua_remove(L, -2);
    lua_setfield(L, -2, name);
}

static void copy_names(lua_State *L, const char *const *names) {
    for (; *names; names++) {
        lua_getfield(L, -1, *names);
        lua_setfield(L, -3, *names);
    }
}

static void copy_base(lua_State *L, bool is_trusted) {
    luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
    if (!is_trusted) lib_base_limit(L);
    copy_names(L, base_names);
    if (is_trusted) copy_names(L, trusted_names);
    lua_pop(L, 1);
}

/* Also limit the library that ("x"):rep uses through the strings' metatable. */
static void limit_strings(lua_State *L) {
    lib_string_limit(L);
    lib_pattern_limit(L);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
}

static void copy_libraries(lua_State *L, bool is_trusted) {
    bool has_limits = !is_trusted;
    if (is_trusted) luaL_openlibs(L); /* modules expect them as globals */
    copy_base(L, is_trusted);
    copy_library(L, LUA_TABLIBNAME, luaopen_table,
                 has_limits ? lib_table_limit : NULL);
    copy_library(L, LUA_STRLIBNAME, luaopen_string,
                 has_limits ? limit_strings : NULL);
    copy_library(L, LUA_MATHLIBNAME, luaopen_math, NULL);
    copy_library(L, LUA_UTF8LIBNAME, luaopen_utf8,
                 has_limits ? lib_utf8_limit : NULL);
    copy_library(L, LUA_COLIBNAME, luaopen_coroutine,
                 has_limits ? lib_coroutine_limit : NULL);
    if (!is_trusted) return;
    copy_library(L, LUA_IOLIBNAME, luaopen_io, NULL);
    copy_library(L, LUA_OSLIBNAME, luaopen_os, NULL);
    copy_library(L, LUA_DBLIBNAME, luaopen_debug, NULL);
    copy_library(L, LUA_LOADLIBNAME, luaopen_package, NULL);
}

/* All scripts of a state share the strings' metatable: lock it. */
static void lock_strings(lua_State *L) {
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) {
        lua_pushliteral(L, "locked");
        lua_setfield(L, -2, "__metatable");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static bool has_weak_keys(lua_State *L) {
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    (void)lua_setmetatable(L, -2);
    lua_newtable(L);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    (void)lua_gc(L, LUA_GCCOLLECT);
    lua_pushnil(L);
    bool is_kept = lua_next(L, -2);
    lua_pop(L, is_kept ? 3 : 1);
    return !is_kept;
}

/* Chains of weak keys take the collector a number of steps quadratic in their
 * number, in one go that nothing interrupts. It looks __mode up when it visits
 * a table, so no check of metatables in setmetatable is enough.
 *
 * Lua looks for the one string object that lua_newstate made, by its address.
 * That object gets another, secret content here: "__mode" of a script is then
 * another string, like any other key. The content is random, because a script
 * that had it could find the object again. */
static void disable_weak_tables(lua_State *L) {
    lua_pushliteral(L, "__mode");
    size_t length;
    char *name = (char *)(uintptr_t)lua_tolstring(L, -1, &length);
    char secret[sizeof "__mode" - 1];
    bool is_well = length == sizeof secret && !getentropy(secret, length);
    for (size_t i = 0; is_well && i < length; i++) {
        /* Not a letter, and not 0: no C string is equal to it. */
        name[i] = (char)(secret[i] | 0x80);
    }
    lua_pop(L, 1);
    if (!is_well || has_weak_keys(L)) {
        luaL_error(L, "this Lua library keeps weak tables, which take the "
                      "collector a time without limit; --trust allows them");
    }
}

static void seed_random(lua_State *L, uint64_t seed) {
    lua_getfield(L, -1, LUA_MATHLIBNAME);
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, (lua_Integer)seed);
    lua_pushinteger(L, 0);
    lua_call(L, 2, 0);
    lua_pushnil(L);
    lua_setfield(L, -2, "randomseed"); /* the seed comes from --seed */
    lua_pop(L, 1);
}

static void add_require(lua_State *L, const sandbox_def *def,
                        int sandbell_index) {
    int env = lua_gettop(L);
    lua_pushvalue(L, env);
    lua_newtable(L);
    lua_pushvalue(L, sandbell_index);
    lua_setfield(L, -2, "sandbell");
    lua_pushstring(L, def->folder);
    if (def->is_trusted) {
        lua_getglobal(L, "require"); /* luaopen_package has put it there */
    } else {
        lua_pushnil(L);
    }
    lua_pushcfunction(L, def->note_file);
    lua_pushcclosure(L, chunk_require, 5);
    lua_setfield(L, env, "require");
}

static void add_functions(lua_State *L, const sandbox_def *def) {
    int env = lua_gettop(L);
    lua_pushcfunction(L, def->report);
    lua_pushcclosure(L, report_print, 1);
    lua_setfield(L, env, "print");
    if (!def->is_trusted) {
        lua_pushvalue(L, env);
        lua_pushcclosure(L, chunk_load_text, 1);
        lua_setfield(L, env, "load");
    }
    lua_pushvalue(L, env);
    lua_setfield(L, env, LUA_GNAME);
}

/* Lua searches all loaded libraries for the names of functions in error
 * messages, which a script could slow down by filling a library. Register
 * copies that no script can reach. */
static void hide_libraries(lua_State *L) {
    lua_newtable(L);
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        push_copy(L);
        lua_remove(L, -2);
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}

void sandbox_push_environment(lua_State *L, int sandbell_index,
                              const sandbox_def *def) {
    sandbell_index = lua_absindex(L, sandbell_index);
    lua_newtable(L);
    copy_libraries(L, def->is_trusted);
    if (!def->is_trusted) {
        lock_strings(L);
        disable_weak_tables(L);
    }
    seed_random(L, def->seed);
    add_require(L, def, sandbell_index);
    add_functions(L, def);
    if (!def->is_trusted) hide_libraries(L);
    order_open(L);
}
