/* SPDX-License-Identifier: MIT */
/* runtime/scene/world/scene_world_state.h -- the world of a scene, as stored.
 *
 * Private to this room, to scene.c and to commit.c.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/scene/contact/exposure.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/contact/scene_event.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"
#include "runtime/scene/world/scene_world.h"
#include "runtime/world/tracker/tracker.h"
#include "runtime/world/world.h"

typedef struct sb_plan sb_plan;
typedef struct scene_impact scene_impact;

/* An entry of the world; its index is the solid's user number. */
typedef struct world_solid {
    sb_solid_id solid; /* null: the number is free */
    sb_body_id body;
    sb_vec3 force_n; /* that a script has set */
    bool is_posed;   /* by a foreign step, since it was last placed elsewhere */
} world_solid;

typedef struct world_joint {
    sb_joint_part part;
    sb_body_id body[2];
    sb_world_joint_id joint;
} world_joint;

/* A contact that the tracker follows, and its sound. */
typedef struct world_contact {
    uint32_t number; /* the tracker's; entries are in its order */
    sb_body_id body[2];
    sb_tracked last; /* last event */
    double last_s;   /* its time, in scene time */
    double begun_s;  /* the present state */
    bool is_news;    /* the last event has not been played */
    bool is_over;    /* the tracker has ended it */
    bool is_ended;   /* its end has been reported */
    bool is_gone;    /* it can be dropped */
    /* rolling or sliding */
    sb_contact_id sound;  /* or none */
    sb_contact_id squeak; /* or none; only beside a sound */
    sb_contact_state sounds_as;
    bool sounds_round; /* the contact runs round the rim of a body that stays */
    bool sounds_as_squeak; /* sliding: it sticks and slips */
    int under;             /* index of the body that is the ground */
    double sent_s;         /* time up to which its motion has been sent */
    /* at rest */
    double rests_s;  /* since then */
    bool is_settled; /* for long enough to damp */
    sb_touch_id touch[2];
} world_contact;

/* Steps of another engine, which moves the bodies instead (foreign_step.h). */
typedef struct world_foreign {
    bool is_on;
    double now_s;   /* end of the last step */
    double heard_s; /* time up to which the ears have the motion of bodies */
    sb_vec3 gravity;
} world_foreign;

typedef struct scene_world {
    sb_world *world;
    sb_tracker *tracker;
    double origin_s; /* scene time of its step 0 */
    double rate_hz;
    int64_t skipped;     /* steps not taken because all was asleep */
    bool has_forces;     /* fields or forces acted in the last step */
    bool was_limited;    /* a step found more contacts than are solved */
    sb_vec3 looked_from; /* the listener at the last occlusion test */
    bool has_looked;
    int looked_count; /* bodies and solids then */
    world_solid *solids;
    int solid_count, solid_capacity; /* numbers ever used; 0 is unused */
    world_joint *joints;
    int joint_count, joint_capacity;
    world_contact *contacts;
    int contact_count, contact_capacity;
    double least_w; /* power needed to be heard in this step */
    double *powers; /* scratch for that */
    int power_capacity;
    sb_body_id *lost; /* not yet reported */
    int lost_count, lost_capacity;
    long long lost_ever, unheard;
    world_foreign foreign;
    sb_contact_point *points; /* scratch: those of a foreign step */
    int point_capacity;
    double *struck_m_s; /* likewise, one per body: its fastest impact */
    int struck_capacity;
    scene_body nothing; /* fixed, rigid, flat; does not ring */
} scene_world;

