/* bindings/api/l_motion.c -- how a body moves: the fields of sb.body for it,
 * and the methods that get and set pose and velocity. Runs on the control
 * thread.
 *
 *     local ball = sb.body("ball", { shape = sb.sphere { radius = 0.01 },
 *       material = "steel", motion = "free", position = { 0, 1, 0 } })
 *     ball:push({ 0.01, 0, 0 })
 *
 * A rotation is { x, y, z, angle }: an axis and radians about it.
 */
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <string.h>

/* In the order of sb_motion. */
const char *const motion_names[] = {"fixed", "free", "scripted", NULL};

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
    FIELD_OTHER("smooth", "boolean", "",
                "treat the facets of a hull or mesh as a round surface"),
    FIELD_END,
};

const bind_field impacts_fields[] = {DESIGNER_FIELDS(0), FIELD_END};

/* --- vectors, rotations, colliders --------------------------------------- */

void push_vec3(lua_State *L, sb_vec3 v) {
    double xyz[3] = {v.x, v.y, v.z};
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, xyz[i]);
        lua_rawseti(L, -2, i + 1);
    }
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
    int table = lua_absindex(L, index);
    if (!lua_istable(L, table) || bind_list_length(L, table, 4) != 4) {
        bind_error(L,
                   "%s: rotation must be { x, y, z, angle }, an axis and "
                   "radians about it, got %s",
                   where,
                   lua_istable(L, table) ? "another table"
                                         : bind_show(L, table));
    }
    static const char *const names[] = {"rotation[1]", "rotation[2]",
                                        "rotation[3]", "rotation[4]"};
    double number[4];
    for (int i = 0; i < 4; i++) {
        lua_rawgeti(L, table, i + 1);
        number[i] = bind_check_number(L, -1, where, names[i], -1e6, 1e6,
                                      i < 3 ? "" : "rad");
        lua_pop(L, 1);
    }
    sb_vec3 axis = {number[0], number[1], number[2]};
    if (!(sb_vec3_length(axis) > 1e-9))
        bind_error(L, "%s: the axis of rotation must not be { 0, 0, 0 }",
                   where);
    return sb_quat_about(axis, number[3]);
}

static void push_rotation(lua_State *L, sb_quat q) {
    double numbers[4];
    sb_quat_to_axis(q, numbers);
    lua_createtable(L, 4, 0);
    for (int i = 0; i < 4; i++) {
        lua_pushnumber(L, numbers[i]);
        lua_rawseti(L, -2, i + 1);
    }
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
    int type = bind_get(L, lua_gettop(L), "smooth");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        bind_error(L, "%s: collider: smooth must be true or false, got %s",
                   where, bind_show(L, -1));
    args.collider.is_smooth = lua_toboolean(L, -1);
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
    if (sb_scene_set_pose(scene_of(L), self, pose, script_now(script_of(L)),
                          &err))
        return bind_fail(L, where, &err);
    lua_settop(L, 1);
    return 1;
}

int body_place(lua_State *L) {
    static const char where[] = "body:place";
    sb_body_id self = check_body(L, where);
    lua_settop(L, 3);
    sb_pose pose = sb_scene_pose(scene_of(L), self);
    pose.position = check_vec3(L, 2, where, "position", FARTHEST_M, "m");
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
    if (has_point) point = check_vec3(L, 3, where, "point", FARTHEST_M, "m");
    sb_error err;
    if (sb_scene_push(scene_of(L), self, impulse, has_point ? &point : NULL,
                      &err))
        return bind_fail(L, where, &err);
    lua_settop(L, 1);
    return 1;
}

int body_force(lua_State *L) {
    static const char where[] = "body:force";
    sb_body_id self = check_body(L, where);
    lua_settop(L, 2);
    sb_vec3 force = check_vec3(L, 2, where, "force", 1e6, "N");
    sb_error err;
    if (sb_scene_set_force(scene_of(L), self, force, &err))
        return bind_fail(L, where, &err);
    lua_settop(L, 1);
    return 1;
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

int body_velocity(lua_State *L) {
    static const char where[] = "body:velocity";
    sb_body_id self = check_body(L, where);
    sb_pose pose = sb_scene_pose(scene_of(L), self);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        push_vec3(L, pose.velocity);
        return 1;
    }
    pose.velocity = check_vec3(L, 2, where, "velocity", 1e5, "m/s");
    check_moves(L, self, where);
    return put(L, self, &pose, where);
}

int body_spin(lua_State *L) {
    static const char where[] = "body:spin";
    sb_body_id self = check_body(L, where);
    sb_pose pose = sb_scene_pose(scene_of(L), self);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        push_vec3(L, pose.spin);
        return 1;
    }
    pose.spin = check_vec3(L, 2, where, "spin", 1e5, "rad/s");
    check_moves(L, self, where);
    return put(L, self, &pose, where);
}

int body_is_asleep(lua_State *L) {
    sb_body_id self = check_body(L, "body:is_asleep");
    lua_pushboolean(L, sb_scene_is_asleep(scene_of(L), self));
    return 1;
}
