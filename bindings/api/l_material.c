/* SPDX-License-Identifier: MIT */
/* bindings/api/l_material.c -- sandbell.Material: what a body is made of; and
 * sandbell.Surface: its roughness, generated, or read from a sound or picture
 * file.
 *
 *     local steel = sb.material "steel"                     -- from the library
 *     local dull  = sb.material("dull", { base = steel, alpha = 60 })
 *     local mine  = sb.material("mine", { density = 830, ... })
 *     local road  = sb.surface("road", { kind = "cobbles", period = 0.08 })
 *
 * Thread: that of the script, control or loader.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "runtime/base/memory.h"
#include "runtime/base/nearest.h"
#include "runtime/dsp/surface/surface.h"
#include "runtime/media/image/image.h"
#include "runtime/media/sound_file.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/store/surface_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
               "%s: no material called '%s' in the library%s "
               "(sb.materials() lists them)",
               where, name, bind_hint(L, near));
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
    bind_error(L, "Material has no '%s'%s", key, bind_hint(L, near));
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

static const luaL_Reg meta[] = {
    {"__index", material_index},
    {"__newindex", material_newindex},
    {NULL, NULL},
};
static const bind_type type = {
    .name = MATERIAL_TYPE,
    .help = "What a body is made of. It does not change; derive a new one.",
    .meta = meta,
    .word = "material",
    .has_name = true,
    .properties = properties,
};

const api_chapter material_chapter = {"Materials", functions, records, &type};

/* --- surfaces ------------------------------------------------------------ */

#undef AT
static const char *const kinds[] = {"noise",  "fractal", "grid", "cobbles",
                                    "stored", "gravel",  NULL};
static const char *const ends[] = {"repeat", "mirror", "clamp", NULL};

typedef struct surface_def {
    sb_surface_def surface;
    int kind, end;
    double seed;
    double height_m, row, rows;
} surface_def;

#define AT(field) offsetof(surface_def, field)
static const bind_field surface_fields[] = {
    FIELD_CHOICE("kind", AT(kind), kinds,
                 "default noise; a profile is always stored"),
    FIELD("seed", AT(seed), 0, 4294967295.0, "",
          "of the random heights; default 0"),
    FIELD("length", AT(surface.length_m), 1e-6, 1e4, "m",
          "least length after which the profile repeats"),
    FIELD("roughness", AT(surface.roughness_m), 0, 1, "m",
          "root mean square of the heights (noise, gravel, fractal)"),
    FIELD("grain", AT(surface.grain_m), 1e-7, 10, "m",
          "correlation length of the heights (noise, gravel)"),
    FIELD("exponent", AT(surface.exponent), 0, 6, "",
          "of the power spectrum (fractal); default 2"),
    FIELD("longest", AT(surface.longest_m), 1e-6, 1e3, "m",
          "wavelength (fractal)"),
    FIELD("shortest", AT(surface.shortest_m), 1e-7, 1e3, "m",
          "wavelength (fractal)"),
    FIELD("period", AT(surface.period_m), 1e-6, 1e3, "m",
          "of the grid; mean size of a stone (cobbles)"),
    FIELD("depth", AT(surface.depth_m), 0, 1, "m",
          "of a groove, or of the joints between stones"),
    FIELD("width", AT(surface.width_m), 1e-7, 1e3, "m",
          "of a groove at half its depth (grid)"),
    FIELD("edge", AT(surface.edge_m), 1e-8, 1e3, "m",
          "width of a groove's slope (grid)"),
    FIELD("variety", AT(surface.variety), 0, 1, "",
          "relative variation of the stones' sizes and heights (cobbles)"),
    FIELD_OTHER(
        "profile", "string", "",
        "a WAV or FLAC file, a picture whose brightness is the height, or a "
        ".gltf file with an acousticSurface of KHR_audio_rigid_bodies"),
    FIELD("height", AT(height_m), 0, 10, "m",
          "that full scale of the profile stands for; default 1e-4"),
    FIELD("spacing", AT(surface.spacing_m), 1e-7, 10, "m",
          "from one value of the profile to the next; default 1e-4"),
    FIELD("row", AT(row), 1, 16384, "",
          "of the picture, from the top; default all, as a height map"),
    FIELD_CHOICE("beyond", AT(end), ends,
                 "how the profile continues after its end; default repeat"),
    FIELD_OTHER("grains", "sandbell.GrainsDef", "",
                "loose grains that collide; gravel has some by default"),
    FIELD_END,
};

