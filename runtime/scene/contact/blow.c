/* Blows that may throw what lies on a body (world/shake.c). Control thread. */
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

static sb_body_id id_of(const sb_scene *scene, const scene_body *body) {
    return body ? scene_id_at(scene, (int)(body - scene->bodies))
                : (sb_body_id){0, 0};
}

void scene_blow_add(sb_scene *scene, const scene_impact *impact, int i,
                    const sb_impact_estimate *estimate, double time_s) {
    const impact_side *side = &impact->side[i];
    if (!scene->world || !side->rings || !(estimate->impulse_ns > 0.0)) return;
    int place = scene->blow_count;
    if (place == SCENE_BLOWS) {
        place = 0;
        for (int k = 1; k < SCENE_BLOWS; k++)
            if (scene->blows[k].impulse_ns < scene->blows[place].impulse_ns)
                place = k;
        if (scene->blows[place].impulse_ns >= estimate->impulse_ns) return;
    } else {
        scene->blow_count++;
    }
    scene->blows[place] =
        (scene_blow){.body = id_of(scene, side->body),
                     .striker = id_of(scene, impact->side[1 - i].body),
                     .point = side->point,
                     .direction = side->direction,
                     .has_direction = side->has_direction,
                     .impulse_ns = estimate->impulse_ns,
                     .duration_s = estimate->duration_s,
                     .time_s = time_s};
}
