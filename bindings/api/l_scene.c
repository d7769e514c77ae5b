/* bindings/api/l_scene.c -- the scene as a whole: clock, statistics, reload
 * and reset, and the rows of its callbacks.
 * Thread: the one that runs the script. */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/script/script.h"
#include "bindings/script/script_output.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>

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
    FIELD_OTHER("contact", "fun(contact: sandbell.Contact)", "",
                "when something is struck, or the world's bodies meet"),
    FIELD_OTHER("reload", "fun()", "", "after the scene was loaded again"),
    FIELD_END,
};

const api_chapter scene_chapter = {"The scene", functions, records, NULL};
