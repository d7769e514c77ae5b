/* SPDX-License-Identifier: MIT */
/* bindings/api/l_world.c -- the world that bodies move in: its rules, joints
 * and rays, and the calls of scene.contact for its events. Runs on the control
 * thread.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/contact/scene_event.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>

/* --- rules --------------------------------------------------------------- */

static const char *const impact_sounds[] = {"pulse", "gradient", NULL};

typedef struct world_args {
    sb_world_rules rules;
    int impact;
} world_args;

static const bind_field world_fields[] = {
    FIELD_VEC3("gravity", offsetof(world_args, rules.gravity), 1e4, "m/s^2",
               "at most 10000 in all; initially { 0, -9.81, 0 }"),
    FIELD("rate", offsetof(world_args, rules.rate_hz), 60, 10000, "Hz",
          "steps per second, each of four substeps or more; default 1000"),
    FIELD_VEC3("wind", offsetof(world_args, rules.wind), 1e3, "m/s",
               "velocity of the air: it drags bodies that have a `drag`; "
               "initially { 0, 0, 0 }"),
    FIELD("air", offsetof(world_args, rules.air_kg_m3), 0, 2000, "kg/m^3",
          "density of what drags them; initially 1.204, air at 20 C; 0, given "
          "while the scene loads: a vacuum, in which nothing is heard and "
          "modes lose what their material takes alone"),
    FIELD_CHOICE("impact", offsetof(world_args, impact), impact_sounds,
                 "model of impacts: a pulse with the world's impulse, or a "
                 "nonlinear contact; default pulse"),
    FIELD("squeak", offsetof(world_args, rules.squeak_m_s), 0, 100, "m/s",
          "slip below which two bodies squeak whose mu_static is above their "
          "friction, and over which friction falls; 0: none; initially 0.1"),
    FIELD_BOOL("occlusion", offsetof(world_args, rules.occludes),
               "rigid bodies between a body and the listener muffle it as "
               "screens do; initially false"),
    SB_DESIGNER_ROWS(offsetof(world_args, rules.impact)),
    FIELD_END,
};

static int world_set(lua_State *L) {
    static const char where[] = "sb.world";
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    world_args args = {.rules =
                           plan ? *sb_plan_world(plan)
                                : sb_scene_world_rules(script_scene(owner))};
    args.impact = args.rules.is_gradient;
    bind_read_fields(L, 1, where, world_fields, &args);
    double gravity = sb_vec3_length(args.rules.gravity);
    if (!(gravity <= 1e4))
        return bind_error(L,
                          "%s: gravity must be a vector of 0 to 10000 m/s^2 in "
                          "length, got %f",
                          where, gravity);
    if (!plan && bind_has(L, 1, "rate"))
        return bind_error(L,
                          "%s: the rate is decided while the scene loads; "
                          "give it at the top of the script",
                          where);
    args.rules.is_gradient = args.impact == 1;
    read_designer(L, 1, where, &args.rules.impact);
    if (plan) {
        *sb_plan_world(plan) = args.rules;
    } else {
        sb_scene_set_world_rules(script_scene(owner), &args.rules);
    }
    return 0;
}

/* --- forces -------------------------------------------------------------- */

static const bind_field force_fields[] = {
    FIELD_VEC3("acceleration", offsetof(sb_force_field, acceleration), 1e4,
               "m/s^2", "the same for every mass; default { 0, 0, 0 }"),
    FIELD_VEC3("force", offsetof(sb_force_field, force_n), 1e6, "N",
               "the same for every body; default { 0, 0, 0 }"),
    FIELD_VEC3("centre", offsetof(sb_force_field, centre_m), SB_FARTHEST_M, "m",
               "of `pull` and `within`; default { 0, 0, 0 }"),
    FIELD("pull", offsetof(sb_force_field, pull), -1e6, 1e6, "m/s^2",
          "acceleration towards the centre at a distance of 1 m; negative: "
          "away from it; default 0"),
    FIELD("falloff", offsetof(sb_force_field, falloff), -2, 4, "",
          "the pull is divided by the distance to this power; -1: a spring; "
          "default 2"),
    FIELD("within", offsetof(sb_force_field, within_m), 0, SB_FARTHEST_M, "m",
          "no force farther from the centre; default everywhere"),
    FIELD("frequency", offsetof(sb_force_field, frequency_hz), 0, 1e3, "Hz",
          "all of it times cos(2 pi f t + phase); default 0: constant"),
    FIELD("phase", offsetof(sb_force_field, phase_rad), -1e3, 1e3, "rad",
          "default 0"),
    FIELD_END,
};

