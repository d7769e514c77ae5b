/* bindings/api/l_place.c -- reads places on bodies from script tables. */
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/model/modal_model.h"

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
