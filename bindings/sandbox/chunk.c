/* SPDX-License-Identifier: MIT */
#include "bindings/sandbox/chunk.h"

#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "runtime/base/in_file.h"

#include <ctype.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes passed to the compiler between two checks of the budget. In deeply
 * nested functions it can take microseconds per byte. */
enum { PIECE = 512 };

/* --- text ----------------------------------------------------------------- */

typedef struct source {
    const char *at;
    size_t left;
} source;

static const char *read_piece(lua_State *L, void *user, size_t *length) {
    source *self = user;
    const char *piece = self->at;
    *length = self->left < PIECE ? self->left : PIECE;
    self->at += *length;
    self->left -= *length;
    guard_spend(L, (int64_t)*length);
    return piece;
}

/* Like luaL_loadbufferx, for text only. */
static int load(lua_State *L, const char *text, size_t length,
                const char *name) {
    source self = {text, length};
    int status = lua_load(L, read_piece, &self, name, "t");
    if (status != LUA_OK) guard_reraise(L, status);
    return status;
}

int chunk_load_text(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    const char *name = luaL_optstring(L, 2, "=(load)");
    if (load(L, text, length, name) != LUA_OK) {
        luaL_pushfail(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, lua_isnoneornil(L, 4) ? lua_upvalueindex(1) : 4);
    (void)lua_setupvalue(L, -2, 1); /* _ENV */
    return 1;
}

/* --- files ---------------------------------------------------------------- */

/* Read the whole file; returns its size, or -1. Only regular files: reading a
 * pipe or a device could block. */
static long read_all(const char *path, char *bytes, size_t size) {
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return -1;
    size_t count = 0;
    ssize_t got = 1;
    while (got > 0 && count < size) {
        got = read(file, bytes + count, size - count);
        if (got > 0) count += (size_t)got;
    }
    (void)close(file);
    return got < 0 ? -1 : (long)count;
}

/* Push the file's bytes as a userdata; -1 and a message on failure. The memory
 * is allocated before the file is opened, so no Lua error can leave it open. */
static long push_file(lua_State *L, const char *path, const char *name) {
    struct stat info;
    if (stat(path, &info)) {
        lua_pushfstring(L, "%s: there is no such file", name);
        return -1;
    }
    if (!S_ISREG(info.st_mode)) {
        lua_pushfstring(L, "%s: is not a regular file", name);
        return -1;
    }
    if (info.st_size > SB_SCRIPT_BYTES) {
        lua_pushfstring(L, "%s: is larger than 8 MB: not a script", name);
        return -1;
    }
    char *bytes = lua_newuserdatauv(L, (size_t)info.st_size + 1, 0);
    long count = read_all(path, bytes, (size_t)info.st_size);
    if (count >= 0) return count;
    lua_pop(L, 1);
    lua_pushfstring(L, "%s: cannot be read", name);
    return -1;
}

/* As luaL_loadfile does: skip a byte order mark, then a first line that begins
 * with #. */
static const char *after_shebang(const char *text, size_t *length) {
    if (*length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        *length -= 3;
    }
    if (*length < 1 || text[0] != '#') return text;
    const char *end = memchr(text, '\n', *length);
    if (!end) end = text + *length;
    *length -= (size_t)(end - text);
    return end; /* keep the newline, and so the line numbers */
}

int chunk_load_buffer(lua_State *L, const char *text, size_t length,
                      const char *name, int env_index) {
    env_index = lua_absindex(L, env_index);
    text = after_shebang(text, &length);
    if (length > 0 && *text == LUA_SIGNATURE[0]) {
        lua_pushfstring(L,
                        "%s: attempt to load a binary chunk: only Lua source "
                        "is loaded",
                        name);
        return LUA_ERRSYNTAX;
    }
    lua_pushfstring(L, "@%s", name);
    int status = load(L, text, length, lua_tostring(L, -1));
    lua_remove(L, -2);
    if (status != LUA_OK) return status;
    lua_pushvalue(L, env_index);
    (void)lua_setupvalue(L, -2, 1);
    return LUA_OK;
}

int chunk_load_file(lua_State *L, const char *path, const char *name,
                    int env_index) {
    env_index = lua_absindex(L, env_index);
    long bytes = push_file(L, path, name);
    if (bytes < 0) return LUA_ERRFILE;
    int status = chunk_load_buffer(L, lua_touserdata(L, -1), (size_t)bytes,
                                   name, env_index);
    lua_remove(L, -2);
    return status;
}

bool chunk_is_inside(const char *folder, const char *path,
                     char resolved[PATH_MAX]) {
    char outer[PATH_MAX];
    if (!realpath(folder, outer) || !realpath(path, resolved)) return false;
    size_t length = strlen(outer);
    if (strcmp(outer, "/") == 0) return true;
    return strncmp(outer, resolved, length) == 0 && resolved[length] == '/';
}

/* --- require -------------------------------------------------------------- */

static bool is_module_name(const char *name) {
    size_t length = strlen(name);
    const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "0123456789_-.";
    return length > 0 && length < 200 && strspn(name, allowed) == length &&
           !strstr(name, "..") && name[0] != '.' && name[length - 1] != '.';
}

/* Marks a module that is being loaded. */
static char being_loaded;

/* loaded[name at 1] = value on top; does not pop it. */
static void set_loaded(lua_State *L) {
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(2));
}

/* Run the chunk on top with the module's name as argument; its result is the
 * module. */
static int run_module(lua_State *L) {
    lua_pushlightuserdata(L, &being_loaded);
    set_loaded(L);
    lua_pop(L, 1);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    set_loaded(L);
    return 1;
}

/* Push the chunk of the module, or nothing if there is no such file in the
 * scene's folder. The path is left at index 2 in both cases. */
static bool find_module(lua_State *L, const char *name) {
    const char *folder = lua_tostring(L, lua_upvalueindex(3));
    const char *slashed = luaL_gsub(L, name, ".", "/");
    const char *path = lua_pushfstring(L, "%s/%s.lua", folder, slashed);
    lua_replace(L, 2);
    char resolved[PATH_MAX];
    bool is_inside = chunk_is_inside(folder, path, resolved);
    lua_pushvalue(L, lua_upvalueindex(5));
    lua_pushvalue(L, 2);
    lua_pushboolean(L, is_inside);
    lua_call(L, 2, 0);
    if (!is_inside) return false;
    if (chunk_load_file(L, resolved, path, lua_upvalueindex(1)) != LUA_OK)
        (void)lua_error(L);
    return true;
}

int chunk_require(lua_State *L) {
    const char *name = bind_check_text(L, 1, "require", "the module's name");
    bool is_trusted = !lua_isnil(L, lua_upvalueindex(4));
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) {
        if (lua_touserdata(L, -1) != &being_loaded) return 1;
        return bind_error(L,
                          "require: '%s' is still being loaded, or has failed "
                          "to load: do two modules require each other?",
                          name);
    }
    lua_settop(L, 1);
    guard_spend(L, 1000); /* cost of file access */
    bool is_name = is_module_name(name);
    if (is_name && find_module(L, name)) return run_module(L);
    if (is_trusted) {
        lua_pushvalue(L, lua_upvalueindex(4));
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    }
    if (!is_name)
        return bind_error(L, "require: '%s' is not a module's name", name);
    return bind_error(L,
                      "require: there is no module '%s' beside the "
                      "scene (looked for %s)",
                      name, lua_tostring(L, 2));
}