static int force_add(lua_State *L) {
    static const char where[] = "sb.force";
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_world_rules rules =
        plan ? *sb_plan_world(plan) : sb_scene_world_rules(script_scene(owner));
    if (rules.field_count == SB_FORCE_FIELDS)
        return bind_error(L, "%s: there are %d forces already, the most", where,
                          SB_FORCE_FIELDS);
    sb_force_field field = sb_force_field_default();
    bind_read_fields(L, 1, where, force_fields, &field);
    rules.fields[rules.field_count++] = field;
    if (plan) {
        *sb_plan_world(plan) = rules;
    } else {
        sb_scene_set_world_rules(script_scene(owner), &rules);
    }
    return 0;
}

/* --- joints -------------------------------------------------------------- */

/* In the order of sb_joint_kind. */
static const char *const joint_kinds[] = {"ball", "hinge", "slider", NULL};

typedef struct joint_args {
    sb_joint_part part;
    int kind;
} joint_args;

#define AT(field) offsetof(joint_args, part.field)
static const bind_field joint_fields[] = {
    FIELD_CHOICE(
        "kind", offsetof(joint_args, kind), joint_kinds,
        "rotates about a point, rotates about an axis, or slides along one; "
        "default ball"),
    FIELD_OTHER("a", "sandbell.Body", "", "one of the two; needed"),
    FIELD_OTHER("b", "sandbell.Body", "", "the other; default the world"),
    FIELD_VEC3("at", AT(at), SB_FARTHEST_M, "m",
               "where, in the world; default { 0, 0, 0 }"),
    FIELD_VEC3("axis", AT(axis), 1e6, "",
               "of a hinge or slider; default { 0, 0, 1 }"),
    FIELD("low", AT(low), -1e3, 1e3, "rad or m",
          "relative to the initial position; default no limit"),
    FIELD("high", AT(high), -1e3, 1e3, "rad or m", "likewise"),
    FIELD("friction", AT(friction), 0, 1e6, "N m or N",
          "against its motion; default 0"),
    FIELD_END,
};

static void read_body_name(lua_State *L, const char *where, const char *field,
                           char out[SB_NAME_SIZE]) {
    if (bind_get(L, 2, field) == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    const script_body *body = luaL_testudata(L, -1, BODY_TYPE);
    const char *name = body ? script_body_name(script_of(L), body) : NULL;
    if (!name)
        bind_error(L, "%s: %s must be a body in the scene, got %s", where,
                   field, bind_show(L, -1));
    (void)snprintf(out, SB_NAME_SIZE, "%s", name);
    lua_pop(L, 1);
}

static int joint_new(lua_State *L) {
    static const char where[] = "sb.joint";
    const char *name = bind_check_name(L, 1, where);
    joint_args args = {
        .part = {.axis = {0, 0, 1}, .low = -INFINITY, .high = INFINITY}};
    bind_read_fields(L, 2, where, joint_fields, &args);
    lua_settop(L, 2);
    args.part.kind = (sb_joint_kind)args.kind;
    (void)snprintf(args.part.name, sizeof args.part.name, "%s", name);
    read_body_name(L, where, "a", args.part.body[0]);
    read_body_name(L, where, "b", args.part.body[1]);
    bool has_low = bind_has(L, 2, "low"), has_high = bind_has(L, 2, "high");
    if (has_low != has_high)
        return bind_error(L, "%s: give low and high, or neither", where);
    args.part.has_limits = has_low;
    if (!has_low) args.part.low = args.part.high = 0.0;
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_error err;
    sb_status status = plan ? sb_plan_join(plan, &args.part, &err)
                            : sb_scene_join(script_scene(owner), &args.part,
                                            script_now(owner), &err);
    return status ? bind_fail(L, where, &err) : 0;
}

/* --- rays ---------------------------------------------------------------- */

static const bind_field hit_fields[] = {
    FIELD_OTHER("body", "sandbell.Body", "", "that was hit"),
    FIELD_OTHER("point", "sandbell.Vec3", "m", "where, in the world"),
    FIELD_OTHER("normal", "sandbell.Vec3", "", "of its surface there"),
    FIELD_OTHER("distance", "number", "m", "from where the ray begins"),
    FIELD_END,
};

static int raycast(lua_State *L) {
    static const char where[] = "sb.raycast";
    script_check_running(L, where);
    lua_settop(L, 3);
    sb_vec3 from = check_vec3(L, 1, where, "origin", SB_FARTHEST_M, "m");
    sb_vec3 direction = check_vec3(L, 2, where, "direction", SB_FARTHEST_M, "");
    if (!(sb_vec3_length(direction) > 1e-9))
        return bind_error(L, "%s: direction must not be { 0, 0, 0 }", where);
    double most_m = lua_isnil(L, 3) ? 1e3
                                    : bind_check_number(L, 3, where, "distance",
                                                        0, SB_FARTHEST_M, "m");
    bool is_hit;
    sb_scene_ray_hit hit;
    sb_error err;
    if (sb_scene_raycast(script_scene(script_of(L)), from, direction, most_m,
                         script_now(script_of(L)), &is_hit, &hit, &err))
        return bind_fail(L, where, &err);
    if (!is_hit) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, 0, 4);
    body_push_id(L, hit.body);
    lua_setfield(L, -2, "body");
    push_vec3(L, hit.point);
    lua_setfield(L, -2, "point");
    push_vec3(L, hit.normal);
    lua_setfield(L, -2, "normal");
    bind_set_number(L, "distance", hit.distance_m);
    return 1;
}

