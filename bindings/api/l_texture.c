/* SPDX-License-Identifier: MIT */
/* bindings/api/l_texture.c -- sandbell.Texture: mode weights as images.
 *
 *     sb.body("bar", { ..., weights = sb.texture "marimba_%d.png" })
 *     sb.texture { path = "glass_%d.png", channels = "rgba", wrap = "repeat" }
 *     sb.texture { files = { "low.png", "high.png" }, modes = { 1, { 2, 9 } } }
 *
 * Thread: the one that runs the script. */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/store/texture_read.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbered file names ------------------------------------------------------
 * One place for a number, %d or with leading zeros %03d, in the last part of the
 * path. Any other use of a percent sign is refused: names come from scripts and
 * are never used as a format. */

/* The parts of a pattern: before, %0<width>d, after. */
typedef struct parts {
    size_t before; /* bytes */
    int width;     /* 0: no leading zeros */
    const char *after;
} parts;

static bool take_apart(const char *pattern, parts *out) {
    const char *at = strchr(pattern, '%');
    if (!at || strchr(at, '/')) return false;
    out->before = (size_t)(at - pattern);
    out->width = 0;
    at++;
    if (*at == '0' && at[1] >= '1' && at[1] <= '9') {
        out->width = at[1] - '0';
        at += 2;
    }
    out->after = at + 1;
    return *at == 'd' && !strchr(out->after, '%');
}

static bool numbered_is_pattern(const char *pattern) {
    parts p;
    return take_apart(pattern, &p);
}

static void numbered_name(const char *pattern, int number, char *out,
                          size_t size) {
    parts p;
    out[0] = '\0';
    if (!take_apart(pattern, &p)) return;
    (void)snprintf(out, size, "%.*s%0*d%s", (int)p.before, pattern, p.width,
                   number, p.after);
}

/* The number in a file name that matches the pattern's last part, or -1. */
static int number_in(const char *name, const char *before, size_t length,
                     const char *after) {
    size_t tail = strlen(after), all = strlen(name);
    if (all <= length + tail || all - length - tail > 9) return -1;
    if (strncmp(name, before, length) != 0) return -1;
    if (strcmp(name + all - tail, after) != 0) return -1;
    for (size_t i = length; i < all - tail; i++) {
        if (!isdigit((unsigned char)name[i])) return -1;
    }
    return atoi(name + length);
}

/* The lowest number above `missing` for which a file exists, or -1. `sibling` is
 * the path of an existing file of the series. */
static int numbered_beyond(const char *pattern, const char *sibling,
                           int missing) {
    parts p;
    char folder[PATH_MAX];
    if (!take_apart(pattern, &p)) return -1;
    const char *before = pattern;
    for (size_t i = 0; i < p.before; i++) {
        if (pattern[i] == '/') before = pattern + i + 1;
    }
    size_t length = p.before - (size_t)(before - pattern);
    (void)snprintf(folder, sizeof folder, "%s", sibling);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    DIR *entries = opendir(slash ? folder : ".");
    if (!entries) return -1;
    int lowest = -1;
    for (const struct dirent *e = readdir(entries); e; e = readdir(entries)) {
        int number = number_in(e->d_name, before, length, p.after);
        if (number > missing && (lowest < 0 || number < lowest))
            lowest = number;
    }
    (void)closedir(entries);
    return lowest;
}

/* --- textures --- */

static const char *const channel_names[] = {"grey", "rgba", NULL};
static const char *const encodings[] = {"auto", "plain", "signed", NULL};
static const char *const wraps[] = {"clamp", "repeat", NULL};

/* Most texels that one script may read: a gigabyte. */
#define MOST_TEXELS (4 * SB_TEXTURE_MOST_TEXELS)

typedef struct texture_args {
    int channels, encoding, wrap;
} texture_args;

