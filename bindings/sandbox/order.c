/* SPDX-License-Identifier: MIT */
#include "bindings/sandbox/order.h"

#include "bindings/sandbox/guard.h"
#include "bindings/sandbox/libs.h"

#include <lauxlib.h>
#include <string.h>

/* In the registry: the numbers of functions without upvalues, which Lua does
 * not allocate; and the walk of the last call of next. */
#define BUILTINS "sandbell.builtins"
#define WALK     "sandbell.walk"

/* --- numbers -------------------------------------------------------------- */

static bool is_builtin(lua_State *L, int index) {
    if (!lua_iscfunction(L, index)) return false;
    if (!lua_getupvalue(L, index, 1)) return true;
    lua_pop(L, 1);
    return false;
}

static lua_Integer builtin_number(lua_State *L, int index) {
    const void *function = lua_topointer(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, BUILTINS);
    (void)lua_rawgetp(L, -1, function);
    lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return number;
}

/* Built-in functions first. Values without a number, such as those of a
 * library of a trusted script, have 0. */
static lua_Integer number_of(lua_State *L, int index) {
    if (is_builtin(L, index)) return builtin_number(L, index) - LUA_MAXINTEGER;
    return (lua_Integer)guard_number(L, index);
}

static int rank(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        return 0;
    case LUA_TSTRING:
        return 1;
    case LUA_TBOOLEAN:
        return lua_toboolean(L, index) ? 3 : 2;
    default:
        return 4;
    }
}

static bool is_before(lua_State *L, int one, int other) {
    int a = rank(L, one), b = rank(L, other);
    if (a != b) return a < b;
    if (a < 2) return lua_compare(L, one, other, LUA_OPLT);
    return a == 4 && number_of(L, one) < number_of(L, other);
}

static int key_is_less(lua_State *L) {
    lua_pushboolean(L, is_before(L, 1, 2));
    return 1;
}

/* --- pairs ---------------------------------------------------------------- */

/* Push a list of the keys of the table at `table`, in order. */
static void push_keys(lua_State *L, int table) {
    lua_newtable(L);
    int keys = lua_gettop(L);
    lua_Integer count = 0;
    bool is_sequence = true;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        guard_spend(L, 3);
        lua_pushvalue(L, -1);
        lua_rawseti(L, keys, ++count);
        is_sequence = is_sequence && lua_isinteger(L, -1) &&
                      lua_tointeger(L, -1) == count;
    }
    if (!is_sequence) lib_table_sort(L, keys, count, key_is_less, 0);
}

/* Push the first key after position `*i` of `keys` that the table at `table`
 * still has, and its value. False, with nothing pushed, after the last. */
static bool push_entry(lua_State *L, int table, int keys, lua_Integer *i) {
    for (;;) {
        ++*i;
        guard_spend(L, 1);
        if (lua_rawgeti(L, keys, *i) == LUA_TNIL) {
            lua_pop(L, 1);
            return false;
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, table) != LUA_TNIL) return true;
        lua_pop(L, 2);
    }
}

/* Iterator of pairs. Upvalues: the sorted keys, the current index. */
static int next_in_order(lua_State *L) {
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
    if (!push_entry(L, 1, lua_upvalueindex(1), &i)) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(2));
    return 2;
}

static int ordered_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    push_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_in_order, 2);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

/* --- next ----------------------------------------------------------------- */

/* The least key, in one pass: next(t) alone is often a test for emptiness. */
static int first_entry(lua_State *L) {
    bool has_one = false;
    lua_settop(L, 1);
    lua_pushnil(L); /* 2: the least so far */
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        guard_spend(L, 3);
        if (!has_one || is_before(L, 3, 2)) lua_copy(L, 3, 2);
        has_one = true;
    }
    lua_settop(L, 2);
    if (!has_one) return 1;
    lua_pushvalue(L, 2);
    lua_rawget(L, 1);
    return 2;
}

/* Push the walk { table, keys, position } of the last call if it is at this
 * key of this table. */
static bool push_walk(lua_State *L) {
    if (lua_getfield(L, LUA_REGISTRYINDEX, WALK) != LUA_TTABLE) return false;
    (void)lua_rawgeti(L, 3, 1);
    if (!lua_rawequal(L, 1, -1)) return false;
    (void)lua_rawgeti(L, 3, 2);
    (void)lua_rawgeti(L, 3, 3);
    (void)lua_rawgeti(L, 5, lua_tointeger(L, 6));
    return lua_rawequal(L, 2, -1);
}

/* Begin a walk behind this key, which the script may have removed since. */
static void make_walk(lua_State *L) {
    lua_settop(L, 2);
    lua_createtable(L, 3, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, 3, 1);
    push_keys(L, 1);
    lua_Integer i = 0;
    while (lua_rawgeti(L, 4, i + 1) != LUA_TNIL && !is_before(L, 2, 5)) {
        guard_spend(L, 2);
        lua_settop(L, 4);
        i++;
    }
    lua_settop(L, 4);
    lua_rawseti(L, 3, 2);
    lua_pushinteger(L, i);
    lua_rawseti(L, 3, 3);
    lua_setfield(L, LUA_REGISTRYINDEX, WALK);
}

