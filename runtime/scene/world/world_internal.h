/* runtime/scene/world/world_internal.h -- the world as the scene_world*.c files and
 * commit.c share it. Nobody else looks in here.
 */
#ifndef SB_SCENE_WORLD_WORLD_INTERNAL_H
#define SB_SCENE_WORLD_WORLD_INTERNAL_H

#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/state/state_internal.h"
#include "runtime/scene/world/scene_world.h"
#include "runtime/scene/world/world_log.h"
#include "runtime/world/contact_tracker.h"
#include "runtime/world/world.h"

/* What is in the world under a number: the place of its entry. */
typedef struct world_solid {
    sb_solid_id solid; /* null: the number is free */
    sb_body_id body;
    bool is_asleep; /* while a log is written or read: as of its last step */
} world_solid;

typedef struct world_joint {
    sb_joint_part part;
    sb_body_id body[2];
    sb_vec3 at, axis; /* in the axes of the first body */
    sb_world_joint_id joint;
} world_joint;

/* A contact that the tracker follows, and what is heard of it. */
typedef struct world_contact {
    uint32_t number; /* the tracker's; they are kept in its order */
    sb_body_id body[2];
    sb_tracked last; /* told */
    double last_s;   /* when that was, in scene time */
    bool is_news;    /* not yet passed on */
    bool is_over;    /* the tracker says */
    bool is_ended;   /* that has been told */
    bool is_gone;    /* nothing is left to do about it */
    /* of one that rolls or slides */
    sb_contact_id sound; /* or none */
    sb_contact_state sounds_as;
    int under;     /* which of the two it is heard on as the ground */
    double told_s; /* up to when its motion has been passed on */
    /* of one that rests */
    double rests_s;  /* since when */
    bool is_settled; /* long enough to damp */
    sb_touch_id touch[2];
} world_contact;

/* How far a log has been replayed. */
typedef struct world_log_place {
    int64_t first; /* the world's step at which it began */
    int step, event, pose;
} world_log_place;

typedef struct scene_world {
    sb_world *world;
    sb_tracker *tracker;
    double origin_s; /* scene time of its step 0 */
    double rate_hz;
    int64_t skipped; /* steps that were not taken: all was asleep */
    sb_vec3
        looked_from; /* where the listener was when bodies were looked for */
    bool has_looked;
    world_solid *solids;
    int solid_count, solid_capacity; /* numbers ever used; 0 is nobody */
    world_joint *joints;
    int joint_count, joint_capacity;
    world_contact *contacts;
    int contact_count, contact_capacity;
    double least_w; /* that one must rub off to be heard in this step */
    double *powers; /* to find that */
    int power_capacity;
    sb_body_id *lost; /* to be told */
    int lost_count, lost_capacity;
    long long lost_ever, unheard;
    sb_world_log *recorded;       /* or NULL */
    const sb_world_log *replayed; /* instead of stepping; or NULL */
    world_log_place next;
} scene_world;

enum { WORLD_EVENTS = 4096 };
struct sb_world_events {
    uint64_t count; /* ever */
    sb_world_event items[WORLD_EVENTS];
};

void scene_world_free(scene_world *world); /* NULL is allowed */

/* --- scene_world.c: who is in it --------------------------------------------- */

/* Scene time of the step that it takes next. */
double scene_world_now(const scene_world *world);
world_solid *scene_solid(const scene_world *world, uint32_t user);

/* A body that is about to enter the scene, with the number under which it is in
 * the world: 0 when there is none. scene_world_own says who it became. */
SB_NODISCARD sb_status scene_world_add(sb_scene *scene,
                                       const sb_planned *planned, double time_s,
                                       uint32_t *user, sb_error *err);
void scene_world_own(sb_scene *scene, sb_body_id id, uint32_t user);
void scene_world_remove(sb_scene *scene, sb_body_id id, double time_s);

/* --- scene_world_build.c: all of it -------------------------------------------- */

/* What is to be in a new world: one a body, in the order of their numbers. */
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

