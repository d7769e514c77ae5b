/* runtime/scene/plan/plan.h -- a scene as a script describes it.
 *
 * A plan is independent of the engine and of the running scene: a script fills
 * it, on any one thread, and its models are computed there, too. Only then is
 * it compared with the running scene and committed (commit.h).
 *
 * Thread: one at a time; handed from a worker to control as a whole.
 * Memory: the plan owns its bodies and retains their models. Definitions are
 *         copied, modes given by hand included.
 */
#ifndef SB_SCENE_PLAN_PLAN_H
#define SB_SCENE_PLAN_PLAN_H

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/dsp/contact/link.h"
#include "runtime/dsp/diffuse.h"
#include "runtime/dsp/surface/surface.h"
#include "runtime/engine/audio/quality_def.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/model/textures/texture.h"
#include "runtime/scene/plan/listener.h"
#include "runtime/scene/plan/motion.h"
#include "runtime/store/model_maker.h"

#include <stdbool.h>

/* The role of a body when two meet (Maunsbach & Serafin 4.1). */
typedef enum sb_role {
    SB_ROLE_BOTH,     /* strikes, and rings */
    SB_ROLE_EXCITER,  /* strikes others, never sounds itself */
    SB_ROLE_RESONATOR /* sounds, cannot strike */
} sb_role;
/* Modes above a crossover that are heard as noise (diffuse_part.h). */
enum { SB_DIFFUSE_POINTS = 16 };
typedef struct sb_diffuse_part {
    bool is_on;
    /* Without it, what the body's model does not hold is noise of its own
     * accord (beyond_part.h): never, or also where the script chose the number
     * of modes. */
    bool is_off, is_wanted;
    double crossover_hz; /* 50 .. 15000; default 800 */
    double level;        /* of the noise, linear; default 1 */
    int t60_count;       /* 0: decays of the modes */
    struct {
        double freq_hz, t60_s;
    } t60[SB_DIFFUSE_POINTS]; /* rising frequencies; linear on log scales */
} sb_diffuse_part;

/* A mode, heavily damped, that stands for many: its weight at a place is
 * `weight` times the factor of the place (dsp/diffuse.h). It is silent, or heard
 * (heard_part.h); then its shape is a wave as well. */
enum { SB_YIELD_MODES = 96, SB_YIELD_MOST = 256 };
typedef struct sb_yield_mode {
    double freq_hz, sigma_per_s;
    double weight; /* kg^-1/2 */
    bool is_heard;
    double radiation; /* as of sb_mode */
    sb_vec3 wave_per_m;
    double phase;
} sb_yield_mode;

/* Stiffening and distortion inside a body (nonlinear_part.h). */
enum {
    SB_NONLINEAR_PLACES = 4,
    SB_NONLINEAR_SPRINGS = SB_NONLINEAR_PLACES + 1 /* and one distortion */
};
typedef struct sb_nonlinear_part {
    bool is_on;
    bool stiffens;
    double amplitude_m;     /* of the lowest mode, a semitone up; 0: default */
    double stiffness_n_m3;  /* at each place; 0: from the amplitude */
    double distortion_ns_m; /* at the first place; 0: none */
    double knee_m_s;        /* where it begins to saturate; default 0.1 */
    int place_count;        /* 0: chosen so that every mode is moved */
    struct {
        double u, v;
    } places[SB_NONLINEAR_PLACES];
} sb_nonlinear_part;

typedef struct sb_body_def {
    const char *name; /* 1 .. 63 bytes, unique in the scene */
    sb_shape shape;
    sb_material material; /* used when has_material */
    bool has_material;
    char material_name[SB_NAME_SIZE]; /* as the script has it, or "" */
    sb_vec3 position;                 /* of the centre, m; default the origin */
    double gain;                      /* linear, 0 .. 1000; default 1 */
    sb_surface *surface; /* its roughness; NULL: from its material */
    sb_texture *weights; /* mode weights instead of the mode shapes; or NULL */
    sb_role role;
    sb_diffuse_part diffuse;
    sb_nonlinear_part nonlinear;
    sb_motion_part moves; /* motion and collider */
    bool hears_removed;   /* removed_part.h */
    /* Computed by runtime/deform; its modes are silent. A fixed one hovers. */
    bool is_deformable;
    sb_discretisation discretisation; /* of its modes; default exact */
} sb_body_def;

