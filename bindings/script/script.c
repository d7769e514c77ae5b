/* SPDX-License-Identifier: MIT */
#include "bindings/script/script.h"

#include "bindings/bind.h"
#include "bindings/sandbox/chunk.h"
#include "bindings/sandbox/sandbox.h"
#include "bindings/script/protect.h"
#include "bindings/script/script_internal.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/scene/plan/listener.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/world/scene_world.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const callback_names[SCRIPT_CALLBACK_COUNT] = {
    "start", "reload", "update"};

/* --- loading -------------------------------------------------------------- */

static int print_line(lua_State *L) {
    script_print(script_of(L), lua_tostring(L, 1));
    return 0;
}

static int note_file(lua_State *L) {
    if (script_add_chunk(script_of(L), lua_tostring(L, 1), lua_toboolean(L, 2)))
        bind_error(L, "require: too many modules");
    return 0;
}

static int prepare(lua_State *L) {
    const sb_script *script = script_of(L);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
    luaL_requiref(L, "sandbell", script->def.api->open, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, MODULE);
    sandbox_def sandbox = {.folder = script->def.folder,
                           .seed = script->def.seed,
                           .is_trusted = script->def.is_trusted,
                           .report = print_line,
                           .note_file = note_file};
    sandbox_push_environment(L, -1, &sandbox);
    lua_newtable(L);
    lua_setfield(L, -2, "scene");
    lua_newtable(L);
    lua_setfield(L, -2, "state");
    lua_setfield(L, LUA_REGISTRYINDEX, ENVIRONMENT);
    return 0;
}

static bool is_callback(const bind_field *callbacks, const char *name) {
    for (const bind_field *f = callbacks; f->name; f++)
        if (strcmp(f->name, name) == 0) return true;
    return false;
}

/* A misspelt callback would silently never be called: raise an error. */
static void refuse_unknown_callbacks(lua_State *L) {
    const bind_field *callbacks = script_of(L)->def.api->callbacks;
    lua_getfield(L, LUA_REGISTRYINDEX, ENVIRONMENT);
    if (bind_get(L, -1, "scene") != LUA_TTABLE) return;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (lua_type(L, -2) == LUA_TSTRING && lua_isfunction(L, -1) &&
            !is_callback(callbacks, lua_tostring(L, -2))) {
            const char *name = lua_tostring(L, -2);
            lua_Debug at;
            lua_getinfo(L, ">S", &at);
            const char *where =
                at.linedefined > 0
                    ? lua_pushfstring(L, "%s:%d: scene", at.short_src,
                                      at.linedefined)
                    : lua_pushfstring(L, "%s: scene", script_of(L)->def.path);
            bind_unknown_field(L, where, callbacks, name);
        }
        lua_pop(L, 1);
    }
}

static int run_file(lua_State *L) {
    const sb_script *script = script_of(L);
    const char *path = script->def.path, *text = script->def.text;
    if (script->def.is_empty && !text) return 0;
    lua_getfield(L, LUA_REGISTRYINDEX, ENVIRONMENT);
    int status = text ? chunk_load_buffer(L, text, strlen(text), path, -1)
                      : chunk_load_file(L, path, path, -1);
    if (status != LUA_OK) return lua_error(L);
    lua_call(L, 0, 0);
    refuse_unknown_callbacks(L);
    return 0;
}

/* A Lua error. Its message has a traceback. */
static sb_status describe(const sb_script *script, const char *message,
                          sb_error *err) {
    char first[SB_MESSAGE_SIZE];
    if (!err) return SB_BAD_FORMAT;
    guard_first_line(message ? message : "unknown error", first, sizeof first);
    (void)sb_fail(err, SB_BAD_FORMAT, "%s", first);
    script_place_error(script, err);
    bind_find_hint(script->L, err);
    return SB_BAD_FORMAT;
}

sb_status script_protect(sb_script *script, guard_budget budget,
                         lua_CFunction function, void *argument,
                         sb_error *err) {
    lua_State *L = script->L;
    lua_settop(L, 0);
    lua_pushcfunction(L, guard_describe);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, argument);
    guard_begin(L, budget);
    int failed = lua_pcall(L, 1, 0, 1);
    guard_end(L);
    sb_status status = SB_OK;
    guard_verdict verdict = script->guard.verdict;
    if (failed && verdict == GUARD_STOPPED) {
        status = sb_fail(err, SB_INTERRUPTED, "interrupted");
    } else if (failed == LUA_ERRMEM || (failed && verdict == GUARD_FULL)) {
        /* Its own limit is an error of the script. */
        const char *limit = guard_refusal_text(&script->guard);
        status = sb_fail_in(err, *limit ? SB_BAD_FORMAT : SB_NO_MEMORY,
                            script->def.path, 0, "out of memory%s", limit);
    } else if (failed && verdict) {
        status = describe(script, script->guard.message, err);
    } else if (failed) {
        status = describe(script, lua_tostring(L, -1), err);
    }
    lua_settop(L, 0);
    return status;
}

