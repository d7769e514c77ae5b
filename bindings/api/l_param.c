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
#include "runtime/base/nearest.h"
#include "runtime/scene/param.h"

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
    const char *name = bind_check_name(L, 1, where);
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
    lua_pushnumber(L, script_read_param(script_of(L), *index));
    return 1;
}

static int param_set(lua_State *L) {
    static const char where[] = "param:set";
    const int *index = bind_check_self(L, 1, PARAM_TYPE, where);
    script_set_param(L, *index, where, 2);
    return 0;
}

static int param_tostring(lua_State *L) {
    const int *index = bind_check_self(L, 1, PARAM_TYPE, "param");
    const sb_param *param = &script_own_params(script_of(L))->items[*index];
    lua_pushfstring(L, "param '%s' = %f", param->name, param->value);
    return 1;
}

/* --- params by name ------------------------------------------------------- */

static const char *name_at(const void *params, int i) {
    return ((const sb_params *)params)->items[i].name;
}

/* The param named by the key at 2, or an error. */
static int find_named(lua_State *L) {
    const sb_params *params = script_own_params(script_of(L));
    const char *name = bind_check_text(L, 2, "sb.params", "the name");
    int index = sb_params_find(params, name);
    if (index >= 0) return index;
    const char *near = sb_nearest(name, params->count, name_at, params);
    return bind_error(L, "sb.params: the scene has no param '%s'%s%s%s", name,
                      near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
}

static int params_get(lua_State *L) {
    lua_pushnumber(L, script_read_param(script_of(L), find_named(L)));
    return 1;
}

static int params_set(lua_State *L) {
    script_set_param(L, find_named(L), "sb.params", 3);
    return 0;
}

static int params_all(lua_State *L) {
    sb_script *script = script_of(L);
    int count = script_own_params(script)->count;
    lua_createtable(L, 0, count);
    for (int i = 0; i < count; i++)
        bind_set_number(L, script_own_params(script)->items[i].name,
                        script_read_param(script, i));
    return 1;
}

void params_push(lua_State *L) {
    (void)lua_newuserdatauv(L, 0, 0);
    luaL_setmetatable(L, PARAMS_TYPE);
}

/* --- tables of the API ---------------------------------------------------- */

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

static const bind_function no_functions[] = {{NULL, NULL, NULL, NULL, NULL}};
static const bind_record no_records[] = {{NULL, NULL, NULL}};
static const luaL_Reg params_meta[] = {{"__index", params_get},
                                       {"__newindex", params_set},
                                       {"__call", params_all},
                                       {NULL, NULL}};
static const bind_field params_fields[] = {
    FIELD_OTHER("hardness", "number", "",
                "the value of the param of that name, for every name; assign "
                "to set it, within its range"),
    FIELD_END,
};
static const bind_type params_type = {
    .name = PARAMS_TYPE,
    .help = "sb.params: all params by name; called, it returns a table of "
            "their values.",
    .methods = no_functions,
    .meta = params_meta,
    .properties = params_fields,
    .call = "table<string, number>",
};

const api_chapter params_chapter = {"Params by name", no_functions, no_records,
                                    &params_type};

const api_chapter param_chapter = {"Params", functions, records, &type};