static int ordered_next(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    guard_spend(L, 2);
    if (lua_isnil(L, 2)) return first_entry(L);
    if (!push_walk(L)) make_walk(L);
    lua_settop(L, 2);
    lua_getfield(L, LUA_REGISTRYINDEX, WALK);
    (void)lua_rawgeti(L, 3, 2);
    (void)lua_rawgeti(L, 3, 3);
    lua_Integer i = lua_tointeger(L, 5);
    if (!push_entry(L, 1, 4, &i)) {
        lua_pushnil(L); /* the walk is over: keep nothing alive */
        lua_setfield(L, LUA_REGISTRYINDEX, WALK);
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, i);
    lua_rawseti(L, 3, 3);
    return 2;
}

/* --- texts ---------------------------------------------------------------- */

static bool has_address(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TTABLE:
    case LUA_TFUNCTION:
    case LUA_TTHREAD:
    case LUA_TUSERDATA:
    case LUA_TLIGHTUSERDATA:
        break;
    default:
        return false;
    }
    if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return true;
    lua_pop(L, 1);
    return false;
}

const char *order_push_text(lua_State *L, int index) {
    index = lua_absindex(L, index);
    if (!has_address(L, index)) return luaL_tolstring(L, index, NULL);
    bool is_named = luaL_getmetafield(L, index, "__name") == LUA_TSTRING;
    if (!is_named) lua_pushstring(L, luaL_typename(L, index));
    const char *kind = lua_tostring(L, -1);
    const char *text =
        is_builtin(L, index)
            ? lua_pushfstring(L, "%s: builtin %I", kind,
                              (LUAI_UACINT)builtin_number(L, index))
            : lua_pushfstring(L, "%s: %I", kind,
                              (LUAI_UACINT)guard_number(L, index));
    lua_replace(L, -2);
    return text;
}

static int to_string(lua_State *L) {
    luaL_checkany(L, 1);
    (void)order_push_text(L, 1);
    return 1;
}

/* Make the argument fit %s. For %p, an address, Lua shows (null) for what has
 * none. */
static void replace_argument(lua_State *L, int index, bool is_pointer) {
    if (has_address(L, index)) {
        (void)order_push_text(L, index);
        lua_replace(L, index);
    } else if (is_pointer) {
        lua_pushliteral(L, "(null)");
        lua_replace(L, index);
    }
}

void order_replace_addresses(lua_State *L) {
    size_t length;
    int count = lua_gettop(L), argument = 1;
    if (lua_type(L, 1) != LUA_TSTRING) return;
    const char *layout = lua_tolstring(L, 1, &length);
    luaL_checkstack(L, 8, NULL);
    char *copy = lua_newuserdatauv(L, length + 1, 0);
    memcpy(copy, layout, length + 1);
    for (size_t i = 0; i < length; i++) {
        if (copy[i] != '%') continue;
        i += 1 + strspn(copy + i + 1, "-+ #0123456789.");
        if (copy[i] == '%') continue;
        if (++argument > count) break;
        bool is_pointer = copy[i] == 'p';
        if (is_pointer) copy[i] = 's';
        if (copy[i] == 's') replace_argument(L, argument, is_pointer);
    }
    lua_pushlstring(L, copy, length);
    lua_replace(L, 1);
    lua_settop(L, count);
}

/* --- opening -------------------------------------------------------------- */

/* Number the built-in functions of the table on top, and of the tables in it,
 * in the order of their names. */
static void number_functions(lua_State *L, lua_Integer *last, int depth) {
    int table = lua_gettop(L);
    push_keys(L, table);
    lua_Integer i = 0;
    while (push_entry(L, table, table + 1, &i)) {
        if (lua_istable(L, -1) && depth > 0) {
            number_functions(L, last, depth - 1);
        } else if (is_builtin(L, -1) && builtin_number(L, -1) == 0) {
            const void *function = lua_topointer(L, -1);
            lua_getfield(L, LUA_REGISTRYINDEX, BUILTINS);
            lua_pushinteger(L, ++*last);
            lua_rawsetp(L, -2, function);
        }
        lua_settop(L, table + 1);
    }
    lua_settop(L, table);
}

void order_open(lua_State *L) {
    static const luaL_Reg functions[] = {{"next", ordered_next},
                                         {"pairs", ordered_pairs},
                                         {"tostring", to_string},
                                         {NULL, NULL}};
    lua_Integer last = 0;
    luaL_setfuncs(L, functions, 0);
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, BUILTINS);
    number_functions(L, &last, 1);
}
