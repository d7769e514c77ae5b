/* bindings/api/l_diffuse.c -- sb.body's field `diffuse`: dense modes as noise.
 *
 *     sb.body("door", { shape = ..., material = "oak",
 *       diffuse = { crossover = 600,
 *                   t60 = { { 600, 0.3 }, { 8000, 0.05 } } } })
 *
 * true and false are about the modes that are too many to be held, which become
 * noise by themselves: false leaves them out, true has them also where the
 * script chose the number of modes.
 */
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/plan/body_def.h"

#include <stdio.h>

static const char where[] = "sb.body: diffuse";

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
    int table = lua_gettop(L);
    char what[48];
    (void)snprintf(what, sizeof what, "t60[%d]", i + 1);
    if (!lua_istable(L, table) || bind_list_length(L, table, 2) != 2) {
        bind_error(L, "%s: %s must be { freq, t60 }, got %s", where, what,
                   lua_istable(L, table) ? "another table"
                                         : bind_show(L, table));
    }
    (void)snprintf(what, sizeof what, "t60[%d][1]", i + 1);
    lua_rawgeti(L, table, 1);
    part->t60[i].freq_hz = bind_check_number(L, -1, where, what, 1, 1e5, "Hz");
    (void)snprintf(what, sizeof what, "t60[%d][2]", i + 1);
    lua_rawgeti(L, table, 2);
    part->t60[i].t60_s =
        bind_check_number(L, -1, where, what, SHORTEST_S, LONGEST_S, "s");
    lua_settop(L, table);
    if (i > 0 && part->t60[i].freq_hz <= part->t60[i - 1].freq_hz) {
        bind_error(L,
                   "%s: the frequencies of t60 must rise, number %d does not",
                   where, i + 1);
    }
}

/* Reads t60 from the top of the stack. */
static void read_t60(lua_State *L, sb_diffuse_part *part) {
    int at = lua_gettop(L);
    if (!lua_istable(L, at)) {
        part->t60[0].freq_hz = 1000.0;
        part->t60[0].t60_s =
            bind_check_number(L, at, where, "t60", SHORTEST_S, LONGEST_S, "s");
        part->t60_count = 1;
        return;
    }
    int count = bind_list_length(L, at, SB_DIFFUSE_POINTS);
    if (count < 1) {
        bind_error(L,
                   "%s: t60 must be a number or a list of 1 to %d pairs "
                   "{ freq, t60 }, got another table",
                   where, (int)SB_DIFFUSE_POINTS);
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
    bind_read_fields(L, table, where, diffuse_fields, part);
    if (bind_get(L, table, "t60") != LUA_TNIL) read_t60(L, part);
    lua_settop(L, table);
    part->is_on = true;
}
