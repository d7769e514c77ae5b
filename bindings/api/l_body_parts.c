/* SPDX-License-Identifier: MIT */
/* bindings/api/l_body_parts.c -- parts of sb.body: how it moves, and the methods that
 * get and set pose and velocity; `diffuse`, dense modes as noise; `nonlinear`,
 * stiffening and distortion. Runs on the thread of the script.
 *
 *     local ball = sb.body("ball", { shape = sb.sphere { radius = 0.01 },
 *       material = "steel", motion = "free", position = { 0, 1, 0 } })
 *     ball:push({ 0.01, 0, 0 })
 *     sb.body("door", { ..., diffuse = { crossover = 900, t60 = 0.2 } })
 *     sb.body("gong", { ..., nonlinear = { amplitude = 1e-3 } })
 *
 * A rotation is { x, y, z, angle }: an axis and radians about it.
 *
 * diffuse = true and false are about the modes that are too many to be held,
 * which become noise by themselves: false leaves them out, true has them also
 * where the script chose the number of modes.
 */
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In the order of sb_collider_kind. */
static const char *const collider_kinds[] = {
    "auto",    "none", "sphere", "box",  "cylinder",
    "capsule", "ring", "hull",   "mesh", NULL};

typedef struct collider_args {
    sb_collider collider;
    int kind;
} collider_args;

#define AT(field) offsetof(collider_args, collider.field)
const bind_field collider_fields[] = {
    FIELD_CHOICE("kind", offsetof(collider_args, kind), collider_kinds,
                 "of the collision shape; default auto: by the body's shape"),
    FIELD("radius", AT(radius), 1e-5, 1e3, "m",
          "sphere, cylinder, capsule, ring"),
    FIELD("wire_radius", AT(wire_radius), 1e-5, 1e3, "m", "ring"),
    FIELD("width", AT(width), 1e-5, 1e3, "m", "box, along x"),
    FIELD("height", AT(height), 1e-5, 1e3, "m", "box, along y"),
    FIELD("depth", AT(depth), 1e-5, 1e3, "m", "box, along z"),
    FIELD("length", AT(length), 1e-5, 1e3, "m",
          "cylinder along y, capsule along x"),
    FIELD_BOOL("smooth", AT(is_smooth),
               "treat the facets of a hull or mesh as a round surface"),
    FIELD_END,
};

const bind_field impacts_fields[] = {SB_DESIGNER_ROWS(0), FIELD_END};

/* --- vectors, rotations, colliders --------------------------------------- */

void push_numbers(lua_State *L, const double *numbers, int count) {
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; k++) {
        lua_pushnumber(L, numbers[k]);
        lua_rawseti(L, -2, k + 1);
    }
}

void push_vec3(lua_State *L, sb_vec3 v) {
    const double xyz[3] = {v.x, v.y, v.z};
    push_numbers(L, xyz, 3);
}

sb_vec3 check_vec3(lua_State *L, int arg, const char *where, const char *name,
                   double limit, const char *unit) {
    bind_field fields[] = {FIELD_VEC3(name, 0, limit, unit, ""), FIELD_END};
    sb_vec3 v = {0, 0, 0};
    if (lua_isnoneornil(L, arg))
        bind_error(L, "%s needs %s %s { x, y, z }", where,
                   strchr("aeiou", name[0]) ? "an" : "a", name);
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, arg);
    lua_setfield(L, -2, name);
    bind_read_fields(L, lua_gettop(L), where, fields, &v);
    lua_pop(L, 1);
    return v;
}

/* Reads { x, y, z, angle } at `index`. */
static sb_quat check_rotation(lua_State *L, int index, const char *where) {
    static const sb_field part = {.min = -1e6, .max = 1e6, .unit = ""},
                          turn = {.min = -1e6, .max = 1e6, .unit = "rad"};
    const sb_field rows[4] = {part, part, part, turn};
    double number[4];
    lua_pushvalue(L, index);
    bind_read_tuple(L, where, "rotation",
                    "{ x, y, z, angle }, an axis and radians about it", 4, rows,
                    number);
    lua_pop(L, 1);
    sb_vec3 axis = {number[0], number[1], number[2]};
    if (!(sb_vec3_length(axis) > 1e-9))
        bind_error(L, "%s: the axis of rotation must not be { 0, 0, 0 }",
                   where);
    return sb_quat_about(axis, number[3]);
}

