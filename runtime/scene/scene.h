/* runtime/scene/scene.h -- the bodies that are there, and the listener.
 *
 * A whole scene comes in as a plan (plan.h) through commit.h; single bodies
 * may come and go after that. Bodies are known by ids and by name.
 *
 * Thread: control.
 * Memory: the scene owns its bodies and retains their models.
 */
#ifndef SB_SCENE_SCENE_H
#define SB_SCENE_SCENE_H

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/strike.h"
#include "runtime/scene/listener.h"
#include "runtime/scene/plan.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_scene sb_scene;

/* A stale id is detected, not followed; the all-zero id is "no body". */
typedef struct sb_body_id {
    uint32_t index;
    uint32_t generation;
} sb_body_id;

/* An empty scene. The engine must outlive it. */
SB_NODISCARD sb_status sb_scene_create(sb_engine *engine, sb_scene **out,
                                       sb_error *err);
void sb_scene_destroy(sb_scene *scene); /* NULL is allowed */

/* Of everything that chance decides, for bodies that come from now on; 1 unless
 * said. The same seed gives the same hits, whatever the sample rate. */
void sb_scene_set_seed(sb_scene *scene, uint64_t seed);

/* One more body, silent until struck. BAD_ARGUMENT as sb_plan_add, NO_MODES,
 * NO_CONVERGENCE, NO_MEMORY; the message names the body. */
SB_NODISCARD sb_status sb_scene_add(sb_scene *scene, const sb_body_def *def,
                                    double time_s, sb_body_id *out,
                                    sb_error *err);

/* 50 ms fade; the id is stale at once. */
SB_NODISCARD sb_status sb_scene_remove(sb_scene *scene, sb_body_id id,
                                       double time_s, sb_error *err);
bool sb_scene_has(const sb_scene *scene, sb_body_id id);
sb_body_id sb_scene_find(const sb_scene *scene, const char *name);

/* Bodies in the order of their creation. */
int sb_scene_body_count(const sb_scene *scene);
sb_body_id sb_scene_body_at(const sb_scene *scene, int i);

/* Of a body that is there: an assertion, not a check. */
const char *sb_scene_body_name(const sb_scene *scene, sb_body_id id);
const sb_model *sb_scene_body_model(const sb_scene *scene, sb_body_id id);
/* As the script said it, until the body goes or is changed. */
const sb_planned *sb_scene_body_planned(const sb_scene *scene, sb_body_id id);
double sb_scene_body_gain(const sb_scene *scene, sb_body_id id);

/* Put it somewhere else, turned as it was; a free one is at rest there. */
SB_NODISCARD sb_status sb_scene_place(sb_scene *scene, sb_body_id id,
                                      sb_vec3 position, double time_s,
                                      sb_error *err);
SB_NODISCARD sb_status sb_scene_set_gain(sb_scene *scene, sb_body_id id,
                                         double gain, double time_s,
                                         sb_error *err);

/* How much stands between it and the listener: 0, as at first, to 1, when only
 * the low part of the sound is heard, at half its level. */
SB_NODISCARD sb_status sb_scene_set_occlusion(sb_scene *scene, sb_body_id id,
                                              double occlusion, double time_s,
                                              sb_error *err);

/* All bodies hear of it in one step; on failure nobody does. A listener with a
 * velocity goes on by itself. */
SB_NODISCARD sb_status sb_scene_set_listener(sb_scene *scene,
                                             const sb_listener *listener,
                                             double time_s, sb_error *err);
sb_listener sb_scene_listener(const sb_scene *scene);

/* What to do when there is too much sound (runtime/engine/audio/quality.h). */
SB_NODISCARD sb_status sb_scene_set_quality(sb_scene *scene,
                                            const sb_quality_def *quality,
                                            double time_s, sb_error *err);
sb_quality_def sb_scene_quality(const sb_scene *scene);

/* Once a control step, before everything else in it: a listener that moves by
 * itself hears so. */
SB_NODISCARD sb_status sb_scene_advance_listener(sb_scene *scene, double from_s,
                                                 double to_s, sb_error *err);

/* Where and how a body is struck. */
typedef struct sb_place {
    double u, v;   /* used unless has_point */
    sb_vec3 point; /* world, m */
    bool has_point;
    sb_vec3 direction;  /* need not be unit length */
    bool has_direction; /* else straight into the surface */
    bool is_local; /* point and direction are in the body's own axes: they go
                      where it goes */
} sb_place;

/* What mode weights a blow at that place has, one a mode of the body. */
void sb_scene_weights(const sb_scene *scene, sb_body_id id,
                      const sb_place *place, double *weights);

/* Strike at `time_s`, which may lie ahead. A body that does not ring takes the
 * blow in silence. STALE_HANDLE, NO_MEMORY, QUEUE_FULL. */
SB_NODISCARD sb_status sb_scene_strike(sb_scene *scene, sb_body_id id,
                                       const sb_place *place,
                                       const sb_blow *blow, double time_s,
                                       sb_blow_result *out, sb_error *err);

