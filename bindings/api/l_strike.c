/* SPDX-License-Identifier: MIT */
/* bindings/api/l_strike.c -- body:strike: reads a strike's definition, passes
 * it to the scene and returns the estimated impact; and places on bodies, for
 * all that happens at one. Runs on the control thread. */
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/model/model.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- places -------------------------------------------------------------- */

const bind_field uv_fields[] = {
    FIELD("u", offsetof(sb_place, u), 0, 1, "",
          "along the surface; default 0.5"),
    FIELD("v", offsetof(sb_place, v), 0, 1, "",
          "across the surface; default 0.5"),
    FIELD_END,
};

/* Read { u = 0.5, v = 0.5 } or { 0.5, 0.5 } from the top of the stack. */
static void read_at(lua_State *L, const char *where, const char *field,
                    sb_place *place) {
    int table = lua_gettop(L);
    const char *here = lua_pushfstring(L, "%s: %s", where, field);
    bind_check_table(L, table, here);
    int count = bind_list_length(L, table, 2);
    if (count <= 0) bind_read_fields(L, table, here, uv_fields, place);
    lua_pop(L, 1);
    double *to[2] = {&place->u, &place->v};
    for (int i = 0; i < count && i < 2; i++) {
        lua_rawgeti(L, table, i + 1);
        *to[i] = bind_check_number(L, -1, where, uv_fields[i].name, 0, 1, "");
        lua_pop(L, 1);
    }
}

static bool read_at_field(lua_State *L, sb_body_id body, const char *where,
                          const char *field, sb_place *place) {
    bool has_at = bind_get(L, 2, field) != LUA_TNIL;
    if (has_at) read_at(L, where, field, place);
    lua_pop(L, 1);
    const sb_scene *scene = script_scene(script_of(L));
    if (has_at && !sb_model_has_uv(sb_scene_body_model(scene, body))) {
        bind_error(L,
                   "%s: this body's mesh has no texture coordinates, so "
                   "%s says nothing; give point = { x, y, z }",
                   where, field);
    }
    return has_at;
}

static bool has_direction(lua_State *L, const char *where, const char *field,
                          sb_place *place) {
    place->has_direction = bind_has(L, 2, field);
    if (place->has_direction && sb_vec3_length(place->direction) < 1e-9)
        bind_error(L, "%s: %s must not be { 0, 0, 0 }", where, field);
    return place->has_direction;
}

bool read_place(lua_State *L, sb_body_id body, const char *where,
                sb_place *place) {
    place->has_point = bind_has(L, 2, "point");
    bool has_at = read_at_field(L, body, where, "at", place);
    if (has_at && place->has_point)
        bind_error(L, "%s: give at or point, not both", where);
    if (has_at || place->has_point) place->is_usual = false;
    return has_direction(L, where, "direction", place) || has_at ||
           place->has_point;
}

bool read_other_place(lua_State *L, sb_body_id body, const char *where,
                      sb_place *place) {
    bool has_at = read_at_field(L, body, where, "with_at", place);
    if (has_at) place->is_usual = false;
    return has_direction(L, where, "with_direction", place) || has_at;
}

/* --- strikes ------------------------------------------------------------- */

typedef struct strike_def {
    sb_strike_def strike; /* first, as its rows say */
    sb_place place;
    char striker[SB_NAME_SIZE]; /* name of the material */
    sb_body_id with;            /* generation 0: no body */
    sb_place with_place;
} strike_def;

#define AT(field) offsetof(strike_def, field)
const bind_field strike_fields[] = {
    FIELD_OTHER(
        "at", "sandbell.At|number[]", "",
        "{ u =, v = } on the surface, each 0 to 1 (scripts/guide/places.md "
        "draws them); default: where such a thing is usually struck"),
    FIELD_VEC3("point", AT(place.point), SB_FARTHEST_M, "m",
               "in the world; the nearest place on the body is struck"),
    FIELD_VEC3("direction", AT(place.direction), 1e3, "",
               "of the strike; default straight into the surface"),
    SB_STRIKE_ROWS,
    FIELD_OTHER("material", "sandbell.Material|string", "",
                "of the striker; default the body's"),
    FIELD_BOOL("bounce", AT(strike.bounces),
               "true: the striker may come back, until it lies still; "
               "default: one blow, the striker is gone once it moves away "
               "from the body (gradient and kmethod)"),
    FIELD_OTHER("with", "sandbell.Body", "",
                "the striker is this body: its mass and material are used, and "
                "both ring"),
    FIELD_OTHER(
        "with_at", "sandbell.At|number[]", "",
        "the place on `with` that touches; default: where it is usually "
        "struck"),
    SB_DESIGNER_ROWS(0),
    FIELD_END,
};

#define IN_SCATTER(field) offsetof(sb_scatter, field)
const bind_field scatter_fields[] = {
    FIELD("rate", IN_SCATTER(per_m_s), 0, 1e3, "s/m",
          "expected number per m/s of the strike; at most 64"),
    FIELD("spread", IN_SCATTER(spread_s), 1e-4, 10, "s",
          "mean delay after the strike; default 0.02"),
    FIELD("level", IN_SCATTER(level), 0, 1, "",
          "greatest speed, as a share of the strike's; they are distributed "
          "evenly from 0; default 0.3"),
    FIELD_END,
};

