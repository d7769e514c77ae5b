/* SPDX-License-Identifier: MIT */
/* bindings/api/l_scene.c -- the scene as a whole: clock, statistics, reload and
 * reset, the rows of its callbacks; its params; and its time: go, sleep, after,
 * every.
 *
 *     local hardness = sb.param("hardness", { min = 1e5, max = 1e9,
 *                                             default = 1e7, curve = "log" })
 *     bar:strike { ..., hardness = hardness() }
 *     sb.go(function() bar:strike { ... }  sb.sleep(0.6)  ... end)
 *     local tick = sb.every(0.25, function() ... end)
 *     tick:cancel()
 *
 * Times are exact, not rounded to control steps or samples.
 *
 * Thread: the one that runs the script. */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/script/script.h"
#include "bindings/script/script_output.h"
#include "bindings/script/timers.h"
#include "runtime/base/nearest.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/param.h"
#include "runtime/scene/world/scene_world.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int now(lua_State *L) {
    lua_pushnumber(L, script_now(script_of(L)));
    return 1;
}

static double decibels(double amplitude) {
    return amplitude > 1e-10 ? 20.0 * log10(amplitude) : -200.0;
}

static int stats(lua_State *L) {
    script_check_running(L, "sb.stats");
    const sb_script *owner = script_of(L);
    sb_engine_stats s = sb_engine_read_stats(script_engine(owner));
    /* The energy is computed only for scripts that read it. */
    sb_engine_count_energy(script_engine(owner));
    sb_engine_energy e = sb_engine_read_energy(script_engine(owner));
    lua_createtable(L, 0, 30);
    bind_set_number(L, "time", script_now(owner));
    bind_set_number(L, "sample_rate",
                    sb_engine_sample_rate(script_engine(owner)));
    bind_set_number(L, "frames", (double)s.frames);
    bind_set_number(L, "bodies", sb_scene_body_count(script_scene(owner)));
    bind_set_number(L, "sounding", s.sounding);
    bind_set_number(L, "active_modes", s.active_modes);
    bind_set_number(L, "modes_wanted", s.modes_wanted);
    bind_set_number(L, "modes_mixed", s.modes_mixed);
    bind_set_number(L, "modes_dropped", s.modes_wanted - s.modes_mixed);
    bind_set_number(L, "dropped_db", s.dropped_db);
    bind_set_number(L, "strikes", (double)s.strikes);
    bind_set_number(L, "dropped_strikes", (double)s.dropped);
    bind_set_number(L, "late_commands", (double)s.late);
    bind_set_number(L, "muted", (double)s.muted);
    bind_set_number(L, "peak_db", decibels(s.peak));
    bind_set_number(L, "limiter_db", decibels(s.limiter_gain));
    bind_set_number(L, "energy_in", e.in_j);
    bind_set_number(L, "energy_out", e.out_j);
    bind_set_number(L, "energy_now", e.now_j);
    bind_set_number(L, "energy_drift", e.drift);
    script_output load = script_read_output(owner);
    bind_set_number(L, "missed_deadlines", (double)load.missed);
    bind_set_number(L, "cpu_share", load.share);
    bind_set_number(L, "device_losses", (double)load.devices.losses);
    bind_set_number(L, "device_returns", (double)load.devices.returns);
    sb_world_info world = sb_scene_world_info(script_scene(owner));
    bind_set_number(L, "world_bodies", world.bodies);
    bind_set_number(L, "world_awake", world.awake);
    bind_set_number(L, "world_rate", world.rate_hz);
    bind_set_number(L, "world_contacts", world.contacts);
    bind_set_number(L, "world_lost", (double)world.lost);
    bind_set_number(L, "lua_bytes", lua_gc(L, LUA_GCCOUNT, 0) * 1024.0);
    return 1;
}

static int reload(lua_State *L) {
    script_check_running(L, "sb.reload");
    script_request_reload(script_of(L), false);
    return 0;
}

static int reset(lua_State *L) {
    script_check_running(L, "sb.reset");
    script_request_reload(script_of(L), true);
    return 0;
}

