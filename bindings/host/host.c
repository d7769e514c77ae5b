/* Joins script, scene and engine: opens a scene, steps it, watches its files,
 * and reloads it as a transaction.
 * Thread: control; a reload runs on a thread of its own (loader.h). */
#include "bindings/host/host_internal.h"

#include "bindings/api/types.h"
#include "bindings/host/deform_journal.h"
#include "bindings/host/host_world.h"
#include "bindings/host/line_limit.h"
#include "bindings/host/played_report.h"
#include "bindings/host/reload_report.h"
#include "bindings/host/scene_path.h"
#include "bindings/script/loader.h"
#include "bindings/script/script_output.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/watch.h"
#include "runtime/scene/world/scene_world.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct sb_host {
    sb_host_def def;
    double now_s; /* scene time of the present step */
    line_limit lines;
    sb_engine *engine;
    sb_scene *scene;
    sb_script *script;
    const sb_output *output;
    sb_watch *watch;   /* or NULL */
    sb_loader *loader; /* a load under way, or NULL */
    bool is_wanted;    /* a reload has been requested */
    bool is_reset;     /* the requested reload also resets */
    bool paints;       /* the load under way only updates textures */
    bool is_behind;    /* the last load failed: the next must be complete */
    /* The body that is being solved while the scene plays, and when this was
     * last said. */
    char solving[SB_NAME_SIZE];
    char quote[200]; /* the line that the error of the last load names */
    double said_s;
    int reload_count;
    int error_count; /* of steps, outside the script */
    time_t version;  /* when the running script was loaded */
    const char *path;
    sb_world_reports world;
    bool is_empty; /* no script file: `path` is only a name */
    char *text;    /* the script instead of a file, or NULL */
    char folder[PATH_MAX];
};

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

int sb_host_reload_count(const sb_host *host) {
    return host->reload_count;
}

bool sb_host_is_busy(void *user) {
    const sb_host *host = user;
    /* A striker in flight will land again without the script. */
    return script_is_busy(host->script) || sb_scene_is_moving(host->scene) ||
           sb_engine_read_stats(host->engine).flying > 0;
}

void sb_host_request_reload(sb_host *host, bool is_reset) {
    host->is_wanted = true;
    host->is_reset = host->is_reset || is_reset;
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
    sb_host *host = user;
    line_limit_put(&host->lines, LINE_REPORTED, host->now_s, message);
}

static void print_line(void *user, const char *line) {
    sb_host *host = user;
    line_limit_put(&host->lines, LINE_PRINTED, host->now_s, line);
}

/* A solve while the scene plays: said at once, then once per SAY_S. */
#define SAY_S 1.0

static void say_solving(sb_host *host, const loader_progress *p) {
    double now_s = sb_clock_s();
    bool is_new = strcmp(host->solving, p->body) != 0;
    if (!is_new && now_s - host->said_s < SAY_S) return;
    char line[SB_NAME_SIZE + 100], count[48] = "";
    if (p->expected > 0) {
        (void)snprintf(count, sizeof count, " %d of %d", p->done, p->expected);
    } else if (p->done > 0) {
        (void)snprintf(count, sizeof count, ", %d found", p->done);
    }
    (void)snprintf(line, sizeof line, is_new ? "solving %s ..." : "%s: %s%s",
                   p->body, p->stage, count);
    (void)snprintf(host->solving, sizeof host->solving, "%s", p->body);
    host->said_s = now_s;
    report(host, line);
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
        say_solving(host, &now);
}

static bool must_stop(void *user) {
    const sb_host *host = user;
    return host->def.must_stop && host->def.must_stop(host->def.user);
}

/* --- taking a loaded script over ------------------------------------------ */

/* A scene that cannot be committed, computed or played on is an error of the
 * script, not of the command line: turn BAD_ARGUMENT into BAD_FORMAT. */
static sb_status blame_script(const sb_host *host, sb_status status,
                              sb_error *err) {
    if (status != SB_BAD_ARGUMENT || !err) return status;
    sb_error reason = *err;
    return sb_fail(err, SB_BAD_FORMAT, "%s: %.400s", host->path,
                   reason.message);
}

/* Commit the plan of `script` at `time_s` and replace the running script by it.
 * On failure the old script keeps running and the caller still owns the new
 * one. */