sb_body_def sb_body_def_default(void);

/* What is heard, and yields to a force, in place of modes. */
typedef struct sb_noise_part {
    sb_diffuse_def bands;
    /* What the modes that it does not have yield to a force (beyond_part.h). */
    sb_yield_mode yields[SB_YIELD_MOST];
    int yield_count; /* 0, the silent ones, or all */
    /* The last modes of the model, and what phi^2 of each counts: the sum is 1
     * in the mean over the surface. */
    int first_last, last_count;
    float last[SB_DIFFUSE_PLACES];
} sb_noise_part;

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

/* What changed about one body. */
typedef enum sb_change {
    SB_CHANGE_NONE,
    SB_CHANGE_PLACE,  /* position, gain, motion or impacts */
    SB_CHANGE_PAINT,  /* its texture, and possibly position or gain */
    SB_CHANGE_TUNING, /* the same modes, noise bands or springs, other values */
    SB_CHANGE_MODEL   /* other modes, bands or places, or whether it rings */
} sb_change;

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

typedef struct sb_plan sb_plan;

SB_NODISCARD sb_status sb_plan_create(sb_plan **out, sb_error *err);
void sb_plan_destroy(sb_plan *plan); /* NULL is allowed */

/* BAD_ARGUMENT: a name that is taken, a bad shape or material, no material
 * where one is needed. */
SB_NODISCARD sb_status sb_plan_add(sb_plan *plan, const sb_body_def *def,
                                   int *index, sb_error *err);
/* A copy of a solved body, its model and texture shared; for snapshots. */
SB_NODISCARD sb_status sb_plan_add_solved(sb_plan *plan,
                                          const sb_planned *solved,
                                          sb_error *err);
int sb_plan_count(const sb_plan *plan);
const sb_planned *sb_plan_at(const sb_plan *plan, int index);
/* The body itself; a commit takes it over and leaves it empty. */
sb_planned *sb_plan_take(sb_plan *plan, int index);
int sb_plan_find(const sb_plan *plan, const char *name); /* or -1 */
sb_listener *sb_plan_listener(sb_plan *plan);
sb_quality_def *sb_plan_quality(sb_plan *plan);

sb_world_rules *sb_plan_world(sb_plan *plan);
/* BAD_ARGUMENT: as sb_joint_check, a name that is taken, or bodies that are not
 * free. Whether the bodies exist is checked when the plan is committed. */
SB_NODISCARD sb_status sb_plan_join(sb_plan *plan, const sb_joint_part *joint,
                                    sb_error *err);
int sb_plan_joint_count(const sb_plan *plan);
const sb_joint_part *sb_plan_joint_at(const sb_plan *plan, int index);

/* How much memory a solve may take, bytes; 0: the default (solve.h). */
void sb_plan_set_memory(sb_plan *plan, double bytes);
/* The stage that is reported before each body, also if nothing is solved. */
#define SB_STAGE_NEXT "next"

/* A callback for progress, called on the thread of sb_plan_solve; it may
 * interrupt. */
void sb_plan_set_progress(sb_plan *plan, sb_progress progress, void *context);
/* The name of the body that is being solved. */
const char *sb_plan_solving(const sb_plan *plan);

/* Compute the models of all bodies; models in `running` (may be NULL) are
 * reused. */
SB_NODISCARD sb_status sb_plan_solve(sb_plan *plan, const sb_plan *running,
                                     sb_error *err);

#endif
