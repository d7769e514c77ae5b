/* bindings/l_strike.c -- body:strike: a blow, and what comes of it. */
#include "bindings/bind.h"
#include "bindings/timers.h"
#include "bindings/types.h"

#include <math.h>
#include <string.h>

static const char *const contact_models[] = {"auto",    "impulse",  "pulse",
                                             "kmethod", "gradient", NULL};

typedef struct strike_def {
    sb_blow blow;
    sb_place place;
    int contact;
    char striker[SB_NAME_SIZE]; /* the name of its material */
} strike_def;

#define AT(field) offsetof(strike_def, field)
const bind_field strike_fields[] = {
    FIELD_OTHER("at", "sandbell.At|number[]", "",
                "{ u =, v = } on the surface, each 0 to 1; default the middle"),
    FIELD_VEC3("point", AT(place.point), FARTHEST_M, "m",
               "a point in the world: the nearest place is struck"),
    FIELD_VEC3("direction", AT(place.direction), 1e3, "",
               "of the blow; default straight into the surface"),
    FIELD("speed", AT(blow.speed_m_s), 0, 1e3, "m/s",
          "of the striker; this or impulse is needed"),
    FIELD("impulse", AT(blow.impulse_ns), 0, 1e4, "N s",
          "instead of the speed"),
    FIELD("mass", AT(blow.mass_kg), 1e-6, 1e4, "kg",
          "of the striker; default a ball of its radius, else 0.03"),
    FIELD("radius", AT(blow.radius_m), 1e-6, 100, "m",
          "of the striker where it touches; default a ball of its mass"),
    FIELD_OTHER("material", "sandbell.Material|string", "",
                "of the striker; default as the body's"),
    FIELD("hardness", AT(blow.hardness_n_m), 1, 1e13, "N/m",
          "of the striker's spring (pulse); default as hard as the body"),
    FIELD("stiffening", AT(blow.stiffening_per_m), 0, 1e9, "1/m",
          "how much harder the spring gets as it is pressed in (pulse)"),
    FIELD_CHOICE("contact", AT(contact), contact_models,
                 "how it presses; default gradient, a pulse with hardness or "
                 "stiffening, an impulse when that is all"),
    FIELD("stiffness", AT(blow.stiffness), 1e-3, 1e20, "N/m^exponent",
          "of the contact; default Hertz, from materials and radius"),
    FIELD("exponent", AT(blow.exponent), 1, 4, "",
          "force grows with depth to this power; default 1.5"),
    FIELD("lambda", AT(blow.lambda), 0, 1e20, "N s/m^(exponent+1)",
          "loss in the contact; default 0: it bounces as fast as it came"),
    FIELD("gravity", AT(blow.gravity_m_s2), -1e3, 1e3, "m/s^2",
          "brings it back; default 9.81 as far as the blow goes down"),
    FIELD_END,
};

const bind_field uv_fields[] = {
    FIELD("u", offsetof(sb_place, u), 0, 1, "",
          "along the surface; default 0.5"),
    FIELD("v", offsetof(sb_place, v), 0, 1, "",
          "across the surface; default 0.5"),
    FIELD_END,
};

const bind_field struck_fields[] = {
    FIELD_OTHER("impulse", "number", "N s", "given to the body"),
    FIELD_OTHER("duration", "number", "s", "of the contact"),
    FIELD_OTHER("peak_force", "number", "N", "at its height"),
    FIELD_END,
};

const bind_field contact_fields[] = {
    FIELD_OTHER("a", "sandbell.Body", "", "the body that was struck"),
    FIELD_OTHER("kind", "string", "", "\"strike\""),
    FIELD_OTHER("impulse", "number", "N s", "given to the body"),
    FIELD_OTHER("duration", "number", "s", "of the contact"),
    FIELD_OTHER("speed", "number", "m/s", "of the striker"),
    FIELD_OTHER("slip", "number", "m/s", "along the surface"),
    FIELD_OTHER("u", "number", "", "along the surface, 0 to 1"),
    FIELD_OTHER("v", "number", "", "across the surface, 0 to 1"),
    FIELD_OTHER("point", "sandbell.Vec3?", "m",
                "in the world, where that was given"),
    FIELD_OTHER("normal", "sandbell.Vec3", "", "of the surface"),
    FIELD_END,
};

