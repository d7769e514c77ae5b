/* SPDX-License-Identifier: MIT */
/* bindings/api/l_room.c -- the room around bodies and listener: sb.room and
 * sb.reverb.
 *
 *     sb.room { size = { 6, 3, 8 }, walls = { "plaster", floor = "carpet" } }
 *     sb.reverb { t60 = { 2.4, 2.2, 2, 1.9, 1.7, 1.3, 0.8 }, level = -8 }
 *
 * Thread: the one that runs the script.
 */
#include "bindings/api/api.h"
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/script/script.h"
#include "runtime/base/digest.h"
#include "runtime/base/memory.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/state/around.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/response.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

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

/* --- walls ----------------------------------------------------------------*/

static const char room_where[] = "sb.room";

/* What the value on top says of one wall: a material, a number, or seven. */
static void read_wall(lua_State *L, const char *what, double *absorption) {
    char name[32];
    (void)snprintf(name, sizeof name, "walls%s%s", *what ? "." : "", what);
    if (lua_type(L, -1) == LUA_TSTRING) {
        const sb_wall_material *found =
            sb_wall_material_find(lua_tostring(L, -1));
        if (!found)
            bind_error(L,
                       "%s: %s: no wall material %s; sb.wall_materials() "
                       "lists them",
                       room_where, name, bind_show(L, -1));
        memcpy(absorption, found->absorption, sizeof found->absorption);
        return;
    }
    sb_field rows[SB_ROOM_OCTAVES];
    for (int i = 0; i < SB_ROOM_OCTAVES; i++) {
        rows[i] = sb_absorption_row;
        rows[i].name = name;
    }
    if (lua_type(L, -1) == LUA_TTABLE) {
        bind_read_tuple(L, room_where, name,
                        "a material, a number, or 7 for 125 Hz to 8 kHz",
                        SB_ROOM_OCTAVES, rows, absorption);
        return;
    }
    double all = bind_check_row(L, -1, room_where, &rows[0]);
    for (int i = 0; i < SB_ROOM_OCTAVES; i++)
        absorption[i] = all;
}

static void read_all_walls(lua_State *L, sb_hall_def *hall) {
    read_wall(L, "", hall->absorption[0]);
    for (int wall = 1; wall < SB_WALLS; wall++)
        memcpy(hall->absorption[wall], hall->absorption[0],
               sizeof hall->absorption[0]);
}

static int wall_called(const char *name) {
    for (int wall = 0; wall < SB_WALLS; wall++)
        if (strcmp(sb_wall_names[wall], name) == 0) return wall;
    return -1;
}

/* The table on top, by wall; [1] is for those that it does not name. */
static void read_named_walls(lua_State *L, sb_hall_def *hall) {
    int table = lua_gettop(L);
    if (lua_rawgeti(L, table, 1) != LUA_TNIL) read_all_walls(L, hall);
    lua_pop(L, 1);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        bool is_name = lua_type(L, -2) == LUA_TSTRING;
        int wall = is_name ? wall_called(lua_tostring(L, -2)) : -1;
        bool is_first = lua_isinteger(L, -2) && lua_tointeger(L, -2) == 1;
        if (wall < 0 && !is_first)
            bind_error(L,
                       "%s: walls has no %s (known: left, right, floor, "
                       "ceiling, front, back, and [1] for the others)",
                       room_where, bind_show(L, -2));
        if (wall >= 0)
            read_wall(L, sb_wall_names[wall], hall->absorption[wall]);
        lua_pop(L, 1);
    }
}

/* The file is read now, so that a mistake is told at the script's line; its
 * digest says whether it has changed. */
