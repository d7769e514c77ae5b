/* SPDX-License-Identifier: MIT */
/* bindings/api/l_body.c -- sandbell.Body: something that rings when struck.
 *
 *     local bell = sb.body("bell", { shape = ..., material = "bronze" })
 *     bell:strike { at = { u = 0.5, v = 0.5 }, speed = 1.2, mass = 0.03 }
 *
 * The Lua value is an id. Using a removed body is an error. Runs on the control
 * thread.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/base/pi.h"
#include "runtime/engine/audio/gauge.h"
#include "runtime/engine/engine.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/radiation.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/scene.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/tuning.h"
#include "runtime/scene/world/scene_world.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Modes of a naive body that are solved unless its shape says otherwise: those
 * above half the sample rate are heard, too. */
#define NAIVE_MOST_HZ 66000.0

static script_body *push_body(lua_State *L) {
    script_body *self = lua_newuserdatauv(L, sizeof *self, 0);
    *self = (script_body){.planned = INT_MAX};
    luaL_setmetatable(L, BODY_TYPE);
    return self;
}

sb_body_id check_body(lua_State *L, const char *method) {
    const script_body *self = bind_check_self(L, 1, BODY_TYPE, method);
    script_check_running(L, method);
    sb_body_id id = script_body_id(script_of(L), self);
    if (!sb_scene_has(script_scene(script_of(L)), id)) {
        bind_error(L, "%s: this body has been removed", method);
    }
    return id;
}

sb_body_id check_body_at(lua_State *L, int index, const char *where,
                         const char *field) {
    const script_body *body = luaL_testudata(L, index, BODY_TYPE);
    if (!body) {
        bind_error(L, "%s: %s must be a body, got %s", where, field,
                   bind_show(L, index));
    }
    sb_body_id id = script_body_id(script_of(L), body);
    if (!sb_scene_has(script_scene(script_of(L)), id))
        bind_error(L, "%s: %s: this body has been removed", where, field);
    return id;
}

bool body_is_gone(lua_State *L, int index) {
    const script_body *body = luaL_testudata(L, index, BODY_TYPE);
    if (!body) return false;
    sb_body_id id = script_body_id(script_of(L), body);
    return !sb_scene_has(script_scene(script_of(L)), id);
}

/* Adds to the plan while the script loads, to the scene afterwards. */
static sb_status add_body(sb_script *owner, const sb_body_def *def,
                          script_body *self, sb_error *err) {
    sb_plan *plan = script_plan(owner);
    if (plan) return sb_plan_add(plan, def, &self->planned, err);
    return sb_scene_add(script_scene(owner), def, script_now(owner), &self->id,
                        err);
}

/* A texture that could not be read is nil, which looks like an absent field.
 * Then an absent field raises; weights = false leaves the texture out. */
static sb_texture *read_weights(lua_State *L, const char *where) {
    sb_script *owner = script_of(L);
    int type = bind_get(L, 2, "weights");
    sb_texture *texture = NULL;
    if (type == LUA_TNIL && *script_unpainted(owner)) {
        bind_error(
            L, "%s: there is no texture: %s (weights = false leaves it out)",
            where, script_unpainted(owner));
    }
    if (type == LUA_TBOOLEAN && !lua_toboolean(L, -1)) {
        script_set_unpainted(owner, "");
    } else if (type != LUA_TNIL) {
        texture = check_texture(L, lua_gettop(L), where, "weights");
    }
    lua_pop(L, 1);
    return texture;
}

int body_add(lua_State *L, const sb_body_def *given, const char *where) {
    sb_body_def def = *given;
    script_choose_modes(script_of(L), &def);
    if (!script_plan(script_of(L)) && sb_shape_is_computed(&def.shape) &&
        !sb_solid_is_silent(&def.shape,
                            def.has_material ? &def.material : NULL)) {
        return bind_error(
            L,
            "%s: shapes made of elements are computed while the "
            "scene loads; make this body at the top of the script",
            where);
    }
    script_body *self = push_body(L);
    sb_error err;
    if (add_body(script_of(L), &def, self, &err)) {
        return bind_fail(L, where, &err);
    }
    return 1;
}

