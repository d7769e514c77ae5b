/* SPDX-License-Identifier: MIT */
/* bindings/api/l_room.c -- the room around bodies and listener: sb.reverb.
 *
 *     sb.reverb { t60 = { 2.4, 2.2, 2, 1.9, 1.7, 1.3, 0.8 }, level = -8 }
 *
 * Thread: the one that runs the script.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/state/around.h"

static sb_room_def room_now(const sb_script *owner) {
    sb_plan *plan = script_plan(owner);
    return plan ? *sb_plan_room(plan) : sb_scene_room(script_scene(owner));
}

static int take(lua_State *L, const char *where, const sb_room_def *room) {
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_error err;
    if (plan) {
        *sb_plan_room(plan) = *room;
    } else if (sb_scene_set_room(script_scene(owner), room, script_now(owner),
                                 &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

/* One number for all octaves, or one for each. */
static void read_t60(lua_State *L, const char *where, double *t60_s) {
    if (bind_get(L, 1, "t60") == LUA_TTABLE) {
        sb_field rows[SB_ROOM_OCTAVES];
        for (int i = 0; i < SB_ROOM_OCTAVES; i++) {
            rows[i] = sb_t60_row;
            rows[i].zero = NULL;
        }
        bind_read_tuple(L, where, "t60",
                        "a number or a list of 7, for 125 Hz to 8 kHz",
                        SB_ROOM_OCTAVES, rows, t60_s);
    } else if (!lua_isnil(L, -1)) {
        double all_s = bind_check_row(L, -1, where, &sb_t60_row);
        for (int i = 0; i < SB_ROOM_OCTAVES; i++)
            t60_s[i] = all_s;
    }
    lua_pop(L, 1);
}

static int reverb_set(lua_State *L) {
    static const char where[] = "sb.reverb";
    sb_room_def room = room_now(script_of(L));
    bind_read_fields(L, 1, where, sb_reverb_fields, &room.reverb);
    read_t60(L, where, room.reverb.t60_s);
    return take(L, where, &room);
}

static const bind_function functions[] = {
    {"reverb", reverb_set, "def: sandbell.ReverbDef", "",
     "Add reverberation of any kind; fields that are not given keep their "
     "values."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.ReverbDef", "What sb.reverb takes.", sb_reverb_fields},
    {NULL, NULL, NULL},
};

const api_chapter room_chapter = {"Room", functions, records, NULL};
