/* SPDX-License-Identifier: MIT */
/* bindings/api/l_shape.c -- sandbell.Shape: geometry by its sizes.
 *
 *     sb.bar { length = 0.35, width = 0.05, thickness = 0.021 }
 *     sb.modes { { 440, 2.0, 1.0 }, { freq = 1100, q = 1200, gain = 0.4 } }
 *
 * The fields of each shape come from the shape table (model/shapes.def).
 * Thread: that of the script, control or loader.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HAND_MODES = 4096 };

/* A shape, followed by its modes if the script lists them. */
typedef struct shape_holder {
    sb_shape shape;
    sb_hand_mode modes[];
} shape_holder;

/* A mode as a script gives it. */
typedef struct given_mode {
    sb_hand_mode mode;
    double q; /* instead of t60 */
} given_mode;

static const bind_field mode_fields[] = {
    FIELD("freq", offsetof(given_mode, mode.freq_hz), 1, 1e5, "Hz",
          "or the first of a list"),
    FIELD("t60", offsetof(given_mode, mode.t60_s), 1e-4, 1e4, "s",
          "time to fall by 60 dB; or the second of a list"),
    FIELD("gain", offsetof(given_mode, mode.gain), -1e3, 1e3, "",
          "default 1; or the third of a list"),
    FIELD("q", offsetof(given_mode, q), 1, 1e9, "",
          "instead of t60: pi freq t60 / ln 1000"),
    FIELD_END};

const sb_shape *check_shape(lua_State *L, int index, const char *where) {
    shape_holder *box = luaL_testudata(L, index, SHAPE_TYPE);
    const char *error = script_asset_error(script_of(L));
    if (!box && lua_isnil(L, index) && *error) {
        bind_error(L, "%s: there is no shape: %s", where, error);
    }
    if (!box) {
        bind_error(L,
                   "%s: shape must be a shape such as sb.bar { ... }, got %s",
                   where, bind_show(L, index));
        return NULL;
    }
    return &box->shape;
}

sb_shape *shape_push(lua_State *L, const sb_shape *shape) {
    size_t bytes = (size_t)shape->mode_count * sizeof(sb_hand_mode);
    shape_holder *box = lua_newuserdatauv(L, sizeof *box + bytes, 0);
    box->shape = *shape;
    if (shape->modes) {
        memcpy(box->modes, shape->modes, bytes);
        box->shape.modes = box->modes;
    }
    luaL_setmetatable(L, SHAPE_TYPE);
    return &box->shape;
}

void read_merge(lua_State *L, int table, const char *where, sb_shape *shape) {
    int type = bind_get(L, table, "merge");
    if (type == LUA_TNUMBER) {
        shape->merge = bind_check_number(L, -1, where, "merge", 0, 100, "");
        shape->keeps_beats = !(shape->merge > 0);
    } else if (type == LUA_TBOOLEAN) {
        shape->merge = lua_toboolean(L, -1) ? 1 : 0;
        shape->keeps_beats = !lua_toboolean(L, -1);
    } else if (type != LUA_TNIL) {
        bind_error(L,
                   "%s: merge must be a number from 0 to 100, true or false, "
                   "got %s",
                   where, bind_show(L, -1));
    }
    lua_pop(L, 1);
}

static int push_shape(lua_State *L, const sb_shape *shape) {
    sb_error err;
    if (sb_shape_check(shape, &err)) {
        /* The runtime's sentence starts with the kind: "bar: ...". */
        sb_profile_release(shape->profile);
        return bind_error(L, "sb.%s", err.message);
    }
    (void)shape_push(L, shape);
    return 1;
}

/* Reads { r, y } or { r, y, t } from the top of the stack; without t it is
 * `thickness`. */
static sb_profile_point read_point(lua_State *L, int n, double thickness) {
    double numbers[3] = {0, 0, thickness};
    static const char *const names[3] = {"r", "y", "t"};
    char where[48];
    (void)snprintf(where, sizeof where, "sb.revolve: profile, point %d", n);
    bind_check_table(L, -1, where);
    int table = lua_gettop(L), count = bind_list_length(L, table, 3);
    if (count < 2) {
        bind_error(L, "%s must be { r, y } or { r, y, t }, in metres", where);
    }
    for (int i = 0; i < 3 && i < count; i++) {
        static const double least[3] = {0, -100, 1e-5};
        lua_rawgeti(L, table, i + 1);
        numbers[i] =
            bind_check_number(L, -1, where, names[i], least[i], 100, "m");
        lua_pop(L, 1);
    }
    if (!(numbers[2] > 0)) {
        bind_error(L,
                   "%s has no thickness: give thickness =, or { r, y, t } (m)",
                   where);
    }
    return (sb_profile_point){numbers[0], numbers[1], numbers[2]};
}