#define AT(field) offsetof(texture_args, field)
static const bind_field texture_fields[] = {
    FIELD_OTHER(
        "path", "string", "",
        "a picture; with %d, one picture per mode, numbered from 1 or 0"),
    FIELD_OTHER("files", "string[]", "", "of pictures, instead of path"),
    FIELD_CHOICE("channels", AT(channels), channel_names,
                 "rgba: four modes per picture; default grey: one"),
    FIELD_OTHER("modes", "(integer|integer[])[]", "",
                "the mode of each picture, or { first, last }; default 1, 2, 3 "
                "..."),
    FIELD_CHOICE("encoding", AT(encoding), encodings,
                 "plain: black is 0; signed: mid-grey is 0; default auto: as "
                 "the file says, else plain"),
    FIELD_CHOICE("wrap", AT(wrap), wraps,
                 "repeat where right and left edge meet; default clamp"),
    FIELD_END,
};

sb_texture *check_texture(lua_State *L, int index, const char *where,
                          const char *field) {
    sb_texture **box = luaL_testudata(L, index, TEXTURE_TYPE);
    if (!box || !*box) {
        bind_error(L, "%s: %s must be a texture, as sb.texture gives, got %s",
                   where, field, bind_show(L, index));
    }
    return *box;
}

/* --- which files ---------------------------------------------------------- */

/* Names used by the script and resolved paths: two Lua lists on the stack. */
typedef struct found_files {
    int names, paths; /* stack indices */
    int count;
} found_files;

/* True if the file exists; then it is added to the lists. */
static bool find_file(lua_State *L, found_files *files, const char *name) {
    char path[PATH_MAX];
    guard_spend(L, 1000);
    if (!script_find_texture(script_of(L), name, path)) return false;
    lua_pushstring(L, name);
    lua_rawseti(L, files->names, files->count + 1);
    lua_pushstring(L, path);
    lua_rawseti(L, files->paths, files->count + 1);
    files->count++;
    return true;
}

/* A missing number with higher ones after it is an error: it would shift the
 * modes. */
static sb_status check_gap(lua_State *L, const found_files *files,
                           const char *pattern, int missing, sb_error *err) {
    lua_rawgeti(L, files->paths, 1);
    int beyond = numbered_beyond(pattern, lua_tostring(L, -1), missing);
    lua_pop(L, 1);
    if (beyond < 0) return SB_OK;
    char gone[PATH_MAX], there[PATH_MAX];
    numbered_name(pattern, missing, gone, sizeof gone);
    numbered_name(pattern, beyond, there, sizeof there);
    return sb_fail(err, SB_NOT_FOUND,
                   "%.200s: is missing, and there is %.200s after it", gone,
                   there);
}

static sb_status find_numbered(lua_State *L, found_files *files,
                               const char *pattern, sb_error *err) {
    char name[PATH_MAX];
    int number = 1;
    numbered_name(pattern, 0, name, sizeof name);
    if (find_file(L, files, name)) {
        number = 1;
    } else {
        numbered_name(pattern, 1, name, sizeof name);
        if (!find_file(L, files, name)) return script_no_asset(name, err);
        number = 2;
    }
    for (; files->count <= SB_TEXTURE_MODES; number++) {
        numbered_name(pattern, number, name, sizeof name);
        if (!find_file(L, files, name)) break;
    }
    return check_gap(L, files, pattern, number, err);
}

static sb_status find_listed(lua_State *L, found_files *files, int list,
                             const char *where, sb_error *err) {
    int count =
        lua_istable(L, list) ? bind_list_length(L, list, SB_TEXTURE_MODES) : -1;
    if (count < 1) {
        bind_error(L, "%s: files must be a list of 1 to %d names, got %s",
                   where, (int)SB_TEXTURE_MODES,
                   lua_istable(L, list) ? "another table" : bind_show(L, list));
    }
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        const char *name =
            bind_check_text(L, lua_gettop(L), where, "a name in files");
        if (!find_file(L, files, name)) return script_no_asset(name, err);
        lua_pop(L, 1);
    }
    return SB_OK;
}

