/* SPDX-License-Identifier: MIT */
/* Functions of a script for the files of the API: time, files, params, bodies.
 * Thread: the one that runs the script. */
#include "bindings/bind.h"
#include "bindings/sandbox/chunk.h"
#include "bindings/script/script_internal.h"
#include "bindings/script/script_output.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/nearest.h"
#include "runtime/base/self_path.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/world/scene_world.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_script *script_of(lua_State *L) {
    return *(sb_script **)lua_getextraspace(L);
}

void script_push_body(lua_State *L, const char *name) {
    script_of(L)->def.api->push_body(L, name);
}

bool script_is_body_gone(lua_State *L, int index) {
    return script_of(L)->def.api->is_body_gone(L, index);
}

const char *script_actor(lua_State *L) {
    return script_timers(script_of(L))->actor;
}

double script_now(const sb_script *script) {
    return script->now_s;
}

void script_set_now(sb_script *script, double now_s) {
    script->now_s = now_s;
}

void script_reach(sb_script *script, double time_s) {
    script->now_s = time_s;
    if (!script->scene || !(time_s > script->reached_s)) return;
    /* An error (no memory) occurs again in the rest of the control step, where
     * it is reported. */
    sb_status status =
        sb_scene_advance(script->scene, script->reached_s, time_s, NULL);
    (void)status;
    script->reached_s = time_s;
}

sb_scene *script_scene(const sb_script *script) {
    return script->scene;
}

sb_engine *script_engine(const sb_script *script) {
    return script->engine;
}

sb_params *script_own_params(sb_script *script) {
    return &script->params;
}

const sb_params *script_params(const sb_script *script) {
    return &script->params;
}

timers *script_timers(sb_script *script) {
    return &script->timers;
}

uint64_t *script_contact_reader(sb_script *script) {
    return &script->contact_reader;
}

bool script_is_linear(const sb_script *script) {
    return script->def.is_linear;
}

void script_report_once(sb_script *script, script_once what,
                        const char *message) {
    if (script->has_said[what]) return;
    script->has_said[what] = true;
    script_report(script, message);
}

/* The modes of a deformable body serve to find places and the gain, and those
 * that are heard exactly are part of its sound. */
enum { DEFORMABLE_MODES = 64, DEFORMABLE_HEARD = 256 };

void script_choose_modes(const sb_script *script, sb_body_def *body) {
    if (script->def.is_linear) body->is_deformable = false;
    if (body->is_deformable && body->shape.max_modes == 0)
        body->shape.max_modes = body->shape.radiation == SB_RADIATES_EXACT
                                    ? DEFORMABLE_HEARD
                                    : DEFORMABLE_MODES;
    if (!script->def.hears_removed) return;
    body->hears_removed = true;
    body->diffuse.is_on = body->diffuse.is_wanted = false;
    body->diffuse.is_off = true;
}

sb_plan *script_plan(const sb_script *script) {
    return script->plan;
}

void script_request_reload(const sb_script *script, bool is_reset) {
    script->def.request_reload(script->def.user, is_reset);
}

script_output script_read_output(const sb_script *script) {
    return script->def.read_output(script->def.user);
}

size_t script_bytes(const sb_script *script) {
    return script->guard.bytes;
}

int script_error_count(const sb_script *script) {
    return script->error_count;
}

bool script_is_busy(const sb_script *script) {
    return script->timers.count > 0 || script->is_wanted[SCRIPT_START];
}

bool script_has_started(const sb_script *script) {
    return !script->is_wanted[SCRIPT_START];
}

void script_call_first(sb_script *script, script_callback which) {
    script->is_wanted[which] = true;
}

int script_file_count(const sb_script *script) {
    return script->file_count;
}

const char *script_file(const sb_script *script, int i) {
    return script->files[i].path;
}

static void pass_on(const sb_script *script, bool is_printed,
                    const char *message) {
    void (*to)(void *, const char *) =
        is_printed ? script->def.print : script->def.report;
    if (to) to(script->def.user, message);
}

/* Limits what an endlessly printing script can store during a load. */
enum { MOST_KEPT_BYTES = 1 << 16 };

