/* SPDX-License-Identifier: MIT */
/* Lua's standard libraries with limits (libs.h): base, coroutine, string, utf8.
 *
 * A timeout is raised inside the count hook. Lua runs no hook inside a hook, so
 * a message handler called there, or the __close of a coroutine that died
 * there, could loop forever unnoticed. Therefore a handler is not called for a
 * verdict of the guard, such a coroutine is not closed, and whatever catches
 * the error raises it again at once.
 *
 * Most functions of strings are Lua's own, called after a check of the size of
 * their arguments: no single call may take longer than a few milliseconds. */
#include "bindings/sandbox/libs.h"

#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/sandbox/order.h"

#include <ctype.h>
#include <string.h>

/* --- protected calls ------------------------------------------------------ */

/* Return from pcall. The error is on top, or the results are above `extra`
 * values. */
static int finish_call(lua_State *L, int status, lua_KContext extra) {
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - (int)extra;
    guard_reraise(L, status);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

static int protected_call(lua_State *L) {
    luaL_checkany(L, 1);
    guard_spend(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status =
        lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_call);
    return finish_call(L, status, 0);
}

/* Message handler of xpcall. Upvalue: the script's own handler. */
static int handle_message(lua_State *L) {
    lua_settop(L, 1);
    if (guard_is_over(L)) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int protected_call_with_handler(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    guard_spend(L, 1);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle_message, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2); /* below the arguments */
    int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_call);
    return finish_call(L, status, 2);
}

/* --- coroutines ----------------------------------------------------------- */

static lua_State *check_thread(lua_State *L) {
    lua_State *thread = lua_tothread(L, 1);
    luaL_argexpected(L, thread, 1, "coroutine");
    return thread;
}

/* NULL if the coroutine can be resumed or closed, else the word of
 * coroutine.status that is the reason. */
static const char *obstacle(lua_State *L, lua_State *thread) {
    lua_Debug at;
    if (L == thread) return "running";
    switch (lua_status(thread)) {
    case LUA_YIELD:
        return NULL;
    case LUA_OK:
        if (lua_getstack(thread, 0, &at)) return "normal";
        return lua_gettop(thread) == 0 ? "dead" : NULL;
    default:
        return "dead";
    }
}

/* Resume with the arguments on top of L. Returns the number of results moved to
 * L, or -1 with the error on top. Does not return after a verdict of the guard.
 */
static int resume(lua_State *L, lua_State *thread, int argument_count) {
    guard_spend(L, 1);
    const char *word = obstacle(L, thread);
    if (word) {
        lua_pushfstring(L, "cannot resume %s coroutine",
                        strcmp(word, "dead") == 0 ? "dead" : "non-suspended");
        return -1;
    }
    if (!lua_checkstack(thread, argument_count)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, thread, argument_count);
    int count = 0;
    int status = guard_resume(L, thread, argument_count, &count);
    if (status == LUA_OK || status == LUA_YIELD) {
        if (!lua_checkstack(L, count + 1)) {
            lua_pop(thread, count);
            lua_pushliteral(L, "too many results to resume");
            return -1;
        }
        lua_xmove(thread, L, count);
        return count;
    }
    guard_reraise(L, status);
    lua_xmove(thread, L, 1);
    return -1;
}

static int create(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    guard_spend(L, 10);
    lua_State *thread = lua_newthread(L); /* inherits the hook */
    lua_pushvalue(L, 1);
    lua_xmove(L, thread, 1);
    return 1;
}

static int resume_coroutine(lua_State *L) {
    lua_State *thread = check_thread(L);
    int count = resume(L, thread, lua_gettop(L) - 1);
    lua_pushboolean(L, count >= 0);
    if (count < 0) {
        lua_insert(L, -2);
        return 2;
    }
    lua_insert(L, -(count + 1));
    return count + 1;
}

/* Close `thread`; pushes its error on L if it has one. */
static int close_thread(lua_State *L, lua_State *thread) {
    int status = guard_close_thread(L, thread);
    guard_reraise(L, status == LUA_ERRMEM ? status : LUA_OK);
    if (status != LUA_OK) lua_xmove(thread, L, 1);
    return status;
}

