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

#define AT(field) offsetof(sb_material, field)

/* Fields that a script can set and read. */
#define NUMBERS                                                               \
    FIELD("density", AT(density), 1, 1e5, "kg/m^3", "mass of a cubic metre"), \
        FIELD("youngs_modulus", AT(youngs_modulus), 1e3, 2e12, "Pa",          \
              "stiffness; along the grain, if there is one. Changed alone, "  \
              "it takes the moduli across the grain and of shear along, so "  \
              "that mode ratios stay"),                                       \
        FIELD("poisson_ratio", AT(poisson_ratio), -0.99, 0.499, "",           \
              "transverse over axial strain"),                                \
        FIELD("alpha", AT(alpha), 0, 1e5, "1/s",                              \
              "damping by mass: all modes alike; default 5"),                 \
        FIELD("beta", AT(beta), 0, 1, "s",                                    \
              "damping by stiffness: high modes more; default 1e-7"),         \
        FIELD("hardness", AT(hardness), 1, 1e13, "N/m",                       \
              "stiffness of a contact with it; default 1e8"),                 \
        FIELD("roughness", AT(roughness), 0, 0.1, "m",                        \
              "rms height of its surface; default 1e-5"),                     \
        FIELD("restitution", AT(restitution), 0, 1, "",                       \
              "speed after a bounce of a ball on a massive block over speed " \
              "before; default 0.5"),                                         \
        FIELD("friction", AT(friction), 0, 10, "",                            \
              "Coulomb's coefficient; default 0.4"),                          \
        FIELD("youngs_modulus_across", AT(youngs_modulus_across), 0, 2e12,    \
              "Pa",                                                           \
              "stiffness across the grain of wood, used by bars and plates; " \
              "0, the default: isotropic"),                                   \
        FIELD("shear_modulus", AT(shear_modulus), 0, 1e12, "Pa",              \
              "stiffness against shear between along and across the grain; "  \
              "0, the default: isotropic")

static const bind_field material_fields[] = {
    FIELD_OTHER("base", "sandbell.Material|string", "",
                "a material, or the name of one, to start from"),
    NUMBERS,
    FIELD_END,
};

static const bind_field properties[] = {
    FIELD_OTHER("name", "string", "", "as it was given"),
    NUMBERS,
    FIELD_END,
};

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

static bool has_field(lua_State *L, int table, const char *name) {
    bool is_there = bind_get(L, table, name) != LUA_TNIL;
    lua_pop(L, 1);
    return is_there;
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
            if (has_field(L, 2, needed[i])) continue;
            bind_error(L,
                       "%s: field '%s' is missing (or give base = a material "
                       "to start from)",
                       where, needed[i]);
        }
    }
    lua_pop(L, 1);
    return base;
}

/* What the table says over what the base has. A grain follows a new stiffness
 * by its ratio, and vanishes with either modulus. */
static void override_fields(lua_State *L, const char *where,
                            sb_material *material) {
    sb_material given = *material;
    bind_read_fields(L, 2, where, material_fields, &given);
    bool has_across = has_field(L, 2, "youngs_modulus_across");
    bool has_shear = has_field(L, 2, "shear_modulus");
    double youngs = given.youngs_modulus;
    if (material->youngs_modulus > 0 && youngs != material->youngs_modulus) {
        sb_material_set_stiffness(material, youngs);
        if (!has_across) {
            given.youngs_modulus_across = material->youngs_modulus_across;
        }
        if (!has_shear) given.shear_modulus = material->shear_modulus;
    }
    if (has_across && given.youngs_modulus_across == 0 && !has_shear) {
        given.shear_modulus = 0;
    }
    if (has_shear && given.shear_modulus == 0 && !has_across) {
        given.youngs_modulus_across = 0;
    }
    sb_error err = {0};
    if (sb_material_check(&given, &err)) {
        bind_error(L, "%s: %s", where, err.message);
    }
    *material = given;
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
    for (const bind_field *field = material_fields; field->name; field++) {
        if (field->kind == SB_FIELD_NUMBER && strcmp(field->name, key) == 0) {
            const char *at = (const char *)&box->material + field->offset;
            lua_pushnumber(L, *(const double *)(const void *)at);
            return 1;
        }
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