static void push_rotation(lua_State *L, sb_quat q) {
    double numbers[4];
    sb_quat_to_axis(q, numbers);
    push_numbers(L, numbers, 4);
}

static void read_collider(lua_State *L, const char *where, sb_collider *out) {
    int at = lua_gettop(L);
    if (lua_type(L, at) == LUA_TSTRING) {
        lua_createtable(L, 0, 1);
        lua_pushvalue(L, at);
        lua_setfield(L, -2, "kind");
    }
    collider_args args = {.kind = SB_COLLIDER_AUTO};
    const char *here = lua_pushfstring(L, "%s: collider", where);
    bind_read_fields(L, lua_gettop(L) - 1, here, collider_fields, &args);
    lua_pop(L, 1);
    args.collider.kind = (sb_collider_kind)args.kind;
    lua_settop(L, at);
    *out = args.collider;
}

static void read_impacts(lua_State *L, const char *where,
                         sb_motion_part *part) {
    int table = lua_gettop(L);
    const char *here = lua_pushfstring(L, "%s: impacts", where);
    bind_read_fields(L, table, here, impacts_fields, &part->impacts);
    read_designer(L, table, here, &part->impacts);
    part->has_impacts = true;
}

void read_motion(lua_State *L, const char *where, sb_motion_part *part) {
    int top = lua_gettop(L);
    if (bind_get(L, 2, "rotation") != LUA_TNIL)
        part->rotation = check_rotation(L, -1, where);
    lua_settop(L, top);
    if (bind_get(L, 2, "collider") != LUA_TNIL)
        read_collider(L, where, &part->collider);
    lua_settop(L, top);
    if (bind_get(L, 2, "impacts") != LUA_TNIL) read_impacts(L, where, part);
    lua_settop(L, top);
    static const char *const moving[] = {"velocity", "spin"};
    for (int i = 0; i < 2 && part->motion == SB_MOTION_FIXED; i++) {
        if (!bind_has(L, 2, moving[i])) continue;
        bind_error(L,
                   "%s: %s has no effect on a fixed body; give "
                   "motion = \"free\" or \"scripted\"",
                   where, moving[i]);
    }
}

/* --- methods ------------------------------------------------------------- */

static sb_scene *scene_of(lua_State *L) {
    return script_scene(script_of(L));
}

static int put(lua_State *L, sb_body_id self, const sb_pose *pose,
               const char *where) {
    sb_error err;
    return bind_done(L, where,
                     sb_scene_set_pose(scene_of(L), self, pose,
                                       script_now(script_of(L)), &err),
                     &err);
}

/* A vector of a pose at index 2. */
static sb_vec3 check_pose(lua_State *L, const char *where, const char *name) {
    const sb_field *row = sb_field_find(sb_pose_fields, name);
    return check_vec3(L, 2, where, name, row->max, row->unit);
}

int body_place(lua_State *L) {
    static const char where[] = "body:place";
    sb_body_id self = check_body(L, where);
    lua_settop(L, 3);
    sb_pose pose = sb_scene_pose(scene_of(L), self);
    pose.position = check_pose(L, where, "position");
    if (!lua_isnil(L, 3)) pose.rotation = check_rotation(L, 3, where);
    if (sb_scene_motion(scene_of(L), self) == SB_MOTION_FREE)
        pose.velocity = pose.spin = (sb_vec3){0, 0, 0};
    return put(L, self, &pose, where);
}

int body_push(lua_State *L) {
    static const char where[] = "body:push";
    sb_body_id self = check_body(L, where);
    lua_settop(L, 3);
    if (lua_istable(L, 2) && lua_rawlen(L, 2) == 0) return deform_push(L, self);
    sb_vec3 impulse = check_vec3(L, 2, where, "impulse", 1e6, "N s");
    sb_vec3 point = {0, 0, 0};
    bool has_point = !lua_isnil(L, 3);
    if (has_point) point = check_vec3(L, 3, where, "point", SB_FARTHEST_M, "m");
    sb_error err;
    return bind_done(L, where,
                     sb_scene_push(scene_of(L), self, impulse,
                                   has_point ? &point : NULL, &err),
                     &err);
}