static sb_status find_response(lua_State *L, const char *name,
                               sb_response_def *out, sb_error *err) {
    char path[PATH_MAX];
    sb_status status = script_asset(L, name, path, err);
    if (status) return status;
    guard_spend(L, 100000); /* cost of reading the file */
    if (strlen(path) >= sizeof out->path)
        return sb_fail(err, SB_BAD_ARGUMENT, "response: the path is too long");
    float *samples = NULL;
    int frames;
    status = scene_read_response(path, 1.0, 48000.0, &samples, &frames, err);
    sb_free(samples);
    if (!status) status = sb_digest_file(path, INT64_MAX, out->digest, err);
    if (status) sb_error_rename(err, path, name);
    if (!status) (void)snprintf(out->path, sizeof out->path, "%s", path);
    return status;
}

/* Its file and its level. */
static sb_status read_response(lua_State *L, sb_response_def *out,
                               sb_error *err) {
    sb_status status = SB_OK;
    if (bind_get(L, 1, "level") != LUA_TNIL)
        out->level_db =
            bind_check_row(L, -1, room_where, &sb_response_level_row);
    lua_pop(L, 1);
    if (bind_get(L, 1, "response") != LUA_TNIL) {
        const char *name =
            bind_check_text(L, lua_gettop(L), room_where, "response");
        if (*name) {
            status = find_response(L, name, out, err);
        } else {
            out->path[0] = out->digest[0] = 0;
        }
    }
    lua_pop(L, 1);
    return status;
}

static int room_set(lua_State *L) {
    sb_room_def room = room_now(script_of(L));
    bind_read_fields(L, 1, room_where, sb_hall_fields, &room.hall);
    int type = bind_get(L, 1, "walls");
    if (type == LUA_TTABLE && lua_rawlen(L, -1) < 2) {
        read_named_walls(L, &room.hall);
    } else if (type != LUA_TNIL) {
        read_all_walls(L, &room.hall);
    }
    lua_pop(L, 1);
    sb_error err;
    sb_status status = read_response(L, &room.response, &err);
    if (status) return bind_fail(L, room_where, &err);
    if (sb_room_check(&room, &err)) return bind_raise(L, room_where, &err);
    return take(L, room_where, &room);
}

/* What they absorb, by name. */
static int wall_materials(lua_State *L) {
    lua_newtable(L);
    for (const sb_wall_material *at = sb_wall_materials; at->name; at++) {
        lua_createtable(L, SB_ROOM_OCTAVES, 0);
        for (int i = 0; i < SB_ROOM_OCTAVES; i++) {
            lua_pushnumber(L, at->absorption[i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, at->name);
    }
    return 1;
}

/* How long the room rings, by octave. */
static int room_t60(lua_State *L) {
    const sb_script *owner = script_of(L);
    sb_room_def room = room_now(owner);
    sb_plan *plan = script_plan(owner);
    sb_listener listener =
        plan ? *sb_plan_listener(plan) : sb_scene_listener(script_scene(owner));
    lua_createtable(L, SB_ROOM_OCTAVES, 0);
    for (int i = 0; i < SB_ROOM_OCTAVES; i++) {
        lua_pushnumber(L, sb_room_t60_s(&room, &listener.air, i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const bind_function functions[] = {
    {"room", room_set, "def: sandbell.RoomDef", "",
     "Put a box-shaped room around everything: early reflections and a late "
     "field; fields that are not given keep their values."},
    {"wall_materials", wall_materials, "", "table<string, number[]>",
     "What walls of each material absorb, 0 to 1, at 125 Hz to 8 kHz."},
    {"room_t60", room_t60, "", "number[]",
     "How long the room rings at 125 Hz to 8 kHz, s; 0: there is none."},
    {"reverb", reverb_set, "def: sandbell.ReverbDef", "",
     "Add reverberation of any kind; fields that are not given keep their "
     "values."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.RoomDef", "What sb.room takes.", sb_hall_fields},
    {"sandbell.ReverbDef", "What sb.reverb takes.", sb_reverb_fields},
    {NULL, NULL, NULL},
};

const api_chapter room_chapter = {"Room", functions, records, NULL};
