/* The deformable bodies of a scene: their life, and what can be asked of them.
 * Control thread. */
#include "runtime/scene/deform/scene_deform.h"

#include "runtime/base/memory.h"
#include "runtime/scene/deform/deform_info.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <string.h>

int sb_scene_deformable_count(const sb_scene *scene) {
    int count = 0;
    for (int i = 0; i < scene->order_count; i++)
        count += scene->bodies[scene->order[i]].declared.def.is_deformable;
    return count;
}

int scene_deform_index(const sb_scene *scene, sb_body_id id) {
    const scene_deform *deform = scene->deform;
    for (int i = 0; deform && i < deform->body_count; i++) {
        if (deform->bodies[i].index == id.index &&
            deform->bodies[i].generation == id.generation)
            return i;
    }
    return -1;
}

void scene_deform_free(sb_scene *scene) {
    scene_deform *deform = scene->deform;
    if (!deform) return;
    journal_close(&deform->journal);
    journal_close(&deform->ahead);
    deform_tick_free(&deform->tick);
    deform_tick_free(&deform->ahead_tick);
    resample_free(&deform->sound);
    sb_free(deform->engine_frames);
    sb_free(deform->colliders);
    sb_free(deform->checkpoint.state);
    sb_free(deform->begin_state);
    sb_deform_destroy(deform->sim);
    sb_free(deform);
    scene->deform = NULL;
}

void scene_deform_commit(sb_scene *scene, bool is_changed) {
    if (!scene->deform || !is_changed) return;
    scene_deform_free(scene);
    scene->has_changed_deform = true;
}

/* A journal that is written ends here: a second beginning is not part of it. */
void scene_deform_restart(sb_scene *scene, double time_s) {
    scene_deform *deform = scene->deform;
    sb_error err;
    if (!deform) return;
    bool is_replay = deform->def.how == SB_DEFORM_REPLAY;
    if (!is_replay) journal_close(&deform->journal);
    if (is_replay &&
        (journal_rewind(&deform->journal) || journal_rewind(&deform->ahead)))
        deform->ahead_is_over = deform->motion_is_over = true;
    else
        deform->ahead_is_over = deform->motion_is_over = false;
    if (sb_deform_restore(deform->sim, deform->begin_state,
                          sb_deform_state_bytes(deform->sim), &err))
        deform->failure = err;
    else
        deform->failure = (sb_error){0};
    deform->resume_bytes = 0;
    deform->origin_s = time_s;
    deform->time_s = deform->busy_s = deform->pose_s = 0.0;
    deform->tick.time_s = deform->ahead_tick.time_s = 0.0;
    deform->tick.first = deform->tick.count = 0;
    deform->ear = scene->listener.position;
    sb_deform_set_ear(deform->sim, 0, deform->ear, (sb_vec3){0, 0, 0});
    resample_restart(&deform->sound);
}

/* --- what can be asked ---------------------------------------------------- */

sb_deform_info sb_scene_deform_info(const sb_scene *scene) {
    const scene_deform *deform = scene->deform;
    sb_deform_info info = {.is_changed = scene->has_changed_deform};
    if (!deform || !deform->sim) return info;
    info.is_open = true;
    info.how = deform->def.how;
    info.cost = sb_deform_cost_of(deform->sim);
    info.body_count = deform->body_count;
    info.time_s = deform->origin_s + deform->time_s;
    info.resumed_s = deform->resumed_s;
    info.kept_s = deform->kept_s;
    info.computed_s = deform->computed_s;
    info.ends_s = deform->origin_s + deform->checkpoint.time_s;
    info.is_over = deform->checkpoint.is_over;
    info.lead_frames =
        deform->def.how == SB_DEFORM_REPLAY
            ? 0
            : sb_deform_lag_frames(deform->sim) + resample_lag(&deform->sound);
    info.failure = deform->failure;
    info.remark = deform->remark;
    return info;
}

sb_deform_limit sb_scene_deform_limit(const sb_scene *scene, int index,
                                      sb_body_id *body) {
    *body = scene->deform->bodies[index];
    return sb_deform_limit_of(scene->deform->sim, index);
}

void sb_scene_deform_said(sb_scene *scene) {
    scene->has_changed_deform = false;
    if (scene->deform) scene->deform->remark = (sb_error){0};
}

/* A body that moves faster than this as a whole is going somewhere. */
#define GOING_M_S 5e-3

bool sb_scene_deform_is_moving(const sb_scene *scene) {
    const scene_deform *deform = scene->deform;
    if (!scene_deform_is_on(scene)) return false;
    if (deform->def.how == SB_DEFORM_REPLAY) return !deform->motion_is_over;
    if (deform->busy_s > deform->time_s) return true;
    for (int i = 0; i < deform->body_count; i++) {
        if (sb_vec3_length(deform->tick.places[i].velocity_m_s) > GOING_M_S)
            return true;
    }
    return false;
}

bool sb_scene_deform_surface(const sb_scene *scene, int i,
                             sb_deform_surface *out) {
    const scene_deform *deform = scene->deform;
    if (!deform || !deform->sim || i < 0 || i >= deform->body_count)
        return false;
    int first = 0;
    for (int k = 0; k < i; k++)
        first += sb_deform_surface_nodes(deform->sim, k);
    *out = (sb_deform_surface){
        .body = deform->bodies[i],
        .time_s = deform->origin_s + deform->pose_s,
        .vertex_count = sb_deform_surface_nodes(deform->sim, i),
        .vertices = deform->tick.pose + (size_t)3 * (size_t)first};
    out->faces = sb_deform_surface_faces(deform->sim, i, &out->face_count);
    return true;
}
