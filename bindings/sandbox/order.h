/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/order.h -- an order of all values, and their text, which are
 * the same in every run.
 *
 * Lua knows tables, functions, userdata and coroutines by their addresses,
 * which differ from run to run: tostring shows them, and pairs and next walk by
 * them. Here such values have the number of their creation instead
 * (guard_number). Keys are walked in the order numbers, strings, false, true,
 * then by creation.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include <lua.h>

/* Set pairs, next and tostring in the environment on top of the stack, and
 * number the functions in it. */
void order_open(lua_State *L);

/* Push the text of the value at `index`, as tostring returns it. */
const char *order_push_text(lua_State *L, int index);

/* The stack holds the arguments of string.format: replace those that would be
 * shown as addresses. */
void order_replace_addresses(lua_State *L);