static sb_status take_over(sb_host *host, sb_script *script, double time_s,
                           sb_commit_counts *counts, sb_error *err) {
    int count = sb_plan_count(script_plan(script));
    sb_body_id *ids = sb_alloc((size_t)count, sizeof *ids);
    if (!ids)
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory", host->path);
    sb_status status = sb_scene_commit(host->scene, script_plan(script), time_s,
                                       ids, counts, err);
    if (status) {
        sb_free(ids);
        return blame_script(host, status, err);
    }
    script_begin(script, host->scene, host->engine, ids, count, time_s);
    loader_retire(host->script);
    host->script = script;
    host->version = time(NULL);
    sb_report_played(host->scene, host->def.sample_rate_hz, host->def.report,
                     host->def.user);
    return SB_OK;
}

/* Watch the files that the script has read or tried to read. A file that cannot
 * be watched is not an error: the key R still reloads. */
static void watch_files(sb_host *host, const sb_script *script) {
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

static script_def definition(sb_host *host) {
    return (script_def){
        .api = &sandbell_api,
        .path = host->path,
        .is_empty = host->is_empty,
        .text = host->text,
        .folder = host->folder,
        .seed = host->def.seed,
        .is_live = host->def.is_live,
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
        .request_reload = request_reload,
        .read_output = read_output,
        .user = host,
    };
}

/* No memory of the program's: say how to get more. */
static void name_memory(const sb_host *host, sb_status status, sb_error *err) {
    if (status != SB_NO_MEMORY || !err || host->def.is_trusted ||
        strstr(err->message, "--memory") || strstr(err->message, "--trust") ||
        strstr(err->message, "ulimit"))
        return;
    size_t used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used,
                   " (--memory raises the limit)");
}

static sb_status first_load(sb_host *host, sb_error *err) {
    sb_engine_def engine = sb_engine_def_default();
    engine.sample_rate_hz = host->def.sample_rate_hz;
    engine.is_live = host->def.is_live;
    sb_status status = sb_engine_create(&engine, &host->engine, err);
    if (!status) status = sb_scene_create(host->engine, &host->scene, err);
    if (!status) sb_scene_set_seed(host->scene, host->def.seed);
    if (!status && host->def.exposure > 0.0)
        sb_scene_set_exposure(host->scene, host->def.exposure);
    if (!status && host->def.wants_stems) sb_scene_want_stems(host->scene);
    if (!status && host->def.watches) {
        status = sb_watch_create(&host->watch, err);
    }
    if (status) return status;
    script_def def = definition(host);
    sb_script *script;
    status = script_create(&def, &script, err);
    if (status) return status;
    sb_commit_counts counts;
    status = script_load(script, NULL, 0, NULL, err);
    script_flush_reports(script);
    if (!status) status = take_over(host, script, 0.0, &counts, err);
    if (status) {
        script_destroy(script);
        return status;
    }
    watch_files(host, script);
    script_call_first(script, SCRIPT_START);
    return SB_OK;
}

sb_status sb_host_open(const char *path, const sb_host_def *def, sb_host **out,
                       sb_error *err) {
    char folder[PATH_MAX];
    sb_status status = scene_path_check(path, folder, err);
    if (status) return status;
    sb_host *host = sb_alloc(1, sizeof *host);
    if (!host) return sb_fail(err, SB_NO_MEMORY, "scene: out of memory");
    host->def = *def;
    host->lines = (line_limit){
        .put = {def->report, def->print ? def->print : def->report},
        .user = def->user,
        .is_unlimited = def->is_trusted};
    host->path = path ? path : def->text ? "scene" : "prompt";
    host->is_empty = !path;
    memcpy(host->folder, folder, sizeof folder);
    if (def->folder)
        (void)snprintf(host->folder, sizeof host->folder, "%s", def->folder);
    if (def->text) status = sb_host_set_text(host, def->text, err);
    if (!status) status = first_load(host, err);
    if (!status)
        status = blame_script(
            host, host_open_deform(host->scene, host->script, &host->def, err),
            err);
    if (status) {
        name_memory(host, status, err);
        sb_host_close(host);
        return status;
    }
    *out = host;
    return SB_OK;
}

void sb_host_close(sb_host *host) {
    if (!host) return;
    line_limit_say(&host->lines, host->now_s, true);
    loader_abandon(host->loader);
    script_destroy(host->script);
    sb_scene_destroy(host->scene);
    sb_engine_destroy(host->engine);
    sb_watch_destroy(host->watch);
    sb_free(host->text);
    sb_free(host);
}

sb_status sb_host_set_text(sb_host *host, const char *text, sb_error *err) {
    char *copy = sb_copy_text(text);
    if (!copy)
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory", host->path);
    sb_free(host->text);
    host->text = copy;
    return SB_OK;
}

/* --- later loads ---------------------------------------------------------- */

