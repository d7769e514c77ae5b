/* SPDX-License-Identifier: MIT */
/* What stands between bodies and listener: seen when something moves, and heard
 * from the first frame on. Control thread. */
#include "runtime/deform/deform.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

/* Places of a deformable body that are looked at. */
enum { PATCHES = 16 };
#define GOLDEN 0.6180339887498949

/* Some places spread over the surface of a deformable body, or its own place. */
static int places_of(const sb_scene *scene, sb_body_id id,
                     sb_vec3 out[PATCHES]) {
    const scene_deform *deform = scene->deform;
    int index = deform && deform->sim ? scene_deform_index(scene, id) : -1;
    out[0] = scene_body_of(scene, id)->pose.position;
    if (index < 0) return 1;
    const float *from = deform->tick.pose;
    for (int i = 0; i < index; i++)
        from += 3 * (size_t)sb_deform_surface_nodes(deform->sim, i);
    int count = sb_deform_surface_nodes(deform->sim, index);
    for (int i = 0; i < PATCHES; i++) {
        double share = fmod((i + 1) * GOLDEN, 1.0);
        const float *p = from + 3 * (size_t)(share * count);
        out[i] = (sb_vec3){(double)p[0], (double)p[1], (double)p[2]};
    }
    return PATCHES;
}

static sb_shade shade_of(const sb_scene *scene, sb_body_id id) {
    const sb_listener *listener = &scene->hear.listener;
    double energy[SB_SHADE_BANDS] = {0}, gain[SB_SHADE_BANDS];
    sb_vec3 places[PATCHES];
    int count = places_of(scene, id, places);
    for (int i = 0; i < count; i++) {
        sb_world_shade(scene->world->world, places[i], listener->position,
                       scene_body_of(scene, id)->user,
                       sb_air_speed(&listener->air), gain);
        for (int k = 0; k < SB_SHADE_BANDS; k++)
            energy[k] += gain[k] * gain[k] / count;
    }
    return (sb_shade){1.0 - sqrt(energy[0]), 1.0 - sqrt(energy[1])};
}

void scene_occlude(sb_scene *scene, bool has_moved, double time_s) {
    scene_world *world = scene->world;
    sb_vec3 ear = scene->hear.listener.position;
    bool is_wanted = scene->declared.world.occludes;
    bool is_same = is_wanted == world->has_looked && !has_moved &&
                   is_zero(sb_vec3_sub(ear, world->looked_from));
    if (is_same || (!is_wanted && !world->has_looked)) return;
    for (int i = 0; i < scene->order_count; i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        scene_body *body = scene_body_of(scene, id);
        if (!sb_engine_has_voice(scene->engine, body->voice)) continue;
        sb_shade shade = is_wanted ? shade_of(scene, id) : (sb_shade){0};
        sb_leg leg;
        if (world->has_looked && has_moved &&
            scene_world_leg(scene, id, 0.0, 1.0, &leg)) {
            body->shade = shade; /* reached at the end of the leg to be sent */
            continue;
        }
        /* When out of memory, it does not change. */
        sb_status status =
            scene_shade(scene, body, shade, time_s, !world->has_looked, NULL);
        (void)status;
    }
    world->has_looked = is_wanted;
    world->looked_from = ear;
    world->looked_count = scene->order_count + world->solid_count;
}

sb_status scene_look(sb_scene *scene, double from_s, sb_error *err) {
    if (!scene->declared.world.occludes) return SB_OK;
    sb_status status = scene_world_ensure(scene, from_s, err);
    if (status) return status;
    bool is_other = scene->world->looked_count !=
                    scene->order_count + scene->world->solid_count;
    if (!scene->world->has_looked || is_other)
        scene_occlude(scene, true, from_s);
    return SB_OK;
}