/* Copy everything: an abandoned load may outlive the caller's data. False if
 * out of memory. */
static bool copy_def(sb_script *script, const script_def *def) {
    int count = def->setting_count;
    sb_setting *settings = sb_alloc((size_t)count, sizeof *settings);
    script->def = *def;
    script->def.path = sb_copy_text(def->path);
    script->def.folder = sb_copy_text(def->folder);
    script->def.text = def->text ? sb_copy_text(def->text) : NULL;
    script->def.settings = settings;
    bool is_well = script->def.path && script->def.folder &&
                   !script->def.text == !def->text && settings;
    for (int i = 0; settings && i < count; i++) {
        settings[i].value = def->settings[i].value;
        settings[i].name = sb_copy_text(def->settings[i].name);
        is_well = is_well && settings[i].name;
    }
    script_adopt(script, def);
    return is_well;
}

static void free_def(script_def *def) {
    for (int i = 0; def->settings && i < def->setting_count; i++)
        sb_free((void *)(uintptr_t)def->settings[i].name);
    sb_free_all((void *)(uintptr_t)def->settings, (void *)(uintptr_t)def->path,
                (void *)(uintptr_t)def->folder, (void *)(uintptr_t)def->text);
}

void script_adopt(sb_script *script, const script_def *def) {
    script->def.report = def->report;
    script->def.print = def->print;
    script->def.failed = def->failed;
    script->def.must_stop = def->must_stop;
    script->def.progress = def->progress;
    script->def.user = def->user;
    script->guard.must_stop = def->must_stop;
    script->guard.user = def->user;
}

static sb_status open_state(sb_script *script, const script_def *def,
                            sb_error *err) {
    script->guard.is_live = def->is_live;
    script->guard.is_trusted = def->is_trusted;
    script->guard.counts_ticks = def->counts_ticks;
    script->guard.load_share = def->load_share;
    bool is_well = copy_def(script, def) && !guard_init(&script->guard);
    if (is_well) script->L = lua_newstate(guard_allocate, &script->guard);
    if (!script->L || sb_plan_create(&script->plan, NULL) ||
        (!script->def.is_empty &&
         script_add_chunk(script, script->def.path, true))) {
        return sb_no_memory(err, "%s", def->path);
    }
    sb_plan_listener(script->plan)->is_exposed = true;
    *(sb_script **)lua_getextraspace(script->L) = script;
    return script_protect(script, GUARD_LOAD, prepare, NULL, err);
}

sb_status script_create(const script_def *def, sb_script **out, sb_error *err) {
    sb_script *script = sb_alloc(1, sizeof *script);
    if (!script) return sb_no_memory(err, "%s", def->path);
    sb_status status = open_state(script, def, err);
    if (status) {
        script_destroy(script);
        return status;
    }
    *out = script;
    return SB_OK;
}

void script_close_state(sb_script *script) {
    if (script->L) lua_close(script->L);
    script->L = NULL;
}

void script_destroy(sb_script *script) {
    if (!script) return;
    script_close_state(script);
    guard_free(&script->guard);
    free_def(&script->def);
    sb_plan_destroy(script->plan);
    sb_free(script->plan_ids);
    timers_free(&script->timers);
    sb_params_free(&script->params);
    for (int i = 0; i < script->file_count; i++)
        sb_free(script->files[i].path);
    sb_free_all(script->files, script->kept, script);
}

/* What an untrusted scene may take to read its meshes, by the clock, and to
 * solve its bodies, in processor time of all threads. */
#define WORK_S 120.0

static double work_budget_s(const sb_script *script) {
    double share = script->guard.load_share > 0 ? script->guard.load_share : 1;
    return share * WORK_S * guard_time_scale();
}

/* Seconds that are left of them. */
static double work_left_s(const sb_script *script) {
    if (script->def.is_trusted) return INFINITY;
    return work_budget_s(script) - script->work_spent_s;
}

static double work_clock_s(const script_work *work) {
    return work->waits ? sb_clock_s() : sb_effort_s();
}

bool script_begin_work(lua_State *L, bool waits, script_work *out) {
    sb_script *script = script_of(L);
    if (!(work_left_s(script) > 0.0)) return false;
    out->left_s = guard_pause(L);
    out->waits = waits;
    out->began_s = work_clock_s(out);
    return true;
}

