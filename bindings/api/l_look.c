/* bindings/api/l_look.c -- what a body does now: its modes, their shapes at a
 * place, and their energies. Runs on the control thread. */
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/base/pi.h"
#include "runtime/engine/audio/gauge.h"
#include "runtime/engine/engine.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/tuning.h"

const bind_field mode_now_fields[] = {
    FIELD_OTHER("freq_hz", "number", "Hz", "frequency"),
    FIELD_OTHER("t60_s", "number", "s", "time to fall by 60 dB"),
    FIELD_OTHER("label", "string", "", "name of the mode"),
    FIELD_OTHER("played_hz", "number", "Hz",
                "frequency that is heard; 0: none; see `discretisation`"),
    FIELD_OTHER("played_t60_s", "number", "s", "likewise"),
    FIELD_OTHER("cents", "number", "cents", "error of the played frequency"),
    FIELD_END,
};

const bind_field place_def_fields[] = {
    FIELD_OTHER("at", "sandbell.At|number[]", "",
                "{ u =, v = } on the surface, each 0 to 1; default: where such "
                "a thing is usually struck"),
    FIELD_VEC3("point", offsetof(sb_place, point), FARTHEST_M, "m",
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
int body_modes(lua_State *L) {
    static const char where[] = "body:modes";
    sb_body_id self = check_body(L, where);
    const sb_scene *scene = script_scene(script_of(L));
    const sb_model *model = sb_scene_body_model(scene, self);
    int count = sb_model_mode_count(model);
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; k++) {
        double freq_hz, sigma_per_s;
        sb_scene_mode_now(scene, self, k, &freq_hz, &sigma_per_s);
        lua_createtable(L, 0, 6);
        set_played(L, scene, self, freq_hz, sigma_per_s);
        bind_set_number(L, "freq_hz", freq_hz);
        bind_set_number(L, "t60_s", LN_1000 / sigma_per_s);
        lua_pushstring(L, sb_model_modes(model)[k].label);
        lua_setfield(L, -2, "label");
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static void push_numbers(lua_State *L, const double *numbers, int count) {
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; k++) {
        lua_pushnumber(L, numbers[k]);
        lua_rawseti(L, -2, k + 1);
    }
}

int body_weights(lua_State *L) {
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
        L, sizeof(double) * (size_t)(count + SB_YIELD_MOST), 0);
    sb_scene_weights(scene, self, &place, weights);
    push_numbers(L, weights, count);
    return 1;
}

/* In the registry: the voice that the gauge of scripts shows. */
#define GAUGED "sandbell.gauged"

int body_energies(lua_State *L) {
    static const char where[] = "body:energies";
    sb_body_id self = check_body(L, where);
    sb_engine *engine = script_engine(script_of(L));
    sb_voice_id voice = sb_scene_voice(script_scene(script_of(L)), self);
    lua_settop(L, 1);
    if (!sb_engine_has_voice(engine, voice)) {
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
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; k++) {
        lua_pushnumber(L, (double)energies[k]);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}