static void take_line(sb_script *script, bool is_printed, const char *message) {
    if (script->scene) {
        pass_on(script, is_printed, message);
        return;
    }
    int length = (int)strnlen(message, MOST_KEPT_BYTES) + 1;
    if (script->kept_bytes + length + 1 > MOST_KEPT_BYTES ||
        !sb_grow((void **)&script->kept, &script->kept_capacity,
                 script->kept_bytes + length + 1, 1)) {
        script->lost_lines++;
        return;
    }
    script->kept[script->kept_bytes++] = (char)is_printed;
    memcpy(script->kept + script->kept_bytes, message, (size_t)length);
    script->kept_bytes += length;
}

void script_report(sb_script *script, const char *message) {
    take_line(script, false, message);
}

void script_report_failure(sb_script *script, const sb_error *err,
                           const char *text) {
    if (script->def.failed)
        script->def.failed(script->def.user, err, text);
    else
        script_report(script, text);
}

void script_print(sb_script *script, const char *line) {
    take_line(script, true, line);
}

void script_flush_reports(sb_script *script) {
    for (int at = 0; at < script->kept_bytes;) {
        bool is_printed = script->kept[at++];
        pass_on(script, is_printed, script->kept + at);
        at += (int)strlen(script->kept + at) + 1;
    }
    script->kept_bytes = 0;
    if (script->lost_lines == 0) return;
    char line[64];
    (void)snprintf(line, sizeof line, SCRIPT_LINES_MORE, script->lost_lines);
    script->lost_lines = 0;
    pass_on(script, false, line);
}

void script_check_running(lua_State *L, const char *where) {
    if (script_of(L)->scene) return;
    bind_error(L,
               "%s: the scene is still being described; call this from "
               "scene.start or sb.go",
               where);
}

void script_push_environment(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, ENVIRONMENT);
}

void script_push_module(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, MODULE);
}

void script_push_scene_table(lua_State *L) {
    script_push_environment(L);
    if (lua_getfield(L, -1, "scene") != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
    }
    lua_remove(L, -2);
}

sb_body_id script_body_id(const sb_script *script, const script_body *body) {
    if (body->name[0] && script->scene)
        return sb_scene_find(script->scene, body->name);
    if (body->id.generation || body->planned >= script->plan_count)
        return body->id;
    return script->plan_ids[body->planned];
}

const char *script_body_name(const sb_script *script, const script_body *body) {
    if (script->plan && body->name[0]) return body->name;
    if (script->plan) {
        bool is_there = body->planned < sb_plan_count(script->plan);
        return is_there ? sb_plan_at(script->plan, body->planned)->name : NULL;
    }
    sb_body_id id = script_body_id(script, body);
    bool is_there = sb_scene_has(script->scene, id);
    return is_there ? sb_scene_body_name(script->scene, id) : NULL;
}

/* Limit: each file is watched, and find_use is a linear search. */
enum { MOST_FILES = 5000 };

static script_file_use *find_use(const sb_script *script, const char *path) {
    for (int i = 0; i < script->file_count; i++)
        if (strcmp(script->files[i].path, path) == 0) return &script->files[i];
    return NULL;
}

static sb_status add_use(sb_script *script, const char *path, bool is_texture) {
    script_file_use *use = find_use(script, path);
    if (use) {
        use->is_texture = use->is_texture || is_texture;
        use->is_else = use->is_else || !is_texture;
        return SB_OK;
    }
    if (script->file_count >= MOST_FILES) return SB_NO_MEMORY;
    char *copy = sb_copy_text(path);
    if (!copy || !sb_grow_list(script->files, script->file_capacity,
                               script->file_count + 1)) {
        sb_free(copy);
        return SB_NO_MEMORY;
    }
    script->files[script->file_count++] =
        (script_file_use){copy, is_texture, !is_texture, false};
    return SB_OK;
}

sb_status script_add_chunk(sb_script *script, const char *path, bool is_own) {
    sb_status status = add_use(script, path, false);
    if (status || !is_own) return status;
    find_use(script, path)->is_chunk = true;
    return SB_OK;
}

