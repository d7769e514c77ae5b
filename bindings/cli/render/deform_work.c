/* Says how the work on deformable bodies goes (deform_work.h). Control
 * thread. */
#include "bindings/cli/render/deform_work.h"

#include "bindings/cli/console/cli.h"
#include "runtime/base/clock.h"
#include "runtime/scene/deform/deform_info.h"

#include <math.h>
#include <stdio.h>

static void say(const char *verb, const char *text) {
    char line[SB_MESSAGE_SIZE + 160];
    (void)snprintf(line, sizeof line, "sandbell %s: %s", verb, text);
    report_line(NULL, line);
}

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

/* Nothing is heard of a sheet above what its elements resolve. */
static void say_limits(const char *verb, const sb_scene *scene, int count) {
    char line[SB_NAME_SIZE + 120];
    for (int i = 0; i < count; i++) {
        sb_body_id body;
        sb_deform_limit limit = sb_scene_deform_limit(scene, i, &body);
        if (!(limit.flat_hz < 16000.0)) continue;
        (void)snprintf(line, sizeof line,
                       "%s: sound up to %.0f Hz, which is what its elements "
                       "resolve; more elements for more",
                       sb_scene_body_name(scene, body), limit.flat_hz);
        say(verb, line);
    }
}

/* How much higher than that one was heard. */
static void say_bent(const char *verb, const sb_scene *scene, int count) {
    char line[SB_NAME_SIZE + 120];
    for (int i = 0; i < count; i++) {
        sb_body_id body;
        sb_deform_limit limit = sb_scene_deform_limit(scene, i, &body);
        if (!(limit.highest_hz > 1.01 * limit.flat_hz)) continue;
        (void)snprintf(line, sizeof line,
                       "%s: sound up to %.0f Hz while it was bent",
                       sb_scene_body_name(scene, body), limit.highest_hz);
        say(verb, line);
    }
}

void deform_work_begin(deform_work *work, const char *verb,
                       const sb_scene *scene, double duration_s) {
    sb_deform_info info = sb_scene_deform_info(scene);
    char line[320], one[24], all[24], total[48] = "";
    if (!info.is_open) return;
    int elements = info.cost.tet_count + info.cost.triangle_count;
    if (duration_s > 0.0)
        (void)snprintf(total, sizeof total, ", about %s in all",
                       span_of(duration_s * info.cost.seconds_per_s, all));
    (void)snprintf(line, sizeof line,
                   "deformable bodies: %d elements, %.0f steps per ms, %.0f "
                   "MB, about %s of processor time per second of sound%s",
                   elements, 1e-3 * info.cost.steps_per_s,
                   1e-6 * info.cost.bytes,
                   span_of(info.cost.seconds_per_s, one), total);
    say(verb, line);
    say_limits(verb, scene, info.body_count);
    work->began_s = sb_clock_s();
}

void deform_work_tell(deform_work *work, const char *verb, sb_scene *scene) {
    sb_deform_info info = sb_scene_deform_info(scene);
    char line[160];
    if (info.remark.status) say(verb, info.remark.message);
    if (info.is_changed)
        say(verb, "deformable bodies have changed and are silent: start the "
                  "scene again to compute them");
    if (info.is_open && info.resumed_s > 0.0 && !work->has_begun) {
        (void)snprintf(line, sizeof line,
                       "deformable bodies: read up to %.4g s, computed from "
                       "there on",
                       info.resumed_s);
        say(verb, line);
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
    char line[SB_MESSAGE_SIZE + 64];
    sb_error err;
    if (!info.is_open) return;
    work->has_failed = info.failure.status != SB_OK;
    if (work->has_failed) {
        (void)snprintf(line, sizeof line,
                       "%s; what was computed until then is "
                       "kept",
                       info.failure.message);
        say(verb, line);
    }
    if (info.how != SB_DEFORM_REPLAY) say_bent(verb, scene, info.body_count);
    sb_status kept =
        sb_scene_close_deform(scene, status == SB_OK && is_over, &err);
    if (kept) say(verb, err.message);
    if (status == SB_INTERRUPTED && !kept && info.kept_s > 0.0) {
        (void)snprintf(line, sizeof line,
                       "deformable bodies are kept up to %.4g s: the same "
                       "command with --resume goes on from there",
                       info.kept_s);
        say(verb, line);
    }
}
