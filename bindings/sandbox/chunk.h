/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/chunk.h -- compiles source code: text, files, modules.
 *
 * Text only, never precompiled chunks, which can crash the interpreter. The
 * compiler reads small pieces, and the guard checks the budget between them.
 * Files must be in the scene's folder; links and `..` are resolved before that
 * is checked, and the resolved path is the one that is opened.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include <limits.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Load `path` as text into the environment at `env_index`; messages call it
 * `name`. Like luaL_loadfile: LUA_OK and a function, or a message. */
int chunk_load_file(lua_State *L, const char *path, const char *name,
                    int env_index);
/* The same for a text in memory. */
int chunk_load_buffer(lua_State *L, const char *text, size_t length,
                      const char *name, int env_index);

/* True if `path`, with links resolved, is a file in `folder` or below it;
 * `resolved` is its path. Every loader of a scene's files checks this. */
bool chunk_is_inside(const char *folder, const char *path,
                     char resolved[PATH_MAX]);

/* load(text, name, mode, env): text only. Upvalue: the environment. */
int chunk_load_text(lua_State *L);

/* require. Upvalues: the environment; the table of loaded modules; the scene's
 * folder; Lua's own require for trusted scripts, or nil; a function that is
 * called with the path of every file searched and whether it is loaded. */
int chunk_require(lua_State *L);
