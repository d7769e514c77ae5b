/* Bodies of the same shape and material share one model: those in the scene,
 * and the last ones that left. A script that makes the same ring again and
 * again does not wait for its model each time. Control thread. */
#include "runtime/scene/state/state.h"

enum { MOST_LOOKED_AT = 64 };

const sb_planned *scene_twin(const sb_scene *scene, const sb_planned *planned) {
    for (int i = 0; i < SCENE_GONE; i++) {
        if (scene->gone[i].model &&
            sb_planned_is_same_vibration(&scene->gone[i], planned))
            return &scene->gone[i];
    }
    int last = scene->order_count - 1;
    for (int i = last; i >= 0 && i > last - MOST_LOOKED_AT; i--) {
        const sb_planned *other = &scene->bodies[scene->order[i]].declared;
        if (sb_planned_is_same_vibration(other, planned)) return other;
    }
    return NULL;
}

static bool is_remembered(const sb_scene *scene, const sb_planned *planned) {
    for (int i = 0; i < SCENE_GONE; i++) {
        if (scene->gone[i].model == planned->model) return true;
    }
    return false;
}

void scene_remember(sb_scene *scene, sb_planned *planned) {
    if (!planned->model || sb_model_mode_count(planned->model) == 0 ||
        is_remembered(scene, planned)) {
        sb_planned_free(planned);
        return;
    }
    sb_planned *place = &scene->gone[scene->gone_next];
    scene->gone_next = (scene->gone_next + 1) % SCENE_GONE;
    sb_planned_free(place);
    *place = *planned;
    *planned = (sb_planned){0};
    /* A model depends on shape and material only. */
    sb_planned_strip(place);
}

void scene_forget_gone(sb_scene *scene) {
    for (int i = 0; i < SCENE_GONE; i++)
        sb_planned_free(&scene->gone[i]);
}
