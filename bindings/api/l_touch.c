/* bindings/api/l_touch.c -- body:touch, body:deform and body:flex: damping and
 * pitch changes of a body while it rings.
 *
 *     local hand = cymbal:touch { kind = "hand", at = { u = 0.9, v = 0 } }
 *     hand:lift()
 *     sheet:deform { strain = 0.3, ramp = 1 }
 *     sheet:flex { depth = 0.2, rate = 4 }
 *
 * All of it ends when the script is loaded again, as timers do. Runs on the
 * control thread.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/base/wobble.h"
#include "runtime/scene/state/tuning.h"

#include <stdio.h>

#define LN_1000     6.907755278982137
#define MOST_RAMP_S 1e4
#define RAMP_S      0.02

/* --- touches ------------------------------------------------------------- */

/* Damping constants of whole patches. A fingertip has about 2 N s/m at audible
 * frequencies; a palm has ten times as much on forty times the area; the felt
 * of a damper lies between; on a table the whole foot is damped. */
static const char *const kinds[] = {"finger", "hand", "felt", "table", NULL};
static const struct {
    double damping_ns_m, radius_m;
} kind_values[] = {{2, 0.006}, {20, 0.04}, {8, 0.015}, {60, 0.03}};

typedef struct touch_def {
    sb_touch_def touch;
    int kind;
} touch_def;

#define AT(field) offsetof(touch_def, touch.field)
static const bind_field touch_fields[] = {
    FIELD_OTHER(
        "at", "sandbell.At|number[]", "",
        "{ u =, v = } on the surface, each 0 to 1; default: where such a "
        "thing is usually struck"),
    FIELD_VEC3("point", AT(place.point), FARTHEST_M, "m",
               "in the world; the nearest place on the body is touched"),
    FIELD_VEC3("direction", AT(place.direction), 1e3, "",
               "of the motion that is damped; default normal to the surface"),
    FIELD_CHOICE("kind", offsetof(touch_def, kind), kinds,
                 "a finger has 2 N s/m on 6 mm, a hand 20 on 40 mm, felt 8 on "
                 "15 mm, a table 60 on 30 mm"),
    FIELD("damping", AT(damping_ns_m), 0, 1e6, "N s/m",
          "of the whole patch; adds half of it times the mode shape squared "
          "to a mode's decay rate; give this or kind"),
    FIELD("radius", AT(radius_m), 0, 100, "m",
          "of the patch; default the kind's, else 0: a point"),
    FIELD("ramp", AT(ramp_s), 0, MOST_RAMP_S, "s",
          "time to set in or to change; default 0.02"),
    FIELD_END,
};

static void read_touch(lua_State *L, sb_body_id body, const char *where,
                       sb_touch_def *out) {
    touch_def def = {.touch = *out};
    def.touch.ramp_s = RAMP_S;
    bind_read_fields(L, 2, where, touch_fields, &def);
    sb_place *place = &def.touch.place;
    (void)read_place(L, body, where, place);
    bool is_elsewhere = bind_has(L, 2, "at") || place->has_point;
    if (!is_elsewhere) place->has_point = out->place.has_point;
    if (!place->has_direction) place->has_direction = out->place.has_direction;
    if (bind_has(L, 2, "kind")) {
        if (!bind_has(L, 2, "damping"))
            def.touch.damping_ns_m = kind_values[def.kind].damping_ns_m;
        if (!bind_has(L, 2, "radius"))
            def.touch.radius_m = kind_values[def.kind].radius_m;
    }
    *out = def.touch;
}

int body_touch(lua_State *L) {
    static const char where[] = "body:touch";
    sb_body_id body = check_body(L, where);
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    sb_touch_def def = {.place = {.u = 0.5, .v = 0.5, .is_usual = true}};
    read_touch(L, body, where, &def);
    if (!bind_has(L, 2, "damping") && !bind_has(L, 2, "kind")) {
        return bind_error(L, "%s: give damping (N s/m) or kind", where);
    }
    sb_script *owner = script_of(L);
    sb_touch_id *self = lua_newuserdatauv(L, sizeof *self, 0);
    *self = (sb_touch_id){{0, 0}, 0};
    luaL_setmetatable(L, TOUCH_TYPE);
    sb_error err;
    if (sb_scene_touch(script_scene(owner), body, &def, script_now(owner), self,
                       &err)) {
        return bind_fail(L, where, &err);
    }
    return 1;
}

