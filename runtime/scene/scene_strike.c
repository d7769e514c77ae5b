/* The scene's strikes: what a blow is to this body at this place, and what came
 * of it. */
#include "runtime/scene/scene.h"

#include "runtime/base/memory.h"
#include "runtime/scene/diffuse_part.h"
#include "runtime/scene/scene_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TWO_PI 6.283185307179586

/* Of the world, downwards. */
#define GRAVITY_M_S2 9.81

/* A striker that will not stop bouncing is let go of. */
#define BOUNCING_S 10.0

/* However much it loses, it comes off again. */
#define LEAST_KEPT 0.05

sb_spot scene_spot(const scene_body *body, const sb_place *place) {
    const sb_model *model = body->declared.model;
    if (!place->has_point) return sb_model_spot(model, place->u, place->v);
    return sb_model_nearest(model, sb_vec3_sub(place->point, body->position));
}

void sb_scene_weights(const sb_scene *scene, sb_body_id id,
                      const sb_place *place, double *weights) {
    const scene_body *body = scene_body_of(scene, id);
    sb_model_weights(body->declared.model, scene_spot(body, place),
                     place->has_direction ? &place->direction : NULL, weights);
}

/* Contact springs of bodies of no stated material: the stiffest there is for a
 * rigid one, something like hard wood for modes given by hand. */
#define RIGID_HARDNESS 1e12
#define GIVEN_HARDNESS 1e8

static double hardness_of(const sb_body_def *def) {
    if (def->has_material) return def->material.hardness;
    return def->shape.kind == SB_SHAPE_RIGID ? RIGID_HARDNESS : GIVEN_HARDNESS;
}

/* How much the modes give way to a blow with the weights in scene->weights. */
static double modes_yield(const sb_scene *scene, const sb_model *model,
                          double duration_s) {
    const sb_mode *modes = sb_model_modes(model);
    double sum = 0.0;
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        sum += sb_blow_mode_yield(duration_s, scene->weights[k],
                                  TWO_PI * modes[k].freq_hz);
    }
    return sum;
}

/* --- reports ---------------------------------------------------------------- */

void sb_scene_want_impacts(sb_scene *scene, bool are_wanted) {
    scene->wants_impacts = are_wanted;
}

/* A label for the pair, new or known; 0 when nobody wants one. */
static sb_status label_of(sb_scene *scene, const char *body,
                          const char *striker, sb_contact_model model,
                          uint32_t *out, sb_error *err) {
    *out = 0;
    if (!scene->wants_impacts) return SB_OK;
    for (int i = 0; i < scene->pair_count; i++) {
        const scene_pair *pair = &scene->pairs[i];
        if (pair->model == model && strcmp(pair->body, body) == 0 &&
            strcmp(pair->striker, striker) == 0) {
            *out = (uint32_t)i + 1;
            return SB_OK;
        }
    }
    if (!sb_grow((void **)&scene->pairs, &scene->pair_capacity,
                 scene->pair_count + 1, sizeof *scene->pairs)) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for one more name");
    }
    scene_pair *pair = &scene->pairs[scene->pair_count++];
    (void)snprintf(pair->body, sizeof pair->body, "%s", body);
    (void)snprintf(pair->striker, sizeof pair->striker, "%s", striker);
    pair->model = model;
    *out = (uint32_t)scene->pair_count;
    return SB_OK;
}

static bool next_record(sb_scene *scene, sb_impact_record *out) {
    if (sb_engine_next_impact(scene->engine, out)) return true;
    if (scene->unheard_first == scene->unheard_count) return false;
    *out = scene->unheard[scene->unheard_first++];
    if (scene->unheard_first == scene->unheard_count)
        scene->unheard_first = scene->unheard_count = 0;
    return true;
}

bool sb_scene_next_impact(sb_scene *scene, sb_scene_impact *out) {
    sb_impact_record record;
    if (!next_record(scene, &record)) return false;
    const scene_pair *pair = &scene->pairs[record.label - 1];
    *out = (sb_scene_impact){
        .time_s = record.time_frames / sb_engine_sample_rate(scene->engine),
        .body = pair->body,
        .striker = pair->striker,
        .model = pair->model,
        .record = record,
    };
    return true;
}

