/* runtime/scene/contact/lasting.h -- contacts that last, as a scene knows them.
 *
 * Something rolls, slides, creaks, rubs or buzzes on a body: a thing of some
 * radius, mass and material, or another body, which then rings too. What
 * happens is told in changes: load, speeds and place, each with a time in
 * which it is reached.
 *
 *   roll     many small impacts, as far apart as the surface says
 *   profile  a mass under load on the profile, pressed nonlinearly, two-way
 *   slide    the needle on the record: the profile itself is the force
 *   creak    pulses at distances that grow with the load
 *   rub      bristles that stick and slip, two-way
 *   buzz     a light one-sided touch with a gap, two-way
 *   rattle   a thing lies on it under its load and chatters, two-way
 *
 * Thread: control. Memory: the scene keeps its contacts until they are over.
 */
#ifndef SB_SCENE_CONTACT_LASTING_H
#define SB_SCENE_CONTACT_LASTING_H

#include "runtime/dsp/surface/contact_load.h"
#include "runtime/dsp/surface/surface.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/strike/strike.h"

typedef enum sb_contact_kind {
    SB_CONTACT_ROLL,
    SB_CONTACT_PROFILE,
    SB_CONTACT_SLIDE,
    SB_CONTACT_CREAK,
    SB_CONTACT_RUB,
    SB_CONTACT_BUZZ,
    SB_CONTACT_RATTLE,
    SB_CONTACT_KINDS
} sb_contact_kind;

/* A stale id is detected, not followed; the all-zero id is "no contact". */
typedef struct sb_contact_id {
    uint32_t index;
    uint32_t generation;
} sb_contact_id;

/* A change of some of what is told; has_ tells of what. */
typedef struct sb_lasting_change {
    sb_contact_load load;
    bool has_force, has_speed[2], has_slip;
    sb_place place[2]; /* on the body, and on the other */
    bool has_place[2]; /* where it is; a direction may be told without */
    double ramp_s;     /* >= 0 */
} sb_lasting_change;

/* What it is, for as long as it lasts. */
typedef struct sb_lasting_setup {
    sb_contact_kind kind;
    sb_body_id body;
    sb_body_id
        with; /* the other body, or the null id: a thing that is silent */
    /* The thing, and what of the contact is not to follow from it; 0: not
     * given. A body brings its own mass and material. */
    sb_indenter thing;
    sb_surface *surface[2]; /* of the body and of the thing, instead of their
                               own; or NULL */
    double level;           /* linear, on the force; 1 */
    uint64_t seed;
    /* roll */
    double gap_m[2]; /* least and most between two impacts; 0: as the grain of
                        the surface is */
    bool is_poisson; /* gaps without a most: exponential */
    double eccentricity; /* of what rolls: share of the radius, 0 .. 1 */
    /* creak */
    double interval_m_n; /* from pulse to pulse per newton of load; 0: 1e-4 */
    /* rub: zeros ask for the usual */
    double mu_static, mu_kinetic, stribeck_m_s, bristle_m;
    double rub_stiffness; /* of what holds the thing's mass; 0: it is held */
    /* buzz */
    double gap_apart_m;
} sb_lasting_setup;

/* From `time_s` on, with what `first` says, reached in its time. STALE_HANDLE,
 * NO_MEMORY, QUEUE_FULL, or BAD_ARGUMENT for a body with itself. */
SB_NODISCARD sb_status sb_scene_begin_contact(sb_scene *scene,
                                              const sb_lasting_setup *setup,
                                              const sb_lasting_change *first,
                                              double time_s, sb_contact_id *out,
                                              sb_error *err);
SB_NODISCARD sb_status sb_scene_move_contact(sb_scene *scene, sb_contact_id id,
                                             const sb_lasting_change *change,
                                             double time_s, sb_error *err);
/* Its force fades away; the id is stale at once. A stale id is a no-op. */
SB_NODISCARD sb_status sb_scene_end_contact(sb_scene *scene, sb_contact_id id,
                                            double time_s, double fade_s,
                                            sb_error *err);
bool sb_scene_has_contact(const sb_scene *scene, sb_contact_id id);
int sb_scene_contact_count(const sb_scene *scene);

/* All of them, as when the script that made them is over. */
void sb_scene_end_contacts(sb_scene *scene, double time_s, double fade_s);

#endif