static void report_success(sb_host *host, const sb_commit_counts *counts,
                           double took_ms, bool is_reset) {
    char line[RELOAD_TEXT_SIZE];
    reload_success_text(line, host->path, counts, took_ms, is_reset);
    report(host, line);
    if (host->def.loaded) host->def.loaded(host->def.user, counts, NULL);
}

static void report_failure(sb_host *host, const sb_error *err) {
    char text[RELOAD_TEXT_SIZE];
    reload_failure_text(text, err, host->quote, host->version);
    host->quote[0] = '\0';
    report(host, text);
    if (host->def.loaded) host->def.loaded(host->def.user, NULL, err);
}

/* Copy `state` to the new script. If that fails, `state` is lost and a message
 * reports it: no content of `state` may prevent a reload. */
static sb_status keep_state(sb_host *host, const loaded_script *loaded,
                            sb_error *err) {
    sb_error reason;
    sb_status status = loader_merge_state(loaded, host->script, &reason);
    if (status == SB_INTERRUPTED) {
        if (err) *err = reason;
        return status;
    }
    if (status) {
        char line[SB_MESSAGE_SIZE + 64];
        (void)snprintf(line, sizeof line, "state was not kept: %s",
                       reason.message);
        report(host, line);
    }
    return SB_OK;
}

/* Take only the textures from the loaded script; the running script stays. */
static void repaint(sb_host *host, const loaded_script *loaded, double time_s,
                    sb_commit_counts *counts) {
    sb_scene_repaint(host->scene, script_plan(loaded->script), time_s, counts);
    host->version = time(NULL);
    host->reload_count++;
}

static sb_status finish(sb_host *host, loaded_script *loaded, bool is_reset,
                        double time_s, sb_commit_counts *counts,
                        sb_error *err) {
    sb_script *script = loaded->script;
    script_def own = definition(host);
    script_adopt(script, &own);
    script_flush_reports(script);
    watch_files(host, script);
    sb_status status = loaded->status;
    host->quote[0] = '\0';
    if (status) {
        script_quote_line(script, loaded->err.message, host->quote,
                          sizeof host->quote);
        if (err) *err = loaded->err;
    }
    if (!status && host->paints) {
        repaint(host, loaded, time_s, counts);
        return SB_OK;
    }
    if (!status && !is_reset) status = keep_state(host, loaded, err);
    /* A script that is replaced before its scene.start has run: the new one
     * calls scene.start. */
    bool starts = is_reset || !script_has_started(host->script);
    if (is_reset && !status) sb_scene_start_over(host->scene);
    if (!status) status = take_over(host, script, time_s, counts, err);
    if (status) return status;
    loaded->script = NULL;
    if (is_reset) sb_scene_restart(host->scene, time_s);
    script_call_first(script, starts ? SCRIPT_START : SCRIPT_RELOAD);
    host->reload_count++;
    return SB_OK;
}

sb_status sb_host_reload_now(sb_host *host, bool is_reset, double time_s,
                             sb_commit_counts *counts, sb_error *err) {
    script_def def = definition(host);
    loaded_script loaded = {0};
    host->paints = false;
    sb_status status =
        loader_prepare(&loaded, &def, host->script, host->scene, is_reset, err);
    if (!status) {
        loader_run(&loaded);
        status = finish(host, &loaded, is_reset, time_s, counts, err);
    }
    loader_clear(&loaded);
    return status;
}

sb_status sb_host_load_wanted(sb_host *host, double time_s, sb_error *err) {
    sb_commit_counts counts;
    bool is_wanted = host->is_wanted, is_reset = host->is_reset;
    host->is_wanted = host->is_reset = false;
    if (!is_wanted) return SB_OK;
    return sb_host_reload_now(host, is_reset, time_s, &counts, err);
}

static void start_load(sb_host *host) {
    script_def def = definition(host);
    sb_error err;
    bool is_reset = host->is_reset;
    if (host->is_wanted || host->is_behind) host->paints = false;
    host->is_wanted = host->is_reset = false;
    host->quote[0] = '\0';
    host->solving[0] = '\0';
    if (loader_start(&host->loader, &def, host->script, host->scene, is_reset,
                     &err)) {
        report_failure(host, &err);
    }
}

static void end_load(sb_host *host, double time_s) {
    sb_commit_counts counts;
    sb_error err;
    loaded_script loaded;
    bool is_reset = loader_is_reset(host->loader);
    double took_ms = loader_collect(host->loader, &loaded);
    host->loader = NULL;
    bool paints = host->paints;
    sb_status status = finish(host, &loaded, is_reset, time_s, &counts, &err);
    if (status) {
        name_memory(host, status, &err);
        report_failure(host, &err);
    } else {
        report_success(host, &counts, took_ms, is_reset);
    }
    host->is_behind = status && !paints;
    loader_clear(&loaded);
}