#define IN_GRAZE(field) offsetof(sb_graze_def, field)
const bind_field graze_fields[] = {
    FIELD("time", IN_GRAZE(time_s), 1e-3, 10, "s",
          "duration of the scrape for a strike along the surface, shorter "
          "the steeper it is; default 0.06"),
    FIELD("roughness", IN_GRAZE(roughness_m), 1e-8, 0.1, "m",
          "of the surface; default the body's own"),
    FIELD("slide", IN_GRAZE(slide), 0, 1, "",
          "1: it slides, 0: it rolls, between: both; default 1"),
    FIELD("level", IN_GRAZE(level), 0, 1e4, "", "of the scrape; default 1"),
    FIELD_END,
};

const bind_field struck_fields[] = {
    FIELD_OTHER("impulse", "number", "N s", "given to the body"),
    FIELD_OTHER("duration", "number", "s", "of the contact"),
    FIELD_OTHER("peak_force", "number", "N", "greatest force"),
    FIELD_OTHER("graze", "number", "s", "duration of the scrape; 0: none"),
    FIELD_OTHER("bounces", "boolean", "",
                "gravity brings the striker back; else it is one blow"),
    FIELD_END,
};

const bind_field contact_fields[] = {
    FIELD_OTHER("a", "sandbell.Body", "", "the body that was struck"),
    FIELD_OTHER("b", "sandbell.Body?", "", "the body it was struck with"),
    FIELD_OTHER("kind", "string", "",
                "\"strike\"; from the world: \"impact\", the beginning of a "
                "\"roll\", \"slide\" or \"rest\", and \"end\""),
    FIELD_OTHER("time", "number", "s", "of the scene"),
    FIELD_OTHER("impulse", "number", "N s", "given to the body"),
    FIELD_OTHER("duration", "number", "s", "of the contact"),
    FIELD_OTHER("speed", "number", "m/s",
                "of the striker, into the surface, as it is played; from the "
                "world: along the normal"),
    FIELD_OTHER("slip", "number", "m/s", "along the surface"),
    FIELD_OTHER("force", "number", "N",
                "greatest force of a strike or impact; normal force of a roll, "
                "slide or rest"),
    FIELD_OTHER("restitution", "number?", "",
                "of a strike or impact: speed after over speed before, if it "
                "is known"),
    FIELD_OTHER("bounces", "boolean?", "",
                "of a strike: gravity brings the striker back"),
    FIELD_OTHER("u", "number?", "",
                "along the surface, 0 to 1, of a strike on a body with texture "
                "coordinates"),
    FIELD_OTHER("v", "number?", "", "across the surface, likewise"),
    FIELD_OTHER("point", "sandbell.Vec3", "m", "in the world"),
    FIELD_OTHER("normal", "sandbell.Vec3", "", "of the surface, into a"),
    FIELD_END,
};

static void read_material(lua_State *L, const char *where, strike_def *def) {
    if (bind_get(L, 2, "material") != LUA_TNIL) {
        material_box box = check_material(L, -1, where, "material");
        def->strike.striker.material = box.material;
        def->strike.striker.has_material = true;
        memcpy(def->striker, box.name, sizeof def->striker);
    }
    lua_pop(L, 1);
}

/* Reads `with` and with_at. Raises if that body has been removed. */
static void read_with(lua_State *L, const char *where, strike_def *def) {
    if (bind_get(L, 2, "with") == LUA_TNIL) {
        lua_pop(L, 1);
        if (bind_has(L, 2, "with_at")) {
            bind_error(L, "%s: with_at needs with", where);
        }
        return;
    }
    def->with = check_body_at(L, -1, where, "with");
    lua_pop(L, 1);
    if (bind_has(L, 2, "material")) {
        bind_error(L, "%s: give with or material, not both", where);
    }
    (void)read_other_place(L, def->with, where, &def->with_place);
}

static void read_curve(lua_State *L, int table, const char *where,
                       sb_level_curve *curve) {
    static const sb_field speed = {.max = 1e3, .unit = "m/s"};
    const sb_field rows[2] = {speed, speed};
    if (bind_get(L, table, "curve") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    int list = lua_gettop(L);
    int count =
        lua_istable(L, list) ? bind_list_length(L, list, SB_LEVEL_POINTS) : -1;
    if (count < 1) {
        bind_error(L, "%s: curve must be a list of 1 to %d { speed, level }",
                   where, SB_LEVEL_POINTS);
    }
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        char what[32];
        double pair[2];
        (void)snprintf(what, sizeof what, "curve[%d]", i + 1);
        bind_read_tuple(L, where, what, "{ speed, level }", 2, rows, pair);
        curve->points[i] = (sb_level_point){pair[0], pair[1]};
        lua_pop(L, 1);
        if (i > 0 &&
            curve->points[i].speed_m_s <= curve->points[i - 1].speed_m_s) {
            bind_error(L, "%s: curve[%d]: its speed must be above %f m/s",
                       where, i + 1, curve->points[i - 1].speed_m_s);
        }
    }
    curve->count = count;
    lua_pop(L, 1);
}

