/* runtime/scene/plan/planned.h -- a body of a plan, with its model.
 *
 * Thread: as the plan. Memory: it owns what it points to, and retains its model.
 */
#ifndef SB_SCENE_PLAN_PLANNED_H
#define SB_SCENE_PLAN_PLANNED_H

#include "runtime/base/spring.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/plan/change.h"

typedef struct sb_diffuse_def sb_diffuse_def;
typedef struct sb_maker sb_maker;
typedef struct sb_model sb_model;
typedef struct sb_noise_part sb_noise_part;

typedef struct sb_planned {
    char name[SB_NAME_SIZE];
    sb_body_def def;      /* its modes are those below; its name is NULL */
    sb_hand_mode *modes;  /* or NULL */
    sb_model *model;      /* NULL until solved */
    sb_noise_part *noise; /* NULL: a solved body without a diffuse part */
    /* Of a solved body whose nonlinear part is on; the distortion is last. */
    sb_spring springs[SB_NONLINEAR_SPRINGS];
    int spring_count;
    double *spring_weights; /* one per mode of the model, spring after spring */
    bool *kept;    /* modes that are silent, or NULL (removed_part.h) */
    double *peaks; /* largest value of each mode, or NULL: not needed */
    int peak_count;
} sb_planned;

/* Its bands of noise; NULL: none. */
const sb_diffuse_def *sb_planned_bands(const sb_planned *planned);
int sb_planned_yield_count(const sb_planned *planned);
/* An empty noise part in place of the former one. NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_make_noise(sb_planned *planned,
                                             sb_error *err);
void sb_planned_drop_noise(sb_planned *planned);

/* A single planned body. The copy is complete or, on failure, empty. */
SB_NODISCARD sb_status sb_planned_init(sb_planned *planned,
                                       const sb_body_def *def, sb_error *err);
void sb_planned_free(sb_planned *planned);
/* Keep only shape, material and model. */
void sb_planned_strip(sb_planned *planned);

/* Compute its model. If `before` has the same vibration, or the same modes with
 * other values, its model or its number of modes is kept, so that ringing modes
 * can continue as those of the new model. `before` and `maker` (default: the
 * usual one) may be NULL. The error names the body. */
SB_NODISCARD sb_status sb_planned_solve(sb_planned *planned,
                                        const sb_planned *before,
                                        const sb_maker *maker, sb_error *err);

/* Is it audible: does it have modes, and a role that lets it ring? It must have
 * been solved. */
bool sb_planned_rings(const sb_planned *planned);

/* Do they have the same shape and material, as far as modes depend on them? */
bool sb_planned_is_same_vibration(const sb_planned *a, const sb_planned *b);
/* Are mass, collider and surface the same for the world? Both must have been
 * solved. */
bool sb_planned_is_same_solid(const sb_planned *a, const sb_planned *b);
/* Do they start at the same place, in the same motion? */
bool sb_planned_is_same_start(const sb_planned *a, const sb_planned *b);

/* Both must have been solved. */
sb_change sb_planned_compare(const sb_planned *before, const sb_planned *after);

#endif