/* The field `join` of the table at 1. */
static bool reads_curve(lua_State *L) {
    bool is_given = bind_get(L, 1, "join") != LUA_TNIL;
    const char *join = is_given ? lua_tostring(L, -1) : "curve";
    bool is_lines = join && strcmp(join, "lines") == 0;
    if (!is_lines && (!join || strcmp(join, "curve") != 0)) {
        bind_error(L, "sb.revolve: join must be \"curve\" or \"lines\", got %s",
                   bind_show(L, -1));
    }
    lua_pop(L, 1);
    return !is_lines;
}

/* Reads the field `profile` of the table at 1, last of all: nothing may raise
 * between its making and push_shape. */
static void read_profile(lua_State *L, sb_shape *shape) {
    sb_error err;
    if (bind_get(L, 1, "profile") == LUA_TNIL) return;
    bind_check_table(L, -1, "sb.revolve: profile");
    int list = lua_gettop(L);
    int count = bind_list_length(L, list, SB_PROFILE_MOST);
    if (count < 2) {
        bind_error(L,
                   "sb.revolve: profile must be a list of 2 to %d points "
                   "{ r, y }, without holes or names",
                   (int)SB_PROFILE_MOST);
    }
    sb_profile_point *points =
        lua_newuserdatauv(L, (size_t)count * sizeof *points, 0);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, list, i);
        points[i - 1] = read_point(L, i, shape->thickness);
        lua_pop(L, 1);
    }
    sb_profile *made = NULL;
    bool is_curve = reads_curve(L);
    sb_status status = sb_profile_create(points, count, 1, &made, &err);
    shape->profile = made;
    /* Messages name points that the script gave: check those first. */
    if (!status) status = sb_shape_check(shape, &err);
    if (!status && is_curve) {
        sb_profile_release(shape->profile);
        shape->profile = made = NULL;
        status = sb_profile_create_curve(points, count, &made, &err);
        shape->profile = made;
    }
    if (status) {
        sb_profile_release(shape->profile);
        bind_error(L, "sb.%s", err.message);
    }
}

static int new_shape(lua_State *L, const char *where, sb_shape_kind kind,
                     bool may_be_left_out, const bind_field *fields) {
    sb_shape shape = {.kind = kind,
                      .method = SB_METHOD_ANALYTIC,
                      .radiation = SB_RADIATES_USUALLY};
    const sb_shape_family *family = sb_shape_family_of(&shape);
    if (family->is_computed || family->is_too_thick)
        shape.method = SB_METHOD_AUTO;
    luaL_checkstack(L, 8, NULL);
    lua_settop(L, 1);
    if (may_be_left_out && lua_isnil(L, 1)) {
        lua_newtable(L); /* sb.floor() and sb.rigid() need no table */
        lua_replace(L, 1);
    }
    bind_read_fields(L, 1, where, fields, &shape);
    read_merge(L, 1, where, &shape);
    /* Alternatives (one of several fields) are checked by the runtime. */
    bind_need(L, 1, where, fields);
    if (kind == SB_SHAPE_REVOLVE) read_profile(L, &shape);
    return push_shape(L, &shape);
}

/* One function per row of shapes.def: new_bar, new_plate, ... */
#define SHAPE(kind, name, def, argument, takes, help)                         \
    static int new_##name(lua_State *L) {                                     \
        return new_shape(L, "sb." #name, SB_SHAPE_##kind, argument[3] == '?', \
                         sb_##name##_fields);                                 \
    }
#define SHAPE_MODES(kind, name, def, argument, takes, help)
#define SHAPE_MESH(kind, name, def, argument, takes, help)
#include "runtime/model/shapes.def"

/* Q to the time of 60 dB, within the limits of that field. */
static void take_q(lua_State *L, const char *where, given_mode *given) {
    sb_hand_mode *mode = &given->mode;
    if (given->q == 0.0) return;
    if (mode->t60_s > 0.0)
        bind_error(L, "%s: t60 and q are two ways to say the same: give one",
                   where);
    mode->t60_s = given->q * log(1000.0) / (SB_PI * mode->freq_hz);
    if (mode->t60_s < 1e-4 || mode->t60_s > 1e4) {
        char text[96];
        (void)snprintf(text, sizeof text,
                       "q = %.2g at %.4g Hz is a t60 of %.2g s", given->q,
                       mode->freq_hz, mode->t60_s);
        bind_error(L, "%s: %s, not 0.0001 to 10000 s", where, text);
    }
}