/* --- scene.contact ------------------------------------------------------- */

/* Per control step: a collapsing heap of bodies must not use up the script's
 * time. */
enum { MOST_CONTACTS = 200 };

static void set_vec3(lua_State *L, const char *name, sb_vec3 v) {
    push_vec3(L, v);
    lua_setfield(L, -2, name);
}

static void push_contact(lua_State *L, const sb_event *event) {
    static const char *const sides[2] = {"a", "b"};
    lua_createtable(L, 0, 15);
    for (int i = 0; i < 2; i++) {
        if (event->body[i].generation == 0) continue;
        body_push_id(L, event->body[i]);
        lua_setfield(L, -2, sides[i]);
    }
    lua_pushstring(L, sb_event_kind_name(event->kind));
    lua_setfield(L, -2, "kind");
    bind_set_number(L, "time", event->time_s);
    bind_set_number(L, "impulse", event->impulse_ns);
    bind_set_number(L, "duration", event->duration_s);
    bind_set_number(L, "speed", event->speed_m_s);
    bind_set_number(L, "slip", event->slip_m_s);
    bind_set_number(L, "force", event->force_n);
    bool is_lasting =
        event->kind != SB_EVENT_STRIKE && event->kind != SB_EVENT_IMPACT;
    if (!is_lasting && event->restitution >= 0.0)
        bind_set_number(L, "restitution", event->restitution);
    if (event->kind == SB_EVENT_STRIKE) {
        lua_pushboolean(L, event->comes_back);
        lua_setfield(L, -2, "bounces");
    }
    if (event->spot.has_uv) {
        bind_set_number(L, "u", event->spot.u);
        bind_set_number(L, "v", event->spot.v);
    }
    set_vec3(L, "point", event->spot.point);
    set_vec3(L, "normal", event->spot.normal);
}

/* Queues a call of scene.contact for each event that has become known: in the
 * past, so that it runs next. Strikes made from within scene.contact are not
 * reported: it would call itself without end. */
void announce_contacts(lua_State *L) {
    sb_script *script = script_of(L);
    sb_scene *scene = script_scene(script);
    uint64_t *reader = script_contact_reader(script);
    if (*reader == sb_scene_event_count(scene)) return;
    int top = lua_gettop(L), count = 0;
    script_push_scene_table(L);
    bool has_handler = !timers_in_contact(script_timers(script)) &&
                       lua_getfield(L, -1, "contact") == LUA_TFUNCTION;
    sb_event event;
    double now_s = script_now(script);
    while (has_handler && count < MOST_CONTACTS &&
           sb_scene_next_event(scene, reader, &event)) {
        if (!sb_event_is_news(&event)) continue;
        lua_pushvalue(L, -1);
        push_contact(L, &event);
        timers_add_contact_at(L, fmax(now_s, event.time_s));
        count++;
    }
    *reader = sb_scene_event_count(scene);
    lua_settop(L, top);
}

/* --- tables of the API --------------------------------------------------- */

static const bind_function functions[] = {
    {"world", world_set, "def: sandbell.WorldDef", "",
     "Set the rules of motion; fields that are not given keep their values."},
    {"force", force_add, "def: sandbell.ForceDef", "",
     "Add a force on all free bodies: uniform, towards a centre, or "
     "oscillating; at most 16. For any other force call body:force in "
     "scene.update."},
    {"joint", joint_new, "name: string, def: sandbell.JointDef", "",
     "Join two bodies, or a body and the world."},
    {"raycast", raycast,
     "origin: sandbell.Vec3, direction: sandbell.Vec3, distance?: number",
     "sandbell.Hit?",
     "The nearest body along a ray of some length (default 1000 m), or nil."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.WorldDef", "What sb.world takes.", world_fields},
    {"sandbell.ForceDef", "What sb.force takes.", force_fields},
    {"sandbell.JointDef", "What sb.joint takes.", joint_fields},
    {"sandbell.Hit", "What sb.raycast returns.", hit_fields},
    {"sandbell.ColliderDef", "The collider of sb.body.", collider_fields},
    {"sandbell.ImpactsDef", "The impacts of sb.body.", impacts_fields},
    {NULL, NULL, NULL},
};

const api_chapter world_chapter = {"The world", functions, records, NULL};