#define GRAIN(field) offsetof(sb_gravel, field)
static const bind_field grain_fields[] = {
    FIELD("activity", GRAIN(per_n2s), 0, 1e12, "1/(s N^2)",
          "collisions per second and square newton of the contact force"),
    FIELD("most", GRAIN(most_hz), 1, 2e4, "1/s",
          "greatest number of collisions per second"),
    FIELD("impulse", GRAIN(impulse_ns), 0, 1, "N s", "of the largest grain"),
    FIELD("shortest", GRAIN(duration_s[0]), 1e-6, 0.01, "s",
          "duration of a collision, for the smallest grain"),
    FIELD("longest", GRAIN(duration_s[1]), 1e-6, 0.01, "s",
          "duration of a collision, for the largest grain"),
    FIELD_END,
};

sb_surface *check_surface(lua_State *L, int index, const char *where,
                          const char *field) {
    surface_box *box = luaL_testudata(L, index, SURFACE_TYPE);
    if (!box || !box->surface) {
        bind_error(L, "%s: %s must be a surface, as sb.surface gives, got %s",
                   where, field, bind_show(L, index));
    }
    return box->surface;
}

/* --- a profile from a file ----------------------------------------------- */

static sb_status take_image(const char *path, const surface_def *def,
                            sb_surface_def *out, float **heights,
                            sb_error *err) {
    sb_image image;
    sb_status status = sb_image_read(&image, path, err);
    if (status) return status;
    int first = def->row > 0 ? (int)def->row - 1 : 0;
    int rows = def->row > 0 ? 1 : image.height;
    if (first >= image.height) {
        int height = image.height;
        sb_image_free(&image);
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: there is no row %d of %d",
                       path, first + 1, height);
    }
    *heights = sb_alloc((size_t)image.width * (size_t)rows, sizeof **heights);
    for (int y = 0; *heights && y < rows; y++)
        for (int x = 0; x < image.width; x++)
            (*heights)[(size_t)y * (size_t)image.width + (size_t)x] =
                (float)def->height_m * sb_image_grey(&image, x, first + y);
    out->points = image.width;
    out->rows = rows;
    sb_image_free(&image);
    return *heights ? SB_OK : sb_no_memory(err, "%s", path);
}

static sb_status take_sound(const char *path, const surface_def *def,
                            sb_surface_def *out, float **heights,
                            sb_error *err) {
    sb_sound sound;
    sb_status status = sb_sound_read(&sound, path, err);
    if (status) return status;
    if (sound.frame_count > SB_SURFACE_MOST_POINTS) {
        sb_sound_free(&sound);
        return sb_fail(err, SB_BAD_FORMAT, "%s: longer than %d frames", path,
                       (int)SB_SURFACE_MOST_POINTS);
    }
    *heights = sb_alloc((size_t)sound.frame_count, sizeof **heights);
    for (int64_t i = 0; *heights && i < sound.frame_count; i++)
        (*heights)[i] = (float)def->height_m *
                        sound.samples[i * (int64_t)sound.channel_count];
    out->points = (int)sound.frame_count;
    out->rows = 1;
    sb_sound_free(&sound);
    return *heights ? SB_OK : sb_no_memory(err, "%s", path);
}

/* What a glTF file says of its surface. */
static sb_status take_gltf(lua_State *L, const char *path, const char *name,
                           sb_surface_def *out, float **heights,
                           sb_error *err) {
    sb_surface_source source;
    sb_status status = sb_surface_source_read(path, &source, err);
    if (status) return status;
    if (source.unused[0]) {
        char line[160];
        (void)snprintf(line, sizeof line, "%.80s: its %s is not used", name,
                       source.unused);
        script_report(script_of(L), line);
    }
    if (!source.heights_m) out->kind = SB_SURFACE_FRACTAL;
    out->roughness_m = source.roughness_m;
    out->exponent = source.exponent;
    out->longest_m = source.longest_m;
    out->shortest_m = source.shortest_m;
    out->points = source.count;
    out->rows = 1;
    if (source.heights_m) out->spacing_m = source.spacing_m;
    *heights = source.heights_m;
    return SB_OK;
}

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

