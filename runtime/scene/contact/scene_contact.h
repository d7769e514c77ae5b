/* SPDX-License-Identifier: MIT */
/* runtime/scene/contact/scene_contact.h -- shared by the files of this room.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/dsp/contact/striker.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/contact/scene_event.h"

typedef struct sb_lasting_def sb_lasting_def;
typedef struct sb_ride_def sb_ride_def;
typedef struct scene_body scene_body;
typedef struct scene_contact scene_contact;
typedef struct scene_ramp scene_ramp;

/* A striker that still bounces after this time is removed. */
#define SCENE_BOUNCING_S 10.0

/* --- trace.c ------------------------------------------------------------- */

/* Compute an impact between two silent bodies at once, for its report. */
SB_NODISCARD sb_status scene_play_on_wall(sb_scene *scene, sb_striker striker,
                                          double frames, bool is_watched,
                                          sb_error *err);

/* Count one more contact, of this body: true when it is the one to watch. */
bool scene_begins(sb_scene *scene, const scene_body *body, const char *kind);
/* Rows of a known force that no voice plays. */
SB_NODISCARD sb_status scene_trace_pulse(sb_scene *scene, double frames,
                                         double impulse_ns, double duration_s,
                                         sb_error *err);

/* --- surfaces.c: all surfaces are borrowed ------------------------------- */

/* The body's own surface, or one as rough as its material. */
SB_NODISCARD sb_status scene_surface(scene_body *body, sb_surface **out,
                                     sb_error *err);
/* The profile that a ball of this radius follows on the surface, as a mean over
 * a patch of this half-width. */
SB_NODISCARD sb_status scene_roll(sb_scene *scene, sb_surface *surface,
                                  double radius_m, double patch_m,
                                  sb_surface **out, sb_error *err);
/* A surface of this roughness. */
SB_NODISCARD sb_status scene_rough(sb_scene *scene, double roughness_m,
                                   sb_surface **out, sb_error *err);
/* The surface as a ring of this length (sb_surface_loop). */
SB_NODISCARD sb_status scene_loop(sb_scene *scene, sb_surface *surface,
                                  double length_m, sb_surface **out,
                                  sb_error *err);
void scene_smooth(scene_body *body); /* free the one made for the body */
void scene_free_surfaces(sb_scene *scene);

/* --- lasting.c ----------------------------------------------------------- */

/* Bodies have new textures (`faded` owns the old): fade the weights of their
 * lasting contacts. */
void scene_repaint_contacts(sb_scene *scene, double time_s);
/* End the lasting contacts of a body that leaves. */
void scene_drop_contacts(sb_scene *scene, sb_body_id body, double time_s);

/* Sign of the weights of a side (contact_kinds.def). */
double scene_contact_sign(sb_contact_kind kind, int side);
/* lasting_make.c: the engine's definition of a contact, but for its weights,
 * and the weight of the thing. */
SB_NODISCARD sb_status scene_make_contact(sb_scene *scene,
                                          const sb_lasting_setup *setup,
                                          const sb_lasting_change *first,
                                          sb_lasting_def *def, double *load_n,
                                          sb_error *err);

/* Is the force of a new contact that of a ball, and known? */
bool scene_rides(const sb_scene *scene, const sb_lasting_setup *setup);
/* The mean mobility of a body's modes with these weights, m/(N s):
 * pi/2 sum phi^2 over all pitches, rad/s. */
double scene_mobility(const double *weights, const scene_body *body);
/* Make it a ball's, with the modes that the ball feels, from the weights of `def`.
 * `ride` must outlive it. */
SB_NODISCARD sb_status scene_ride(const sb_scene *scene, sb_lasting_def *def,
                                  const scene_body *const body[2],
                                  sb_ride_def *ride, sb_error *err);

/* As sb_scene_end_contact; it is reported as ended at `end_s`. */
SB_NODISCARD sb_status scene_end_contact(sb_scene *scene, sb_contact_id id,
                                         double time_s, double fade_s,
                                         double end_s, sb_error *err);
sb_place scene_contact_place(const scene_contact *contact, int side,
                             double time_s);

/* --- scene_event.c: reports of lasting contacts --------------------------- */

void scene_report_contact(sb_scene *scene, const scene_contact *contact,
                          sb_lasting_phase phase, double time_s);
/* Take up a change of load. */
void scene_move_load(scene_contact *contact, const sb_lasting_change *change,
                     double time_s);
void scene_add_report(sb_scene *scene, const sb_lasting_report *report);

/* --- pad.c ----------------------------------------------------------------- */

/* Labels of pads; those of strikes are below. */
#define SCENE_PAD_LABEL 0x80000000u

/* What is reported of the hits of a pad; NULL if it is gone. */
const sb_event *scene_find_pad(const sb_scene *scene, uint32_t label);
/* A body has changed: prepare its pads again. It leaves: they are gone. */
void scene_renew_pads(sb_scene *scene, sb_body_id body);
void scene_drop_pads(sb_scene *scene, sb_body_id body);
void scene_free_pads(sb_scene *scene);

/* --- scene_strike.c ------------------------------------------------------ */

/* Begin the slide that follows a grazing strike on body[0], with body[1] or the
 * null id. Does nothing if the strike does not graze. */
SB_NODISCARD sb_status scene_graze(sb_scene *scene, const sb_strike_def *def,
                                   const sb_graze *graze,
                                   const sb_body_id body[2],
                                   const sb_place place[2], double time_s,
                                   sb_error *err);
/* Tell of the strikes on deformable bodies that are over. */
void scene_report_deform(sb_scene *scene);