/* What is known of a force beforehand. */
static sb_impact_record foretell(const sb_blow_result *r, double inverse_mass) {
    sb_impact_record told = {.duration_s = r->duration_s,
                             .impulse_ns = r->impulse_ns,
                             .peak_force_n = r->peak_force_n,
                             .speed_in_m_s = r->speed_m_s,
                             .restitution = -1.0};
    if (r->speed_m_s > 0.0) {
        told.speed_out_m_s =
            r->impulse_ns * (1.0 / r->mass_kg + inverse_mass) - r->speed_m_s;
        told.restitution = told.speed_out_m_s / r->speed_m_s;
    }
    return told;
}

/* --- bodies without a voice --------------------------------------------------- */

static sb_status note(sb_scene *scene, sb_impact_record record, double frames,
                      sb_error *err) {
    if (!sb_grow((void **)&scene->unheard, &scene->unheard_capacity,
                 scene->unheard_count + 1, sizeof *scene->unheard)) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for one more impact");
    }
    record.time_frames += frames;
    scene->unheard[scene->unheard_count++] = record;
    return SB_OK;
}

/* Play it here and now: nobody else will. The wall is one mode that nothing
 * drives. */
static sb_status play_on_wall(sb_scene *scene, sb_striker striker,
                              double frames, sb_error *err) {
    static const float weights[64];
    double rate = sb_engine_sample_rate(scene->engine);
    sb_bank_mode mute = {1.0, 1.0, 0.0};
    _Alignas(64) char bank_memory[8192], field_memory[2048];
    sb_modal_field field;
    if (sb_modal_bank_bytes(1) > sizeof bank_memory ||
        sb_modal_field_bytes(1) > sizeof field_memory) {
        return sb_fail(err, SB_NO_MEMORY, "no room for a wall");
    }
    sb_modal_bank *bank = sb_modal_bank_init(bank_memory, 1, rate);
    sb_status status = sb_modal_bank_set_modes(bank, &mute, 1);
    sb_modal_field_init(&field, field_memory, 1);
    sb_striker *one = &striker;
    striker.weights = weights;
    sb_striker_prepare(&striker, 1, rate);
    for (double at = frames; !status && striker.phase != SB_STRIKER_OVER;
         at += SB_BLOCK_FRAMES) {
        float out[SB_BLOCK_FRAMES] = {0};
        sb_impact_log log;
        log.count = log.lost = 0;
        if (sb_strikers_look(&one, 1, bank, 1.0 / rate)) {
            sb_modal_field_load(&field, bank, sb_strikers_parts(&one, 1));
            sb_strikers_play(&one, 1, &field, out, &log);
        }
        sb_strikers_fly(&one, 1, bank, 1.0 / rate);
        for (int i = 0; i < log.count && !status; i++)
            status = note(scene, log.items[i], at, err);
    }
    return status;
}

/* --- the strike --------------------------------------------------------------- */

/* Everything a strike needs to know about its place. */
typedef struct target {
    const scene_body *body;
    const sb_model *model;
    sb_spot spot;
    const sb_vec3 *direction; /* or NULL */
    double inverse_mass;
    uint32_t label;
} target;

static const sb_material *material_of(const scene_body *body) {
    /* Modes given by hand say nothing of a surface; take hard wood. */
    const sb_body_def *def = &body->declared.def;
    if (def->has_material) return &def->material;
    return def->shape.kind == SB_SHAPE_RIGID ? NULL : sb_material_find("oak");
}

/* A rigid body of no size is an ideal half-space: it stays where it is. */
static bool is_half_space(const scene_body *body) {
    const sb_shape *shape = &body->declared.def.shape;
    return shape->kind == SB_SHAPE_RIGID && shape->radius <= 0.0;
}

/* How much of the world's gravity pulls along the blow. */
static double gravity_along(const target *at, const sb_blow *blow) {
    if (blow->has_gravity) return blow->gravity_m_s2;
    sb_vec3 way = at->direction
                      ? *at->direction
                      : sb_vec3_scale(sb_model_normal(at->model, at->spot), -1);
    double length = sb_vec3_length(way);
    return length > 0.0 ? -GRAVITY_M_S2 * way.y / length : 0.0;
}

