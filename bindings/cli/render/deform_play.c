/* Computes deformable bodies before a scene is played (deform_play.h). Control
 * thread. */
#include "bindings/cli/render/deform_play.h"

#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/progress_bar.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/host/host.h"
#include "bindings/host/host_run.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/deform/deform_info.h"

#include <stdio.h>

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

static void print_nothing(void *user, const char *line) {
    (void)user, (void)line;
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
    (void)fprintf(stderr,
                  "sandbell %s: deformable bodies cannot be computed live: "
                  "they are computed first, then played\n",
                  verb);
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
    char line[160];
    play->has_ended = true;
    (void)snprintf(line, sizeof line,
                   "deformable bodies were computed up to %.4g s; from here on "
                   "they are silent",
                   info.ends_s);
    report_line(NULL, line);
}
