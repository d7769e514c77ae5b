/* SPDX-License-Identifier: MIT */
/* bindings/show.h -- prints Lua values for people.
 *
 *     0.25    steel    body 'F3'    { duration = 0.00112, impulse = 0.036 }
 *
 * Tables are printed with their contents in order, as far as they fit.
 *
 * Thread: control.
 */
#pragma once

#include <lua.h>

/* Push a text of the value at `index`. Raises an error if __tostring does. */
void show_value(lua_State *L, int index);