static sb_status send(sb_scene *scene, const target *at,
                      const sb_blow_result *result, const sb_striker *striker,
                      double time_s, sb_error *err) {
    double frames = scene_frames(scene, time_s);
    sb_impact_record told = foretell(result, at->inverse_mass);
    told.label = at->label;
    if (sb_model_mode_count(at->model) > 0) {
        sb_strike_def def = {.impulse_ns = result->impulse_ns,
                             .duration_s = result->duration_s,
                             .weights = scene->weights,
                             .striker = striker,
                             .told = told};
        return sb_engine_strike(scene->engine, at->body->voice, frames, &def,
                                err);
    }
    if (at->label == 0) return SB_OK;
    if (!striker) return note(scene, told, frames, err);
    sb_striker copy = *striker;
    copy.label = at->label;
    return play_on_wall(scene, copy, frames, err);
}

static sb_blow_result yield(const sb_scene *scene, const target *at,
                            const sb_blow *blow, sb_blow_result result) {
    if (sb_model_mode_count(at->model) == 0) return result;
    sb_model_weights(at->model, at->spot, at->direction, scene->weights);
    double modes = modes_yield(scene, at->model, result.duration_s);
    return sb_blow_yield(blow, result, at->inverse_mass, modes);
}

/* Modes that are heard as noise are not there to be pushed, but what they would
 * have taken from the striker in its first contact is lost all the same. They
 * are so many that they resist as a dashpot does: of its speed it keeps
 * (1 - m Y) / (1 + m Y), Y being the sum of what they yield. */
static void lose_to_noise(const sb_scene *scene, const target *at,
                          const sb_blow_result *result, sb_hertz *hertz) {
    const sb_mode *modes = sb_model_modes(at->model);
    double yields = 0.0, mass = 1.0 / (1.0 / hertz->mass_kg + at->inverse_mass);
    for (int k = sb_planned_mode_count(&at->body->declared);
         k < sb_model_mode_count(at->model); k++) {
        yields += sb_blow_mode_yield(result->duration_s, scene->weights[k],
                                     TWO_PI * modes[k].freq_hz);
    }
    if (!(yields > 0.0) || result->speed_m_s <= 0.0) return;
    double kept =
        fmax((1.0 - mass * yields) / (1.0 + mass * yields), LEAST_KEPT);
    double low = 0.0, high = 1e3;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (sb_blow_restitution(middle) > kept) {
            low = middle;
        } else {
            high = middle;
        }
    }
    hertz->law.lambda += low * hertz->law.stiffness / result->speed_m_s;
}

static sb_status press(sb_scene *scene, const target *at, const sb_blow *blow,
                       double time_s, sb_blow_result *out, sb_error *err) {
    sb_hertz hertz = sb_blow_hertz(blow, material_of(at->body));
    sb_blow_result result = sb_blow_press(blow, &hertz, at->inverse_mass);
    result = yield(scene, at, blow, result);
    *out = result;
    if (result.speed_m_s <= 0.0) return SB_OK;
    if (sb_model_mode_count(at->model) > 0)
        lose_to_noise(scene, at, &result, &hertz);
    sb_striker striker = {
        .law = hertz.law,
        .is_kmethod = sb_blow_model(blow) == SB_CONTACT_KMETHOD,
        .mass_kg = hertz.mass_kg,
        .inverse_mass = at->inverse_mass,
        .speed_m_s = result.speed_m_s,
        .gravity_m_s2 = gravity_along(at, blow),
        .limit_s = BOUNCING_S,
    };
    return send(scene, at, &result, &striker, time_s, err);
}

sb_status sb_scene_strike(sb_scene *scene, sb_body_id id, const sb_place *place,
                          const sb_blow *blow, double time_s,
                          sb_blow_result *out, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (status) return status;
    const scene_body *body = scene_body_of(scene, id);
    sb_contact_model model = sb_blow_model(blow);
    target at = {.body = body,
                 .model = body->declared.model,
                 .spot = scene_spot(body, place),
                 .direction = place->has_direction ? &place->direction : NULL};
    status = label_of(scene, body->declared.name, blow->name ? blow->name : "",
                      model, &at.label, err);
    if (status) return status;
    at.inverse_mass = sb_model_inverse_mass(at.model, at.spot, at.direction);
    sb_blow_result result;
    if (sb_contact_is_nonlinear(model)) {
        if (is_half_space(body)) at.inverse_mass = 0.0;
        status = press(scene, &at, blow, time_s, &result, err);
    } else {
        result = sb_blow_strike(blow, at.inverse_mass,
                                hardness_of(&body->declared.def));
        result = yield(scene, &at, blow, result);
        status = send(scene, &at, &result, NULL, time_s, err);
    }
    if (!status) *out = result;
    return status;
}
