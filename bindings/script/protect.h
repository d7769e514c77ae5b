/* SPDX-License-Identifier: MIT */
/* bindings/script/protect.h -- calls into Lua that may fail.
 *
 * Thread: as the script.
 */
#pragma once

#include "bindings/sandbox/guard.h"

#include <lua.h>

typedef struct sb_script sb_script;

/* Call a C function inside Lua, in protected mode, with `argument` as a light
 * userdata. */
SB_NODISCARD sb_status script_protect(sb_script *script, guard_budget budget,
                                      lua_CFunction function, void *argument,
                                      sb_error *err);
