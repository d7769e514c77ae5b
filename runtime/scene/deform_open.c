/* Opens and closes the deformable bodies of a scene with their journal.
 * Control thread. */
#include "runtime/base/memory.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/world/scene_world_state.h"

/* From the beginning; without a journal if it cannot be written. */
static void begin_journal(scene_deform *deform) {
    sb_error reason;
    if (!deform->def.journal) return;
    if (journal_create(&deform->journal, deform->def.journal, &deform->sizes,
                       &reason))
        (void)sb_fail(&deform->remark, reason.status,
                      "%.400s: the work can be done, but not resumed",
                      reason.message);
}

static sb_status open_resumed(scene_deform *deform, sb_error *err) {
    sb_error reason;
    const char *path = deform->def.journal;
    if (!path)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "--resume: there is no cache, so nothing was kept "
                       "(SANDBELL_CACHE)");
    sb_status status =
        journal_find_mark(path, &deform->sizes, &deform->checkpoint, &reason);
    if (!status)
        status =
            journal_open(&deform->journal, path, &deform->sizes, true, &reason);
    if (status) {
        (void)sb_fail(&deform->remark, SB_NOT_FOUND,
                      "--resume: no checkpoint of this scene was found, so it "
                      "begins at 0 s");
        begin_journal(deform);
        return SB_OK;
    }
    deform->resume_bytes = deform->checkpoint.journal_bytes;
    return SB_OK;
}

static sb_status open_replay(scene_deform *deform, sb_error *err) {
    const char *path = deform->def.journal;
    if (!path)
        return sb_fail(err, SB_IO_ERROR,
                       "deformable bodies are played from the cache, and there "
                       "is none (SANDBELL_CACHE)");
    sb_status status =
        journal_find_mark(path, &deform->sizes, &deform->checkpoint, err);
    if (!status)
        status =
            journal_open(&deform->journal, path, &deform->sizes, false, err);
    if (!status)
        status = journal_open(&deform->ahead, path, &deform->sizes, false, err);
    return status;
}

static sb_status open_all(sb_scene *scene, sb_error *err) {
    scene_deform *deform = scene->deform;
    sb_status status = scene_world_colliders(scene, deform, err);
    if (!status) status = scene_deform_make(scene, deform, err);
    scene_world_free_faces(deform);
    if (status) return status;
    if (deform->def.how == SB_DEFORM_RESUME) return open_resumed(deform, err);
    if (deform->def.how == SB_DEFORM_REPLAY) return open_replay(deform, err);
    begin_journal(deform);
    return SB_OK;
}

sb_status sb_scene_open_deform(sb_scene *scene, const sb_scene_deform_def *def,
                               sb_error *err) {
    int count = sb_scene_deformable_count(scene);
    if (count == 0 || def->how == SB_DEFORM_NOT) return SB_OK;
    if (count > SB_DEFORM_BODIES)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a scene has at most %d deformable bodies, got %d",
                       (int)SB_DEFORM_BODIES, count);
    scene->deform = sb_alloc(1, sizeof *scene->deform);
    if (!scene->deform)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    scene->deform->def = *def;
    scene->deform->inputs = 0xcbf29ce484222325u;
    sb_status status = open_all(scene, err);
    if (status) scene_deform_free(scene);
    bool is_missing = status == SB_NOT_FOUND || status == SB_BAD_FORMAT;
    return def->may_miss && is_missing ? SB_OK : status;
}

sb_status sb_scene_close_deform(sb_scene *scene, bool is_over, sb_error *err) {
    scene_deform *deform = scene->deform;
    sb_status status = SB_OK;
    if (!deform) return SB_OK;
    if (deform->def.how != SB_DEFORM_REPLAY && deform->resume_bytes == 0) {
        scene_deform_mark(deform, is_over);
        if (deform->remark.status)
            status = sb_fail(err, deform->remark.status, "%s",
                             deform->remark.message);
    }
    scene_deform_free(scene);
    return status;
}
