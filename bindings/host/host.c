/* SPDX-License-Identifier: MIT */
/* Joins script, scene and engine: opens a scene, steps it, renders or
 * plays it, and closes it.
 * Thread: control. */
#include "bindings/host/host_internal.h"

#include "bindings/api/types.h"
#include "bindings/script/script_output.h"
#include "runtime/base/memory.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/deform/deform_info.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/scene.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

sb_host_def sb_host_def_default(void) {
    return (sb_host_def){
        .sample_rate_hz = 48000.0, .seed = 1, .load_share = 1.0};
}

/* --- accessors ------------------------------------------------------------ */

sb_engine *sb_host_engine(const sb_host *host) {
    return host->engine;
}

sb_scene *sb_host_scene(const sb_host *host) {
    return host->scene;
}

const sb_host_def *sb_host_definition(const sb_host *host) {
    return &host->def;
}

sb_script *sb_host_script(const sb_host *host) {
    return host->script;
}

void sb_host_set_output(sb_host *host, const sb_output *output) {
    host->output = output;
}

int sb_host_error_count(const sb_host *host) {
    return host->error_count + script_error_count(host->script);
}

bool sb_host_is_busy(void *user) {
    const sb_host *host = user;
    /* A striker in flight will land again without the script. */
    return script_is_busy(host->script) || sb_scene_is_moving(host->scene) ||
           sb_engine_read_stats(host->engine).flying > 0;
}

script_output sb_host_read_output(const sb_host *host) {
    if (!host->output) return (script_output){0};
    const sb_deadlines *d = sb_output_deadlines(host->output);
    double frames = (double)atomic_load(&d->frames);
    double spent_s = (double)atomic_load(&d->busy_ns) * 1e-9;
    double rate = sb_engine_sample_rate(host->engine);
    return (script_output){
        .missed = atomic_load(&d->missed),
        .share = frames > 0.0 ? spent_s * rate / frames : 0.0,
        .devices = sb_output_read_counts(host->output),
    };
}

sb_status sb_host_evaluate(sb_host *host, const char *text, char **result,
                           bool *is_incomplete, sb_error *err) {
    host->solving[0] = '\0';
    return script_evaluate(host->script, text, result, is_incomplete, err);
}

static void report(void *user, const char *message) {
    (void)host_put_line(user, LINE_REPORTED, message);
}

static void failed(void *user, const sb_error *err, const char *text) {
    sb_host *host = user;
    if (host_put_line(host, LINE_REPORTED, text) && host->def.failed)
        host->def.failed(host->def.user, err, text);
}

static void print_line(void *user, const char *line) {
    (void)host_put_line(user, LINE_PRINTED, line);
}

static void progress(void *user, const char *body, const char *stage, int done,
                     int expected) {
    sb_host *host = user;
    if (!host->script) { /* the first load */
        host->def.progress(host->def.user, body, stage, done, expected);
        return;
    }
    loader_progress now = {.done = done, .expected = expected};
    (void)snprintf(now.body, sizeof now.body, "%s", body ? body : "");
    (void)snprintf(now.stage, sizeof now.stage, "%s", stage);
    if (strcmp(stage, "cached") != 0 && strcmp(stage, SB_STAGE_NEXT) != 0)
        host_report_solving(host, &now);
}

static bool must_stop(void *user) {
    const sb_host *host = user;
    return host->def.must_stop && host->def.must_stop(host->def.user);
}

/* --- taking a loaded script over ------------------------------------------ */

static sb_status host_blame_script(const sb_host *host, sb_status status,
                                   sb_error *err) {
    if (status != SB_BAD_ARGUMENT) return status;
    return sb_error_lead(err, SB_BAD_FORMAT, "%s", host->path);
}

sb_status host_take_over(sb_host *host, sb_script *script, double time_s,
                         sb_commit_counts *counts, sb_error *err) {
    int count = sb_plan_count(script_plan(script));
    sb_body_id *ids = sb_alloc((size_t)count, sizeof *ids);
    if (!ids) return sb_no_memory(err, "%s", host->path);
    sb_status status = sb_scene_commit(host->scene, script_plan(script), time_s,
                                       ids, counts, err);
    if (status) {
        sb_free(ids);
        return host_blame_script(host, status, err);
    }
    script_begin(script, host->scene, host->engine, ids, count, time_s);
    loader_retire(host->script);
    host->script = script;
    host->version = time(NULL);
    host_report_played(host);
    return SB_OK;
}

void host_watch_files(sb_host *host, const sb_script *script) {
    if (!host->watch) return;
    for (int i = 0; i < script_file_count(script); i++) {
        sb_status status =
            sb_watch_add(host->watch, script_file(script, i), NULL);
        (void)status;
    }
}

/* --- the first load ------------------------------------------------------- */

static void request_reload(void *user, bool is_reset) {
    sb_host_request_reload(user, is_reset);
}

static script_output read_output(void *user) {
    return sb_host_read_output(user);
}