/* Reads { 440, 2.0, 0.5 }, { freq = 440, t60 = 2.0, gain = 0.5 } or the latter
 * with q instead of t60 from the top of the stack. */
static sb_hand_mode read_mode(lua_State *L, int n) {
    given_mode given = {.mode = {0.0, 0.0, 1.0}};
    char where[48];
    (void)snprintf(where, sizeof where, "sb.modes, mode %d", n);
    bind_check_table(L, -1, where);
    int table = lua_gettop(L);
    int count = bind_list_length(L, table, 3);
    if (count <= 0) {
        bind_read_fields(L, table, where, mode_fields, &given);
    }
    for (int i = 0; i < count; i++) {
        const bind_field *field = &mode_fields[i];
        lua_rawgeti(L, table, i + 1);
        *(double *)(void *)((char *)&given + field->offset) = bind_check_number(
            L, -1, where, field->name, field->min, field->max, field->unit);
        lua_pop(L, 1);
    }
    if (given.mode.freq_hz > 0.0) take_q(L, where, &given);
    if (given.mode.freq_hz <= 0.0 || given.mode.t60_s <= 0.0) {
        bind_error(L,
                   "%s needs a frequency and a T60 or Q: { 440, 2.0, gain } or "
                   "{ freq = 440, q = 1000 }",
                   where);
    }
    return given.mode;
}

static int shape_modes(lua_State *L) {
    bind_check_table(L, 1, "sb.modes");
    lua_settop(L, 1);
    int count = bind_list_length(L, 1, MOST_HAND_MODES);
    if (count < 1) {
        return bind_error(L,
                          "sb.modes needs a list of 1 to %d modes "
                          "{ freq, t60, gain }, without holes or names",
                          (int)MOST_HAND_MODES);
    }
    sb_hand_mode *modes =
        lua_newuserdatauv(L, (size_t)count * sizeof *modes, 0);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, i);
        modes[i - 1] = read_mode(L, i);
        lua_pop(L, 1);
    }
    sb_shape shape = {
        .kind = SB_SHAPE_MODES, .modes = modes, .mode_count = count};
    return push_shape(L, &shape);
}

static int shape_tostring(lua_State *L) {
    const shape_holder *box = bind_check_self(L, 1, SHAPE_TYPE, "shape");
    lua_pushfstring(L, "shape (%s)", sb_shape_kind_name(box->shape.kind));
    return 1;
}

static int shape_gc(lua_State *L) {
    shape_holder *box = lua_touserdata(L, 1);
    sb_mesh_source_release(box->shape.mesh);
    box->shape.mesh = NULL;
    sb_profile_release(box->shape.profile);
    box->shape.profile = NULL;
    return 0;
}

/* --- description ---------------------------------------------------- */

#define FUNCTION(kind, name, def, argument, takes, help)                     \
    {#name, new_##name, argument ": sandbell." #def "Def", "sandbell.Shape", \
     help},
#define RECORD(kind, name, def, argument, takes, help)            \
    {"sandbell." #def "Def", "What sb." #name " takes" takes ".", \
     sb_##name##_fields},
#define NOTHING(kind, name, def, argument, takes, help)

static const bind_function functions[] = {
#define SHAPE       FUNCTION
#define SHAPE_RIGID NOTHING
#define SHAPE_MODES(kind, name, def, argument, takes, help)               \
    {"modes", shape_modes, "list: (number[]|sandbell.ModeDef)[]",         \
     "sandbell.Shape",                                                    \
     "Modes given by hand: { freq, t60, gain } each, or by name, with q " \
     "instead of t60; 1 to 4096 of them."},
#define SHAPE_MESH NOTHING
#include "runtime/model/shapes.def"
#define SHAPE       NOTHING /* shapes that do not ring come last */
#define SHAPE_RIGID FUNCTION
#include "runtime/model/shapes.def"
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
#define SHAPE       RECORD
#define SHAPE_RIGID NOTHING
#define SHAPE_MODES NOTHING
#define SHAPE_MESH  NOTHING
#include "runtime/model/shapes.def"
#define SHAPE       NOTHING
#define SHAPE_RIGID RECORD
#include "runtime/model/shapes.def"
    {"sandbell.ModeDef", "One mode of sb.modes.", mode_fields},
    {NULL, NULL, NULL},
};

static const luaL_Reg meta[] = {
    {"__tostring", shape_tostring}, {"__gc", shape_gc}, {NULL, NULL}};
static const bind_type type = {
    .name = SHAPE_TYPE,
    .help = "A geometry, for sb.body.",
    .meta = meta,
};

const api_chapter shape_chapter = {"Shapes", functions, records, &type};
