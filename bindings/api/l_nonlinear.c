/* bindings/api/l_nonlinear.c -- sb.body's field `nonlinear`: stiffening and
 * distortion.
 *
 *     sb.body("gong", { shape = ..., material = "bronze",
 *       nonlinear = { amplitude = 0.002 } })
 */
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/plan/body_def.h"

#include <stdio.h>

static const char where[] = "sb.body: nonlinear";

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
    int table = lua_gettop(L);
    if (!lua_istable(L, table) || bind_list_length(L, table, 2) != 2) {
        bind_error(L, "%s: %s must be { u, v }, got %s", where, what,
                   lua_istable(L, table) ? "another table"
                                         : bind_show(L, table));
    }
    double *to[2] = {&part->places[i].u, &part->places[i].v};
    for (int j = 0; j < 2; j++) {
        char item[48];
        (void)snprintf(item, sizeof item, "%s[%d]", what, j + 1);
        lua_rawgeti(L, table, j + 1);
        *to[j] = bind_check_number(L, -1, where, item, 0, 1, "");
        lua_pop(L, 1);
    }
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
                   where, (int)SB_NONLINEAR_PLACES,
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
    bind_read_fields(L, table, where, nonlinear_fields, part);
    bool has_amplitude = bind_has(L, table, "amplitude");
    bool has_stiffness = bind_has(L, table, "stiffness");
    bool has_distortion = bind_has(L, table, "distortion");
    if (has_amplitude && has_stiffness)
        bind_error(L, "%s: give amplitude or stiffness, not both", where);
    if (bind_has(L, table, "knee") && !has_distortion)
        bind_error(L, "%s: knee needs distortion", where);
    if (bind_get(L, table, "at") != LUA_TNIL) read_places(L, part);
    lua_settop(L, table);
    part->stiffens = has_amplitude || has_stiffness || !has_distortion;
    part->is_on = true;
}