static int call_wrapped(lua_State *L) {
    lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
    int count = resume(L, thread, lua_gettop(L));
    if (count >= 0) return count;
    int status = lua_status(thread);
    if (status != LUA_OK && status != LUA_YIELD) {
        /* The coroutine ended with an error. Its open variables are closed,
         * which may fail as well; they need the error object on the stack. */
        lua_xmove(L, thread, 1);
        (void)close_thread(L, thread);
    }
    if (lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int wrap(lua_State *L) {
    (void)create(L);
    lua_pushcclosure(L, call_wrapped, 1);
    return 1;
}

static int close_coroutine(lua_State *L) {
    lua_State *thread = check_thread(L);
    guard_spend(L, 1);
    const char *word = obstacle(L, thread);
    if (word && strcmp(word, "dead") != 0)
        return luaL_error(L, "cannot close a %s coroutine", word);
    int status = close_thread(L, thread);
    lua_pushboolean(L, status == LUA_OK);
    if (status == LUA_OK) return 1;
    lua_insert(L, -2);
    return 2;
}

void lib_coroutine_limit(lua_State *L) {
    static const luaL_Reg functions[] = {{"create", create},
                                         {"resume", resume_coroutine},
                                         {"wrap", wrap},
                                         {"close", close_coroutine},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}

/* --- metatables ----------------------------------------------------------- */

/* Refuses finalizers: they would run at unpredictable times, and after the
 * scene has ended. Lua notices a __gc only in setmetatable. Refuses __mode,
 * which has no effect in a scene (sandbox.c), also if it is set later. */
static int set_metatable(lua_State *L) {
    if (lua_istable(L, 2)) {
        lua_settop(L, 2);
        if (bind_get(L, 2, "__gc") != LUA_TNIL)
            return bind_error(L, "setmetatable: scenes have no __gc");
        if (bind_get(L, 2, "__mode") != LUA_TNIL) {
            return bind_error(L, "setmetatable: scenes have no weak tables "
                                 "(__mode); --trust allows them");
        }
        lua_settop(L, 2);
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void lib_base_limit(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"pcall", protected_call},
        {"xpcall", protected_call_with_handler},
        {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    lua_getfield(L, -1, "setmetatable");
    lua_pushcclosure(L, set_metatable, 1);
    lua_setfield(L, -2, "setmetatable");
}

/* --- strings: rep --------------------------------------------------------- */

enum {
    MOST_FORMATTED = 1 << 18, /* bytes of texts; %q may write each as \\ddd */
    MOST_VALUES = 250,        /* in a format */
    LONGEST_LAYOUT = 1000,    /* of string.pack; c99999 at most 166 times */
    MOST_DIGITS = 5,
    MOST_TEXT = 1 << 20 /* bytes that utf8 decodes in one call */
};

/* Length of `count` texts of `one` bytes each with gaps between them; count is
 * at least 1. Raises an error if it is too long. */
static size_t check_length(lua_State *L, size_t one, size_t gap,
                           lua_Integer count) {
    lua_Unsigned most = (GUARD_MOST_STRING + gap) / one;
    if ((lua_Unsigned)count > most) {
        bind_error(L, "string.rep: the result would be longer than %d MB",
                   (int)(GUARD_MOST_STRING >> 20));
    }
    return one * (size_t)count - gap;
}

/* Fill by doubling: one copy per repetition would be slow for short texts. */
static int rep(lua_State *L) {
    size_t length, between;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer count = luaL_checkinteger(L, 2);
    const char *gap = luaL_optlstring(L, 3, "", &between);
    if (count <= 0 || length + between == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    size_t total = check_length(L, length + between, between, count);
    luaL_Buffer buffer;
    guard_spend(L, 1 + (int64_t)(total / 64));
    char *out = luaL_buffinitsize(L, &buffer, total + between);
    size_t done = length + between; /* the last gap is removed below */
    memcpy(out, text, length);
    memcpy(out + length, gap, between);
    while (done < total) {
        size_t piece = done < total - done ? done : total - done;
        memcpy(out + done, out, piece);
        done += piece;
    }
    luaL_pushresultsize(&buffer, total);
    return 1;
}

/* --- strings: Lua's own, when asked for something sensible ---------------- */

/* Tail-call the function in upvalue 1, so that its messages name the script's
 * line and the name by which it was called. */
static int pass_on(lua_State *L) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int64_t length_of(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? (int64_t)lua_rawlen(L, index)
                                             : 0;
}

static int format(lua_State *L) {
    int64_t bytes = 0;
    int count = lua_gettop(L);
    if (count > MOST_VALUES) {
        return bind_error(L, "string.format: more than %d values",
                          (int)MOST_VALUES);
    }
    for (int i = 1; i <= count; i++)
        bytes += length_of(L, i);
    if (bytes > MOST_FORMATTED) {
        return bind_error(L, "string.format: texts of more than %d kB",
                          (int)MOST_FORMATTED / 1024);
    }
    guard_spend(L, 1 + 5 * count + bytes / 4);
    order_replace_addresses(L);
    return pass_on(L);
}

static int pack(lua_State *L) {
    size_t length;
    const char *layout = luaL_checklstring(L, 1, &length);
    int digits = 0;
    bool is_large = length > LONGEST_LAYOUT;
    for (size_t i = 0; i < length && !is_large; i++) {
        digits = isdigit((unsigned char)layout[i]) ? digits + 1 : 0;
        is_large = digits > MOST_DIGITS;
    }
    if (is_large) return bind_error(L, "string.pack: the layout is too large");
    guard_spend(L, 1 + (int64_t)length * 10);
    return pass_on(L);
}

/* Upvalue 2: bytes per tick. */
static int scan(lua_State *L) {
    guard_spend(L, 1 + length_of(L, 1) / lua_tointeger(L, lua_upvalueindex(2)));
    return pass_on(L);
}

static int decode(lua_State *L) {
    if (length_of(L, 1) > MOST_TEXT)
        return bind_error(L, "utf8: a text of more than 1 MB");
    guard_spend(L, 1 + length_of(L, 1) / 8);
    return pass_on(L);
}

/* Replace the function `name` of the library on top by `function`, which checks
 * its arguments first. */
static void limit(lua_State *L, const char *name, lua_CFunction function,
                  lua_Integer bytes_per_tick) {
    lua_getfield(L, -1, name);
    lua_pushinteger(L, bytes_per_tick);
    lua_pushcclosure(L, function, 2);
    lua_setfield(L, -2, name);
}

void lib_string_limit(lua_State *L) {
    lua_pushcfunction(L, rep);
    lua_setfield(L, -2, "rep");
    limit(L, "format", format, 1);
    limit(L, "pack", pack, 1);
    limit(L, "packsize", pack, 1);
    limit(L, "unpack", pack, 1);
    limit(L, "byte", scan, 4096); /* usually one byte of a long text */
    limit(L, "lower", scan, 8);
    limit(L, "upper", scan, 8);
    limit(L, "reverse", scan, 8);
    limit(L, "sub", scan, 4096);
}

void lib_utf8_limit(lua_State *L) {
    limit(L, "len", decode, 1);
    limit(L, "offset", decode, 1);
    limit(L, "codepoint", decode, 1);
}