script_def host_script_def(sb_host *host) {
    return (script_def){
        .api = &sandbell_api,
        .path = host->path,
        .is_empty = host->is_empty,
        .text = host->text,
        .folder = host->folder,
        .seed = host->def.seed,
        .is_live = host->def.is_live,
        .puts_off_air = host_puts_off_air(host),
        .is_trusted = host->def.is_trusted,
        .counts_ticks = host->def.counts_ticks,
        .load_share = host->def.load_share,
        .memory_bytes = host->def.memory_bytes,
        .hears_removed = host->def.hears_removed,
        .is_linear = host->def.is_linear,
        .settings = host->def.settings,
        .setting_count = host->def.setting_count,
        .must_stop = must_stop,
        .progress = host->def.progress ? progress : NULL,
        .report = report,
        .print = print_line,
        .failed = failed,
        .request_reload = request_reload,
        .read_output = read_output,
        .user = host,
    };
}

void host_name_memory(const sb_host *host, sb_status status, sb_error *err) {
    if (status != SB_NO_MEMORY || !err || host->def.is_trusted || *err->hint)
        return;
    sb_error_set_hint(err, "--memory raises the limit");
    size_t used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used, " (%s)",
                   err->hint);
}

static sb_status first_load(sb_host *host, sb_error *err) {
    sb_engine_def engine = sb_engine_def_default();
    engine.sample_rate_hz = host->def.sample_rate_hz;
    engine.is_live = host->def.is_live;
    sb_status status = sb_engine_create(&engine, &host->engine, err);
    if (!status) status = sb_scene_create(host->engine, &host->scene, err);
    if (!status) sb_scene_set_seed(host->scene, host->def.seed);
    if (!status && host_puts_off_air(host)) sb_scene_put_off_air(host->scene);
    if (!status && host->def.exposure > 0.0)
        sb_scene_set_exposure(host->scene, host->def.exposure);
    if (!status && host->def.wants_stems) sb_scene_want_stems(host->scene);
    if (!status && host->def.watches)
        status = sb_watch_create(&host->watch, err);
    if (status) return status;
    script_def def = host_script_def(host);
    sb_script *script;
    status = script_create(&def, &script, err);
    if (status) return status;
    sb_commit_counts counts;
    status = script_load(script, NULL, 0, NULL, err);
    script_flush_reports(script);
    if (!status) status = host_take_over(host, script, 0.0, &counts, err);
    if (status) {
        script_destroy(script);
        return status;
    }
    host_watch_files(host, script);
    script_call_first(script, SCRIPT_START);
    return SB_OK;
}

/* The folder of the scene; "." without a path, which may be NULL. NOT_FOUND if
 * there is no such file, or if it is a folder or a special file. */
static sb_status check_path(const char *path, char folder[PATH_MAX],
                            sb_error *err) {
    struct stat info;
    (void)snprintf(folder, PATH_MAX, ".");
    if (!path) return SB_OK;
    if (!*path) return sb_fail(err, SB_NOT_FOUND, "the scene has no name");
    if (stat(path, &info)) {
        return sb_fail(err, SB_NOT_FOUND, "%.300s: there is no such file",
                       path);
    }
    if (S_ISDIR(info.st_mode)) {
        return sb_fail(err, SB_NOT_FOUND,
                       "%.300s: is a folder; name the scene in it, as in "
                       "scene.lua",
                       path);
    }
    if (!S_ISREG(info.st_mode))
        return sb_fail(err, SB_NOT_FOUND, "%.300s: is not a file", path);
    const char *slash = strrchr(path, '/');
    if (slash) {
        int length = slash == path ? 1 : (int)(slash - path);
        (void)snprintf(folder, PATH_MAX, "%.*s", length, path);
    }
    return SB_OK;
}

sb_status sb_host_open(const char *path, const sb_host_def *def, sb_host **out,
                       sb_error *err) {
    char folder[PATH_MAX];
    sb_status status = check_path(path, folder, err);
    if (status) return status;
    sb_host *host = sb_alloc(1, sizeof *host);
    if (!host) return sb_no_memory(err, "scene");
    host->def = *def;
    host->path = path ? path : def->text ? "scene" : "prompt";
    host->is_empty = !path;
    memcpy(host->folder, folder, sizeof folder);
    if (def->folder)
        (void)snprintf(host->folder, sizeof host->folder, "%s", def->folder);
    if (def->text) status = sb_host_set_text(host, def->text, err);
    if (!status) status = first_load(host, err);
    if (!status)
        status = host_blame_script(host, host_open_deform(host, err), err);
    if (status) {
        host_name_memory(host, status, err);
        sb_host_close(host);
        return status;
    }
    *out = host;
    return SB_OK;
}

void sb_host_close(sb_host *host) {
    if (!host) return;
    host_say_left_out(host, true);
    loader_abandon(host->loader);
    host_end_air(host);
    script_destroy(host->script);
    sb_scene_destroy(host->scene);
    sb_engine_destroy(host->engine);
    sb_watch_destroy(host->watch);
    sb_free(host->text);
    sb_free(host);
}