static sb_status take_profile(lua_State *L, const char *name, surface_def *def,
                              float **heights, sb_error *err) {
    char path[PATH_MAX];
    sb_status status = script_asset(L, name, path, err);
    if (status) return status;
    guard_spend(L, 100000); /* cost of reading the file */
    bool is_sound = ends_in(name, ".wav") || ends_in(name, ".flac");
    status = ends_in(name, ".gltf")
                 ? take_gltf(L, path, name, &def->surface, heights, err)
                 : (is_sound ? take_sound : take_image)(
                       path, def, &def->surface, heights, err);
    if (status) sb_error_rename(err, path, name);
    if (status) return status;
    def->surface.heights_m = *heights;
    return SB_OK;
}

/* --- sb.surface ---------------------------------------------------------- */

static void read_def(lua_State *L, const char *where, surface_def *def) {
    bool is_stored = bind_get(L, 2, "profile") != LUA_TNIL;
    lua_pop(L, 1);
    /* Read twice: the defaults of the other fields depend on the kind. */
    surface_def given = {.height_m = 1e-4};
    bind_read_fields(L, 2, where, surface_fields, &given);
    if (is_stored) given.kind = SB_SURFACE_STORED;
    if (given.kind == SB_SURFACE_STORED && !is_stored)
        bind_error(L, "%s: a stored surface needs profile = a file", where);
    *def = (surface_def){.surface =
                             sb_surface_default((sb_surface_kind)given.kind),
                         .height_m = 1e-4};
    bind_read_fields(L, 2, where, surface_fields, def);
    def->surface.seed = (uint64_t)def->seed;
    def->surface.end = (sb_surface_end)def->end;
    if (bind_get(L, 2, "grains") != LUA_TNIL) {
        sb_surface_def gravel = sb_surface_default(SB_SURFACE_GRAVEL);
        def->surface.gravel = gravel.gravel;
        bind_check_table(L, -1, "sb.surface: grains");
        bind_read_fields(L, lua_gettop(L), "sb.surface: grains", grain_fields,
                         &def->surface.gravel);
    }
    lua_pop(L, 1);
}

/* Ticks (guard.h) of computing a profile. */
static int64_t cost_of(const sb_surface_def *def) {
    return 20000 + 16 * (int64_t)sb_surface_size(def);
}

static int surface_new(lua_State *L) {
    static const char where[] = "sb.surface";
    const char *name = bind_check_name(L, 1, where);
    if (!*name || strlen(name) >= SB_NAME_SIZE) {
        return bind_error(L, "%s: the name must have 1 to %d bytes", where,
                          SB_NAME_SIZE - 1);
    }
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    surface_def def;
    read_def(L, where, &def);
    const char *profile = NULL;
    if (bind_get(L, 2, "profile") != LUA_TNIL)
        profile = bind_check_text(L, 3, where, "profile");
    if (!profile) guard_spend(L, cost_of(&def.surface));
    surface_box *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (surface_box){.surface = NULL};
    luaL_setmetatable(L, SURFACE_TYPE);
    (void)snprintf(box->name, sizeof box->name, "%s", name);
    sb_error err;
    float *heights = NULL;
    sb_status status = SB_OK;
    if (profile) status = take_profile(L, profile, &def, &heights, &err);
    if (!status) status = sb_surface_create(&def.surface, &box->surface, &err);
    sb_free(heights);
    /* How long a profile is, its file says. */
    if (profile && !status) guard_spend(L, cost_of(&def.surface));
    return status ? bind_fail(L, where, &err) : 1;
}

static int surface_gc(lua_State *L) {
    surface_box *box = luaL_checkudata(L, 1, SURFACE_TYPE);
    sb_surface_release(box->surface);
    box->surface = NULL;
    return 0;
}

/* --- tables of the API --------------------------------------------------- */

static const bind_function surface_functions[] = {
    {"surface", surface_new, "name: string, def: sandbell.SurfaceDef",
     "sandbell.Surface",
     "Describe the roughness of a body, for what rolls or slides on it."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record surface_records[] = {
    {"sandbell.SurfaceDef", "What sb.surface takes.", surface_fields},
    {"sandbell.GrainsDef", "Loose grains on a surface.", grain_fields},
    {NULL, NULL, NULL},
};

static const luaL_Reg surface_meta[] = {{"__gc", surface_gc}, {NULL, NULL}};
static const bind_type surface_type = {
    .name = SURFACE_TYPE,
    .help = "The roughness of a body, for what rolls and slides over it.",
    .meta = surface_meta,
    .word = "surface",
    .has_name = true,
};

const api_chapter surface_chapter = {"Surfaces", surface_functions,
                                     surface_records, &surface_type};