/* The same with another body of the scene as the striker, at a place of its
 * own. What it is made of, how hard it is and how heavy it is there come from
 * it, its radius if it is a ball; a mass that is given counts instead of its
 * own. Both are pushed alike, the one against the other: straight into their
 * surfaces, or the body along the direction of `place` and the striker against
 * it. Also BAD_ARGUMENT: the striker is the body itself, is a resonator, or
 * does not move by itself and no mass is given. */
SB_NODISCARD sb_status sb_scene_strike_with(sb_scene *scene, sb_body_id id,
                                            const sb_place *place,
                                            sb_body_id striker,
                                            const sb_place *striker_place,
                                            const sb_blow *blow, double time_s,
                                            sb_blow_result *out, sb_error *err);

/* What an impact is one of. */
typedef enum sb_impact_kind {
    SB_IMPACT_STRIKE,
    SB_IMPACT_SCATTER, /* a micro-hit after one */
    SB_IMPACT_KINDS
} sb_impact_kind;

const char *sb_impact_kind_name(sb_impact_kind kind); /* "strike", ... */

/* --- resting on a body --------------------------------------------------------- */

/* Something that lies on a body, or is pressed on it, and takes up what moves
 * there as a dashpot does: a mode with the shape value phi decays faster by
 * c phi^2 / 2 per second, phi^2 averaged over the patch that is covered. A
 * mode that does not move there rings on as before. Touches add up. */
typedef struct sb_touch_def {
    sb_place place;
    double damping_ns_m; /* c, of the whole patch, >= 0 */
    double radius_m;     /* of the patch; 0: a point */
    double ramp_s;       /* how long it takes to set in, or to change */
} sb_touch_def;

typedef struct sb_touch_id {
    sb_body_id body;
    uint64_t number; /* 0: no touch */
} sb_touch_id;

/* Until it is lifted, the body goes, or another script takes over. A body that
 * does not ring may be touched, too. STALE_HANDLE, NO_MEMORY, QUEUE_FULL. */
SB_NODISCARD sb_status sb_scene_touch(sb_scene *scene, sb_body_id id,
                                      const sb_touch_def *def, double time_s,
                                      sb_touch_id *out, sb_error *err);
bool sb_scene_has_touch(const sb_scene *scene, sb_touch_id id);
sb_touch_def sb_scene_touch_def(const sb_scene *scene, sb_touch_id id);
/* Press harder, move, ... */
SB_NODISCARD sb_status sb_scene_set_touch(sb_scene *scene, sb_touch_id id,
                                          const sb_touch_def *def,
                                          double time_s, sb_error *err);
SB_NODISCARD sb_status sb_scene_lift(sb_scene *scene, sb_touch_id id,
                                     double ramp_s, double time_s,
                                     sb_error *err);

/* --- bending a body ------------------------------------------------------------- */

/* A strain e moves mode k from w to w sqrt(1 + bend_k e). Without a list, bend_k
 * is w_1 / w_k, as for a sheet under tension along its plane: the lowest moves
 * most. */
typedef struct sb_bend {
    const double *items; /* lowest mode first; the last one goes for the rest */
    int count;           /* 0: as a sheet */
    bool is_given;       /* else as it was */
} sb_bend;

/* Strain it to `strain`, over `ramp_s`. */
SB_NODISCARD sb_status sb_scene_deform(sb_scene *scene, sb_body_id id,
                                       double strain, const sb_bend *bend,
                                       double ramp_s, double time_s,
                                       sb_error *err);
double sb_scene_strain(const sb_scene *scene, sb_body_id id);

/* Push it, so that it swings about that strain (wobble.h). */
SB_NODISCARD sb_status sb_scene_flex(sb_scene *scene, sb_body_id id,
                                     const sb_wobble *wobble,
                                     const sb_bend *bend, double time_s,
                                     sb_error *err);

/* The frequency and decay of a mode as touched and deformed. */
void sb_scene_mode_now(const sb_scene *scene, sb_body_id id, int k,
                       double *freq_hz, double *sigma_per_s);

/* One contact as it was, of a strike that has been said since impacts are
 * wanted. A striker that bounces makes many. */
typedef struct sb_scene_impact {
    sb_impact_kind kind;
    double time_s;
    const char *body, *striker; /* names; valid until the next call */
    sb_contact_model model;
    sb_impact_record record;
} sb_scene_impact;

void sb_scene_want_impacts(sb_scene *scene, bool are_wanted);
bool sb_scene_next_impact(sb_scene *scene, sb_scene_impact *out);

/* --- seeing it ------------------------------------------------------------------ */

/* Watch the contact that is the `number`th to begin from now on: strikes, their
 * micro-hits apart, and contacts that last are counted together, from 1. Only
 * while no device runs. NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_watch(sb_scene *scene, long long number,
                                      sb_error *err);
long long sb_scene_contacts_begun(const sb_scene *scene);
/* Its next row; false when there is none. Between bodies that do not ring all
 * come at once. */
bool sb_scene_next_traced(sb_scene *scene, sb_traced *out);

#endif