static sb_status find_files(lua_State *L, found_files *files, const char *where,
                            sb_error *err) {
    bool has_files = bind_get(L, 1, "files") != LUA_TNIL;
    int list = lua_gettop(L);
    bool has_path = bind_get(L, 1, "path") != LUA_TNIL;
    if (has_files == has_path)
        bind_error(L, "%s needs either path or files", where);
    if (has_files) return find_listed(L, files, list, where, err);
    const char *name = bind_check_text(L, lua_gettop(L), where, "path");
    if (!strchr(name, '%'))
        return find_file(L, files, name) ? SB_OK : script_no_asset(name, err);
    if (!numbered_is_pattern(name) || strlen(name) > 1000) {
        bind_error(L, "%s: path may hold one %%d or %%03d, got '%s'", where,
                   name);
    }
    return find_numbered(L, files, name, err);
}

/* --- what they are for ---------------------------------------------------- */

static int check_mode(lua_State *L, int index, const char *where) {
    double mode = bind_check_number(L, index, where, "a mode in modes", 1,
                                    SB_TEXTURE_MODES, "");
    if (mode != (double)(int)mode) {
        bind_error(L, "%s: a mode in modes must be a whole number, got %s",
                   where, bind_show(L, index));
    }
    return (int)mode;
}

static sb_texture_group check_group(lua_State *L, const char *where) {
    int at = lua_gettop(L);
    if (!lua_istable(L, at)) {
        int mode = check_mode(L, at, where);
        return (sb_texture_group){mode, mode};
    }
    if (bind_list_length(L, at, 2) != 2) {
        bind_error(L, "%s: a group in modes must be { first, last }", where);
    }
    lua_rawgeti(L, at, 1);
    lua_rawgeti(L, at, 2);
    sb_texture_group group = {check_mode(L, at + 1, where),
                              check_mode(L, at + 2, where)};
    lua_settop(L, at);
    return group;
}

/* Leaves the values that it refers to on the stack. */
static void read_modes(lua_State *L, const char *where,
                       sb_texture_files *files) {
    if (bind_get(L, 1, "modes") == LUA_TNIL) return;
    int list = lua_gettop(L);
    int count =
        lua_istable(L, list) ? bind_list_length(L, list, SB_TEXTURE_MODES) : -1;
    if (count < 1) {
        bind_error(L,
                   "%s: modes must be a list of modes and { first, last }, "
                   "got %s",
                   where,
                   lua_istable(L, list) ? "another table" : bind_show(L, list));
    }
    sb_texture_group *groups =
        lua_newuserdatauv(L, (size_t)count * sizeof *groups, 0);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        groups[i] = check_group(L, where);
        lua_pop(L, 1);
    }
    files->groups = groups;
    files->group_count = count;
}

/* --- sb.texture ----------------------------------------------------------- */

/* The file has the script's name in the message. */
static void rename_error(lua_State *L, const found_files *files,
                         sb_error *err) {
    for (int i = 1; i <= files->count; i++) {
        lua_rawgeti(L, files->paths, i);
        lua_rawgeti(L, files->names, i);
        const char *path = lua_tostring(L, -2);
        bool is_it = strncmp(path, err->file, sizeof err->file - 1) == 0;
        if (is_it) sb_error_rename(err, path, lua_tostring(L, -1));
        lua_pop(L, 2);
        if (is_it) return;
    }
}

/* Collect the textures of the running scene: most images are unchanged and can
 * be reused. */
static void find_known(lua_State *L, sb_texture_files *files) {
    const sb_plan *running = script_running(script_of(L));
    int count = running ? sb_plan_count(running) : 0;
    const sb_texture **known =
        lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *known, 0);
    for (int i = 0; i < count; i++) {
        const sb_texture *texture = sb_plan_at(running, i)->def.weights;
        if (texture) known[files->known_count++] = texture;
    }
    files->known = known;
}

