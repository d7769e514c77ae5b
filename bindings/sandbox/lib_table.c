/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/lib_table.c -- the table library with counted work.
 *
 * __len can return any number, and elements can come from a C function: every
 * loop here counts its rounds. table.sort is a merge sort: stable, at most
 * n log n comparisons whatever the order function returns, and the table is
 * unchanged when that function raises.
 * Thread: the one that runs the script. */
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/sandbox/libs.h"

#include <limits.h>

/* Most values that table.unpack returns. */
enum { MOST_UNPACKED = 100000 };

static int insert(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer end =
        (lua_Integer)((lua_Unsigned)luaL_len(L, 1) + 1u); /* may wrap */
    guard_spend(L, 1);
    if (lua_gettop(L) == 2) {
        lua_seti(L, 1, end);
        return 0;
    }
    if (lua_gettop(L) != 3)
        return luaL_error(L, "wrong number of arguments to 'insert'");
    lua_Integer at = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)at - 1u < (lua_Unsigned)end, 2,
                  "position out of bounds");
    for (lua_Integer i = end; i > at; i--) {
        guard_spend(L, 1);
        lua_geti(L, 1, i - 1);
        lua_seti(L, 1, i);
    }
    lua_seti(L, 1, at);
    return 0;
}

static int take_out(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer count = luaL_len(L, 1);
    lua_Integer at = luaL_optinteger(L, 2, count);
    luaL_argcheck(L,
                  at == count || (lua_Unsigned)at - 1u <= (lua_Unsigned)count,
                  1, "position out of bounds");
    guard_spend(L, 1);
    lua_geti(L, 1, at);
    for (; at < count; at++) {
        guard_spend(L, 1);
        lua_geti(L, 1, at + 1);
        lua_seti(L, 1, at);
    }
    lua_pushnil(L);
    lua_seti(L, 1, at);
    return 1;
}

static int move(lua_State *L) {
    lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3);
    lua_Integer to = luaL_checkinteger(L, 4);
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, target, LUA_TTABLE);
    if (end >= from) {
        luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3,
                      "too many elements to move");
        lua_Integer count = end - from + 1;
        luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4,
                      "destination wrap around");
        bool goes_up = to > end || to <= from ||
                       (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
        for (lua_Integer n = 0; n < count; n++) {
            lua_Integer i = goes_up ? n : count - 1 - n;
            guard_spend(L, 1);
            lua_geti(L, 1, from + i);
            lua_seti(L, target, to + i);
        }
    }
    lua_pushvalue(L, target);
    return 1;
}

static int unpack(lua_State *L) {
    lua_Integer i = luaL_optinteger(L, 2, 1);
    lua_Integer end =
        lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
    if (i > end) return 0;
    lua_Unsigned count = (lua_Unsigned)end - (lua_Unsigned)i;
    if (count >= MOST_UNPACKED || !lua_checkstack(L, (int)count + 1))
        return luaL_error(L, "too many results to unpack");
    guard_spend(L, (int64_t)count + 1);
    for (lua_Unsigned n = 0; n <= count; n++)
        lua_geti(L, 1, i + (lua_Integer)n);
    return (int)count + 1;
}

static void add_element(lua_State *L, luaL_Buffer *text, lua_Integer i) {
    guard_spend(L, 2);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid value (%s) at index %I in table for 'concat'",
                   luaL_typename(L, -1), (LUAI_UACINT)i);
    }
    guard_spend(L, (int64_t)(lua_rawlen(L, -1) / 64));
    luaL_addvalue(text);
}

static int concat(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t length;
    lua_Integer count = luaL_len(L, 1);
    const char *between = luaL_optlstring(L, 2, "", &length);
    lua_Integer i = luaL_optinteger(L, 3, 1);
    lua_Integer end = luaL_optinteger(L, 4, count);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (; i < end; i++) {
        add_element(L, &text, i);
        luaL_addlstring(&text, between, length);
    }
    if (i == end) add_element(L, &text, i);
    luaL_pushresult(&text);
    return 1;
}

/* --- sort ----------------------------------------------------------------- */

typedef struct sorting {
    lua_CFunction is_less;
    int order;    /* index of the order function, or 0 */
    int from, to; /* stack indices of source and target list */
} sorting;

/* True if the value on top is less than the one below it; pops neither. */
static bool is_less(lua_State *L, const sorting *self) {
    guard_spend(L, 4);
    if (!self->is_less && !self->order) return lua_compare(L, -1, -2, LUA_OPLT);
    if (self->is_less) {
        lua_pushcfunction(L, self->is_less);
    } else {
        lua_pushvalue(L, self->order);
    }
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -4);
    lua_call(L, 2, 1);
    bool answer = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return answer;
}

/* Merge the sorted ranges from[a .. b) and from[b .. c) into to[a .. c). The
 * heads of both ranges are on the stack. */
static void merge(lua_State *L, const sorting *self, lua_Integer a,
                  lua_Integer b, lua_Integer c) {
    lua_Integer i = a, j = b, n = a;
    while (i < b && j < c) {
        lua_rawgeti(L, self->from, i);
        lua_rawgeti(L, self->from, j);
        if (is_less(L, self)) {
            lua_rawseti(L, self->to, n++);
            lua_pop(L, 1);
            j++;
        } else { /* equal: the earlier one first (stable) */
            lua_pop(L, 1);
            lua_rawseti(L, self->to, n++);
            i++;
        }
    }
    for (; n < c; n++) {
        guard_spend(L, 1);
        lua_rawgeti(L, self->from, i < b ? i++ : j++);
        lua_rawseti(L, self->to, n);
    }
}

void lib_table_sort(lua_State *L, int index, lua_Integer count,
                    lua_CFunction less, int order) {
    int list = lua_absindex(L, index), base = lua_gettop(L);
    sorting self = {less, order, base + 1, base + 2};
    luaL_checkstack(L, 10, "sort");
    lua_createtable(L, (int)count, 0);
    lua_createtable(L, (int)count, 0);
    for (lua_Integer i = 1; i <= count; i++) {
        guard_spend(L, 1);
        lua_geti(L, list, i);
        lua_rawseti(L, self.from, i);
    }
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer a = 1; a <= count; a += 2 * width) {
            lua_Integer b = a + width, c = b + width;
            merge(L, &self, a, b <= count ? b : count + 1,
                  c <= count ? c : count + 1);
        }
        int swapped = self.from;
        self.from = self.to;
        self.to = swapped;
    }
    for (lua_Integer i = 1; i <= count; i++) {
        guard_spend(L, 1);
        lua_rawgeti(L, self.from, i);
        lua_seti(L, list, i);
    }
    lua_settop(L, base);
}

static int sort(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer count = luaL_len(L, 1);
    if (count < 2) return 0;
    luaL_argcheck(L, count < INT_MAX, 1, "array too big");
    if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    /* More than a table may hold: do not allocate. */
    if (count > (1 << 21))
        return bind_error(L, "table.sort: the list is longer than 2 million");
    lib_table_sort(L, 1, count, NULL, lua_isnil(L, 2) ? 0 : 2);
    return 0;
}

void lib_table_limit(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"insert", insert}, {"remove", take_out}, {"move", move},
        {"unpack", unpack}, {"concat", concat},   {"sort", sort},
        {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
