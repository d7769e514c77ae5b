/* bindings/api/l_material.c -- sandbell.Material: what a body is made of.
 *
 *     local steel = sb.material "steel"                     -- from the library
 *     local dull  = sb.material("dull", { base = steel, alpha = 60 })
 *     local mine  = sb.material("mine", { density = 830, ... })
 *
 * Thread: that of the script, control or loader.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/base/nearest.h"
#include "runtime/scene/plan/body_def.h"

#include <stdio.h>
#include <string.h>

#define MATERIAL_FIELD SB_MATERIAL_ROW
static const bind_field material_fields[] = {
    FIELD_OTHER("base", "sandbell.Material|string", "",
                "a material, or the name of one, to start from"),
#include "runtime/model/material_fields.def"
    FIELD_END,
};

static const bind_field properties[] = {
    FIELD_OTHER("name", "string", "", "as it was given"),
#include "runtime/model/material_fields.def"
    FIELD_END,
};
#undef MATERIAL_FIELD

/* Defaults of a material that a script defines. */
static const sb_material plain = {.alpha = 5.0,
                                  .beta = 1e-7,
                                  .hardness = 1e8,
                                  .roughness = 1e-5,
                                  .restitution = 0.5,
                                  .friction = 0.4};

static const char *library_name_at(const void *names, int i) {
    (void)names;
    return sb_material_name(i);
}

static const sb_material *find_or_raise(lua_State *L, const char *name,
                                        const char *where) {
    const sb_material *found = sb_material_find(name);
    if (found) return found;
    const char *alike = sb_material_alike(name);
    const char *near =
        sb_nearest(name, sb_material_count(), library_name_at, NULL);
    if (alike) {
        bind_error(L,
                   "%s: no material called '%s' in the library; like it are %s "
                   "(sb.materials() lists all)",
                   where, name, alike);
    }
    bind_error(L,
               "%s: no material called '%s' in the library%s%s%s "
               "(sb.materials() lists them)",
               where, name, near ? "; did you mean '" : "", near ? near : "",
               near ? "'?" : "");
    return found;
}

material_box check_material(lua_State *L, int index, const char *where,
                            const char *field) {
    material_box *box = luaL_testudata(L, index, MATERIAL_TYPE);
    if (box) return *box;
    if (lua_type(L, index) != LUA_TSTRING) {
        bind_error(L, "%s: %s must be a material or a name, got %s", where,
                   field, bind_show(L, index));
    }
    material_box named = {.name = ""};
    const char *name = bind_check_text(L, index, where, field);
    named.material = *find_or_raise(L, name, where);
    (void)snprintf(named.name, sizeof named.name, "%s", name);
    return named;
}

void take_material(lua_State *L, int index, const char *where,
                   sb_body_def *def) {
    material_box box = check_material(L, index, where, "material");
    def->material = box.material;
    def->has_material = true;
    memcpy(def->material_name, box.name, sizeof box.name);
}

/* The material that supplies the fields missing in the table. */
static sb_material base_of(lua_State *L, const char *name, const char *where) {
    sb_material base = plain;
    if (bind_get(L, 2, "base") != LUA_TNIL) {
        base = check_material(L, -1, where, "base").material;
    } else if (sb_material_find(name)) {
        base = *sb_material_find(name);
    } else {
        static const char *const needed[] = {"density", "youngs_modulus",
                                             "poisson_ratio"};
        for (int i = 0; i < 3; i++) {
            if (bind_has(L, 2, needed[i])) continue;
            bind_error(L,
                       "%s: field '%s' is missing (or give base = a material "
                       "to start from)",
                       where, needed[i]);
        }
    }
    lua_pop(L, 1);
    return base;
}

/* What the table says over what the base has. */
static void override_fields(lua_State *L, const char *where,
                            sb_material *material) {
    sb_material given = *material;
    sb_error err;
    bind_read_fields(L, 2, where, material_fields, &given);
    if (sb_material_take(material, given,
                         bind_has(L, 2, "youngs_modulus_across"),
                         bind_has(L, 2, "shear_modulus"), &err))
        (void)bind_raise(L, where, &err);
}

static int material_new(lua_State *L) {
    static const char where[] = "sb.material";
    const char *name = bind_check_name(L, 1, where);
    if (!*name || strlen(name) >= SB_NAME_SIZE) {
        return bind_error(L, "%s: the name must have 1 to %d bytes", where,
                          SB_NAME_SIZE - 1);
    }
    sb_material material;
    if (lua_isnoneornil(L, 2)) {
        material = *find_or_raise(L, name, where);
    } else {
        bind_check_table(L, 2, where);
        material = base_of(L, name, where);
        override_fields(L, where, &material);
    }
    material_box *box = lua_newuserdatauv(L, sizeof *box, 0);
    box->material = material;
    (void)snprintf(box->name, sizeof box->name, "%s", name);
    luaL_setmetatable(L, MATERIAL_TYPE);
    return 1;
}

static int material_names(lua_State *L) {
    lua_createtable(L, sb_material_count(), 0);
    for (int i = 0; i < sb_material_count(); i++) {
        lua_pushstring(L, sb_material_name(i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const char *property_at(const void *names, int i) {
    (void)names;
    return properties[i].name;
}

static void unknown_property(lua_State *L, const char *key) {
    int count = sizeof properties / sizeof properties[0] - 1;
    const char *near = sb_nearest(key, count, property_at, NULL);
    bind_error(L, "Material has no '%s'%s%s%s", key,
               near ? "; did you mean '" : "", near ? near : "",
               near ? "'?" : "");
}

/* steel.density, steel.name; writing is refused: derive a new one instead. */
static int material_index(lua_State *L) {
    const material_box *box =
        bind_check_self(L, 1, MATERIAL_TYPE, "material.field");
    const char *key = bind_check_text(L, 2, "Material", "the field");
    if (strcmp(key, "name") == 0) {
        lua_pushstring(L, box->name);
        return 1;
    }
    for (const sb_field *field = sb_material_fields; field->name; field++) {
        if (strcmp(field->name, key) != 0) continue;
        lua_pushnumber(L, sb_field_value(field, &box->material));
        return 1;
    }
    unknown_property(L, key);
    return 0;
}

static int material_newindex(lua_State *L) {
    return bind_error(L, "a material does not change; derive one with "
                         "sb.material(name, { base = ..., ... })");
}

static int material_tostring(lua_State *L) {
    const material_box *box = bind_check_self(L, 1, MATERIAL_TYPE, "material");
    lua_pushfstring(L, "material '%s'", box->name);
    return 1;
}

/* --- description ---------------------------------------------------- */

static const bind_function functions[] = {
    {"material", material_new, "name: string, def?: sandbell.MaterialDef",
     "sandbell.Material",
     "A material of the library by its name, or a new one. Without `base`, "
     "density, youngs_modulus and poisson_ratio are needed."},
    {"materials", material_names, "", "string[]",
     "The names of all materials in the library."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.MaterialDef", "What sb.material takes.", material_fields},
    {NULL, NULL, NULL},
};

static const bind_function methods[] = {{NULL, NULL, NULL, NULL, NULL}};
static const luaL_Reg meta[] = {
    {"__index", material_index},
    {"__newindex", material_newindex},
    {"__tostring", material_tostring},
    {NULL, NULL},
};
static const bind_type type = {
    .name = MATERIAL_TYPE,
    .help = "What a body is made of. It does not change; derive a new one.",
    .methods = methods,
    .meta = meta,
    .properties = properties,
};

const api_chapter material_chapter = {"Materials", functions, records, &type};
