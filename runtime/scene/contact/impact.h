/* SPDX-License-Identifier: MIT */
/* runtime/scene/contact/impact.h -- an impact between two bodies, to be played.
 *
 * Strikes (scene_strike.c) and impacts of the rigid-body world
 * (world/world_impact.c) both fill in a scene_impact: who meets whom, where and
 * when. scene_impact_weigh then finds the weights of both sides, once; all that
 * follows reads them: how much the modes yield, what they take up, and the force
 * that the engine gets, either as a known pulse that pushes both sides (push) or
 * as a mass that presses through a contact law (press).
 *
 * Thread: control. Memory: plain values. Weights are in scene->weights, which
 * all rooms use as scratch: an impact is played before anything else is weighed.
 */
#pragma once

#include "runtime/model/model.h"
#include "runtime/scene/state/body.h"

typedef struct sb_body_def sb_body_def;
typedef struct sb_impact_estimate sb_impact_estimate;
typedef struct sb_impact_record sb_impact_record;
typedef struct sb_material sb_material;
typedef struct sb_striker sb_striker;
typedef struct sb_planned sb_planned;
typedef struct scene_body scene_body;

/* A body at its contact point, all in the body's own axes. */
typedef struct impact_side {
    scene_body *body;
    sb_model_point point;
    sb_vec3 direction; /* of the force, when has_direction; else straight into
                          the surface */
    bool has_direction;
    bool rings;          /* it has a voice that is to be driven */
    double inverse_mass; /* effective, along that direction; strikes only */
    /* Of the force, one per mode; NULL until scene_impact_weigh, which keeps
     * those that were there before. */
    const double *weights;
} impact_side;

typedef struct scene_impact {
    impact_side side[2]; /* the second may be empty: a silent striker */
    int first;           /* side that is pushed first: the order in which voices
                            wake is the order in which they are mixed */
    int reporter;        /* side whose voice reports a known force */
    double frames;       /* its time */
    uint32_t label;      /* of its reports; 0: none */
    bool is_watched;
} scene_impact;

/* `place` in any axes; `rings` as planned, `inverse_mass` not filled in. */
impact_side scene_impact_side(scene_body *body, const sb_place *place);

/* Default mass of what strikes this side. A striker heavier than the body
 * follows it as it recoils, strikes it again within its first period and so
 * damps what it has excited; hence SB_STRIKER_SHARE. Strings and skins are
 * played with heavier things. */
double scene_striker_mass_kg(const impact_side *side);

/* Effective inverse mass of the body at the contact point. */
double scene_impact_inverse_mass(const impact_side *side);

/* Weights of a force at a side, one per mode, and of what else yields there. */
void scene_side_weigh(const impact_side *side, double *weights);
/* Those of both sides, where they ring. */
void scene_impact_weigh(const sb_scene *scene, scene_impact *impact);

/* Inverse mass of the modes from `first` on, and of what else yields, during a
 * contact of this duration. */
double scene_modes_yield(const sb_planned *planned, const double *weights,
                         int first, bool has_others, double duration_s);

/* Inverse mass that the vibrating modes of both sides add during an impact of
 * this duration (sb_impact_mode_yield). */
double scene_impact_modes_yield(const scene_impact *impact, double duration_s);

/* The same pulse, in opposite directions, on each side that rings. `record` is
 * what is reported of it, but for its label. */
SB_NODISCARD sb_status scene_impact_push(sb_scene *scene,
                                         const scene_impact *impact,
                                         double impulse_ns, double duration_s,
                                         const sb_impact_record *record,
                                         sb_error *err);

/* A mass presses on the first side that rings; if both do, the second is the
 * mass that vibrates. At least one must ring. */
SB_NODISCARD sb_status scene_impact_press(sb_scene *scene,
                                          const scene_impact *impact,
                                          const sb_striker *striker,
                                          sb_error *err);

/* scene_event.c: remember a blow on one side, which may throw what lies on its body.
 * Without a world there is nothing to throw. */
void scene_blow_add(sb_scene *scene, const scene_impact *impact, int side,
                    const sb_impact_estimate *estimate, double time_s);

/* --- what a body is made of, for contacts -------------------------------- */

/* NULL: a rigid body. */
const sb_material *scene_material(const sb_body_def *def);
double scene_hardness(const sb_body_def *def); /* of its surface spring, N/m */
/* A floor, or a rigid body without a size: it never moves. */
bool scene_is_half_space(const sb_body_def *def);