sb_status sb_host_set_text(sb_host *host, const char *text, sb_error *err) {
    char *copy = sb_copy_text(text);
    if (!copy) return sb_no_memory(err, "%s", host->path);
    sb_free(host->text);
    host->text = copy;
    return SB_OK;
}

/* --- a step --------------------------------------------------------------- */

static sb_status take_step(sb_host *host, double from_s, double to_s,
                           sb_error *err) {
    sb_status status =
        sb_scene_advance_listener(host->scene, from_s, to_s, err);
    host_begin_reports(host);
    if (!status)
        status = script_step(host->script, from_s, to_s, host->def.parks_errors,
                             err);
    if (!status) host_report_world(host);
    host_report_strikes(host);
    sb_host_report_muted(host);
    if (!status) status = sb_scene_advance(host->scene, from_s, to_s, err);
    return status;
}

sb_status sb_host_step(void *user, double from_s, double to_s, sb_error *err) {
    sb_host *host = user;
    sb_error reason;
    host->now_s = from_s;
    host_say_left_out(host, false);
    host_step_loads(host, from_s);
    host_step_air(host, from_s);
    sb_status status = host_blame_script(
        host, take_step(host, from_s, to_s, &reason), &reason);
    if (status && host->def.parks_errors && status != SB_INTERRUPTED) {
        host->error_count++;
        failed(host, &reason, reason.message);
        return SB_OK;
    }
    if (status && err) *err = reason;
    return status;
}

/* --- render and play ------------------------------------------------------ */

typedef struct host_run {
    sb_host *host;
    sb_host_hooks hooks;
} host_run;

static sb_status run_step(void *user, double from_s, double to_s,
                          sb_error *err) {
    const host_run *run = user;
    if (run->hooks.before) run->hooks.before(run->hooks.user, from_s, to_s);
    sb_status status = sb_host_step(run->host, from_s, to_s, err);
    if (!status && run->hooks.after)
        status = run->hooks.after(run->hooks.user, to_s, err);
    return status;
}

static bool run_is_busy(void *user) {
    const host_run *run = user;
    return (run->hooks.is_busy && run->hooks.is_busy(run->hooks.user)) ||
           sb_host_is_busy(run->host);
}

static sb_status run_sink(void *user, const float *stereo, int frames,
                          sb_error *err) {
    const host_run *run = user;
    return run->hooks.sink(run->hooks.user, stereo, frames, err);
}

static sb_status run_computed(void *user, sb_error *err) {
    const host_run *run = user;
    return run->hooks.computed(run->hooks.user, err);
}

static bool run_must_stop(void *user, double now_s) {
    const host_run *run = user;
    return run->hooks.must_stop(run->hooks.user, now_s);
}

static void run_idle(void *user) {
    const host_run *run = user;
    sb_host_idle(run->host);
    if (run->hooks.idle) run->hooks.idle(run->hooks.user);
}

/* A deformable body has failed. */
static bool run_is_done(void *user) {
    const host_run *run = user;
    return sb_scene_deform_info(sb_host_scene(run->host)).failure.status !=
           SB_OK;
}

int64_t sb_host_lead(const sb_host *host) {
    sb_deform_info info = sb_scene_deform_info(sb_host_scene(host));
    double rate_hz = sb_engine_sample_rate(sb_host_engine(host));
    if (!info.is_open) return 0;
    return (int64_t)ceil(info.lead_frames * rate_hz / SB_DEFORM_RATE_HZ) + 2;
}

static sb_conductor_def conductor_of(host_run *run) {
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = sb_host_engine(run->host);
    def.step = run_step;
    def.is_busy = run_is_busy;
    def.sink = run->hooks.sink ? run_sink : NULL;
    def.computed = run->hooks.computed ? run_computed : NULL;
    def.must_stop = run->hooks.must_stop ? run_must_stop : NULL;
    def.idle = run_idle;
    def.is_done = run_is_done;
    def.lead_frames = sb_host_lead(run->host);
    def.user = run;
    return def;
}

sb_status sb_host_render(sb_host *host, const sb_host_hooks *hooks,
                         const sb_span *span, sb_conduct_result *out,
                         sb_error *err) {
    host_run run = {.host = host};
    if (hooks) run.hooks = *hooks;
    sb_conductor_def def = conductor_of(&run);
    return sb_conduct_render(&def, span, out, err);
}

sb_status sb_host_run(sb_host *host, const sb_host_hooks *hooks,
                      double duration_s, double *peak, sb_error *err) {
    sb_span span = {.duration_s = duration_s};
    sb_conduct_result result = {0};
    sb_status status = sb_host_render(host, hooks, &span, &result, err);
    *peak = result.peak;
    return status;
}

sb_status sb_host_play(sb_host *host, const sb_host_hooks *hooks,
                       sb_output *output, double duration_s,
                       sb_conduct_result *out, sb_error *err) {
    host_run run = {.host = host};
    if (hooks) run.hooks = *hooks;
    sb_conductor_def def = conductor_of(&run);
    def.lead_frames = 0; /* their sound comes from a journal */
    sb_host_set_output(host, output);
    return sb_conduct_play(&def, output, duration_s, out, err);
}