static const bind_function functions[] = {
    {"now", now, "", "number", "Scene time, s."},
    {"stats", stats, "", "sandbell.Stats",
     "Counters and levels of the running scene."},
    {"reload", reload, "", "",
     "Load the scene again, as if it had been saved; `state` stays."},
    {"reset", reset, "", "",
     "Load the scene again with an empty `state`; scene.start runs again."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_field stats_fields[] = {
    FIELD_OTHER("time", "number", "s", "scene time"),
    FIELD_OTHER("sample_rate", "number", "Hz", "frames per second"),
    FIELD_OTHER("frames", "number", "", "rendered so far"),
    FIELD_OTHER("bodies", "number", "", "in the scene"),
    FIELD_OTHER("sounding", "number", "", "bodies that ring"),
    FIELD_OTHER("active_modes", "number", "", "modes that ring"),
    FIELD_OTHER("modes_wanted", "number", "", "modes loud enough to be mixed"),
    FIELD_OTHER("modes_mixed", "number", "", "modes mixed in the last block"),
    FIELD_OTHER("modes_dropped", "number", "",
                "modes left out; see sb.quality"),
    FIELD_OTHER("dropped_db", "number", "dBFS",
                "level of the modes left out; -200 if none"),
    FIELD_OTHER("strikes", "number", "", "begun so far"),
    FIELD_OTHER("dropped_strikes", "number", "",
                "left out: queue full or no time"),
    FIELD_OTHER("late_commands", "number", "",
                "commands that came after their time"),
    FIELD_OTHER("muted", "number", "", "bodies set to rest because of a NaN"),
    FIELD_OTHER("peak_db", "number", "dBFS", "of the last block"),
    FIELD_OTHER("limiter_db", "number", "dB", "gain of the limiter"),
    FIELD_OTHER(
        "energy_in", "number", "J",
        "work done by strikers and contacts since the first sb.stats()"),
    FIELD_OTHER("energy_out", "number", "J", "dissipated, or kept by strikers"),
    FIELD_OTHER("energy_now", "number", "J", "of modes, contacts and strikers"),
    FIELD_OTHER("energy_drift", "number", "", "(in - out - now) / in"),
    FIELD_OTHER("missed_deadlines", "number", "", "of the audio thread"),
    FIELD_OTHER("cpu_share", "number", "", "of the audio thread, 0 to 1"),
    FIELD_OTHER("device_losses", "number", "", "sound devices lost"),
    FIELD_OTHER("device_returns", "number", "", "sound devices found again"),
    FIELD_OTHER("world_bodies", "number", "", "bodies that can collide"),
    FIELD_OTHER("world_awake", "number", "", "free bodies that move"),
    FIELD_OTHER("world_rate", "number", "Hz", "steps per second; 0: no world"),
    FIELD_OTHER("world_contacts", "number", "", "lasting contacts now"),
    FIELD_OTHER("world_lost", "number", "",
                "bodies that left the bounds of the world"),
    FIELD_OTHER("lua_bytes", "number", "bytes", "allocated by the script"),
    FIELD_END,
};

static const bind_record records[] = {
    {"sandbell.Stats", "What sb.stats returns.", stats_fields},
    {"sandbell.Contact", "What is passed to scene.contact.", contact_fields},
    {NULL, NULL, NULL},
};

const bind_field scene_callbacks[] = {
    FIELD_OTHER("start", "fun()", "", "on the first load and after a reset"),
    FIELD_OTHER("update", "fun(dt: number)", "",
                "every control step of dt seconds"),
    FIELD_OTHER(
        "contact", "fun(contact: sandbell.Contact)", "",
        "when something is struck, by a script, a page or a program, or the "
        "world's bodies meet"),
    FIELD_OTHER("reload", "fun()", "", "after the scene was loaded again"),
    FIELD_END,
};

const api_chapter scene_chapter = {"The scene", functions, records, NULL};

/* --- params -------------------------------------------------------------- */

static const char *const curves[] = {"linear", "log", NULL};

typedef struct param_def {
    sb_param param;
    int curve;
} param_def;

#define AT(field) offsetof(param_def, field)
static const bind_field param_fields[] = {
    FIELD("min", AT(param.min), -DBL_MAX, DBL_MAX, "", "default 0"),
    FIELD("max", AT(param.max), -DBL_MAX, DBL_MAX, "", "default 1"),
    FIELD("default", AT(param.initial), -DBL_MAX, DBL_MAX, "",
          "initial value; default min"),
    FIELD_CHOICE("curve", AT(curve), curves,
                 "how a slider runs through the range; default linear"),
    FIELD_END,
};

static int param_new(lua_State *L) {
    static const char where[] = "sb.param";
    const char *name = bind_check_name(L, 1, where);
    if (!*name || strlen(name) >= SB_NAME_SIZE) {
        return bind_error(L, "%s: the name must have 1 to %d bytes", where,
                          SB_NAME_SIZE - 1);
    }
    param_def def = {.param = {.max = 1.0}};
    bind_read_fields(L, 2, where, param_fields, &def);
    if (bind_get(L, 2, "default") == LUA_TNIL) {
        def.param.initial = def.param.min;
    }
    (void)snprintf(def.param.name, sizeof def.param.name, "%s", name);
    def.param.curve = (sb_curve)def.curve;

    int *index = lua_newuserdatauv(L, sizeof *index, 0);
    luaL_setmetatable(L, PARAM_TYPE);
    sb_error err;
    if (script_declare_param(script_of(L), &def.param, index, &err)) {
        return bind_fail(L, where, &err);
    }
    return 1;
}

static int param_get(lua_State *L) {
    const int *index = bind_check_self(L, 1, PARAM_TYPE, "param()");
    lua_pushnumber(L, script_read_param(script_of(L), *index));
    return 1;
}

static int param_set(lua_State *L) {
    static const char where[] = "param:set";
    const int *index = bind_check_self(L, 1, PARAM_TYPE, where);
    script_set_param(L, *index, where, 2);
    return 0;
}

static int param_tostring(lua_State *L) {
    const int *index = bind_check_self(L, 1, PARAM_TYPE, "param");
    const sb_param *param = &script_own_params(script_of(L))->items[*index];
    lua_pushfstring(L, "param '%s' = %f", param->name, param->value);
    return 1;
}

/* --- params by name ------------------------------------------------------- */

static const char *name_at(const void *params, int i) {
    return ((const sb_params *)params)->items[i].name;
}

/* The param named by the key at 2, or an error. */
static int find_named(lua_State *L) {
    const sb_params *params = script_own_params(script_of(L));
    const char *name = bind_check_text(L, 2, "sb.params", "the name");
    int index = sb_params_find(params, name);
    if (index >= 0) return index;
    const char *near = sb_nearest(name, params->count, name_at, params);
    return bind_error(L, "sb.params: the scene has no param '%s'%s", name,
                      bind_hint(L, near));
}

static int params_get(lua_State *L) {
    lua_pushnumber(L, script_read_param(script_of(L), find_named(L)));
    return 1;
}

static int params_set(lua_State *L) {
    script_set_param(L, find_named(L), "sb.params", 3);
    return 0;
}

static int params_all(lua_State *L) {
    sb_script *script = script_of(L);
    int count = script_own_params(script)->count;
    lua_createtable(L, 0, count);
    for (int i = 0; i < count; i++)
        bind_set_number(L, script_own_params(script)->items[i].name,
                        script_read_param(script, i));
    return 1;
}

void params_push(lua_State *L) {
    (void)lua_newuserdatauv(L, 0, 0);
    luaL_setmetatable(L, PARAMS_TYPE);
}

/* --- tables of the API ---------------------------------------------------- */

static const bind_function param_functions[] = {
    {"param", param_new, "name: string, def: sandbell.ParamDef",
     "sandbell.Param",
     "A number that can be changed while the scene runs, and set with --set."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record param_records[] = {
    {"sandbell.ParamDef", "What sb.param takes.", param_fields},
    {NULL, NULL, NULL},
};

static const bind_function param_methods[] = {
    {"set", param_set, "value: number", "", "Set it, within its range."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const luaL_Reg param_meta[] = {
    {"__call", param_get}, {"__tostring", param_tostring}, {NULL, NULL}};
static const bind_type param_type = {
    .name = PARAM_TYPE,
    .help = "A number that can be changed; call it to read it.",
    .methods = param_methods,
    .meta = param_meta,
    .call = "number",
};

static const luaL_Reg params_meta[] = {{"__index", params_get},
                                       {"__newindex", params_set},
                                       {"__call", params_all},
                                       {NULL, NULL}};
static const bind_field params_fields[] = {
    FIELD_OTHER("hardness", "number", "",
                "the value of the param of that name, for every name; assign "
                "to set it, within its range"),
    FIELD_END,
};
static const bind_type params_type = {
    .name = PARAMS_TYPE,
    .help = "sb.params: all params by name; called, it returns a table of "
            "their values.",
    .methods = NULL,
    .meta = params_meta,
    .properties = params_fields,
    .call = "table<string, number>",
};

const api_chapter params_chapter = {"Params by name", NULL, NULL, &params_type};

const api_chapter param_chapter = {"Params", param_functions, param_records,
                                   &param_type};

/* --- timers -------------------------------------------------------------- */

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

static const bind_function timer_functions[] = {
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

static const bind_function timer_methods[] = {
    {"cancel", timer_cancel, "", "boolean",
     "Cancel it; false if it has ended already."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const bind_type timer_type = {
    .name = TIMER_TYPE,
    .help = "Something that is going to happen.",
    .methods = timer_methods,
    .word = "timer",
};

const api_chapter timer_chapter = {"Time", timer_functions, NULL, &timer_type};