void script_end_work(lua_State *L, const script_work *work) {
    script_of(L)->work_spent_s += work_clock_s(work) - work->began_s;
    guard_continue(L, work->left_s);
}

bool script_is_work_late(lua_State *L, const script_work *work) {
    return work_clock_s(work) - work->began_s > work_left_s(script_of(L));
}

int script_raise_late(lua_State *L, const char *where) {
    return bind_error(L,
                      "%s: reading the meshes and solving the bodies of a "
                      "scene may take %d s in all, and this one has used "
                      "them; --trust sets no limit",
                      where, (int)WORK_S);
}

static bool on_progress(void *context, const char *stage, int done,
                        int expected) {
    const sb_script *script = context;
    const script_def *def = &script->def;
    if (def->progress) {
        def->progress(def->user, sb_plan_solving(script->plan), stage, done,
                      expected);
    }
    if (sb_effort_s() > script->solve_until_s) return false;
    return !def->must_stop || !def->must_stop(def->user);
}

/* A reason to end a solve that is ours, not the user's. */
static sb_status fail_late(const sb_script *script, sb_error *err) {
    return sb_fail(err, SB_BAD_FORMAT,
                   "%.200s: body '%s': reading the meshes and solving all "
                   "bodies took longer than %g s; --trust sets no limit",
                   script->def.path, sb_plan_solving(script->plan), WORK_S);
}

/* Solve the models. A body that cannot be solved is an error of the script. */
static sb_status solve(sb_script *script, const sb_plan *running,
                       sb_error *err) {
    sb_error reason;
    sb_plan_set_progress(script->plan, on_progress, script);
    sb_plan_set_memory(script->plan, script->def.memory_bytes);
    if (script->def.puts_off_air) sb_plan_put_off(script->plan);
    script->solve_until_s = sb_effort_s() + work_left_s(script);
    atomic_store(&script->is_solving, true);
    sb_status status = sb_plan_solve(script->plan, running, &reason);
    atomic_store(&script->is_solving, false);
    if (!status) return SB_OK;
    bool is_stopped =
        script->def.must_stop && script->def.must_stop(script->def.user);
    if (status == SB_INTERRUPTED && !is_stopped) return fail_late(script, err);
    if (status == SB_INTERRUPTED) {
        if (err) *err = reason;
        return status;
    }
    if (status == SB_BAD_ARGUMENT) status = SB_BAD_FORMAT;
    if (err) *err = reason;
    sb_error_set_place(err, script->def.path, 0);
    return sb_error_lead(err, status, "%.200s", script->def.path);
}

sb_status script_load(sb_script *script, const char *packed_state,
                      size_t packed_bytes, const sb_plan *running,
                      sb_error *err) {
    sb_status status = packed_state
                           ? script_merge_state(script, NULL, 0, packed_state,
                                                packed_bytes, err)
                           : SB_OK;
    script->running = running;
    if (!status)
        status = script_protect(script, GUARD_LOAD, run_file, NULL, err);
    script->running = NULL;
    if (!status) status = script_check_settings(script, err);
    if (!status) status = solve(script, running, err);
    return status;
}

void script_begin(sb_script *script, sb_scene *scene, sb_engine *engine,
                  sb_body_id *ids, int count, double time_s) {
    script->now_s = time_s;
    timers_shift(&script->timers, time_s);
    script->scene = scene;
    script->engine = engine;
    script->contact_reader = sb_scene_event_count(scene);
    script->plan_ids = ids;
    script->plan_count = count;
    sb_plan_destroy(script->plan);
    script->plan = NULL;
    script->def.params = NULL; /* no longer needed; owned by the loader */
}

/* --- running -------------------------------------------------------------- */

/* The argument of run_step, which runs inside lua_pcall. */
typedef struct step_span {
    double from_s, to_s;
} step_span;

/* Whether an untrusted script has used a closed library: only Lua's message
 * tells. */
static bool needs_trust(const sb_script *script, const char *message) {
    static const char *const closed[] = {"(global 'os')", "(global 'io')",
                                         "(global 'debug')"};
    for (int i = 0; i < 3 && !script->def.is_trusted; i++)
        if (strstr(message, closed[i])) return true;
    return false;
}

/* Handle the error message on top of the stack: raise it again to end the step,
 * or report it together with its consequence if errors are parked. */
