/* runtime/scene/strike/strike_def.h -- a strike as a script defines it.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_SCENE_STRIKE_STRIKE_DEF_H
#define SB_SCENE_STRIKE_STRIKE_DEF_H

#include "runtime/model/material.h"
#include "runtime/scene/strike/graze.h"
#include "runtime/scene/strike/level.h"
#include "runtime/scene/strike/scatter.h"

#include <stdbool.h>

typedef enum sb_impact_model {
#define IMPACT_MODEL(model, name, nonlinear) SB_IMPACT_MODEL_##model,
#include "runtime/scene/strike/impact_models.def"
#undef IMPACT_MODEL
    SB_IMPACT_MODELS
} sb_impact_model;

const char *sb_impact_model_name(sb_impact_model model); /* "impulse", ... */
bool sb_impact_model_is_nonlinear(sb_impact_model model);

/* Why an impact happened, for reports. */
typedef enum sb_impact_kind {
    SB_IMPACT_STRIKE,
    SB_IMPACT_SCATTER, /* a micro-impact that follows a strike */
    SB_IMPACT_WORLD,   /* of the rigid-body world */
    SB_IMPACT_KINDS
} sb_impact_kind;

const char *sb_impact_kind_name(sb_impact_kind kind); /* "strike", ... */

/* A rigid thing that is pressed into a body: it strikes, rolls or slides.
 * 0 means "not given": the value follows from the others and the materials. */
typedef struct sb_indenter {
    double mass_kg;
    double radius_m;     /* where it touches */
    double hardness_n_m; /* of its spring; pulse model only */
    double stiffness;    /* K */
    double exponent;     /* a; default 1.5 */
    double lambda;       /* loss of the contact; default 0 */
    bool has_material;
    sb_material material; /* used when has_material; else that of the body */
} sb_indenter;

/* A strike as a script defines it. */
typedef struct sb_strike_def {
    double speed_m_s;  /* > 0, or 0 when the impulse is given */
    double impulse_ns; /* > 0, or 0 when the speed is given */
    sb_indenter striker;
    double stiffening_per_m; /* s, >= 0 */
    sb_impact_model model;
    double gravity_m_s2; /* toward the body; used when has_gravity, else 0,
                            or the scene's along the strike if it bounces */
    bool has_gravity;
    bool bounces; /* the striker may touch again; else one blow (striker.h) */
    /* The sound designer's. */
    sb_level_curve curve; /* from true speed to played speed */
    double limit_ns;      /* upper bound of the impulse; 0: none */
    double onset_m_s;     /* v0; 0: no such stiffening */
    sb_scatter scatter;   /* micro-impacts that follow */
    bool grazes;          /* split by its angle; else all of it strikes */
    sb_graze_def graze;   /* used when grazes */
    const char *name;     /* of the striker in reports, or NULL */
    const char *by;       /* who strikes (sb_hit), or NULL: the scene */
} sb_strike_def;

#endif