/* Reads the fields of the table on top of the stack, which is `name` of `where`. */
static void read_part(lua_State *L, const char *where, const char *name,
                      const bind_field *fields, void *out) {
    int table = lua_gettop(L);
    const char *here = lua_pushfstring(L, "%s: %s", where, name);
    bind_read_fields(L, table, here, fields, out);
    lua_pop(L, 1);
}

static void read_scatter(lua_State *L, int table, const char *where,
                         sb_scatter *scatter) {
    sb_scatter read = {.spread_s = SB_SCATTER_SPREAD_S,
                       .level = SB_SCATTER_LEVEL};
    int type = bind_get(L, table, "scatter");
    if (type == LUA_TTABLE) {
        read_part(L, where, "scatter", scatter_fields, &read);
    } else if (type != LUA_TNIL) {
        read.per_m_s =
            bind_check_number(L, -1, where, "scatter", 0, 1e3, "s/m");
    }
    if (type != LUA_TNIL) *scatter = read;
    lua_pop(L, 1);
}

static void read_graze(lua_State *L, int table, const char *where,
                       sb_strike_def *strike) {
    int type = bind_get(L, table, "graze");
    if (type != LUA_TNIL) strike->graze = sb_graze_def_default();
    if (type == LUA_TTABLE) {
        read_part(L, where, "graze", graze_fields, &strike->graze);
    } else if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        bind_error(L, "%s: graze must be true, false or a table, got %s", where,
                   bind_show(L, -1));
    }
    if (type != LUA_TNIL) strike->grazes = lua_toboolean(L, -1);
    lua_pop(L, 1);
}

void read_designer(lua_State *L, int table, const char *where,
                   sb_strike_def *strike) {
    read_curve(L, table, where, &strike->curve);
    read_scatter(L, table, where, &strike->scatter);
    read_graze(L, table, where, strike);
    if (bind_has(L, table, "stiffening") && bind_has(L, table, "onset")) {
        bind_error(L, "%s: give stiffening or onset, not both", where);
    }
}

/* Gravity that brings the striker back makes it bounce, unless the script says
 * otherwise. */
static void read_bounce(lua_State *L, const char *where,
                        sb_strike_def *strike) {
    bool is_given = bind_has(L, 2, "bounce");
    if (!is_given)
        strike->bounces = strike->has_gravity && strike->gravity_m_s2 > 0.0;
    if (is_given && strike->bounces &&
        !sb_impact_model_is_nonlinear(sb_strike_model(strike))) {
        bind_error(L,
                   "%s: bounce needs a mass that presses: give speed and "
                   "contact = \"gradient\" or \"kmethod\", and no hardness",
                   where);
    }
}

static strike_def read_strike(lua_State *L, sb_body_id body,
                              const char *where) {
    strike_def def = {.place = {.u = 0.5, .v = 0.5, .is_usual = true},
                      .with_place = {.u = 0.5, .v = 0.5, .is_usual = true}};
    bind_read_fields(L, 2, where, strike_fields, &def);
    def.strike.has_gravity = bind_has(L, 2, "gravity");
    read_material(L, where, &def);
    (void)read_place(L, body, where, &def.place);
    read_with(L, where, &def);
    read_designer(L, 2, where, &def.strike);
    read_bounce(L, where, &def.strike);
    if (bind_has(L, 2, "speed") == bind_has(L, 2, "impulse")) {
        bind_error(L, "%s: give speed (m/s) or impulse (N s), one of them",
                   where);
    }
    return def;
}

static sb_status do_strike(sb_script *owner, sb_body_id self,
                           const strike_def *def, sb_impact_estimate *result,
                           sb_error *err) {
    sb_scene *scene = script_scene(owner);
    double now_s = script_now(owner);
    if (!def->with.generation) {
        return sb_scene_strike(scene, self, &def->place, &def->strike, now_s,
                               result, err);
    }
    return sb_scene_strike_with(scene, self, &def->place, def->with,
                                &def->with_place, &def->strike, now_s, result,
                                err);
}

int body_strike(lua_State *L) {
    static const char where[] = "body:strike";
    sb_body_id self = check_body(L, where);
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    strike_def def = read_strike(L, self, where);
    def.strike.name = def.striker;
    def.strike.by = script_actor(L);

    sb_script *owner = script_of(L);
    sb_impact_estimate result;
    sb_error err;
    if (do_strike(owner, self, &def, &result, &err)) {
        return bind_fail(L, where, &err);
    }
    announce_contacts(L);
    lua_createtable(L, 0, 5);
    bind_set_number(L, "impulse", result.impulse_ns);
    bind_set_number(L, "duration", result.duration_s);
    bind_set_number(L, "peak_force", result.peak_force_n);
    bind_set_number(L, "graze", result.graze.time_s);
    lua_pushboolean(L, result.bounces);
    lua_setfield(L, -2, "bounces");
    return 1;
}