static void handle_error(lua_State *L, const char *consequence) {
    sb_script *script = script_of(L);
    bool is_stopped = script->guard.verdict == GUARD_STOPPED;
    if (!script->parks_errors || is_stopped) lua_error(L);
    const char *message = lua_tostring(L, -1);
    char quote[200];
    sb_error err;
    script->error_count++;
    (void)describe(script, message, &err);
    script_quote_line(&err, script->def.text, quote, sizeof quote);
    bool is_closed = needs_trust(script, err.message);
    if (is_closed)
        sb_error_set_hint(&err, "io, os and debug are open only with --trust");
    const char *trace = message ? strstr(message, "\nstack traceback:") : NULL;
    lua_pushfstring(L, "%s%s%s%s%s%s\n%s", err.message, *quote ? "\n" : "",
                    quote, is_closed ? "\n" : "", is_closed ? err.hint : "",
                    trace ? trace : "", consequence);
    script_report_failure(script, &err, lua_tostring(L, -1));
    lua_pop(L, 2);
}

/* Call scene.<name>(argument) if it exists and is not parked. */
static void call_back(lua_State *L, script_callback which, double argument) {
    sb_script *script = script_of(L);
    if (script->is_parked[which]) return;
    int base = lua_gettop(L);
    lua_pushcfunction(L, guard_describe);
    script_push_scene_table(L);
    if (lua_getfield(L, -1, callback_names[which]) == LUA_TFUNCTION) {
        lua_pushnumber(L, argument);
        guard_begin(L, GUARD_CALL);
        if (lua_pcall(L, 1, 0, base + 1)) {
            char consequence[96];
            script->is_parked[which] = true;
            (void)snprintf(consequence, sizeof consequence,
                           "scene.%s is not called until the next good save; "
                           "the rest of the scene continues",
                           callback_names[which]);
            handle_error(L, consequence);
        }
    }
    lua_settop(L, base);
}

/* Live, all callbacks together have this share of the scene's time. What they
 * take more is owed, and while more than LONGEST_STEP_S of processor time is
 * owed, updates and timers wait. With one more callback (guard.h) a step takes
 * less than 0.1 s, and on average less than it lasts. */
#define CALLBACK_SHARE 0.6
#define LONGEST_STEP_S 0.04

static int run_step(lua_State *L) {
    sb_script *script = script_of(L);
    const step_span *span = lua_touserdata(L, 1);
    script->now_s = script->reached_s = span->from_s;
    for (int i = 0; i < SCRIPT_UPDATE; i++) {
        if (!script->is_wanted[i]) continue;
        script->is_wanted[i] = false;
        call_back(L, (script_callback)i, 0.0);
    }
    script->update_span_s += span->to_s - span->from_s;
    if (!script_is_late(script)) {
        call_back(L, SCRIPT_UPDATE, script->update_span_s);
        script->update_span_s = 0.0;
    }
    script->def.api->announce_contacts(L);
    timers_begin_step(&script->timers);
    while (!timers_run(L, &script->timers, span->to_s)) {
        handle_error(L,
                     "this timer has ended; the rest of the scene continues");
    }
    return 0;
}

/* After a tenth of a second of them: one such step may be an accident. */
enum { LATE_STEPS = 10 };

static void end_step(sb_script *script) {
    if (script_is_late(script) && ++script->late_steps == LATE_STEPS)
        script_report(script,
                      "the callbacks of this scene take longer than the scene "
                      "itself: updates and timers that are due wait");
    script->owed_s += sb_clock_thread_s() - script->step_began_s;
}

static void begin_step(sb_script *script, double span_s) {
    double share_s = CALLBACK_SHARE * guard_time_scale() * span_s;
    script->step_began_s = sb_clock_thread_s();
    script->owed_s = fmax(script->owed_s - share_s, 0.0);
}

sb_status script_step(sb_script *script, double from_s, double to_s,
                      bool parks_errors, sb_error *err) {
    step_span span = {from_s, to_s};
    script->parks_errors = parks_errors;
    if (script->def.is_live) begin_step(script, to_s - from_s);
    sb_error reason;
    sb_status status =
        script_protect(script, GUARD_CALL, run_step, &span, &reason);
    if (script->def.is_live) end_step(script);
    if (status && parks_errors && status != SB_INTERRUPTED) {
        /* Outside all callbacks: too many timers for a contact, no memory for
         * a message. The rest of this step is left out. */
        script->error_count++;
        script_report_failure(script, &reason, reason.message);
        return SB_OK;
    }
    if (status && err) *err = reason;
    return status;
}

/* Live, timers that are due may be delayed to the next step, so that saved
 * files and the prompt are handled in between. Offline they never are. */
bool script_is_late(const sb_script *script) {
    return script->def.is_live &&
           script->owed_s + sb_clock_thread_s() - script->step_began_s >
               LONGEST_STEP_S;
}