static int body_new(lua_State *L) {
    static const char where[] = "sb.body";
    sb_body_def def = sb_body_def_default();
    def.name = bind_check_name(L, 1, where);
    bind_read_fields(L, 2, where, sb_body_fields, &def);
    lua_settop(L, 2);
    (void)bind_get(L, 2, "shape");
    def.shape = *check_shape(L, 3, where);
    if (def.discretisation == SB_DISCRETISE_NAIVE && def.shape.max_hz == 0.0)
        def.shape.max_hz = NAIVE_MOST_HZ;
    if (bind_get(L, 2, "material") != LUA_TNIL) {
        take_material(L, 4, where, &def);
    }
    lua_settop(L, 4);
    if (bind_get(L, 2, "surface") != LUA_TNIL)
        def.surface = check_surface(L, 5, where, "surface");
    lua_settop(L, 4);
    def.weights = read_weights(L, where);
    read_motion(L, where, &def.moves);
    if (bind_get(L, 2, "diffuse") != LUA_TNIL) read_diffuse(L, &def.diffuse);
    lua_settop(L, 4);
    if (bind_get(L, 2, "nonlinear") != LUA_TNIL)
        read_nonlinear(L, &def.nonlinear);
    return body_add(L, &def, where);
}

void body_push_id(lua_State *L, sb_body_id id) {
    push_body(L)->id = id;
}

void body_push_named(lua_State *L, const char *name) {
    script_body *self = push_body(L);
    (void)snprintf(self->name, sizeof self->name, "%s", name);
}

static int body_find(lua_State *L) {
    const char *name = bind_check_text(L, 1, "sb.find", "the name");
    const sb_script *owner = script_of(L);
    const sb_plan *plan = script_plan(owner);
    script_body found = {.planned = plan ? sb_plan_find(plan, name) : -1};
    if (!plan) found.id = sb_scene_find(script_scene(owner), name);
    if (found.planned < 0 && !found.id.generation) {
        luaL_pushfail(L);
        return 1;
    }
    *push_body(L) = found;
    return 1;
}

/* --- methods ------------------------------------------------------------- */

