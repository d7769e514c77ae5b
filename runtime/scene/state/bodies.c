/* SPDX-License-Identifier: MIT */
/* Bodies of the scene: found by id and name, places on them, models shared with
 * those that are alike or gone; and the limits for the amount of sound. Control
 * thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/model/clicks.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/state.h"

#include <assert.h>

static const char *name_at(const void *owner, int place) {
    return ((const sb_scene *)owner)->bodies[place].declared.name;
}

int scene_find(const sb_scene *scene, const char *name) {
    return sb_names_find(&scene->names, name, name_at, scene);
}

sb_body_id scene_id_at(const sb_scene *scene, int place) {
    return (sb_body_id){(uint32_t)place, scene->bodies[place].generation};
}

sb_body_id sb_scene_find(const sb_scene *scene, const char *name) {
    int place = scene_find(scene, name);
    return place == SB_NO_NAME ? (sb_body_id){0, 0} : scene_id_at(scene, place);
}

bool sb_scene_has(const sb_scene *scene, sb_body_id id) {
    return (id.generation & 1) && id.index < (uint32_t)scene->body_count &&
           scene->bodies[id.index].generation == id.generation;
}

scene_body *scene_body_of(const sb_scene *scene, sb_body_id id) {
    assert(sb_scene_has(scene, id));
    return &scene->bodies[id.index];
}

sb_status scene_check_body(const sb_scene *scene, sb_body_id id,
                           sb_error *err) {
    if (sb_scene_has(scene, id)) return SB_OK;
    return sb_fail(err, SB_STALE_HANDLE, "this body has been removed");
}

sb_status scene_check_modal(const sb_scene *scene, sb_body_id id,
                            const char *what, sb_error *err) {
    const sb_planned *declared = &scene_body_of(scene, id)->declared;
    if (!declared->def.is_deformable) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s' is deformable, and %s needs a body of modes: "
                   "body:linear() makes one of the same shape",
                   declared->name, what);
}

uint64_t sb_scene_event_count(const sb_scene *scene) {
    return scene->event_count;
}

int sb_scene_body_count(const sb_scene *scene) {
    return scene->order_count;
}

sb_body_id sb_scene_body_at(const sb_scene *scene, int i) {
    return scene_id_at(scene, scene->order[i]);
}

const char *sb_scene_body_name(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->declared.name;
}

const sb_model *sb_scene_body_model(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->declared.model;
}

const sb_planned *sb_scene_body_planned(const sb_scene *scene, sb_body_id id) {
    return &scene_body_of(scene, id)->declared;
}

double sb_scene_body_gain(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->gain;
}

double scene_frames(const sb_scene *scene, double time_s) {
    return time_s * sb_engine_sample_rate(scene->engine);
}

sb_pose scene_declared_pose(const sb_planned *planned) {
    const sb_motion_part *moves = &planned->def.moves;
    return (sb_pose){planned->def.position, moves->rotation, moves->velocity,
                     moves->spin};
}

void scene_discretise(const sb_scene *scene, const sb_planned *planned,
                      sb_bank_mode *modes) {
    sb_discretisation how = planned->def.discretisation;
    double rate_hz = sb_engine_sample_rate(scene->engine);
    if (how == SB_DISCRETISE_EXACT) return;
    for (int k = 0; k < sb_model_mode_count(planned->model); k++) {
        sb_played_mode played = sb_discretise(how, modes[k].omega_rad_s,
                                              modes[k].sigma_per_s, rate_hz);
        /* The bank mutes what is above the Nyquist frequency. */
        modes[k].omega_rad_s =
            played.is_silent ? SB_TAU * rate_hz : played.omega_rad_s;
        if (!played.is_silent) modes[k].sigma_per_s = played.sigma_per_s;
    }
}

