/* SPDX-License-Identifier: MIT */
/* runtime/scene/deform/scene_deform_run.h -- the deformable bodies of a scene,
 * as stored.
 *
 * Private to this room, to contact/, world/, scene.c and commit.c.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/deform/deform_def.h"
#include "runtime/scene/deform/journal.h"
#include "runtime/scene/deform/resample.h"
#include "runtime/scene/deform/scene_deform.h"

typedef struct sb_deform sb_deform;

/* A rigid body that they touch, as the world gives it. */
typedef struct deform_rigid_body {
    sb_body_id body;
    sb_deform_collider collider; /* at the start of the tick */
    sb_vec3 centre;              /* of mass, in the axes of the shape */
    sb_quat principal;           /* from its axes to those of the shape */
} deform_rigid_body;

/* A striker under way, and then what came of it: speeds are those toward and
 * away from the body as a rigid body. */
typedef struct deform_blow_done {
    int64_t number; /* of the strike; 0: the first */
    uint32_t event; /* scene_event.h; 0: this place is free */
    double time_s, mass_kg, inverse_mass;
    double speed_in_m_s, speed_out_m_s;
    double contact_s, impulse_ns, peak_n;
} deform_blow_done;

typedef struct scene_deform {
    sb_scene_deform_def def;
    sb_deform *sim;
    double origin_s; /* scene time of its beginning */
    int body_count;
    sb_body_id bodies[SB_DEFORM_BODIES];
    sb_vec3 begins[SB_DEFORM_BODIES]; /* their centres of mass at first */
    int collider_count;
    deform_rigid_body *colliders;
    journal_sizes sizes;
    uint64_t inputs; /* hash of all that was done so far */
    double time_s;   /* reached, from origin_s */
    double busy_s;   /* no event begins after this, from origin_s */
    double pose_s;   /* of the present surfaces */
    deform_tick tick;
    deform_resampler sound; /* to the engine's rate */
    float *engine_frames;   /* scratch */
    int engine_capacity;
    deform_journal journal; /* file NULL: none */
    deform_journal ahead;   /* REPLAY: reads the sound earlier */
    deform_tick ahead_tick;
    bool ahead_is_over, motion_is_over;
    int64_t resume_bytes; /* RESUME: the journal is read up to here */
    deform_checkpoint checkpoint;
    double resumed_s, kept_s;    /* scene time: resumed, last checkpoint */
    double computed_s, marked_s; /* processor time: so far, last checkpoint */
    bool is_torn;                /* a tick was interrupted */
    void *begin_state;           /* for a restart */
    sb_vec3 ear;
    sb_error failure, remark;
    int64_t strike_count;
    deform_blow_done strikers[DEFORM_BLOWS]; /* by number */
    deform_blow_done done[DEFORM_BLOWS];     /* not yet told */
    int done_count;
} scene_deform;

/* --- scene_deform.c ------------------------------------------------------ */

void scene_deform_free(sb_scene *scene);
/* Index of a body in the simulation, or -1. */
int scene_deform_index(const sb_scene *scene, sb_body_id id);
/* After a commit: those that have changed fall silent, and that is said. */
void scene_deform_commit(sb_scene *scene, bool is_changed);
/* All begins again at `time_s`. */
void scene_deform_restart(sb_scene *scene, double time_s);

SB_NODISCARD sb_status scene_deform_make(sb_scene *scene, scene_deform *deform,
                                         sb_error *err);

/* --- tick.c -------------------------------------------------------------- */

/* Goes on up to a time of the scene. The colliders are where they were at the
 * beginning of the tick; afterwards tick.reactions has what they felt. NULL:
 * it cannot fail but for interruption. */
SB_NODISCARD sb_status scene_deform_advance(sb_scene *scene, double to_s,
                                            sb_error *err);
bool scene_deform_is_on(const sb_scene *scene);

/* Writes a checkpoint; a failure becomes the remark. */
void scene_deform_mark(scene_deform *deform, bool is_over);

/* Copies the surfaces as they are now into the tick. */
SB_NODISCARD sb_status scene_deform_take_pose(scene_deform *deform,
                                              sb_error *err);

/* Adds numbers to the hash of what was done. */
void scene_deform_note(scene_deform *deform, const double *numbers, int count);

/* --- strikes ------------------------------------------------------------- */

/* A mass that presses, or a known force, on a deformable body. */
typedef struct deform_strike {
    sb_body_id body;
    sb_vec3 at_m;      /* in its own axes at rest */
    sb_vec3 direction; /* in its own axes; 0: into the surface */
    double mass_kg, speed_m_s, stiffness;
    double impulse_ns, duration_s; /* known force; then mass_kg is 0 */
    double inverse_mass;           /* of the body there, as a rigid body */
    uint32_t event;                /* of a mass; what comes of it is told */
} deform_strike;
SB_NODISCARD sb_status scene_deform_strike(sb_scene *scene,
                                           const deform_strike *strike,
                                           double time_s, sb_error *err);
/* The next striker that is over; false: none. */
bool scene_deform_next_blow(sb_scene *scene, deform_blow_done *out);
