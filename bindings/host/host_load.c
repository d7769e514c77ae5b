/* SPDX-License-Identifier: MIT */
/* Loads the scene of a host again, as a transaction: when a file of it has been
 * saved, or on request.
 * Thread: control; a live load runs on a thread of its own (loader.h). */
#include "bindings/host/host_internal.h"
#include "runtime/base/clock.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/world/scene_world.h"

#include <stdio.h>

void sb_host_request_reload(sb_host *host, bool is_reset) {
    host->is_wanted = true;
    host->is_reset = host->is_reset || is_reset;
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
        (void)host_put_line(host, LINE_REPORTED, line);
    }
    return SB_OK;
}

/* Take only the textures from the loaded script; the running script stays. */
static void repaint(sb_host *host, const loaded_script *loaded, double time_s,
                    sb_commit_counts *counts) {
    sb_scene_repaint(host->scene, script_plan(loaded->script), time_s, counts);
    host->version = time(NULL);
}

static sb_status finish(sb_host *host, loaded_script *loaded, bool is_reset,
                        double time_s, sb_commit_counts *counts,
                        sb_error *err) {
    sb_script *script = loaded->script;
    script_def own = host_script_def(host);
    script_adopt(script, &own);
    script_flush_reports(script);
    host_watch_files(host, script);
    sb_status status = loaded->status;
    if (status && err) *err = loaded->err;
    if (!status && host->paints) {
        repaint(host, loaded, time_s, counts);
        return SB_OK;
    }
    if (!status && !is_reset) status = keep_state(host, loaded, err);
    /* A script that is replaced before its scene.start has run: the new one
     * calls scene.start. */
    bool starts = is_reset || !script_has_started(host->script);
    if (is_reset && !status) sb_scene_start_over(host->scene);
    if (!status) status = host_take_over(host, script, time_s, counts, err);
    if (status) return status;
    loaded->script = NULL;
    if (is_reset) sb_scene_restart(host->scene, time_s);
    script_call_first(script, starts ? SCRIPT_START : SCRIPT_RELOAD);
    return SB_OK;
}

sb_status sb_host_reload_now(sb_host *host, bool is_reset, double time_s,
                             sb_commit_counts *counts, sb_error *err) {
    script_def def = host_script_def(host);
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
    script_def def = host_script_def(host);
    sb_error err;
    bool is_reset = host->is_reset;
    if (host->is_wanted || host->is_behind) host->paints = false;
    host->is_wanted = host->is_reset = false;
    host->solving[0] = '\0';
    if (loader_start(&host->loader, &def, host->script, host->scene, is_reset,
                     &err)) {
        host_report_failure(host, &err);
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
        host_name_memory(host, status, &err);
        host_report_failure(host, &err);
    } else {
        host_report_success(host, &counts, took_ms, is_reset);
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
    host_report_failure(host, &err);
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
    char text[PATH_MAX + 80];
    const char *path = sb_watch_next_gone(host->watch);
    if (!path) return;
    (void)snprintf(text, sizeof text,
                   "%s is gone; the scene plays on, and follows it when it is "
                   "there again",
                   path);
    (void)host_put_line(host, LINE_REPORTED, text);
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
    if (loader_read_progress(host->loader, &now))
        host_report_solving(host, &now);
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
        host_name_memory(host, status, &err);
        host_report_failure(host, &err);
    } else {
        host_report_success(host, &counts, 1e3 * (sb_clock_s() - began_s),
                            is_reset);
    }
}

void host_step_loads(sb_host *host, double time_s) {
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
