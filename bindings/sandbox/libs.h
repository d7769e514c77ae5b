/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/libs.h -- Lua's standard libraries with limits.
 *
 * They behave as the Lua 5.4 manual says, and count their work (guard.h), so
 * that no single call takes long: a hook cannot interrupt C. Additional limits
 * are generous, and their error messages name them.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include <lua.h>

/* Each replaces functions of the library table on top of the stack. */
void lib_base_limit(lua_State *L);      /* pcall, xpcall, setmetatable */
void lib_coroutine_limit(lua_State *L); /* create, resume, wrap, close */
void lib_string_limit(lua_State *L);    /* but for patterns */
void lib_pattern_limit(lua_State *L);   /* in lib_pattern.c */
void lib_table_limit(lua_State *L);     /* in lib_table.c */
void lib_utf8_limit(lua_State *L);

/* Sort the list at `index`, stable, with the C function `is_less`, or with <
 * where that is NULL, or with the Lua function at `order` where that is not
 * 0. */
void lib_table_sort(lua_State *L, int index, lua_Integer count,
                    lua_CFunction is_less, int order);
