/* bindings/api/l_timer.c -- scene time in a script: go, sleep, after, every.
 *
 *     sb.go(function() bar:strike { ... }  sb.sleep(0.6)  ... end)
 *     local tick = sb.every(0.25, function() ... end)
 *     tick:cancel()
 *
 * Times are exact, not rounded to control steps or samples.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/script/timers.h"

#define LONGEST_S  1e7
#define SHORTEST_S 1e-4 /* between two runs of sb.every */

static int push_timer(lua_State *L, uint64_t order) {
    uint64_t *self = lua_newuserdatauv(L, sizeof *self, 0);
    *self = order;
    luaL_setmetatable(L, TIMER_TYPE);
    return 1;
}

static int timer_go(lua_State *L) {
    bind_check_function(L, 1, "sb.go");
    lua_settop(L, 1);
    return push_timer(L, timers_add_thread(L, script_actor(L)));
}

static int timer_sleep(lua_State *L) {
    double span_s =
        bind_check_number(L, 1, "sb.sleep", "the time", 0, LONGEST_S, "s");
    if (script_timers(script_of(L))->running != L) {
        return bind_error(L, "sb.sleep works inside sb.go(function() ... end)");
    }
    lua_settop(L, 0);
    lua_pushnumber(L, span_s);
    return lua_yield(L, 1);
}

static int timer_after(lua_State *L) {
    double span_s =
        bind_check_number(L, 1, "sb.after", "the time", 0, LONGEST_S, "s");
    bind_check_function(L, 2, "sb.after");
    lua_settop(L, 2);
    double time_s = script_now(script_of(L)) + span_s;
    return push_timer(L, timers_add_call(L, time_s, 0.0));
}

static int timer_every(lua_State *L) {
    double span_s = bind_check_number(L, 1, "sb.every", "the time", SHORTEST_S,
                                      LONGEST_S, "s");
    bind_check_function(L, 2, "sb.every");
    lua_settop(L, 2);
    double time_s = script_now(script_of(L)) + span_s;
    return push_timer(L, timers_add_call(L, time_s, span_s));
}

static int timer_cancel(lua_State *L) {
    const uint64_t *self = bind_check_self(L, 1, TIMER_TYPE, "timer:cancel");
    lua_pushboolean(L, timers_cancel(L, script_timers(script_of(L)), *self));
    return 1;
}

static int timer_tostring(lua_State *L) {
    (void)bind_check_self(L, 1, TIMER_TYPE, "timer");
    lua_pushliteral(L, "timer");
    return 1;
}

static const bind_function functions[] = {
    {"go", timer_go, "run: fun()", "sandbell.Timer",
     "Run a function as a coroutine; it may call sb.sleep."},
    {"sleep", timer_sleep, "seconds: number", "",
     "Wait, in scene time, inside sb.go; 0 .. 1e7 s."},
    {"after", timer_after, "seconds: number, run: fun()", "sandbell.Timer",
     "Call a function once, after this scene time; 0 .. 1e7 s."},
    {"every", timer_every, "seconds: number, run: fun()", "sandbell.Timer",
     "Call a function repeatedly, with this period; 1e-4 .. 1e7 s."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {{NULL, NULL, NULL}};

static const bind_function methods[] = {
    {"cancel", timer_cancel, "", "boolean",
     "Cancel it; false if it has ended already."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const luaL_Reg meta[] = {{"__tostring", timer_tostring}, {NULL, NULL}};
static const bind_type type = {
    .name = TIMER_TYPE,
    .help = "Something that is going to happen.",
    .methods = methods,
    .meta = meta,
};

const api_chapter timer_chapter = {"Time", functions, records, &type};