/* The solid of entry i gets the number i + 1, or none when it has no collider;
 * bodies and joints' bodies are to be filled in. BAD_ARGUMENT, NO_MEMORY. */
SB_NODISCARD sb_status scene_world_build(const world_plan *plan, uint64_t seed,
                                         scene_world **out, sb_error *err);
SB_NODISCARD sb_status scene_world_put(scene_world *world,
                                       const sb_planned *planned,
                                       const sb_pose *pose, uint32_t *user,
                                       sb_error *err);
/* For a scene that has none: of the bodies that are there. */
SB_NODISCARD sb_status scene_world_ensure(sb_scene *scene, double time_s,
                                          sb_error *err);
/* In place of the one that is there; ids[i] is the body of entry i. */
void scene_world_take(sb_scene *scene, scene_world *world,
                      const sb_body_id *ids, int count, double time_s);

/* --- world_log.c ---------------------------------------------------------------- */

/* Write, where something is recorded, what a step told, and then where all is. */
SB_NODISCARD sb_status scene_log_events(scene_world *world,
                                        const sb_tracked *events, int count,
                                        sb_error *err);
SB_NODISCARD sb_status scene_log_poses(sb_scene *scene, sb_error *err);
/* Read it, of a world that is replayed; the poses end the step. */
int scene_log_take_events(const scene_world *world, const sb_tracked **out);
void scene_log_take_poses(sb_scene *scene);
bool scene_log_is_over(const scene_world *world);
int scene_log_steps(const sb_world_log *log); /* for tests */

/* --- scene_world_commit.c ------------------------------------------------------ */

typedef struct world_change {
    bool is_other;      /* than the one that runs */
    scene_world *world; /* or NULL: nothing moves any more */
} world_change;

/* All that can fail of it; `world` is the caller's to free then. */
SB_NODISCARD sb_status scene_world_prepare(sb_scene *scene, sb_plan *plan,
                                           double time_s, world_change *out,
                                           sb_error *err);
/* Once the bodies are there: ids[i] is the plan's i-th. */
void scene_world_change(sb_scene *scene, const world_change *change,
                        const sb_world_rules *rules, const sb_body_id *ids,
                        int count, double time_s);
/* The body has another pose now. */
void scene_world_replace(sb_scene *scene, sb_body_id id, double time_s);

/* --- what is heard ------------------------------------------------------------ */

/* What of a body an event speaks of, or the null id. */
sb_body_id scene_world_body(const scene_world *world, uint32_t user);
void scene_world_tell(sb_scene *scene, sb_world_event_kind kind,
                      const sb_body_id body[2], const sb_tracked *event,
                      double time_s, double duration_s);

/* scene_collide.c: an impact, on both. */
void scene_collide(sb_scene *scene, const sb_tracked *event, double time_s);
/* Hertz' contact of the two where they touch, and its law's restitution. */
sb_hertz scene_hertz(const sb_scene *scene, const sb_body_id body[2],
                     double mass_kg);
/* How round a body is where it touches, m; INFINITY: flat. */
double scene_curvature_m(const sb_scene *scene, sb_body_id id, double *edge_m);

/* scene_follow.c: contacts that last. */
void scene_follow(sb_scene *scene, const sb_tracked *event, double time_s);
/* Pass on what they did in a control step from `from_s`. */
void scene_follow_up(sb_scene *scene, double from_s);
/* None is heard any more: everything is asleep or, if nothing `keeps_rest`, the
 * world goes. */
void scene_follow_none(sb_scene *scene, double time_s, bool keeps_rest);
/* Those of a body that goes, or is put elsewhere. */
void scene_unfollow(sb_scene *scene, sb_body_id id, double time_s);

/* scene_rest.c: what lies on what takes up its motion. */
void scene_rest(sb_scene *scene, world_contact *contact, double time_s);
void scene_unrest(sb_scene *scene, world_contact *contact, double time_s);
/* Another script has taken over, and touches and sounds are gone: again. */
void scene_rest_again(sb_scene *scene);

#endif