static int touch_set(lua_State *L) {
    static const char where[] = "touch:set";
    const sb_touch_id *self = bind_check_self(L, 1, TOUCH_TYPE, where);
    sb_script *owner = script_of(L);
    sb_scene *scene = script_scene(owner);
    if (!sb_scene_has_touch(scene, *self)) {
        return bind_error(L, "%s: this touch has been lifted", where);
    }
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    sb_touch_def def = sb_scene_touch_def(scene, *self);
    read_touch(L, self->body, where, &def);
    sb_error err;
    if (sb_scene_set_touch(scene, *self, &def, script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    lua_settop(L, 1);
    return 1;
}

static int touch_lift(lua_State *L) {
    static const char where[] = "touch:lift";
    const sb_touch_id *self = bind_check_self(L, 1, TOUCH_TYPE, where);
    double ramp_s =
        lua_isnoneornil(L, 2)
            ? RAMP_S
            : bind_check_number(L, 2, where, "the ramp", 0, MOST_RAMP_S, "s");
    sb_script *owner = script_of(L);
    bool is_there = sb_scene_has_touch(script_scene(owner), *self);
    sb_error err;
    if (is_there && sb_scene_lift(script_scene(owner), *self, ramp_s,
                                  script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    lua_pushboolean(L, is_there);
    return 1;
}

static int touch_tostring(lua_State *L) {
    (void)bind_check_self(L, 1, TOUCH_TYPE, "touch");
    lua_pushliteral(L, "touch");
    return 1;
}

/* --- strain -------------------------------------------------------------- */

typedef struct strain_def {
    double strain, ramp_s;
    double depth, rate_hz, decay_s;
} strain_def;

static const bind_field deform_fields[] = {
    FIELD_NEEDED("strain", offsetof(strain_def, strain), -0.95, 19, "",
                 "moves mode k to w sqrt(1 + bend[k] strain); 0: undeformed"),
    FIELD("ramp", offsetof(strain_def, ramp_s), 0, MOST_RAMP_S, "s",
          "time to reach it; default 0.02"),
    FIELD_OTHER(
        "bend", "number[]", "",
        "sensitivity of each mode, lowest first; the last number is used "
        "for all further modes; default unchanged, initially w1 / wk "
        "as for a sheet under tension"),
    FIELD_END,
};

static const bind_field flex_fields[] = {
    FIELD_NEEDED("depth", offsetof(strain_def, depth), -19, 19, "",
                 "amplitude of the strain; repeated calls add up"),
    FIELD("rate", offsetof(strain_def, rate_hz), 0.01, 50, "Hz",
          "of the wobble; default 3"),
    FIELD("decay", offsetof(strain_def, decay_s), 0.01, 1e4, "s",
          "time to fall by 60 dB; default 2"),
    FIELD_OTHER("bend", "number[]", "", "as for body:deform"),
    FIELD_END,
};

enum { MOST_BENDS = 4096 };

/* The result is valid while its userdata is on the stack. */
static sb_bend read_bend(lua_State *L, const char *where) {
    sb_bend bend = {.is_given = bind_get(L, 2, "bend") != LUA_TNIL};
    if (!bend.is_given) return bend;
    int table = lua_gettop(L);
    int count =
        lua_istable(L, table) ? bind_list_length(L, table, MOST_BENDS) : -1;
    if (count < 1) {
        bind_error(L, "%s: bend must be a list of 1 to %d numbers, got %s",
                   where, (int)MOST_BENDS,
                   lua_istable(L, table) ? "another table"
                                         : bind_show(L, table));
    }
    double *items = lua_newuserdatauv(L, (size_t)count * sizeof(double), 0);
    for (int i = 0; i < count; i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "bend[%d]", i + 1);
        lua_rawgeti(L, table, i + 1);
        items[i] = bind_check_number(L, -1, where, what, -100, 100, "");
        lua_pop(L, 1);
    }
    bend.items = items;
    bend.count = count;
    return bend;
}

static strain_def read_strain(lua_State *L, const char *where,
                              const bind_field *fields) {
    strain_def def = {.ramp_s = RAMP_S, .rate_hz = 3, .decay_s = 2};
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    bind_read_fields(L, 2, where, fields, &def);
    bind_need(L, 2, where, fields);
    return def;
}

int body_deform(lua_State *L) {
    static const char where[] = "body:deform";
    sb_body_id self = check_body(L, where);
    strain_def def = read_strain(L, where, deform_fields);
    sb_bend bend = read_bend(L, where);
    sb_script *owner = script_of(L);
    sb_error err;
    if (sb_scene_deform(script_scene(owner), self, def.strain, &bend,
                        def.ramp_s, script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    lua_settop(L, 1);
    return 1;
}

int body_flex(lua_State *L) {
    static const char where[] = "body:flex";
    sb_body_id self = check_body(L, where);
    strain_def def = read_strain(L, where, flex_fields);
    sb_bend bend = read_bend(L, where);
    sb_wobble wobble = {def.rate_hz, LN_1000 / def.decay_s, def.depth};
    sb_script *owner = script_of(L);
    sb_error err;
    if (sb_scene_flex(script_scene(owner), self, &wobble, &bend,
                      script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    lua_settop(L, 1);
    return 1;
}

/* --- tables of the API --------------------------------------------------- */

static const bind_function functions[] = {{NULL, NULL, NULL, NULL, NULL}};

static const bind_record records[] = {
    {"sandbell.TouchDef", "What body:touch and touch:set take.", touch_fields},
    {"sandbell.DeformDef", "What body:deform takes.", deform_fields},
    {"sandbell.FlexDef", "What body:flex takes.", flex_fields},
    {NULL, NULL, NULL},
};

static const bind_function methods[] = {
    {"set", touch_set, "touch: sandbell.TouchDef", "sandbell.Touch",
     "Change it; fields that are not given keep their values."},
    {"lift", touch_lift, "ramp?: number", "boolean",
     "Lift it, over ramp seconds (default 0.02); false if it has been lifted "
     "already."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const luaL_Reg meta[] = {{"__tostring", touch_tostring}, {NULL, NULL}};
static const bind_type type = {
    .name = TOUCH_TYPE,
    .help = "A damper on a body.",
    .methods = methods,
    .meta = meta,
};

const api_chapter touch_chapter = {"Touching and bending", functions, records,
                                   &type};