/* Abandon a load that has taken too long; its thread cleans up after itself. */
static void give_up_load(sb_host *host) {
    sb_error err;
    loader_abandon(host->loader);
    host->loader = NULL;
    host->is_behind = !host->paints;
    (void)sb_fail(&err, SB_BAD_FORMAT,
                  "%s: one instruction of the script goes on %g s of processor "
                  "time after its budget: the load was given up",
                  host->path, LOADER_OVERDUE_S);
    report_failure(host, &err);
}

/* True if every changed file is used only as a texture by the running script.
 */
static bool has_only_painted(const sb_host *host) {
    int at = 0;
    const char *path = sb_watch_next_changed(host->watch, &at);
    while (path && script_is_only_texture(host->script, path))
        path = sb_watch_next_changed(host->watch, &at);
    return !path;
}

static void report_gone(sb_host *host) {
    char text[RELOAD_TEXT_SIZE];
    const char *path = sb_watch_next_gone(host->watch);
    if (!path) return;
    (void)snprintf(text, sizeof text,
                   "%s is gone; the scene plays on, and follows it when it is "
                   "there again",
                   path);
    report(host, text);
}

/* True if a load should start: a file has changed or a reload was requested.
 * Sets `paints` if the changed files are only textures. */
static bool needs_load(sb_host *host) {
    bool is_saved = host->watch && sb_watch_poll(host->watch);
    if (host->watch) report_gone(host);
    if (is_saved) {
        /* If this interrupts a complete load, the next must be complete too. */
        bool owes_all = host->loader && !host->paints;
        host->paints = !owes_all && has_only_painted(host);
    }
    return is_saved || host->is_wanted;
}

static void show_load(sb_host *host) {
    loader_progress now;
    if (loader_read_progress(host->loader, &now)) say_solving(host, &now);
}

void sb_host_idle(sb_host *host) {
    if (!host->loader && needs_load(host)) start_load(host);
    if (host->loader) show_load(host);
}

/* A render: the load takes no scene time, however long it computes, so that
 * the same scene renders to the same bytes. */
static void load_in_place(sb_host *host, double time_s) {
    sb_commit_counts counts;
    sb_error err;
    bool is_reset = host->is_reset;
    double began_s = sb_clock_s();
    host->is_wanted = host->is_reset = false;
    host->solving[0] = '\0';
    sb_status status =
        sb_host_reload_now(host, is_reset, time_s, &counts, &err);
    if (status) {
        name_memory(host, status, &err);
        report_failure(host, &err);
    } else {
        report_success(host, &counts, 1e3 * (sb_clock_s() - began_s), is_reset);
    }
}

static void handle_reloads(sb_host *host, double time_s) {
    if (!host->def.is_live && !host->watch) {
        if (host->is_wanted) load_in_place(host, time_s);
        return;
    }
    if (host->loader) show_load(host);
    if (!host->loader) {
        sb_host_idle(host);
    } else if (loader_is_done(host->loader)) {
        end_load(host, time_s);
    } else if (loader_is_late(host->loader)) {
        give_up_load(host);
    } else if (loader_is_solving(host->loader) && needs_load(host)) {
        /* The models that it solves are out of date. */
        loader_abandon(host->loader);
        host->loader = NULL;
        start_load(host);
    }
}

void sb_host_report_muted(sb_host *host) {
    sb_mute_reports_tell(&host->world, host->scene, host->engine, report, host);
}

static sb_status take_step(sb_host *host, double from_s, double to_s,
                           sb_error *err) {
    sb_status status =
        sb_scene_advance_listener(host->scene, from_s, to_s, err);
    sb_world_reports_begin(&host->world, host->scene);
    if (!status)
        status = script_step(host->script, from_s, to_s, host->def.parks_errors,
                             err);
    if (!status) sb_world_reports_tell(&host->world, host->scene, report, host);
    sb_strike_reports_tell(&host->world, host->engine, report, host);
    sb_host_report_muted(host);
    if (!status) status = sb_scene_advance(host->scene, from_s, to_s, err);
    return status;
}

sb_status sb_host_step(void *user, double from_s, double to_s, sb_error *err) {
    sb_host *host = user;
    sb_error reason;
    host->now_s = from_s;
    line_limit_say(&host->lines, host->now_s, false);
    handle_reloads(host, from_s);
    sb_status status =
        blame_script(host, take_step(host, from_s, to_s, &reason), &reason);
    if (status && host->def.parks_errors && status != SB_INTERRUPTED) {
        host->error_count++;
        report(host, reason.message);
        return SB_OK;
    }
    if (status && err) *err = reason;
    return status;
}
