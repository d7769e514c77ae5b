/* Places on bodies: their axes, and the mode weights of a force there. */
#include "runtime/scene/plan/weigh.h"
#include "runtime/scene/state/state.h"

sb_model_point scene_model_point(const scene_body *body,
                                 const sb_place *place) {
    const sb_model *model = body->declared.model;
    if (place->is_usual) return sb_planned_usual_point(&body->declared);
    if (!place->has_point) return sb_model_point_at(model, place->u, place->v);
    return sb_model_nearest(model, scene_to_local(body, place).point);
}

sb_spot scene_spot(const scene_body *body, sb_model_point point) {
    const sb_model *model = body->declared.model;
    sb_vec3 normal = sb_vec3_scale(sb_model_normal(model, point), -1.0);
    sb_spot spot = {
        .point = sb_pose_to_world(&body->pose, sb_model_position(model, point)),
        .normal = sb_quat_turn(body->pose.rotation, normal),
        .has_uv = sb_model_has_uv(model)};
    if (spot.has_uv) sb_model_uv(model, point, &spot.u, &spot.v);
    return spot;
}

sb_spot sb_scene_spot(const sb_scene *scene, sb_body_id id,
                      const sb_place *place) {
    const scene_body *body = scene_body_of(scene, id);
    return scene_spot(body, scene_model_point(body, place));
}

void sb_scene_weights(const sb_scene *scene, sb_body_id id,
                      const sb_place *place, double *weights) {
    const scene_body *body = scene_body_of(scene, id);
    sb_place local = scene_to_local(body, place);
    sb_planned_weights(&body->declared, scene_model_point(body, place),
                       local.has_direction ? &local.direction : NULL, weights);
}

sb_place scene_to_local(const scene_body *body, const sb_place *place) {
    sb_place local = *place;
    if (place->is_local) return local;
    local.point = sb_pose_to_local(&body->pose, place->point);
    local.direction = sb_quat_turn_back(body->pose.rotation, place->direction);
    local.is_local = true;
    return local;
}

sb_place scene_to_world(const scene_body *body, const sb_place *place) {
    sb_place world = *place;
    if (!place->is_local) return world;
    world.point = sb_pose_to_world(&body->pose, place->point);
    world.direction = sb_quat_turn(body->pose.rotation, place->direction);
    world.is_local = false;
    return world;
}

static void weigh(const scene_body *body, const sb_planned *planned,
                  const sb_place *place, double *weights) {
    sb_place local = scene_to_local(body, place);
    sb_planned_weights(planned, scene_model_point(body, &local),
                       local.has_direction ? &local.direction : NULL, weights);
}

void scene_weights(const scene_body *body, const sb_place *place, double sign,
                   double *weights) {
    weigh(body, &body->declared, place, weights);
    for (int k = 0; k < sb_model_mode_count(body->declared.model); k++)
        weights[k] *= sign;
}

void scene_weights_between(const sb_scene *scene, const scene_body *body,
                           const sb_place *place, double sign, double share,
                           double *weights) {
    scene_weights(body, place, sign, weights);
    if (!body->faded || share <= 0.0) return;
    double *old = scene->weights + scene->weights_capacity;
    weigh(body, body->faded, place, old);
    for (int k = 0; k < sb_model_mode_count(body->declared.model); k++)
        weights[k] += share * (sign * old[k] - weights[k]);
}
