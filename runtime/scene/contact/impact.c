/* SPDX-License-Identifier: MIT */
/* Hands impacts to the engine: weights of both sides, yield of their modes, and
 * the known pulse or the pressing mass. Control thread. */
#include "runtime/scene/contact/impact.h"

#include "runtime/base/pi.h"
#include "runtime/engine/impact_def.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

impact_side scene_impact_side(scene_body *body, const sb_place *place) {
    sb_place local = scene_to_local(body, place);
    return (impact_side){.body = body,
                         .point = scene_model_point(body, &local),
                         .direction = local.direction,
                         .has_direction = local.has_direction,
                         .rings = sb_planned_rings(&body->declared)};
}

static const sb_vec3 *direction_of(const impact_side *side) {
    return side->has_direction ? &side->direction : NULL;
}

double scene_impact_inverse_mass(const impact_side *side) {
    return sb_model_inverse_mass(side->body->declared.model, side->point,
                                 direction_of(side));
}

void scene_side_weigh(const impact_side *side, double *weights) {
    sb_planned_weights(&side->body->declared, side->point, direction_of(side),
                       weights);
}

void scene_impact_weigh(const sb_scene *scene, scene_impact *impact) {
    for (int i = 0; i < 2; i++) {
        impact_side *side = &impact->side[i];
        if (!side->rings || side->weights) continue;
        double *weights =
            scene->weights + (size_t)i * (size_t)scene->weights_capacity;
        scene_side_weigh(side, weights);
        side->weights = weights;
    }
}

double scene_modes_yield(const sb_planned *planned, const double *weights,
                         int first, bool has_others, double duration_s) {
    const sb_mode *modes = sb_model_modes(planned->model);
    int count = sb_model_mode_count(planned->model);
    double sum = 0.0;
    for (int k = first; k < count; k++)
        sum += sb_impact_mode_yield(duration_s, weights[k],
                                    SB_TAU * modes[k].freq_hz);
    for (int i = 0; has_others && i < sb_planned_yield_count(planned); i++)
        sum += sb_impact_mode_yield(duration_s, weights[count + i],
                                    SB_TAU * planned->noise->yields[i].freq_hz);
    return sum;
}

double scene_impact_modes_yield(const scene_impact *impact, double duration_s) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const impact_side *side = &impact->side[i];
        if (side->rings)
            sum += scene_modes_yield(&side->body->declared, side->weights, 0,
                                     true, duration_s);
    }
    return sum;
}

static sb_status play(sb_scene *scene, const scene_impact *impact, int i,
                      sb_impact_def *def, sb_error *err) {
    def->weights = impact->side[i].weights;
    return sb_engine_strike(scene->engine, impact->side[i].body->voice,
                            impact->frames, def, err);
}

sb_status scene_impact_push(sb_scene *scene, const scene_impact *impact,
                            double impulse_ns, double duration_s,
                            const sb_impact_record *record, sb_error *err) {
    sb_status status = SB_OK;
    for (int n = 0; n < 2 && !status; n++) {
        int i = n == 0 ? impact->first : 1 - impact->first;
        if (!impact->side[i].rings) continue;
        sb_impact_def def = {.impulse_ns = impulse_ns,
                             .duration_s = duration_s,
                             .record = *record};
        bool reports = i == impact->reporter;
        def.record.label = reports ? impact->label : 0;
        def.is_watched = reports && impact->is_watched;
        status = play(scene, impact, i, &def, err);
    }
    return status;
}

/* The weights of the second side toward the first: against the direction in
 * which the contact pushes it. */
static const double *turned(const sb_scene *scene, const impact_side *side) {
    const sb_planned *planned = &side->body->declared;
    double *weights =
        scene->weights + (size_t)2 * (size_t)scene->weights_capacity;
    for (int k = 0; k < sb_planned_mode_count(planned); k++)
        weights[k] = side->weights[k];
    sb_planned_turn(planned, -1.0, weights);
    return weights;
}

sb_status scene_impact_press(sb_scene *scene, const scene_impact *impact,
                             const sb_striker *striker, sb_error *err) {
    const impact_side *side = impact->side;
    sb_impact_def def = {.striker = striker,
                         .record.label = impact->label,
                         .is_watched = impact->is_watched};
    if (side[0].rings && side[1].rings) {
        def.second = side[1].body->voice;
        def.second_weights = turned(scene, &side[1]);
    }
    return play(scene, impact, side[0].rings ? 0 : 1, &def, err);
}

/* --- what a body is made of ---------------------------------------------- */

/* Contact springs of bodies without a material, N/m: the stiffest possible for
 * a rigid body or a floor, about hard wood for modes given by hand. */
#define RIGID_HARDNESS 1e12
#define GIVEN_HARDNESS 1e8

static bool is_unyielding(const sb_body_def *def) {
    return def->shape.kind == SB_SHAPE_RIGID ||
           def->shape.kind == SB_SHAPE_FLOOR;
}

double scene_hardness(const sb_body_def *def) {
    if (def->has_material) return def->material.hardness;
    return is_unyielding(def) ? RIGID_HARDNESS : GIVEN_HARDNESS;
}

const sb_material *scene_material(const sb_body_def *def) {
    /* Modes given by hand have no surface; assume hard wood. */
    if (def->has_material) return &def->material;
    return is_unyielding(def) ? NULL : sb_material_find("oak");
}

bool scene_is_half_space(const sb_body_def *def) {
    return is_unyielding(def) && def->shape.radius <= 0.0;
}
