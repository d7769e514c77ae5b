/* SPDX-License-Identifier: MIT */
#include "bindings/cli/render/deform_compute.h"

#include "bindings/cli/console/console.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/host/host.h"
#include "runtime/base/clock.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/deform/deform_info.h"

#include <math.h>
#include <stdio.h>

/* "12 s", "3 min", "2.5 h". */
static const char *span_of(double seconds, char text[24]) {
    if (seconds < 99.5)
        (void)snprintf(text, 24, "%.0f s", fmax(seconds, 1.0));
    else if (seconds < 5400.0)
        (void)snprintf(text, 24, "%.0f min", seconds / 60.0);
    else
        (void)snprintf(text, 24, "%.1f h", seconds / 3600.0);
    return text;
}

/* Nothing is heard of a sheet above what its elements resolve; afterwards, how
 * much higher than that one was heard. */
static void say_limits(const char *verb, const sb_scene *scene, int count,
                       bool is_over) {
    for (int i = 0; i < count; i++) {
        sb_body_id body;
        sb_deform_limit limit = sb_scene_deform_limit(scene, i, &body);
        const char *name = sb_scene_body_name(scene, body);
        if (!is_over && limit.flat_hz < 16000.0)
            announce(verb,
                     "%s: sound up to %.0f Hz, which is what its elements "
                     "resolve; more elements for more",
                     name, limit.flat_hz);
        if (is_over && limit.highest_hz > 1.01 * limit.flat_hz)
            announce(verb, "%s: sound up to %.0f Hz while it was bent", name,
                     limit.highest_hz);
    }
}

void deform_work_begin(deform_work *work, const char *verb,
                       const sb_scene *scene, double duration_s) {
    sb_deform_info info = sb_scene_deform_info(scene);
    char one[24], all[24], total[48] = "";
    if (!info.is_open) return;
    int elements = info.cost.tet_count + info.cost.triangle_count;
    if (duration_s > 0.0)
        (void)snprintf(total, sizeof total, ", about %s in all",
                       span_of(duration_s * info.cost.seconds_per_s, all));
    announce(verb,
             "deformable bodies: %d elements, %.0f steps per ms, %.0f "
             "MB, about %s of processor time per second of sound%s",
             elements, 1e-3 * info.cost.steps_per_s, 1e-6 * info.cost.bytes,
             span_of(info.cost.seconds_per_s, one), total);
    say_limits(verb, scene, info.body_count, false);
    work->began_s = sb_clock_s();
}

void deform_work_tell(deform_work *work, const char *verb, sb_scene *scene) {
    sb_deform_info info = sb_scene_deform_info(scene);
    if (info.remark.status) announce(verb, "%s", info.remark.message);
    if (info.is_changed)
        announce(verb, "deformable bodies have changed and are silent: start "
                       "the scene again to compute them");
    if (info.is_open && info.resumed_s > 0.0 && !work->has_begun) {
        announce(verb,
                 "deformable bodies: read up to %.4g s, computed from there on",
                 info.resumed_s);
        work->from_s = info.resumed_s;
        work->began_s = sb_clock_s();
    }
    work->has_begun |= info.resumed_s > 0.0;
    if (info.remark.status || info.is_changed) sb_scene_deform_said(scene);
}

void deform_work_note(deform_work *work, const sb_scene *scene, double now_s,
                      double duration_s, char note[DEFORM_NOTE_SIZE]) {
    sb_deform_info info = sb_scene_deform_info(scene);
    double used_s = sb_clock_s() - work->began_s;
    double done_s = info.time_s - work->from_s;
    char left[24];
    if (!info.is_open || info.how == SB_DEFORM_REPLAY || done_s < 0.002 ||
        used_s < 1.0) {
        (void)snprintf(note, DEFORM_NOTE_SIZE, "%.1f s", now_s);
    } else if (duration_s > 0.0) {
        double rest_s = fmax(duration_s - info.time_s, 0.0);
        (void)snprintf(note, DEFORM_NOTE_SIZE, "%.2f s, %s left", now_s,
                       span_of(rest_s * used_s / done_s, left));
    } else {
        (void)snprintf(note, DEFORM_NOTE_SIZE, "%.2f s, %s per second", now_s,
                       span_of(used_s / done_s, left));
    }
}

