/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/sandbox.h -- what a script can reach.
 *
 * A whitelist: the language, tables, strings, numbers, coroutines, and
 * `require` for modules beside the scene. No files, no processes, no clocks:
 * the same script and seed produce the same sound. `pairs` and `next` visit
 * keys in order, and addresses are not shown, because both differ from run to
 * run (order.h).
 * Libraries have limits (libs.h), and code is compiled by chunk.h. A trusted
 * script has all of Lua's own libraries instead.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sandbox_def {
    const char *folder;   /* folder of the modules */
    uint64_t seed;        /* of math.random */
    bool is_trusted;      /* all of Lua, with native modules */
    lua_CFunction report; /* called with each line of print */
    /* Called with every path that require looks for, and true if the file is in
     * the folder. */
    lua_CFunction note_file;
} sandbox_def;

/* Push a new environment. require "sandbell" returns the table at
 * `sandbell_index`. `print` calls the host's report function. */
void sandbox_push_environment(lua_State *L, int sandbell_index,
                              const sandbox_def *def);