/* Lua begins a message with "NAME:12: "; it shortens a long name to its end. A
 * script can write any message: only its own files count. 0: another one. */
static int line_in(const char *name, const char *message) {
    enum { MOST = LUA_IDSIZE - 1, DOTS = 3 };
    size_t length = strlen(name);
    if (length > MOST) {
        if (strncmp(message, "...", DOTS) != 0) return 0;
        message += DOTS;
        name += length - (MOST - DOTS);
        length = MOST - DOTS;
    }
    if (strncmp(message, name, length) != 0 || message[length] != ':') return 0;
    char *end;
    long line = strtol(message + length + 1, &end, 10);
    return *end == ':' && line > 0 && line <= INT_MAX ? (int)line : 0;
}

void script_place_error(const sb_script *script, sb_error *err) {
    for (int i = 0; i < script->file_count; i++) {
        const script_file_use *use = &script->files[i];
        int line = use->is_chunk ? line_in(use->path, err->message) : 0;
        if (line > 0) sb_error_set_place(err, use->path, line);
    }
    const char *name = script->def.path;
    int line = script->def.text ? line_in(name, err->message) : 0;
    if (line > 0) sb_error_set_place(err, name, line);
}

void script_quote_line(const sb_error *err, bool is_text, char *out,
                       size_t size) {
    char *text;
    out[0] = '\0';
    if (is_text || err->line == 0 ||
        sb_in_file_read(err->file, SB_SCRIPT_BYTES, &text, NULL, NULL))
        return;
    const char *line = text;
    for (int i = 1; i < err->line && line; i++) {
        line = strchr(line, '\n');
        if (line) line++;
    }
    if (line && *line) {
        (void)snprintf(out, size, "%5d | %.*s", err->line,
                       (int)strcspn(line, "\r\n"), line);
    }
    sb_free(text);
}

bool script_is_only_texture(const sb_script *script, const char *path) {
    const script_file_use *use = find_use(script, path);
    return use && use->is_texture && !use->is_else;
}

void script_set_asset_error(sb_script *script, const char *message) {
    (void)snprintf(script->asset_error, sizeof script->asset_error, "%s",
                   message);
}

const char *script_asset_error(const sb_script *script) {
    return script->asset_error;
}

void script_set_unpainted(sb_script *script, const char *message) {
    (void)snprintf(script->unpainted, sizeof script->unpainted, "%s", message);
}

const char *script_unpainted(const sb_script *script) {
    return script->unpainted;
}

const sb_plan *script_running(const sb_script *script) {
    return script->running;
}

long long script_count_texels(sb_script *script, long long texels) {
    script->texels += texels;
    return script->texels;
}

/* Models and textures that come with the program. */
static bool find_in_library(const char *name, char resolved[PATH_MAX]) {
    static const char *const rooms[] = {"models", "textures"};
    char path[PATH_MAX], room[PATH_MAX], library[PATH_MAX];
    if (!sb_self_find(SB_SELF_LIBRARY, library, sizeof library)) return false;
    if (snprintf(path, sizeof path, "%s/%s", library, name) >= PATH_MAX)
        return false;
    for (int i = 0; i < 2; i++) {
        if (snprintf(room, sizeof room, "%s/%s", library, rooms[i]) >=
            PATH_MAX) {
            return false;
        }
        if (chunk_is_inside(room, path, resolved)) return true;
    }
    return false;
}

static bool find_asset(sb_script *script, const char *name, bool is_texture,
                       char resolved[PATH_MAX]) {
    char path[PATH_MAX];
    bool is_absolute = name[0] == '/';
    int length = is_absolute ? snprintf(path, sizeof path, "%s", name)
                             : snprintf(path, sizeof path, "%s/%s",
                                        script->def.folder, name);
    if (length < 0 || length >= PATH_MAX) return false;
    bool is_found = chunk_is_inside(script->def.folder, path, resolved) ||
                    (script->def.is_trusted && realpath(path, resolved)) ||
                    (!is_absolute && find_in_library(name, resolved));
    /* A missing file is watched too: it may be created later. */
    return add_use(script, is_found ? resolved : path, is_texture) == SB_OK &&
           is_found;
}

