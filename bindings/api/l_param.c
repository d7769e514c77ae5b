/* bindings/api/l_param.c -- sandbell.Param: a number that can be adjusted.
 *
 *     local hardness = sb.param("hardness", { min = 1e5, max = 1e9,
 *                                             default = 1e7, curve = "log" })
 *     bar:strike { ..., hardness = hardness() }
 *
 * Thread: the one that runs the script. */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static const char *const curves[] = {"linear", "log", NULL};

typedef struct param_def {
    sb_param param;
    int curve;
} param_def;

#define AT(field) offsetof(param_def, field)
static const bind_field param_fields[] = {
    FIELD("min", AT(param.min), -DBL_MAX, DBL_MAX, "", "default 0"),
    FIELD("max", AT(param.max), -DBL_MAX, DBL_MAX, "", "default 1"),
    FIELD("default", AT(param.initial), -DBL_MAX, DBL_MAX, "",
          "initial value; default min"),
    FIELD_CHOICE("curve", AT(curve), curves,
                 "how a slider runs through the range; default linear"),
    FIELD_END,
};

static int param_new(lua_State *L) {
    static const char where[] = "sb.param";
    const char *name = bind_check_text(L, 1, where, "the name");
    if (!*name || strlen(name) >= SB_NAME_SIZE) {
        return bind_error(L, "%s: the name must have 1 to %d bytes", where,
                          SB_NAME_SIZE - 1);
    }
    param_def def = {.param = {.max = 1.0}};
    bind_read_fields(L, 2, where, param_fields, &def);
    if (bind_get(L, 2, "default") == LUA_TNIL) {
        def.param.initial = def.param.min;
    }
    (void)snprintf(def.param.name, sizeof def.param.name, "%s", name);
    def.param.curve = (sb_curve)def.curve;

    int *index = lua_newuserdatauv(L, sizeof *index, 0);
    luaL_setmetatable(L, PARAM_TYPE);
    sb_error err;
    if (script_declare_param(script_of(L), &def.param, index, &err)) {
        return bind_fail(L, where, &err);
    }
    return 1;
}

static int param_get(lua_State *L) {
    const int *index = bind_check_self(L, 1, PARAM_TYPE, "param()");
    lua_pushnumber(L, script_own_params(script_of(L))->items[*index].value);
    return 1;
}

static int param_set(lua_State *L) {
    static const char where[] = "param:set";
    const int *index = bind_check_self(L, 1, PARAM_TYPE, where);
    const sb_param *param = &script_own_params(script_of(L))->items[*index];
    double value =
        bind_check_number(L, 2, where, param->name, param->min, param->max, "");
    sb_error err;
    if (sb_params_set(script_own_params(script_of(L)), *index, value, &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static int param_tostring(lua_State *L) {
    const int *index = bind_check_self(L, 1, PARAM_TYPE, "param");
    const sb_param *param = &script_own_params(script_of(L))->items[*index];
    lua_pushfstring(L, "param '%s' = %f", param->name, param->value);
    return 1;
}

static const bind_function functions[] = {
    {"param", param_new, "name: string, def: sandbell.ParamDef",
     "sandbell.Param",
     "A number that can be changed while the scene runs, and set with --set."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.ParamDef", "What sb.param takes.", param_fields},
    {NULL, NULL, NULL},
};

static const bind_function methods[] = {
    {"set", param_set, "value: number", "", "Set it, within its range."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const luaL_Reg meta[] = {
    {"__call", param_get}, {"__tostring", param_tostring}, {NULL, NULL}};
static const bind_type type = {
    .name = PARAM_TYPE,
    .help = "A number that can be changed; call it to read it.",
    .methods = methods,
    .meta = meta,
    .call = "number",
};

const api_chapter param_chapter = {"Params", functions, records, &type};