void deform_work_end(deform_work *work, const char *verb, sb_scene *scene,
                     sb_status status, bool is_over) {
    sb_deform_info info = sb_scene_deform_info(scene);
    sb_error err;
    if (!info.is_open) return;
    work->has_failed = info.failure.status != SB_OK;
    if (work->has_failed) {
        announce(verb, "%s; what was computed until then is kept",
                 info.failure.message);
    }
    if (info.how != SB_DEFORM_REPLAY)
        say_limits(verb, scene, info.body_count, true);
    sb_status kept =
        sb_scene_close_deform(scene, status == SB_OK && is_over, &err);
    if (kept) announce(verb, "%s", err.message);
    if (status == SB_INTERRUPTED && !kept && info.kept_s > 0.0) {
        announce(verb,
                 "deformable bodies are kept up to %.4g s: the same "
                 "command with --resume goes on from there",
                 info.kept_s);
    }
}

typedef struct computed_scene {
    const char *verb;
    sb_host *host;
    double duration_s;
    deform_work work;
    const deform_play_calls *calls;
    void *user;
} computed_scene;

static sb_status after_step(void *user, double to_s, sb_error *err) {
    computed_scene *own = user;
    (void)to_s, (void)err;
    deform_work_tell(&own->work, own->verb, sb_host_scene(own->host));
    return SB_OK;
}

static bool must_stop(void *user, double now_s) {
    computed_scene *own = user;
    char note[DEFORM_NOTE_SIZE];
    deform_work_note(&own->work, sb_host_scene(own->host), now_s,
                     own->duration_s, note);
    double share = own->duration_s > 0.0 ? now_s / own->duration_s : -1.0;
    progress_show("computing", share, note);
    return own->calls->progress(own->user, now_s) || is_interrupted();
}

/* The same scene, not live, without a sound. */
static sb_status compute(const char *verb, const char *path,
                         const sb_host_def *live, double duration_s,
                         const deform_play_calls *calls, sb_error *err) {
    computed_scene own = {.verb = verb,
                          .duration_s = duration_s,
                          .calls = calls,
                          .user = live->user};
    sb_host_def def = *live;
    def.is_live = def.watches = def.parks_errors = false;
    def.print = print_nothing; /* the script prints when it is played */
    def.deform.how = SB_DEFORM_RESUME;
    def.deform.must_stop = interrupt_flag();
    sb_status status = open_host(path, &def, &own.host, err);
    if (status) return status;
    sb_scene *scene = sb_host_scene(own.host);
    sb_scene_deform_said(scene); /* that it begins at 0 s is no news here */
    complain(verb, "deformable bodies cannot be computed live: they are "
                   "computed first, then played");
    deform_work_begin(&own.work, verb, scene, duration_s);
    calls->begin(own.user, own.host);
    sb_host_hooks hooks = {
        .after = after_step, .must_stop = must_stop, .user = &own};
    sb_span span = {duration_s, -80.0, DEFORM_PLAY_LONGEST_S};
    sb_conduct_result result;
    status = sb_host_render(own.host, &hooks, &span, &result, err);
    progress_end();
    calls->end(own.user);
    bool is_over = !status && duration_s <= 0.0 && !result.was_cut;
    deform_work_end(&own.work, verb, scene, status, is_over);
    sb_host_close(own.host);
    return status;
}

/* Is there a journal that goes on for long enough? */
static bool is_enough(const sb_scene *scene, double duration_s) {
    sb_deform_info info = sb_scene_deform_info(scene);
    return info.is_over || (duration_s > 0.0 && info.ends_s >= duration_s);
}

sb_status deform_play_open(const char *verb, const char *path,
                           const sb_host_def *def, double duration_s,
                           const deform_play_calls *calls, sb_host **out,
                           sb_error *err) {
    sb_host_def live = *def;
    live.deform.how = SB_DEFORM_REPLAY;
    live.deform.may_miss = true;
    sb_status status = open_host(path, &live, out, err);
    if (status) return status;
    sb_scene *scene = sb_host_scene(*out);
    if (sb_scene_deformable_count(scene) == 0 || is_enough(scene, duration_s))
        return SB_OK;
    sb_host_close(*out);
    *out = NULL;
    status = compute(verb, path, def, duration_s, calls, err);
    if (status) return status;
    live.deform.may_miss = false;
    return open_host(path, &live, out, err);
}

void deform_play_tell(deform_play *play, const char *verb, sb_scene *scene) {
    sb_deform_info info = sb_scene_deform_info(scene);
    deform_work_tell(&play->work, verb, scene);
    if (!info.is_open || play->has_ended || info.time_s < info.ends_s) return;
    play->has_ended = true;
    announce(NULL,
             "deformable bodies were computed up to %.4g s; from here on "
             "they are silent",
             info.ends_s);
}
