/* SPDX-License-Identifier: MIT */
/* bindings/script/evaluate.c -- runs a line typed at the prompt.
 *
 * Its globals are those of the script and, where no global has the name, the
 * bodies and the values of params by name: `F3:strike { speed = 1 }` and
 * `hardness = 1e5` work even if the script keeps F3 and hardness in locals.
 * Thread: control. */
#include "bindings/script/protect.h"
#include "bindings/script/script_internal.h"
#include "bindings/show.h"
#include "runtime/base/memory.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#define PROMPT "sandbell.prompt"
#define PARAM  "sandbell.Param" /* PARAM_TYPE of bindings/api */

typedef struct evaluation {
    const char *text;
    const char *actor;
    char *result;
    bool is_incomplete;
} evaluation;

/* --- globals -------------------------------------------------------------- */

/* __index of the prompt's globals. Upvalue: the script's environment. */
static int find_global(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_gettable(L, lua_upvalueindex(1)) != LUA_TNIL ||
        lua_type(L, 2) != LUA_TSTRING) {
        return 1;
    }
    const sb_scene *scene = script_scene(script_of(L));
    const char *name = lua_tostring(L, 2);
    if (scene && sb_scene_find(scene, name).generation) {
        script_push_body(L, name);
        return 1;
    }
    sb_script *script = script_of(L);
    int param = sb_params_find(script_params(script), name);
    if (param >= 0) lua_pushnumber(L, script_read_param(script, param));
    return 1;
}

/* __newindex of the prompt's globals: a param, unless the script has a global
 * of that name that is not the param itself, or a param is being kept in a
 * global. Upvalue: the environment. */
static int set_global(lua_State *L) {
    lua_settop(L, 3);
    lua_pushvalue(L, 2);
    bool is_free = lua_gettable(L, lua_upvalueindex(1)) == LUA_TNIL ||
                   luaL_testudata(L, -1, PARAM);
    lua_pop(L, 1);
    int param = -1;
    bool is_handle = luaL_testudata(L, 3, PARAM) != NULL;
    if (is_free && !is_handle && lua_type(L, 2) == LUA_TSTRING)
        param = sb_params_find(script_params(script_of(L)), lua_tostring(L, 2));
    if (param >= 0) {
        script_set_param(L, param, "param", 3);
    } else {
        lua_settable(L, lua_upvalueindex(1));
    }
    return 0;
}

static void push_globals(lua_State *L) {
    if (lua_getfield(L, LUA_REGISTRYINDEX, PROMPT) == LUA_TTABLE) return;
    lua_pop(L, 1);
    lua_newtable(L);
    script_push_module(L);
    lua_setfield(L, -2, "sb");
    lua_createtable(L, 0, 2);
    script_push_environment(L);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, find_global, 1);
    lua_setfield(L, -3, "__index");
    lua_pushcclosure(L, set_global, 1);
    lua_setfield(L, -2, "__newindex");
    (void)lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, PROMPT);
}

/* --- running -------------------------------------------------------------- */

/* Compile as an expression, or if that fails as a statement. */
static int load_chunk(lua_State *L, evaluation *self) {
    const char *asked = lua_pushfstring(L, "return %s", self->text);
    if (luaL_loadbufferx(L, asked, strlen(asked), "=prompt", "t") == LUA_OK) {
        lua_remove(L, -2);
        return LUA_OK;
    }
    lua_pop(L, 2);
    int status =
        luaL_loadbufferx(L, self->text, strlen(self->text), "=prompt", "t");
    if (status == LUA_ERRSYNTAX) {
        const char *message = lua_tostring(L, -1);
        size_t length = strlen(message);
        self->is_incomplete =
            length >= 5 && strcmp(message + length - 5, "<eof>") == 0;
    }
    return status;
}

/* Convert the values returned by a finished coroutine to one text. */
static void keep_results(lua_State *L, lua_State *thread, int count,
                         evaluation *self) {
    if (count == 0) return;
    luaL_checkstack(L, count + 8, "too many results");
    int base = lua_gettop(L) + 1;
    lua_xmove(thread, L, count);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 0; i < count; i++) {
        if (i) luaL_addchar(&text, '\t');
        show_value(L, base + i);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    self->result = sb_copy_text(lua_tostring(L, -1));
}

/* Run the function on top of the stack as a coroutine, so that it may sleep. */
static void run_chunk(lua_State *L, evaluation *self) {
    sb_script *script = script_of(L);
    lua_State *thread = lua_newthread(L);
    lua_insert(L, -2);
    lua_xmove(L, thread, 1);
    int count = 0;
    timers *list = script_timers(script);
    list->running = thread;
    list->actor = self->actor;
    int status = guard_resume(L, thread, 0, &count);
    list->running = NULL;
    list->actor = NULL;
    if (status == LUA_OK) {
        keep_results(L, thread, count, self);
    } else if (status == LUA_YIELD) {
        double wait_s = count > 0 ? lua_tonumber(thread, -count) : 0.0;
        lua_pop(thread, count);
        (void)timers_keep_thread(L, script_now(script) + fmax(wait_s, 0.0),
                                 self->actor);
    } else if (status == LUA_ERRMEM) {
        (void)luaL_error(L, "out of memory");
    } else {
        guard_describe_thread(L, thread);
        (void)lua_error(L);
    }
}

void script_run_now(lua_State *L, const char *actor) {
    evaluation self = {.actor = actor};
    run_chunk(L, &self);
    sb_free(self.result);
}

static int evaluate(lua_State *L) {
    evaluation *self = lua_touserdata(L, 1);
    if (load_chunk(L, self) != LUA_OK) return lua_error(L);
    push_globals(L);
    (void)lua_setupvalue(L, -2, 1);
    run_chunk(L, self);
    return 0;
}

sb_status script_evaluate(sb_script *script, const char *text, char **result,
                          bool *is_incomplete, sb_error *err) {
    evaluation self = {.text = text, .actor = SCRIPT_HAND};
    /* The longer budget: a line may create a body, which takes time. */
    script->is_prompting = true;
    sb_status status = script_protect(script, GUARD_LOAD, evaluate, &self, err);
    script->is_prompting = false;
    *is_incomplete = self.is_incomplete;
    *result = status ? NULL : self.result;
    if (status) sb_free(self.result);
    return status;
}