static sb_status read_all(lua_State *L, const found_files *found,
                          sb_texture_files *files, sb_texture **out,
                          sb_error *err) {
    const char **paths =
        lua_newuserdatauv(L, (size_t)found->count * sizeof *paths, 0);
    for (int i = 0; i < found->count; i++) {
        lua_rawgeti(L, found->paths, i + 1);
        paths[i] = lua_tostring(L, -1);
        lua_pop(L, 1); /* the list keeps it alive */
    }
    guard_spend(L, 10000 * (int64_t)found->count);
    find_known(L, files);
    files->paths = paths;
    files->path_count = found->count;
    sb_status status = sb_texture_read(files, out, err);
    if (status) rename_error(L, found, err);
    if (status) return status;
    long long texels = (long long)sb_texture_width(*out) *
                       sb_texture_height(*out) * sb_texture_plane_count(*out);
    if (script_count_texels(script_of(L), texels) > MOST_TEXELS) {
        return sb_fail(err, SB_NO_MEMORY,
                       "the textures of a scene have more than %lld million "
                       "texels together",
                       MOST_TEXELS / 1000000);
    }
    return SB_OK;
}

/* Convert the short forms "path" and { "a.png", "b.png" } to a full table at 1.
 */
static void make_table(lua_State *L) {
    bool is_text = lua_type(L, 1) == LUA_TSTRING;
    bool is_list =
        lua_istable(L, 1) && bind_list_length(L, 1, SB_TEXTURE_MODES) > 0;
    lua_settop(L, 1);
    if (!is_text && !is_list) return;
    lua_createtable(L, 0, 1);
    lua_insert(L, 1);
    lua_setfield(L, 1, is_text ? "path" : "files");
}

static int texture_new(lua_State *L) {
    static const char where[] = "sb.texture";
    texture_args args = {0};
    make_table(L);
    bind_read_fields(L, 1, where, texture_fields, &args);
    if (!script_plan(script_of(L))) {
        return bind_error(L,
                          "%s: textures are read while the scene loads; put "
                          "this at the top of the script",
                          where);
    }
    sb_texture_files files = {.channels = (sb_texture_channels)args.channels,
                              .encoding = (sb_texture_encoding)args.encoding,
                              .wrap = (sb_texture_wrap)args.wrap};
    read_modes(L, where, &files);
    sb_texture **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    luaL_setmetatable(L, TEXTURE_TYPE);
    int self = lua_gettop(L);
    lua_newtable(L);
    lua_newtable(L);
    found_files found = {.names = self + 1, .paths = self + 2};
    sb_error err;
    sb_status status = find_files(L, &found, where, &err);
    if (!status) status = read_all(L, &found, &files, box, &err);
    if (status && status != SB_BAD_ARGUMENT)
        script_set_unpainted(script_of(L), err.message);
    if (status) return bind_fail(L, where, &err);
    lua_settop(L, self);
    return 1;
}

static int texture_tostring(lua_State *L) {
    sb_texture *const *box = bind_check_self(L, 1, TEXTURE_TYPE, "texture");
    if (*box) {
        lua_pushfstring(L, "texture (%d x %d, %d images)",
                        sb_texture_width(*box), sb_texture_height(*box),
                        sb_texture_plane_count(*box));
    } else {
        lua_pushliteral(L, "texture (none)");
    }
    return 1;
}

static int texture_gc(lua_State *L) {
    sb_texture **box = luaL_checkudata(L, 1, TEXTURE_TYPE);
    sb_texture_release(*box);
    *box = NULL;
    return 0;
}

/* --- as it is described --------------------------------------------------- */

static const bind_function functions[] = {
    {"texture", texture_new, "def: string|string[]|sandbell.TextureDef",
     "sandbell.Texture?, string?, string?",
     "Weights of modes over the surface, from pictures: PNG, JPEG, BMP, TGA "
     "or HDR."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.TextureDef", "What sb.texture takes.", texture_fields},
    {NULL, NULL, NULL},
};

static const luaL_Reg meta[] = {
    {"__tostring", texture_tostring}, {"__gc", texture_gc}, {NULL, NULL}};
static const bind_type type = {
    .name = TEXTURE_TYPE,
    .help = "How strongly the modes of a body answer at its places.",
    .meta = meta,
};

const api_chapter texture_chapter = {"Textures", functions, records, &type};
