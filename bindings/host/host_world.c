#include "bindings/host/host_world.h"

#include "runtime/base/stop.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/world/scene_world.h"

#include <stdio.h>

/* Bodies that begin inside others are named this often. */
enum { MOST_OVERLAPS = 10 };

typedef struct visit {
    sb_world_reports *reports;
    const sb_scene *scene;
    sb_world_reporter *report;
    void *user;
} visit;

static void tell_overlap(void *user, sb_body_id first, sb_body_id second,
                         double depth_m) {
    const visit *self = user;
    char line[SB_OVERLAP_TEXT_SIZE];
    if (!sb_scene_has(self->scene, first) || !sb_scene_has(self->scene, second))
        return;
    int count = ++self->reports->overlap_count;
    if (count > MOST_OVERLAPS + 1) return;
    sb_scene_overlap_text(self->scene, first, second, depth_m, line);
    self->report(self->user, count <= MOST_OVERLAPS
                                 ? line
                                 : "more bodies begin inside others");
}

static void tell_lost(sb_scene *scene, sb_world_reporter *report, void *user) {
    sb_body_id id;
    char line[200];
    while (sb_scene_next_lost(scene, &id)) {
        (void)snprintf(line, sizeof line,
                       "body '%s' has left all bounds of the world; it is "
                       "stopped and not heard",
                       sb_scene_body_name(scene, id));
        report(user, line);
    }
}

void sb_world_reports_begin(sb_world_reports *self, sb_scene *scene) {
    if (self->has_begun) return;
    self->has_begun = true;
    (void)sb_scene_new_overlaps(scene, NULL, NULL);
}

void sb_world_reports_tell(sb_world_reports *self, sb_scene *scene,
                           sb_world_reporter *report, void *user) {
    visit to = {self, scene, report, user};
    tell_lost(scene, report, user);
    bool is_whole = sb_scene_new_overlaps(scene, tell_overlap, &to);
    if (!is_whole && !self->has_told_cut && !sb_stop_is_wanted()) {
        self->has_told_cut = true;
        report(user, "too many bodies are near each other: not all pairs are "
                     "checked for overlaps");
    }
    if (self->has_told_limit || !sb_scene_world_info(scene).was_limited) return;
    self->has_told_limit = true;
    report(user, "more bodies in one place than the world solves at once: some "
                 "pass through others for a while");
}

void sb_strike_reports_tell(sb_world_reports *self, const sb_engine *engine,
                            sb_world_reporter *report, void *user) {
    if (self->has_told_drops || sb_engine_read_stats(engine).crowded == 0)
        return;
    self->has_told_drops = true;
    report(user,
           "more strikes at once than the audio thread has time for: some "
           "are left out (sb.stats().dropped_strikes counts them)");
}

void sb_mute_reports_tell(sb_world_reports *self, const sb_scene *scene,
                          sb_engine *engine, sb_world_reporter *report,
                          void *user) {
    long long muted = sb_engine_read_stats(engine).muted;
    if (muted == self->muted) return;
    self->muted = muted;
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        char line[240];
        if (!sb_engine_take_muted(engine, sb_scene_voice(scene, id))) continue;
        (void)snprintf(line, sizeof line,
                       "body '%s' is muted: its sound is a million times full "
                       "scale or not a number; strike it less, or make its "
                       "modes quieter",
                       sb_scene_body_name(scene, id));
        report(user, line);
    }
}
