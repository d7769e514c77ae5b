/* bindings/l_listener.c -- sb.listener: who hears it, from where. */
#include "bindings/api.h"
#include "bindings/bind.h"
#include "bindings/types.h"

static const bind_field listener_fields[] = {
    FIELD_VEC3("position", offsetof(sb_listener, position), FARTHEST_M, "m",
               "of the head; at first { 0, 0, 1 }"),
    FIELD_VEC3("facing", offsetof(sb_listener, facing), FARTHEST_M, "",
               "where the nose points; at first { 0, 0, -1 }"),
    FIELD("gain", offsetof(sb_listener, gain), 0, 1000, "",
          "linear, on everything; at first 1"),
    FIELD_END,
};

static int listener_set(lua_State *L) {
    static const char where[] = "sb.listener";
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_listener listener =
        plan ? *sb_plan_listener(plan) : sb_scene_listener(script_scene(owner));
    bind_read_fields(L, 1, where, listener_fields, &listener);
    if (sb_vec3_length(listener.facing) < 1e-9) {
        return bind_error(L, "%s: facing must not be { 0, 0, 0 }", where);
    }
    sb_error err;
    if (plan) {
        *sb_plan_listener(plan) = listener;
    } else if (sb_scene_set_listener(script_scene(owner), &listener,
                                     script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static const bind_function functions[] = {
    {"listener", listener_set, "def: sandbell.ListenerDef", "",
     "Where the two ears are; what is not given stays as it is."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.ListenerDef", "What sb.listener takes.", listener_fields},
    {NULL, NULL, NULL},
};

const api_chapter listener_chapter = {"Listener", functions, records, NULL};