/* { u = 0.5, v = 0.5 } or { 0.5, 0.5 }, on top of the stack. */
static void read_at(lua_State *L, const char *where, sb_place *place) {
    int table = lua_gettop(L);
    const char *here = lua_pushfstring(L, "%s: at", where);
    bind_check_table(L, table, here);
    int count = bind_list_length(L, table, 2);
    if (count <= 0) bind_read_fields(L, table, here, uv_fields, place);
    lua_pop(L, 1);
    double *to[2] = {&place->u, &place->v};
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, table, i + 1);
        *to[i] = bind_check_number(L, -1, where, uv_fields[i].name, 0, 1, "");
        lua_pop(L, 1);
    }
}

static bool is_given(lua_State *L, const char *field) {
    bool is_there = bind_get(L, 2, field) != LUA_TNIL;
    lua_pop(L, 1);
    return is_there;
}

void read_place(lua_State *L, sb_body_id body, const char *where,
                sb_place *place) {
    place->has_point = is_given(L, "point");
    place->has_direction = is_given(L, "direction");
    bool has_at = bind_get(L, 2, "at") != LUA_TNIL;
    if (has_at) read_at(L, where, place);
    lua_pop(L, 1);
    if (has_at && place->has_point) {
        bind_error(L, "%s: give at or point, not both", where);
    }
    if (place->has_direction && sb_vec3_length(place->direction) < 1e-9) {
        bind_error(L, "%s: direction must not be { 0, 0, 0 }", where);
    }
    const sb_scene *scene = script_scene(script_of(L));
    if (has_at && !sb_model_has_uv(sb_scene_body_model(scene, body))) {
        bind_error(L,
                   "%s: this body's mesh has no texture coordinates, so "
                   "at says nothing; give point = { x, y, z }",
                   where);
    }
}

static void read_material(lua_State *L, const char *where, strike_def *def) {
    if (bind_get(L, 2, "material") != LUA_TNIL) {
        material_box box = check_material(L, -1, where, "material");
        def->blow.material = box.material;
        def->blow.has_material = true;
        memcpy(def->striker, box.name, sizeof def->striker);
    }
    lua_pop(L, 1);
}

static strike_def read_strike(lua_State *L, sb_body_id body,
                              const char *where) {
    strike_def def = {.place = {.u = 0.5, .v = 0.5}};
    bind_read_fields(L, 2, where, strike_fields, &def);
    def.blow.model = (sb_contact_model)def.contact;
    def.blow.has_gravity = is_given(L, "gravity");
    read_material(L, where, &def);
    read_place(L, body, where, &def.place);
    if (is_given(L, "speed") == is_given(L, "impulse")) {
        bind_error(L, "%s: give speed (m/s) or impulse (N s), one of them",
                   where);
    }
    return def;
}

static void set_vec3(lua_State *L, const char *name, sb_vec3 v) {
    lua_createtable(L, 3, 0);
    double xyz[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, xyz[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

/* scene.contact(c) hears of the strike, at its time, once this call is over.
 * Strikes that it makes itself are not announced: one would chase the other. */
static void announce(lua_State *L, const strike_def *def,
                     const sb_blow_result *result) {
    if (timers_in_contact(script_timers(script_of(L)))) return;
    script_push_scene_table(L);
    if (lua_getfield(L, -1, "contact") != LUA_TFUNCTION) {
        lua_pop(L, 2);
        return;
    }
    lua_createtable(L, 0, 8);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "a");
    lua_pushliteral(L, "strike");
    lua_setfield(L, -2, "kind");
    bind_set_number(L, "impulse", result->impulse_ns);
    bind_set_number(L, "duration", result->duration_s);
    bind_set_number(L, "speed", def->blow.speed_m_s);
    bind_set_number(L, "slip", 0.0);
    bind_set_number(L, "u", def->place.u);
    bind_set_number(L, "v", def->place.v);
    if (def->place.has_point) set_vec3(L, "point", def->place.point);
    set_vec3(L, "normal", (sb_vec3){0, 1, 0});
    timers_add_contact(L);
    lua_pop(L, 1);
}

int body_strike(lua_State *L) {
    static const char where[] = "body:strike";
    sb_body_id self = check_body(L, where);
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    strike_def def = read_strike(L, self, where);
    def.blow.name = def.striker;

    sb_script *owner = script_of(L);
    sb_blow_result result;
    sb_error err;
    if (sb_scene_strike(script_scene(owner), self, &def.place, &def.blow,
                        script_now(owner), &result, &err)) {
        return bind_fail(L, where, &err);
    }
    announce(L, &def, &result);
    lua_createtable(L, 0, 3);
    bind_set_number(L, "impulse", result.impulse_ns);
    bind_set_number(L, "duration", result.duration_s);
    bind_set_number(L, "peak_force", result.peak_force_n);
    return 1;
}