int body_force(lua_State *L) {
    static const char where[] = "body:force";
    sb_body_id self = check_body(L, where);
    lua_settop(L, 2);
    sb_vec3 force = check_vec3(L, 2, where, "force", 1e6, "N");
    sb_error err;
    return bind_done(L, where,
                     sb_scene_set_force(scene_of(L), self, force, &err), &err);
}

int body_position(lua_State *L) {
    sb_body_id self = check_body(L, "body:position");
    push_vec3(L, sb_scene_pose(scene_of(L), self).position);
    return 1;
}

int body_rotation(lua_State *L) {
    sb_body_id self = check_body(L, "body:rotation");
    push_rotation(L, sb_scene_pose(scene_of(L), self).rotation);
    return 1;
}

static void check_moves(lua_State *L, sb_body_id self, const char *where) {
    if (sb_scene_motion(scene_of(L), self) != SB_MOTION_FIXED) return;
    bind_error(L,
               "%s: body '%s' is fixed; give it motion = \"free\" or "
               "\"scripted\"",
               where, sb_scene_body_name(scene_of(L), self));
}

/* A vector of the pose, to be read or, with an argument, set. */
static int pose_part(lua_State *L, const char *where, const char *name) {
    sb_body_id self = check_body(L, where);
    sb_pose pose = sb_scene_pose(scene_of(L), self);
    const sb_field *row = sb_field_find(sb_pose_fields, name);
    sb_vec3 *part = (sb_vec3 *)(void *)((char *)&pose + row->offset);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        push_vec3(L, *part);
        return 1;
    }
    *part = check_pose(L, where, name);
    check_moves(L, self, where);
    return put(L, self, &pose, where);
}

int body_velocity(lua_State *L) {
    return pose_part(L, "body:velocity", "velocity");
}

int body_spin(lua_State *L) {
    return pose_part(L, "body:spin", "spin");
}

int body_is_asleep(lua_State *L) {
    sb_body_id self = check_body(L, "body:is_asleep");
    lua_pushboolean(L, sb_scene_is_asleep(scene_of(L), self));
    return 1;
}

/* --- diffuse ------------------------------------------------------------- */

static const char where_diffuse[] = "sb.body: diffuse";

#define SHORTEST_S 1e-3
#define LONGEST_S  1e3

const bind_field diffuse_fields[] = {
    FIELD("crossover", offsetof(sb_diffuse_part, crossover_hz), 50, 15000, "Hz",
          "modes above this become noise, except the lowest mode; "
          "default 800"),
    FIELD("level", offsetof(sb_diffuse_part, level), 0, 1000, "",
          "of the noise, linear; default 1: as loud as the modes it replaces"),
    FIELD_OTHER(
        "t60", "number|number[][]", "s",
        "time to fall by 60 dB, or a list of { freq, t60 }, interpolated "
        "between; default that of the modes"),
    FIELD_END,
};

/* Reads { freq, t60 } from the top of the stack. */
static void read_point(lua_State *L, sb_diffuse_part *part, int i) {
    static const sb_field rows[2] = {
        {.min = 1, .max = 1e5, .unit = "Hz"},
        {.min = SHORTEST_S, .max = LONGEST_S, .unit = "s"}};
    char what[48];
    double pair[2];
    (void)snprintf(what, sizeof what, "t60[%d]", i + 1);
    bind_read_tuple(L, where_diffuse, what, "{ freq, t60 }", 2, rows, pair);
    part->t60[i].freq_hz = pair[0];
    part->t60[i].t60_s = pair[1];
    if (i > 0 && part->t60[i].freq_hz <= part->t60[i - 1].freq_hz) {
        bind_error(L,
                   "%s: the frequencies of t60 must rise, number %d does not",
                   where_diffuse, i + 1);
    }
}

/* Reads t60 from the top of the stack. */
static void read_t60(lua_State *L, sb_diffuse_part *part) {
    int at = lua_gettop(L);
    if (!lua_istable(L, at)) {
        part->t60[0].freq_hz = 1000.0;
        part->t60[0].t60_s = bind_check_number(L, at, where_diffuse, "t60",
                                               SHORTEST_S, LONGEST_S, "s");
        part->t60_count = 1;
        return;
    }
    int count = bind_list_length(L, at, SB_DIFFUSE_POINTS);
    if (count < 1) {
        bind_error(L,
                   "%s: t60 must be a number or a list of 1 to %d pairs "
                   "{ freq, t60 }, got another table",
                   where_diffuse, (int)SB_DIFFUSE_POINTS);
    }
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, at, i + 1);
        read_point(L, part, i);
        lua_pop(L, 1);
    }
    part->t60_count = count;
}