static int body_remove(lua_State *L) {
    static const char where[] = "body:remove";
    sb_body_id self = check_body(L, where);
    sb_script *owner = script_of(L);
    sb_error err;
    if (sb_scene_remove(script_scene(owner), self, script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static int body_gain(lua_State *L) {
    static const char where[] = "body:gain";
    sb_body_id self = check_body(L, where);
    sb_script *owner = script_of(L);
    if (lua_isnoneornil(L, 2)) {
        lua_pushnumber(L, sb_scene_body_gain(script_scene(owner), self));
        return 1;
    }
    double gain =
        bind_check_row(L, 2, where, sb_field_find(sb_body_fields, "gain"));
    sb_error err;
    return bind_done(L, where,
                     sb_scene_set_gain(script_scene(owner), self, gain,
                                       script_now(owner), &err),
                     &err);
}

static int body_name(lua_State *L) {
    static const char where[] = "body:name";
    const char *name =
        script_body_name(script_of(L), bind_check_self(L, 1, BODY_TYPE, where));
    if (!name) return bind_error(L, "%s: this body has been removed", where);
    lua_pushstring(L, name);
    return 1;
}

static int body_tostring(lua_State *L) {
    const char *name = script_body_name(
        script_of(L), bind_check_self(L, 1, BODY_TYPE, "body"));
    if (name) {
        lua_pushfstring(L, "body '%s'", name);
    } else {
        lua_pushliteral(L, "body (removed)");
    }
    return 1;
}

static int body_equals(lua_State *L) {
    const script_body *a = luaL_testudata(L, 1, BODY_TYPE);
    const script_body *b = luaL_testudata(L, 2, BODY_TYPE);
    bool is_same = a && b;
    if (is_same && script_plan(script_of(L))) {
        is_same = a->planned == b->planned;
    } else if (is_same) {
        sb_body_id left = script_body_id(script_of(L), a);
        sb_body_id right = script_body_id(script_of(L), b);
        is_same =
            left.index == right.index && left.generation == right.generation;
    }
    lua_pushboolean(L, is_same);
    return 1;
}

/* --- what it does now ---------------------------------------------------- */

static const bind_field mode_now_fields[] = {
    FIELD_OTHER("freq_hz", "number", "Hz", "frequency"),
    FIELD_OTHER("t60_s", "number", "s", "time to fall by 60 dB"),
    FIELD_OTHER("t60_material_s", "number", "s",
                "by what the material, and touches, take"),
    FIELD_OTHER("t60_air_s", "number", "s",
                "by what it radiates; math.huge where that is not counted"),
    FIELD_OTHER("label", "string", "", "name of the mode"),
    FIELD_OTHER("played_hz", "number", "Hz",
                "frequency that is heard; 0: none; see `discretisation`"),
    FIELD_OTHER("played_t60_s", "number", "s", "likewise"),
    FIELD_OTHER("cents", "number", "cents", "error of the played frequency"),
    FIELD_END,
};

static const bind_field place_def_fields[] = {
    FIELD_OTHER("at", "sandbell.At|number[]", "",
                "{ u =, v = } on the surface, each 0 to 1; default: where such "
                "a thing is usually struck"),
    FIELD_VEC3("point", offsetof(sb_place, point), SB_FARTHEST_M, "m",
               "in the world; the nearest place on the body"),
    FIELD_VEC3("direction", offsetof(sb_place, direction), 1e3, "",
               "of the motion; default normal to the surface"),
    FIELD_END,
};

#define LN_1000 6.907755278982137

/* What is heard of the mode, into the table on top. */
static void set_played(lua_State *L, const sb_scene *scene, sb_body_id id,
                       double freq_hz, double sigma_per_s) {
    sb_discretisation how =
        sb_scene_body_planned(scene, id)->def.discretisation;
    sb_played_mode played =
        sb_discretise(how, SB_TAU * freq_hz, sigma_per_s,
                      sb_engine_sample_rate(script_engine(script_of(L))));
    bool is_heard = !played.is_silent;
    bind_set_number(L, "played_hz",
                    is_heard ? played.omega_rad_s / SB_TAU : 0.0);
    bind_set_number(L, "played_t60_s",
                    is_heard ? LN_1000 / played.sigma_per_s : 0.0);
    bind_set_number(L, "cents", is_heard ? played.cents : 0.0);
}

/* Returns a list of modes, lowest first, with all touches and deformations
 * applied. */
static int body_modes(lua_State *L) {
    static const char where[] = "body:modes";
    sb_body_id self = check_body(L, where);
    const sb_scene *scene = script_scene(script_of(L));
    const sb_model *model = sb_scene_body_model(scene, self);
    int count = sb_model_mode_count(model);
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; k++) {
        double freq_hz, sigma_per_s;
        sb_scene_mode_now(scene, self, k, &freq_hz, &sigma_per_s);
        lua_createtable(L, 0, 8);
        set_played(L, scene, self, freq_hz, sigma_per_s);
        bind_set_number(L, "freq_hz", freq_hz);
        bind_set_number(L, "t60_s", LN_1000 / sigma_per_s);
        double g = sb_model_modes(model)[k].radiation;
        double air = sb_model_loses(model) ? sb_radiation_loss(g) : 0.0;
        bind_set_number(L, "t60_material_s", LN_1000 / (sigma_per_s - air));
        bind_set_number(L, "t60_air_s", LN_1000 / air);
        lua_pushstring(L, sb_model_modes(model)[k].label);
        lua_setfield(L, -2, "label");
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static int body_directivity(lua_State *L) {
    static const char where[] = "body:directivity";
    sb_body_id self = check_body(L, where);
    const sb_scene *scene = script_scene(script_of(L));
    const sb_model *model = sb_scene_body_model(scene, self);
    sb_vec3 place = sb_scene_listener(scene).position;
    lua_settop(L, 2);
    if (!lua_isnil(L, 2))
        place = check_vec3(L, 2, where, "place", SB_FARTHEST_M, "m");
    sb_pose pose = sb_scene_pose(scene, self);
    if (!(sb_vec3_length(sb_vec3_sub(place, pose.position)) > 0.0))
        return bind_error(L, "%s: the place is the body's centre", where);
    sb_vec3 unit = sb_vec3_normalised(sb_pose_to_local(&pose, place));
    const sb_pattern *patterns = sb_model_patterns(model);
    int count = sb_model_mode_count(model);
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; k++) {
        lua_pushnumber(L, patterns ? sb_pattern_gain(&patterns[k], unit) : 1.0);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static int body_weights(lua_State *L) {
    static const char where[] = "body:weights";
    sb_body_id self = check_body(L, where);
    const sb_scene *scene = script_scene(script_of(L));
    const sb_planned *planned = sb_scene_body_planned(scene, self);
    sb_place place = {.u = 0.5, .v = 0.5, .is_usual = true};
    lua_settop(L, 2);
    if (!lua_isnil(L, 2)) {
        bind_read_fields(L, 2, where, place_def_fields, &place);
        (void)read_place(L, self, where, &place);
    }
    int count = sb_model_mode_count(planned->model);
    double *weights = lua_newuserdatauv(
        L, sizeof(double) * (size_t)(count + SB_BEHIND_MOST), 0);
    sb_scene_weights(scene, self, &place, weights);
    push_numbers(L, weights, count);
    return 1;
}

/* In the registry: the voice that the gauge of scripts shows. */
#define GAUGED "sandbell.gauged"

static int body_energies(lua_State *L) {
    static const char where[] = "body:energies";
    sb_body_id self = check_body(L, where);
    sb_engine *engine = script_engine(script_of(L));
    sb_scene *scene = script_scene(script_of(L));
    sb_voice_id voice = sb_scene_voice(scene, self);
    int modes = sb_model_mode_count(sb_scene_body_model(scene, self));
    lua_settop(L, 1);
    if (!sb_engine_has_voice(engine, voice) || modes == 0) {
        lua_newtable(L); /* it does not ring */
        return 1;
    }
    lua_Integer name =
        (lua_Integer)voice.index << 32 | (lua_Integer)voice.generation;
    (void)lua_getfield(L, LUA_REGISTRYINDEX, GAUGED);
    bool is_same = lua_tointeger(L, -1) == name;
    float *energies =
        lua_newuserdatauv(L, SB_GAUGE_MODES * sizeof *energies, 0);
    int count = is_same ? sb_engine_read_gauge(engine, SB_GAUGE_SCRIPT,
                                               energies, SB_GAUGE_MODES)
                        : 0;
    if (!is_same) {
        sb_engine_gauge(engine, SB_GAUGE_SCRIPT, voice);
        lua_pushinteger(L, name);
        lua_setfield(L, LUA_REGISTRYINDEX, GAUGED);
    }
    if (count <= 0) {
        lua_pushnil(L);
        return 1;
    }
    if (count > modes) count = modes; /* others are behind them */
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; k++) {
        lua_pushnumber(L, (double)energies[k]);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}
/* --- tables of the API --------------------------------------------------- */

static const bind_function functions[] = {
    {"body", body_new, "name: string, def: sandbell.BodyDef", "sandbell.Body",
     "Create a body. After a reload it is the same body if its name is the "
     "same."},
    {"find", body_find, "name: string", "sandbell.Body?",
     "The body of that name, or nil."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.BodyDef", "What sb.body takes.", sb_body_fields},
    {"sandbell.DiffuseDef", "The diffuse part of sb.body.", diffuse_fields},
    {"sandbell.NonlinearDef", "The nonlinear part of sb.body.",
     nonlinear_fields},
    {"sandbell.StrikeDef", "What body:strike takes.", strike_fields},
    {"sandbell.At", "A place on a body's surface.", uv_fields},
    {"sandbell.ScatterDef", "Micro-impacts that follow a strike.",
     scatter_fields},
    {"sandbell.GrazeDef", "The scrape of a strike at an angle.", graze_fields},
    {"sandbell.Struck", "What body:strike returns: estimates in closed form.",
     struck_fields},
    {"sandbell.Mode", "One of body:modes.", mode_now_fields},
    {"sandbell.PlaceDef", "What body:weights takes.", place_def_fields},
    {NULL, NULL, NULL},
};

static const bind_function methods[] = {
    {"strike", body_strike, "strike: sandbell.StrikeDef", "sandbell.Struck",
     "Strike it now with a striker of some speed, mass and hardness."},
    {"contact", body_contact, "contact: sandbell.LastingDef",
     "sandbell.LastingContact",
     "Start something that rolls, slides, creaks, rubs or buzzes on it."},
    {"place", body_place, "position: sandbell.Vec3, rotation?: number[]",
     "sandbell.Body",
     "Move it to a position, m, and a rotation { x, y, z, angle }; a free "
     "body is at rest there."},
    {"force", body_force, "force: sandbell.Vec3", "sandbell.Body",
     "A force on a free body, N, that acts until it is set again."},
    {"push", body_push,
     "impulse: sandbell.Vec3|sandbell.PushDef, point?: sandbell.Vec3",
     "sandbell.Body",
     "Give a free body an impulse, N s, at a point in the world, or at its "
     "centre; push a deformable one by a force that changes with time."},
    {"drive", body_drive, "drive: sandbell.DriveDef", "sandbell.Body",
     "Lead a part of a deformable body along a path, and let it go."},
    {"linear", body_linear, "name?: string", "sandbell.Body",
     "Another body with the same mesh and material, of modes: what a "
     "deformable one is for small amplitudes. It is in the same place; if it "
     "is fixed, nothing touches it. While the scene loads."},
    {"position", body_position, "", "sandbell.Vec3", "Of its centre, m."},
    {"rotation", body_rotation, "", "number[]",
     "{ x, y, z, angle }: an axis and radians about it."},
    {"velocity", body_velocity, "velocity?: sandbell.Vec3",
     "sandbell.Vec3|sandbell.Body",
     "The velocity of its centre, m/s; with an argument, set it."},
    {"spin", body_spin, "spin?: sandbell.Vec3", "sandbell.Vec3|sandbell.Body",
     "Its spin about the world's axes, rad/s; with an argument, set it."},
    {"is_asleep", body_is_asleep, "", "boolean",
     "Whether it is at rest and not simulated; always true if fixed."},
    {"gain", body_gain, "gain?: number", "number|sandbell.Body",
     "Get or set its gain, 0 .. 1000, linear."},
    {"touch", body_touch, "touch: sandbell.TouchDef", "sandbell.Touch",
     "Put a damper on it that stays until it is lifted."},
    {"deform", body_deform, "deform: sandbell.DeformDef", "sandbell.Body",
     "Strain it: its pitches shift, the lowest most, while it rings."},
    {"flex", body_flex, "flex: sandbell.FlexDef", "sandbell.Body",
     "Start it wobbling, which modulates its pitches."},
    {"weights", body_weights, "place?: sandbell.PlaceDef", "number[]",
     "The mode shapes at a place, along the normal, kg^-1/2: how strongly a "
     "strike there excites each mode."},
    {"directivity", body_directivity, "place?: sandbell.Vec3", "number[]",
     "How loud each mode is towards a place in the world, m, or towards the "
     "listener, relative to its mean over all directions; 1 for a mode that is "
     "heard alike in all of them. As the far field is."},
    {"energies", body_energies, "", "number[]?",
     "The energies of its modes now, J; nil while the first are measured. One "
     "body at a time is measured."},
    {"modes", body_modes, "", "sandbell.Mode[]",
     "Its modes, lowest first, with touches and deformations applied."},
    {"name", body_name, "", "string", "Its name."},
    {"remove", body_remove, "", "", "Fade it out and remove it."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const luaL_Reg meta[] = {
    {"__tostring", body_tostring},
    {"__eq", body_equals},
    {NULL, NULL},
};
static const bind_type type = {
    .name = BODY_TYPE,
    .help = "Something that rings when struck.",
    .methods = methods,
    .meta = meta,
};

const api_chapter body_chapter = {"Bodies", functions, records, &type};