static inline bool is_same_body(sb_body_id a, sb_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

static inline bool is_zero(sb_vec3 v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

void scene_world_free(scene_world *world); /* NULL is allowed */

/* --- advance.c ----------------------------------------------------------- */

/* The motion of a body between these times, since its place was last sent to the
 * ears; a body that has fallen asleep is at rest. False: none. */
bool scene_world_leg(const sb_scene *scene, sb_body_id id, double from_s,
                     double to_s, sb_leg *out);

/* --- world_loud.c -------------------------------------------------------- */

/* What free bodies are about to do where they are: fall on what is under them, or
 * roll or slide on it. */
scene_loudness scene_world_loudness(const sb_scene *scene);

/* --- occlude.c ----------------------------------------------------------- */

/* Before anything of a control step sounds: what a scene hides from its start, or
 * has added. Where nothing moves the world is made for this alone. */
SB_NODISCARD sb_status scene_look(sb_scene *scene, double from_s,
                                  sb_error *err);
/* What is in the way of each body that is heard, if something has moved: by a ramp
 * at `time_s`, or, of bodies that move, along the leg that is sent next. The first
 * time at once. Deformable bodies are looked at in 16 places, from which equal
 * energies come; they hide nothing. */
void scene_occlude(sb_scene *scene, bool has_moved, double time_s);

/* --- world_deform.c ------------------------------------------------------ */

struct scene_deform;
/* What deformable bodies may touch: all solids. BAD_ARGUMENT, NO_MEMORY. The
 * faces are needed only until the simulation is made. */
SB_NODISCARD sb_status scene_world_colliders(sb_scene *scene,
                                             struct scene_deform *deform,
                                             sb_error *err);
void scene_world_free_faces(struct scene_deform *deform);
/* Before a world step: where the solids are. After it, up to its end: what
 * they felt. */
void scene_world_deform_begin(sb_scene *scene);
SB_NODISCARD sb_status scene_world_deform_end(sb_scene *scene, double to_s,
                                              sb_error *err);

/* Finite, and not beyond 1e6. */
bool scene_is_within(sb_vec3 v);
/* Scene time of the next step. */
double scene_world_now(const scene_world *world);
world_solid *scene_solid(const scene_world *world, uint32_t user);

/* Add a body that is about to enter the scene; `user` is its number in the
 * world, 0 when it is not in it. scene_world_own then gives it its id. */
SB_NODISCARD sb_status scene_world_add(sb_scene *scene,
                                       const sb_planned *planned, double time_s,
                                       uint32_t *user, sb_error *err);
void scene_world_own(sb_scene *scene, sb_body_id id, uint32_t user);
void scene_world_remove(sb_scene *scene, sb_body_id id, double time_s);

/* --- world_build.c: building ---------------------------------------------- */

/* The bodies of a new world, in the order of their numbers. */
typedef struct world_entry {
    const sb_planned *planned;
    sb_pose pose;
} world_entry;

typedef struct world_plan {
    const world_entry *entries;
    int count;
    const sb_joint_part *joints;
    int joint_count;
    sb_world_rules rules;
    double origin_s;
} world_plan;

SB_NODISCARD sb_status scene_world_put(scene_world *world,
                                       const sb_planned *planned,
                                       const sb_pose *pose, uint32_t *user,
                                       sb_error *err);
/* Whether a joint can hold the solid of its body. BAD_ARGUMENT. */
SB_NODISCARD sb_status scene_joint_check(const sb_joint_part *part, int side,
                                         bool is_there, sb_solid_id solid,
                                         sb_error *err);
/* Anchor, axis and solids of `def` are set, and all of `joint` but its id. */
SB_NODISCARD sb_status scene_world_add_joint(scene_world *world,
                                             sb_world_joint_def *def,
                                             world_joint *joint, sb_error *err);
/* Make a world of the present bodies if there is none. */
SB_NODISCARD sb_status scene_world_ensure(sb_scene *scene, double time_s,
                                          sb_error *err);

/* --- world_build.c: after a commit --------------------------------------- */

typedef struct world_change {
    bool is_other;      /* differs from the running one */
    scene_world *world; /* NULL: nothing moves any more */
} world_change;

/* Everything that can fail; on failure `world` is the caller's to free. */
SB_NODISCARD sb_status scene_world_prepare(sb_scene *scene, sb_plan *plan,
                                           double time_s, world_change *out,
                                           sb_error *err);
/* After the bodies have entered: ids[i] is the i-th of the plan. */
void scene_world_change(sb_scene *scene, const world_change *change,
                        const sb_world_rules *rules, const sb_body_id *ids,
                        int count, double time_s);
/* Take over the new pose of a body. */
void scene_world_replace(sb_scene *scene, sb_body_id id, double time_s);

/* --- foreign_step.c ------------------------------------------------------ */

/* The body of the tracker's number, or the null id for what is no body of the
 * scene. False when it has left the scene. */
bool scene_tracked_body(const sb_scene *scene, uint32_t user, sb_body_id *out);
/* One side of a contact; with the null id, `nothing`. */
scene_body *scene_side(const sb_scene *scene, sb_body_id id);
/* The body is elsewhere: the tracker ends its contacts. */
void scene_forget(sb_scene *scene, sb_body_id id);
/* BAD_ARGUMENT: another engine moves the bodies. */
SB_NODISCARD sb_status scene_check_own(const sb_scene *scene, sb_error *err);

/* advance.c: play what the tracker found in a step from `start_s`. `impacts`
 * counts them. */
void scene_play_events(sb_scene *scene, const sb_tracked *events, int count,
                       double start_s, int *impacts);

/* --- sound --------------------------------------------------------------- */

/* The body of a solid, or the null id. */
sb_body_id scene_world_body(const scene_world *world, uint32_t user);
/* Returns the event, to be completed. */
sb_event *scene_world_report(sb_scene *scene, sb_event_kind kind,
                             const sb_body_id body[2], const sb_tracked *event,
                             double time_s, double duration_s);

/* world_impact.c: play an impact on both bodies. `shakes`: it may throw what
 * lies on them. */
void scene_collide(sb_scene *scene, const sb_tracked *event, double time_s,
                   bool shakes);
/* For sb_world_set_rebound; `user` is the scene. */
double scene_rebound(void *user, const sb_contact_point *point);
/* Hertz' contact of the two at their contact point. */
sb_hertz scene_hertz(const sb_scene *scene, const sb_body_id body[2],
                     double mass_kg);
/* Radius of curvature of a body at the contact, m; INFINITY: flat. */
double scene_curvature_m(const sb_scene *scene, sb_body_id id, double *edge_m);

/* world_design.c: what bends the impacts of two bodies: the first's own, the
 * second's own, or what sb.world gave. */
const sb_strike_def *scene_design(const sb_scene *scene,
                                  const sb_body_id body[2]);
/* Bend law and estimate of an impact, whose speed is heard->speed_m_s. */
void scene_design_impact(const sb_strike_def *design, sb_hertz *hertz,
                         sb_impact_estimate *heard);
/* The micro-impacts and the slide that follow it. */
void scene_follow_impact(sb_scene *scene, const scene_impact *impact,
                         const sb_body_id body[2], const sb_tracked *event,
                         const sb_hertz *hertz, const sb_impact_estimate *heard,
                         double time_s);

/* follow.c: take an event of a lasting contact. */
void scene_follow(sb_scene *scene, const sb_tracked *event, double time_s);
/* follow_kinds.c: whether it sticks and slips, what is then added to the slide, and the
 * direction in which that rubs: along the slip, or into the surface if no mode
 * moves along it. */
bool scene_squeaks(const sb_scene *scene, const world_contact *contact);
void scene_squeak_setup(const sb_scene *scene, const world_contact *contact,
                        sb_lasting_setup *setup);
void scene_squeak_aim(const sb_scene *scene, const world_contact *contact,
                      sb_lasting_change *change);
/* The speeds of a contact that runs round a rim. */
void scene_rim(const sb_scene *scene, const sb_body_id body[2],
               sb_tracked *event);
/* Send the motion of lasting contacts in a control step from `from_s`. */
void scene_follow_up(sb_scene *scene, double from_s);
/* Silence them all: everything is asleep or, unless `keeps_rest`, the world is
 * removed. */
void scene_follow_none(sb_scene *scene, double time_s, bool keeps_rest);
/* End those of a body that is removed or placed elsewhere. */
void scene_unfollow(sb_scene *scene, sb_body_id id, double time_s);

/* world_shake.c: blows before `until_s` throw what lies on their bodies. */
void scene_shake(sb_scene *scene, double until_s);
/* Damp both bodies of a contact at rest; stop damping. */
void scene_rest(sb_scene *scene, world_contact *contact, double time_s);
void scene_unrest(sb_scene *scene, world_contact *contact, double time_s);
/* A new script has removed all touches: damp again. */
void scene_rest_again(sb_scene *scene);
/* Restitution of the pair. */
double scene_pair_restitution(const sb_scene *scene, const sb_body_id body[2]);
