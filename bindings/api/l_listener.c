/* SPDX-License-Identifier: MIT */
/* bindings/api/l_listener.c -- what is heard: sb.listener and sb.air, position
 * and direction of the ears, gain, the air; and sb.quality, what to do when
 * there is too much sound.
 *
 *     sb.quality { budget = 0.5, slope = 8, tau = 0.5 }
 *
 * Thread: the one that runs the script. */
#include "bindings/api/api.h"
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/script/script.h"
#include "runtime/base/digest.h"
#include "runtime/media/sofa_file.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/state/hear.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bind_field air_fields[] = {
    FIELD("temperature", offsetof(sb_air, temperature_c), -50, 60, "C",
          "the speed of sound is 331.3 sqrt(1 + T / 273.15) m/s; default 20"),
    FIELD("humidity", offsetof(sb_air, humidity), 0, 100, "%",
          "relative; default 50"),
    FIELD("pressure", offsetof(sb_air, pressure_kpa), 1, 1000, "kPa",
          "default 101.325"),
    FIELD_BOOL(
        "absorption", offsetof(sb_air, absorbs),
        "whether air absorbs sound, high frequencies most; default true"),
    FIELD_END,
};

static sb_listener listener_now(const sb_script *owner) {
    sb_plan *plan = script_plan(owner);
    return plan ? *sb_plan_listener(plan)
                : sb_scene_listener(script_scene(owner));
}

static int take(lua_State *L, const char *where, const sb_listener *listener) {
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_error err;
    if (plan) {
        *sb_plan_listener(plan) = *listener;
    } else if (sb_scene_set_listener(script_scene(owner), listener,
                                     script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static int air_set(lua_State *L) {
    sb_listener listener = listener_now(script_of(L));
    bind_read_fields(L, 1, "sb.air", air_fields, &listener.air);
    return take(L, "sb.air", &listener);
}

/* "2 Pa" or 2. */
static double pascals(lua_State *L, const char *where) {
    bool is_text = lua_type(L, -1) == LUA_TSTRING;
    double value = is_text ? 0 : lua_tonumber(L, -1);
    char *end;
    if (is_text) {
        value = strtod(lua_tostring(L, -1), &end);
        while (*end == ' ')
            end++;
        if (strcmp(end, "Pa") != 0) value = 0;
    }
    if (!(value >= SB_FULL_SCALE_PA / SB_LISTENER_GAIN_MOST && value <= 1e6))
        bind_error(L,
                   "%s: full_scale must be 4e-05 to 1e+06 Pa, as 2 or "
                   "\"2 Pa\", got %s",
                   where, bind_show(L, -1));
    return value;
}

static void read_full_scale(lua_State *L, const char *where,
                            sb_listener *listener) {
    if (bind_get(L, 1, "full_scale") != LUA_TNIL) {
        if (bind_has(L, 1, "gain"))
            bind_error(L, "%s: give gain or full_scale, not both", where);
        listener->gain = SB_FULL_SCALE_PA / pascals(L, where);
        listener->is_exposed = false;
    }
    lua_pop(L, 1);
}

static bool is_file(const char *name) {
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".sofa") == 0;
}

/* The file is read now, so that a mistake is told at the script's line; but not
 * again while the scene runs, when scripts move the listener at every step. */
static sb_status find_ears(lua_State *L, const char *name, sb_listener *out,
                           sb_error *err) {
    char path[PATH_MAX];
    sb_status status = script_asset(L, name, path, err);
    if (status) return status;
    bool is_known =
        out->ears == SB_EARS_MEASURED && strcmp(out->file.path, path) == 0;
    if (is_known && !script_plan(script_of(L))) return SB_OK;
    if (strlen(path) >= sizeof out->file.path)
        return sb_fail(err, SB_BAD_ARGUMENT, "ears: the path is too long");
    guard_spend(L, 1000000); /* cost of reading the file */
    sb_sofa sofa = {0};
    sb_ears_file file = {0};
    status = sb_sofa_read(&sofa, path, err);
    sb_sofa_free(&sofa);
    if (!status) status = sb_digest_file(path, INT64_MAX, file.digest, err);
    if (status) {
        sb_error_rename(err, path, name);
        return status;
    }
    (void)snprintf(file.path, sizeof file.path, "%s", path);
    out->ears = SB_EARS_MEASURED;
    out->file = file;
    return SB_OK;
}

static sb_status read_ears(lua_State *L, const char *where, sb_listener *out,
                           sb_error *err) {
    sb_status status = SB_OK;
    if (bind_get(L, 1, "ears") != LUA_TNIL) {
        const char *name =
            lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        int kind = 0;
        while (sb_ears_names[kind] && strcmp(name, sb_ears_names[kind]) != 0)
            kind++;
        if (sb_ears_names[kind]) {
            out->ears = (sb_ears_kind)kind;
            out->file = (sb_ears_file){0};
        } else if (is_file(name)) {
            status = find_ears(L, name, out, err);
        } else {
            bind_error(L,
                       "%s: ears must be one of 'head', 'pair', 'pan', "
                       "'measured', or a SOFA file, own.sofa; got %s",
                       where, bind_show(L, -1));
        }
    }
    lua_pop(L, 1);
    return status;
}

static int listener_set(lua_State *L) {
    static const char where[] = "sb.listener";
    sb_listener listener = listener_now(script_of(L));
    bind_read_fields(L, 1, where, sb_listener_fields, &listener);
    if (bind_has(L, 1, "gain")) listener.is_exposed = false;
    read_full_scale(L, where, &listener);
    sb_error err;
    if (read_ears(L, where, &listener, &err)) return bind_raise(L, where, &err);
    if (sb_listener_check(&listener, &err)) return bind_raise(L, where, &err);
    return take(L, where, &listener);
}

static const bind_function functions[] = {
    {"listener", listener_set, "def: sandbell.ListenerDef", "",
     "Place the two ears; fields that are not given keep their values."},
    {"air", air_set, "def: sandbell.AirDef", "",
     "Describe the air; fields that are not given keep their values."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.ListenerDef", "What sb.listener takes.", sb_listener_fields},
    {"sandbell.AirDef", "What sb.air takes.", air_fields},
    {NULL, NULL, NULL},
};

const api_chapter listener_chapter = {"Listener", functions, records, NULL};

/* --- quality ------------------------------------------------------------- */

static int quality_set(lua_State *L) {
    static const char where[] = "sb.quality";
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_quality_def def =
        plan ? *sb_plan_quality(plan) : sb_scene_quality(script_scene(owner));
    bind_read_fields(L, 1, where, sb_quality_fields, &def);
    sb_error err;
    if (plan) {
        *sb_plan_quality(plan) = def;
    } else if (sb_scene_set_quality(script_scene(owner), &def,
                                    script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static const bind_function quality_functions[] = {
    {"quality", quality_set, "def: sandbell.QualityDef", "",
     "Set limits for when there is too much sound; fields that are not given "
     "keep their values."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record quality_records[] = {
    {"sandbell.QualityDef", "What sb.quality takes.", sb_quality_fields},
    {NULL, NULL, NULL},
};

const api_chapter quality_chapter = {"Quality", quality_functions,
                                     quality_records, NULL};