void read_diffuse(lua_State *L, sb_diffuse_part *part) {
    int table = lua_gettop(L);
    if (lua_isboolean(L, table)) {
        part->is_wanted = lua_toboolean(L, table);
        part->is_off = !part->is_wanted;
        return;
    }
    bind_read_fields(L, table, where_diffuse, diffuse_fields, part);
    if (bind_get(L, table, "t60") != LUA_TNIL) read_t60(L, part);
    lua_settop(L, table);
    part->is_on = true;
}

/* --- nonlinear ----------------------------------------------------------- */

static const char where_nonlinear[] = "sb.body: nonlinear";

const bind_field nonlinear_fields[] = {
    FIELD("amplitude", offsetof(sb_nonlinear_part, amplitude_m), 1e-9, 10, "m",
          "of the lowest mode at which its pitch is a semitone higher; default "
          "half the thickness, or 1 mm"),
    FIELD("stiffness", offsetof(sb_nonlinear_part, stiffness_n_m3), 1e-6, 1e30,
          "N/m^3",
          "instead of amplitude: force over displacement cubed, at "
          "each place"),
    FIELD_OTHER("at", "number[]|number[][]", "",
                "the place { u, v } that stiffens, or a list of up to 4; "
                "default 4 that together affect every mode"),
    FIELD("distortion", offsetof(sb_nonlinear_part, distortion_ns_m), 1e-9, 1e6,
          "N s/m",
          "instead of stiffening, or in addition: the clipped velocity at the "
          "first place is fed back as an opposing force"),
    FIELD("knee", offsetof(sb_nonlinear_part, knee_m_s), 1e-9, 1e3, "m/s",
          "velocity above which that is clipped; default 0.1"),
    FIELD_END,
};

/* Reads { u, v } from the top of the stack into place i. */
static void read_pair(lua_State *L, sb_nonlinear_part *part, int i,
                      const char *what) {
    static const sb_field share = {.max = 1, .unit = ""};
    const sb_field rows[2] = {share, share};
    double uv[2];
    bind_read_tuple(L, where_nonlinear, what, "{ u, v }", 2, rows, uv);
    part->places[i].u = uv[0];
    part->places[i].v = uv[1];
}

/* Reads `at` from the top of the stack. */
static void read_places(lua_State *L, sb_nonlinear_part *part) {
    int at = lua_gettop(L);
    int count =
        lua_istable(L, at) ? bind_list_length(L, at, SB_NONLINEAR_PLACES) : -1;
    if (count < 1) {
        bind_error(L,
                   "%s: at must be { u, v } or a list of 1 to %d of them, got "
                   "%s",
                   where_nonlinear, (int)SB_NONLINEAR_PLACES,
                   lua_istable(L, at) ? "another table" : bind_show(L, at));
    }
    lua_rawgeti(L, at, 1);
    bool is_one = lua_type(L, -1) == LUA_TNUMBER;
    lua_settop(L, at);
    if (is_one) {
        read_pair(L, part, 0, "at");
        part->place_count = 1;
        return;
    }
    for (int i = 0; i < count; i++) {
        char what[16];
        (void)snprintf(what, sizeof what, "at[%d]", i + 1);
        lua_rawgeti(L, at, i + 1);
        read_pair(L, part, i, what);
        lua_settop(L, at);
    }
    part->place_count = count;
}

void read_nonlinear(lua_State *L, sb_nonlinear_part *part) {
    int table = lua_gettop(L);
    bind_read_fields(L, table, where_nonlinear, nonlinear_fields, part);
    bool has_amplitude = bind_has(L, table, "amplitude");
    bool has_stiffness = bind_has(L, table, "stiffness");
    bool has_distortion = bind_has(L, table, "distortion");
    if (has_amplitude && has_stiffness)
        bind_error(L, "%s: give amplitude or stiffness, not both",
                   where_nonlinear);
    if (bind_has(L, table, "knee") && !has_distortion)
        bind_error(L, "%s: knee needs distortion", where_nonlinear);
    if (bind_get(L, table, "at") != LUA_TNIL) read_places(L, part);
    lua_settop(L, table);
    part->stiffens = has_amplitude || has_stiffness || !has_distortion;
    part->is_on = true;
}
