/* bindings/api/l_listener.c -- sb.listener and sb.air: position and direction
 * of the ears, gain, properties of the air.
 * Thread: the one that runs the script. */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/state/hear.h"

/* Slower than sound, so that the listener cannot overtake a sound. */
#define FASTEST_M_S 300.0

static const char *const ears_names[] = {"head", "pair", "pan", NULL};

static const bind_field listener_fields[] = {
    FIELD_VEC3("position", offsetof(sb_listener, position), FARTHEST_M, "m",
               "of the head; default { 0, 0, 1 }"),
    FIELD_VEC3("facing", offsetof(sb_listener, facing), FARTHEST_M, "",
               "where the nose points; default { 0, 0, -1 }"),
    FIELD("gain", offsetof(sb_listener, gain), 0, SB_LISTENER_GAIN_MOST, "",
          "linear, on everything; 1: 40 Pa are full scale; default: chosen "
          "when bodies first ring, so that the loudest peaks near -20 dBFS "
          "when struck at 1 m/s and heard from 1 m"),
    FIELD_VEC3("velocity", offsetof(sb_listener, velocity), FASTEST_M_S, "m/s",
               "velocity of the head; default { 0, 0, 0 }"),
    FIELD_CHOICE(
        "ears", offsetof(sb_listener, ears), ears_names,
        "a head, a pair of microphones, or panning without travel time; "
        "default head"),
    FIELD("spacing", offsetof(sb_listener, spacing_m), 0, 100, "m",
          "between the microphones of a pair; default 0.2"),
    FIELD_END,
};

static const bind_field air_fields[] = {
    FIELD("temperature", offsetof(sb_air, temperature_c), -50, 60, "C",
          "the speed of sound is 331.3 sqrt(1 + T / 273.15) m/s; default 20"),
    FIELD("humidity", offsetof(sb_air, humidity), 0, 100, "%",
          "relative; default 50"),
    FIELD("pressure", offsetof(sb_air, pressure_kpa), 1, 1000, "kPa",
          "default 101.325"),
    FIELD_OTHER(
        "absorption", "boolean", "",
        "whether air absorbs sound, high frequencies most; default true"),
    FIELD_END,
};

static sb_listener listener_now(const sb_script *owner) {
    sb_plan *plan = script_plan(owner);
    return plan ? *sb_plan_listener(plan)
                : sb_scene_listener(script_scene(owner));
}

static int take(lua_State *L, const char *where, const sb_listener *listener) {
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_error err;
    if (plan) {
        *sb_plan_listener(plan) = *listener;
    } else if (sb_scene_set_listener(script_scene(owner), listener,
                                     script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static int air_set(lua_State *L) {
    sb_listener listener = listener_now(script_of(L));
    bind_read_fields(L, 1, "sb.air", air_fields, &listener.air);
    int type = bind_get(L, 1, "absorption");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        return bind_error(L, "sb.air: absorption must be true or false, got %s",
                          bind_show(L, -1));
    }
    if (type == LUA_TBOOLEAN) listener.air.absorbs = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return take(L, "sb.air", &listener);
}

static int listener_set(lua_State *L) {
    static const char where[] = "sb.listener";
    sb_listener listener = listener_now(script_of(L));
    bind_read_fields(L, 1, where, listener_fields, &listener);
    if (bind_has(L, 1, "gain")) listener.is_exposed = false;
    if (sb_vec3_length(listener.facing) < 1e-9) {
        return bind_error(L, "%s: facing must not be { 0, 0, 0 }", where);
    }
    if (sb_vec3_length(listener.velocity) > FASTEST_M_S) {
        return bind_error(L, "%s: velocity must be at most %d m/s, got %d",
                          where, (int)FASTEST_M_S,
                          (int)sb_vec3_length(listener.velocity));
    }
    return take(L, where, &listener);
}

static const bind_function functions[] = {
    {"listener", listener_set, "def: sandbell.ListenerDef", "",
     "Place the two ears; fields that are not given keep their values."},
    {"air", air_set, "def: sandbell.AirDef", "",
     "Describe the air; fields that are not given keep their values."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.ListenerDef", "What sb.listener takes.", listener_fields},
    {"sandbell.AirDef", "What sb.air takes.", air_fields},
    {NULL, NULL, NULL},
};

const api_chapter listener_chapter = {"Listener", functions, records, NULL};