bool script_find_texture(sb_script *script, const char *name,
                         char resolved[PATH_MAX]) {
    return find_asset(script, name, true, resolved);
}

/* Whether ".." leads out of the folder in which the name begins. */
static bool leads_out(const char *name) {
    int depth = 0;
    while (*name && depth >= 0) {
        size_t length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", 2) == 0)
            depth--;
        else if (length > 0 && !(length == 1 && *name == '.'))
            depth++;
        name += length + (name[length] == '/' ? 1 : 0);
    }
    return depth < 0;
}

sb_status script_no_asset(const char *name, sb_error *err) {
    if (leads_out(name)) {
        return sb_fail_in(err, SB_NOT_FOUND, name, 0,
                          "'..' is refused: a scene reads files only in its "
                          "own folder and in the library");
    }
    return sb_fail_in(err, SB_NOT_FOUND, name, 0,
                      "no such file in the scene's folder or the library");
}

sb_status script_asset(lua_State *L, const char *name, char resolved[PATH_MAX],
                       sb_error *err) {
    if (find_asset(script_of(L), name, false, resolved)) return SB_OK;
    return script_no_asset(name, err);
}

/* --- params --------------------------------------------------------------- */

/* Restore the value that the param was set to before the reload. */
static void keep_value(sb_script *script, int index) {
    const sb_params *before = script->def.params;
    const char *name = script->params.items[index].name;
    int at = before ? sb_params_find(before, name) : -1;
    if (at < 0) return;
    /* Only if it was changed: otherwise the script's new default applies. */
    const sb_param *was = &before->items[at];
    if (was->value == was->initial) return;
    sb_status status = sb_params_set(&script->params, index, was->value, NULL);
    (void)status; /* outside the new range: keep the default */
}

sb_status script_declare_param(sb_script *script, const sb_param *param,
                               int *index, sb_error *err) {
    bool is_new = sb_params_find(&script->params, param->name) < 0;
    sb_status status = sb_params_declare(&script->params, param, index, err);
    if (status || !is_new) return status;
    for (int i = 0; i < script->def.setting_count; i++) {
        const sb_setting *setting = &script->def.settings[i];
        if (strcmp(setting->name, param->name) != 0) continue;
        /* An error of the command line, not of the script: reported later. */
        sb_error problem;
        if (sb_params_set(&script->params, *index, setting->value, &problem) &&
            !script->setting_error.status) {
            script->setting_error = problem;
        }
    }
    keep_value(script, *index);
    return SB_OK;
}

double script_read_param(sb_script *script, int index) {
    sb_param *param = &script->params.items[index];
    if (!script->scene) param->is_described = true;
    return param->value;
}

void script_set_param(lua_State *L, int index, const char *where, int value) {
    sb_script *script = script_of(L);
    const sb_param *param = &script->params.items[index];
    double number = bind_check_number(L, value, where, param->name, param->min,
                                      param->max, "");
    sb_error err;
    if (sb_params_set(&script->params, index, number, &err))
        bind_error(L, "%s: %s", where, err.message);
    if (script->is_prompting && param->is_described)
        script_request_reload(script, false);
}

static const char *param_name_at(const void *names, int i) {
    return ((const sb_params *)names)->items[i].name;
}

sb_status script_check_settings(const sb_script *script, sb_error *err) {
    if (script->setting_error.status) {
        return sb_fail(err, SB_BAD_ARGUMENT, "--set: %.400s",
                       script->setting_error.message);
    }
    for (int i = 0; i < script->def.setting_count; i++) {
        const char *name = script->def.settings[i].name;
        if (sb_params_find(&script->params, name) >= 0) continue;
        const char *near = sb_nearest(name, script->params.count, param_name_at,
                                      &script->params);
        sb_status status =
            sb_fail(err, SB_BAD_ARGUMENT, "%s has no param called '%s'%s%s%s",
                    script->def.path, name, near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
        if (near) sb_error_set_hint(err, "did you mean '%s'?", near);
        return status;
    }
    return SB_OK;
}