sb_bank_mode *scene_bank_modes(const sb_planned *planned) {
    int count = sb_model_mode_count(planned->model);
    const sb_mode *from = sb_model_modes(planned->model);
    int yields = sb_planned_yield_count(planned);
    sb_click clicks[SB_CLICKS_MOST];
    (void)sb_model_clicks(planned->model, clicks);
    sb_bank_mode *modes =
        sb_alloc((size_t)(count + SB_BEHIND_MOST), sizeof *modes);
    for (int i = 0; modes && i < sb_planned_click_count(planned); i++)
        modes[count + yields + i] =
            (sb_bank_mode){SB_TAU * clicks[i].freq_hz, clicks[i].sigma_per_s,
                           clicks[i].radiation};
    for (int i = 0; modes && i < yields; i++) {
        const sb_yield_mode *yield = &planned->noise->yields[i];
        modes[count + i] = (sb_bank_mode){SB_TAU * yield->freq_hz,
                                          yield->sigma_per_s, yield->radiation};
    }
    for (int k = 0; modes && k < count; k++) {
        modes[k] = (sb_bank_mode){SB_TAU * from[k].freq_hz, from[k].sigma_per_s,
                                  from[k].radiation};
        if (planned->kept && planned->kept[k]) modes[k].out_gain = 0.0;
    }
    return modes;
}

/* Dipoles along the axes of the clicks. */
static void aim_clicks(const sb_planned *planned, sb_pattern *patterns,
                       float (*coefs)[2]) {
    enum { COEFS = 4 };
    sb_click clicks[SB_CLICKS_MOST];
    (void)sb_model_clicks(planned->model, clicks);
    for (int i = 0; i < sb_planned_click_count(planned); i++) {
        float(*own)[2] = coefs + (size_t)(COEFS * i);
        double g = clicks[i].radiation;
        own[1][0] = (float)(g * clicks[i].axis.y); /* of harmonics.h */
        own[2][0] = (float)(g * clicks[i].axis.z);
        own[3][0] = (float)(g * clicks[i].axis.x);
        patterns[i] = (sb_pattern){.order = 1, .coefs = (const float(*)[2])own};
    }
}

bool scene_patterns(const sb_planned *planned, sb_pattern **out) {
    enum { COEFS = 4 * SB_CLICKS_MOST };
    const sb_pattern *own = sb_model_patterns(planned->model);
    int modes = sb_model_mode_count(planned->model);
    int clicks = sb_planned_click_count(planned);
    int before = modes + sb_planned_yield_count(planned);
    *out = NULL;
    if (!own && clicks == 0) return true;
    size_t bytes = (size_t)(before + clicks) * sizeof **out;
    char *block = sb_alloc(1, bytes + COEFS * sizeof(float[2]));
    if (!block) return false;
    *out = (sb_pattern *)(void *)block;
    for (int k = 0; k < before; k++)
        (*out)[k] = own && k < modes ? own[k] : (sb_pattern){.order = -1};
    aim_clicks(planned, *out + before, (float(*)[2])(void *)(block + bytes));
    return true;
}

/* --- places on bodies, and mode weights there ---------------------------- */

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
    sb_planned_turn(&body->declared, sign, weights);
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

/* --- models that are shared ---------------------------------------------- */

enum { MOST_LOOKED_AT = 64 };

const sb_planned *scene_twin(const sb_scene *scene, const sb_planned *planned) {
    for (int i = 0; i < SCENE_GONE; i++) {
        if (scene->gone.bodies[i].model &&
            sb_planned_is_same_vibration(&scene->gone.bodies[i], planned))
            return &scene->gone.bodies[i];
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
        if (scene->gone.bodies[i].model == planned->model) return true;
    }
    return false;
}

void scene_remember(sb_scene *scene, sb_planned *planned) {
    if (!planned->model || sb_model_mode_count(planned->model) == 0 ||
        is_remembered(scene, planned)) {
        sb_planned_free(planned);
        return;
    }
    sb_planned *place = &scene->gone.bodies[scene->gone.next];
    scene->gone.next = (scene->gone.next + 1) % SCENE_GONE;
    sb_planned_free(place);
    *place = *planned;
    *planned = (sb_planned){0};
    /* A model depends on shape and material only. */
    sb_planned_strip(place);
}

void scene_forget_gone(sb_scene *scene) {
    for (int i = 0; i < SCENE_GONE; i++)
        sb_planned_free(&scene->gone.bodies[i]);
}

/* --- quality ------------------------------------------------------------- */

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
