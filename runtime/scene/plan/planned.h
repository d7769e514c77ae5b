/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/planned.h -- a body of a plan, with its model.
 *
 * Thread: as the plan. Memory: it owns what it points to, and retains its model.
 */
#pragma once

#include "runtime/base/voice_types.h"
#include "runtime/model/model.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/plan/plan.h"

typedef struct sb_diffuse_def sb_diffuse_def;
typedef struct sb_maker sb_maker;
typedef struct sb_noise_part sb_noise_part;
typedef struct sb_spring_def sb_spring_def;

typedef struct sb_planned {
    char name[SB_NAME_SIZE];
    sb_body_def def;     /* its modes are those below; its name is NULL */
    sb_hand_mode *modes; /* or NULL */
    sb_model *model;     /* NULL until solved */
    double put_off_s; /* above 0: the model has the quick law, since the exact
                       * radiation that is wanted takes about so long */
    bool is_solved_alone; /* the solution of its model has its size */
    sb_noise_part *noise; /* NULL: a solved body without a diffuse part */
    /* Of a solved body whose nonlinear part is on; the distortion is last. */
    sb_spring springs[SB_NONLINEAR_SPRINGS];
    int spring_count;
    double *spring_weights; /* one per mode and click, spring after spring */
    bool *kept;             /* modes that are silent, or NULL (planned.c) */
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

/* The same with the usual maker, but radiation that is not cached is put off. */
SB_NODISCARD sb_status sb_planned_solve_soon(sb_planned *planned,
                                             const sb_planned *before,
                                             sb_error *err);

/* Is it audible: does it have modes or clicks, and a role that lets it ring? It
 * must have been solved. */
bool sb_planned_rings(const sb_planned *planned);

/* Do they have the same shape and material, as far as modes depend on them? */
bool sb_planned_is_same_body(const sb_planned *a, const sb_planned *b);
/* And both what they want of the air? */
bool sb_planned_is_same_vibration(const sb_planned *a, const sb_planned *b);
/* Are mass, collider and surface the same for the world? Both must have been
 * solved. */
bool sb_planned_is_same_solid(const sb_planned *a, const sb_planned *b);
/* Do they start at the same place, in the same motion? */
bool sb_planned_is_same_start(const sb_planned *a, const sb_planned *b);

/* Both must have been solved. */
sb_change sb_planned_compare(const sb_planned *before, const sb_planned *after);

/* --- weights at a place (weigh.c) -------------------------------------- */

/* As sb_model_weights, for a solved body. */
void sb_planned_weights(const sb_planned *planned, sb_model_point point,
                        const sb_vec3 *direction, double *weights);

/* Where a solved body is struck unless the script says where. */
sb_model_point sb_planned_usual_point(const sb_planned *planned);

/* Prepare a solved body with a texture for the above. `before` (may be NULL) is
 * as in sb_planned_solve. BAD_ARGUMENT: it has no texture coordinates or no
 * modes; NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_peaks(sb_planned *planned,
                                             const sb_planned *before,
                                             sb_error *err);

/* --- what is behind the modes of the model ----------------------------- */

/* A voice has them in this order: modes of the model, yields (noise_part.h),
 * clicks (model/clicks.h). Room for weights of the last two: */
enum { SB_BEHIND_MOST = 256 + 3 };

/* Of a solved body; 0 if it is deformable, is heard as noise by its own wish
 * (diffuse), or is there for its removed modes only. */
int sb_planned_click_count(const sb_planned *planned);

/* Weights of the voice for a force the other way. What is there in place of
 * missing modes has any sign (plan.h). */
void sb_planned_turn(const sb_planned *planned, double sign, double *weights);

/* --- noise in place of modes (diffuse_part.c) -------------------------- */

/* The number of modes that a solved body's voice has: all of the model and what
 * is behind them, or those below the crossover, but at least one if it has
 * any. */
int sb_planned_mode_count(const sb_planned *planned);

/* Compute planned->bands if its diffuse part is on. NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_bands(sb_planned *planned,
                                             sb_error *err);

/* The same while touches add `added_per_s` to the decay of each mode of the
 * model: a band decays faster by the mean over the modes that it replaces. */
void sb_planned_touched_bands(const sb_planned *planned,
                              const double *added_per_s, sb_diffuse_def *out);

/* <phi^2> of every mode of a solved body; false when out of memory. */
bool sb_planned_mean_squares(const sb_planned *planned, double *mean);

/* Seed of the noise of a body with this name. */
uint32_t sb_planned_noise_seed(const char *name);

/* Both must have been solved. Same: nothing changes; alike: only values. */
bool sb_diffuse_part_is_same(const sb_planned *a, const sb_planned *b);
bool sb_diffuse_part_is_alike(const sb_planned *a, const sb_planned *b);

/* --- noise for modes that are too many (beyond_part.c) ----------------- */

/* Just below the highest band that there is at 44.1 kHz. */
#define SB_BEYOND_MOST_HZ 19800.0

/* Compute the bands of a solved body whose own diffuse part is off. NO_MEMORY.
 */
SB_NODISCARD sb_status sb_planned_fill_beyond(sb_planned *planned,
                                              sb_error *err);

/* What a body does about the modes that it does not have. */
typedef struct sb_beyond_report {
    bool is_cut;     /* modes are missing that the script did not leave out */
    bool has_bands;  /* noise stands for them */
    bool is_off;     /* or would, but for diffuse = false */
    bool is_rough;   /* it is damped too strongly for noise to be right */
    double from_hz;  /* the highest mode */
    double bands_hz; /* upper end of the noise */
    double max_hz;   /* up to which there should be modes */
} sb_beyond_report;
sb_beyond_report sb_planned_beyond(const sb_planned *planned);

/* The same for a model that is in no scene. */
sb_beyond_report sb_beyond_of(const sb_model *model,
                              const sb_diffuse_part *part, bool is_nonlinear);

/* --- springs that stiffen (nonlinear_part.c) --------------------------- */

/* Compute planned->springs from its model if its nonlinear part is on.
 * BAD_ARGUMENT for places where the lowest mode does not move, or on a mesh
 * without texture coordinates; NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_springs(sb_planned *planned,
                                               sb_error *err);

/* The springs in the form that a voice takes; returns their number. They point
 * into `planned`. */
int sb_planned_springs(const sb_planned *planned, sb_spring_def *out);

/* Both must have been solved. Same: nothing changes; alike: only values. */
bool sb_nonlinear_part_is_same(const sb_planned *a, const sb_planned *b);
bool sb_nonlinear_part_is_alike(const sb_planned *a, const sb_planned *b);

/* --- modes that merging and truncation took away ----------------------- */

/* How many modes are heard of a body with `hears_removed`, else 0. */
int sb_planned_removed_count(const sb_planned *planned);
