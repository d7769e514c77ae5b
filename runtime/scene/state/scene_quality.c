/* Quality: what to drop when there is too much sound. Control thread. */
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/state.h"

sb_status sb_scene_set_quality(sb_scene *scene, const sb_quality_def *quality,
                               double time_s, sb_error *err) {
    sb_status status = sb_engine_set_quality(
        scene->engine, scene_frames(scene, time_s), quality, err);
    if (!status) scene->quality = *quality;
    return status;
}

sb_quality_def sb_scene_quality(const sb_scene *scene) {
    return scene->quality;
}

sb_voice_id sb_scene_voice(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->voice;
}
