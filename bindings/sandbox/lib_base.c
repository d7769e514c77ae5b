/* bindings/sandbox/lib_base.c -- pcall, xpcall, coroutines and setmetatable,
 * which do not catch errors of the guard.
 *
 * A timeout is raised inside the count hook. Lua runs no hook inside a hook, so
 * a message handler called there, or the __close of a coroutine that died
 * there, could loop forever unnoticed. Therefore a handler is not called for a
 * verdict of the guard, such a coroutine is not closed, and whatever catches
 * the error raises it again at once.
 * Thread: the one that runs the script. */
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/sandbox/libs.h"

#include <string.h>

/* --- protected calls ------------------------------------------------------ */

/* Return from pcall. The error is on top, or the results are above `extra`
 * values. */
static int finish_call(lua_State *L, int status, lua_KContext extra) {
    if (status == LUA_OK || status == LUA_YIELD) {
        return lua_gettop(L) - (int)extra;
    }
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
    if (word && strcmp(word, "dead") != 0) {
        return luaL_error(L, "cannot close a %s coroutine", word);
    }
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

/* --- the rest ------------------------------------------------------------- */

/* Refuses finalizers: they would run at unpredictable times, and after the
 * scene has ended. Lua notices a __gc only in setmetatable. Refuses __mode,
 * which has no effect in a scene (sandbox.c), also if it is set later. */
static int set_metatable(lua_State *L) {
    if (lua_istable(L, 2)) {
        lua_settop(L, 2);
        if (bind_get(L, 2, "__gc") != LUA_TNIL) {
            return bind_error(L, "setmetatable: scenes have no __gc");
        }
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
