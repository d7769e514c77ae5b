/* SPDX-License-Identifier: MIT */
/* Reads and fits measured ears. Control thread. */
#include "runtime/scene/state/head_change.h"

#include "runtime/base/memory.h"
#include "runtime/dsp/ears/head.h"
#include "runtime/media/sofa_file.h"
#include "runtime/scene/state/state.h"

sb_status scene_prepare_head(const sb_scene *scene, const sb_listener *listener,
                             scene_head_change *out, sb_error *err) {
    *out = (scene_head_change){.file = listener->file};
    if (listener->ears != SB_EARS_MEASURED) return SB_OK;
    if (scene->hear.delays &&
        sb_ears_file_is_same(&listener->file, &scene->hear.worn))
        return SB_OK;
    const char *path =
        *listener->file.path ? listener->file.path : sb_sofa_kemar();
    sb_sofa sofa;
    sb_status status = sb_sofa_read(&sofa, path, err);
    if (status) return status;
    sb_head_data data = {sofa.count,  sofa.frames,    sofa.rate_hz,
                         sofa.toward, sofa.responses, sofa.delays};
    out->delays = sb_alloc(1, sizeof *out->delays);
    if (out->delays)
        out->head = sb_head_make(&data, sb_engine_sample_rate(scene->engine),
                                 out->delays);
    sb_sofa_free(&sofa);
    if (out->head) return SB_OK;
    scene_drop_head(out);
    return sb_fail(err, SB_NO_MEMORY, "%s: out of memory", path);
}

void scene_drop_head(scene_head_change *change) {
    sb_free(change->head);
    sb_free(change->delays);
    change->head = NULL;
    change->delays = NULL;
}

void scene_wear_head(sb_scene *scene, scene_head_change *change,
                     double time_s) {
    if (!change->head) return;
    sb_free(scene->hear.delays);
    scene->hear.delays = change->delays;
    scene->hear.worn = change->file;
    sb_engine_set_head(scene->engine, scene_frames(scene, time_s),
                       change->head);
}
