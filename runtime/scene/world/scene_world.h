/* runtime/scene/world/scene_world.h -- the scene's bodies as they move, and what comes
 * of it.
 *
 * A scene in which a body is free or scripted, or a joint holds one, has a world
 * (runtime/world): all its bodies that others can run into are in it. Control
 * lets it advance step by step, and every impact and every contact that lasts is
 * heard on both bodies, at its own time, at its own place. What lies still makes
 * no sound, and damps what it lies on.
 *
 * World steps are at k / rate from the time at which the world was made,
 * whatever the control step is; a control step takes those that begin in it, so
 * that all they tell lies ahead.
 *
 * Thread: control. Memory: the scene's.
 */
#ifndef SB_SCENE_WORLD_SCENE_WORLD_H
#define SB_SCENE_WORLD_SCENE_WORLD_H

#include "runtime/scene/state/body.h"
#include "runtime/world/pose.h"

/* Take the world's steps that begin from `from_s` up to `to_s`, and let what
 * happens in them be heard. NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_advance(sb_scene *scene, double from_s,
                                        double to_s, sb_error *err);

typedef struct sb_world_info {
    bool is_there;
    double time_s; /* that it has reached: up to a step of its own ahead */
    double rate_hz;
    int bodies, awake; /* in it; free ones that are not asleep */
    int contacts;      /* now */
    long long lost;    /* bodies that left all bounds, so far */
    long long unheard; /* impacts and contacts that found no room */
} sb_world_info;

sb_world_info sb_scene_world_info(const sb_scene *scene);
/* Is something still going to move by itself? */
bool sb_scene_is_moving(const sb_scene *scene);

/* Of a body that is there: assertions, not checks. */
sb_pose sb_scene_pose(const sb_scene *scene, sb_body_id id);
bool sb_scene_is_asleep(const sb_scene *scene, sb_body_id id);
sb_motion sb_scene_motion(const sb_scene *scene, sb_body_id id);

/* Put it there, in that motion. BAD_ARGUMENT: not finite, or beyond 1e6. */
SB_NODISCARD sb_status sb_scene_set_pose(sb_scene *scene, sb_body_id id,
                                         const sb_pose *pose, double time_s,
                                         sb_error *err);
/* An impulse at a point of the world; NULL: at its centre. BAD_ARGUMENT: the
 * body is not free. */
SB_NODISCARD sb_status sb_scene_push(sb_scene *scene, sb_body_id id,
                                     sb_vec3 impulse_ns, const sb_vec3 *point,
                                     sb_error *err);

typedef struct sb_scene_ray_hit {
    sb_body_id body;
    sb_vec3 point, normal;
    double distance_m;
} sb_scene_ray_hit;

/* The nearest body from a point along a direction, as far as `most_m`. A world
 * is made for it where there is none. */
SB_NODISCARD sb_status sb_scene_raycast(sb_scene *scene, sb_vec3 from,
                                        sb_vec3 direction, double most_m,
                                        double time_s, bool *is_hit,
                                        sb_scene_ray_hit *out, sb_error *err);

/* Everything to where, and in the motion in which, it was declared. */
void sb_scene_restart(sb_scene *scene, double time_s);

/* One more joint; BAD_ARGUMENT, or NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_join(sb_scene *scene,
                                     const sb_joint_part *joint, double time_s,
                                     sb_error *err);

/* As the script said it, and another rule for it from now on: gravity and the
 * sound of impacts; the rate needs a load. */
sb_world_rules sb_scene_world_rules(const sb_scene *scene);
void sb_scene_set_world_rules(sb_scene *scene, const sb_world_rules *part);

/* --- what happened -------------------------------------------------------------- */

typedef enum sb_world_event_kind {
    SB_WORLD_IMPACT,
    SB_WORLD_ROLL, /* it begins to */
    SB_WORLD_SLIDE,
    SB_WORLD_REST,
    SB_WORLD_END, /* a contact that lasted is over */
    SB_WORLD_EVENT_KINDS
} sb_world_event_kind;

const char *sb_world_event_kind_name(sb_world_event_kind kind); /* "impact" */

typedef struct sb_world_event {
    sb_world_event_kind kind;
    double time_s;
    sb_body_id body[2];
    char name[2][SB_NAME_SIZE];
    sb_vec3 point, normal;          /* out of the second into the first */
    double impulse_ns, speed_m_s;   /* along the normal */
    double slip_m_s, force_n;       /* along the surface; normal */
    double duration_s, restitution; /* of an impact, as it is heard */
} sb_world_event;

/* The next event after those that this reader has seen; a reader begins with 0.
 * False when there is none. The latest 4096 are kept. */
bool sb_scene_next_event(const sb_scene *scene, uint64_t *reader,
                         sb_world_event *out);
uint64_t sb_scene_event_count(const sb_scene *scene);

/* The next body that the world lost and that has fallen silent. */
bool sb_scene_next_lost(sb_scene *scene, sb_body_id *out);

#endif
