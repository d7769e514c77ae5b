/* SPDX-License-Identifier: MIT */
/* runtime/scene/world/scene_world.h -- the rigid-body world of a scene.
 *
 * A scene has a world (runtime/world) if one of its bodies is free or scripted
 * or held by a joint; all its bodies with a collider are in it. The control
 * thread advances it step by step. Every impact and every lasting contact is
 * heard on both bodies, at its own time and place. Bodies that lie still make
 * no sound and damp what they lie on.
 *
 * World steps are at k / rate from the time at which the world was made,
 * independent of the control step. A control step takes the world steps that
 * begin in it, so that all their events lie ahead of the audio clock.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/base/pose.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/state/body.h"

/* Take the world steps that begin from `from_s` up to `to_s`, and play their
 * impacts and contacts. NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_advance(sb_scene *scene, double from_s,
                                        double to_s, sb_error *err);

typedef struct sb_world_info {
    bool is_there;
    double time_s; /* reached so far: up to one world step ahead */
    double rate_hz;
    int substeps;      /* least number per step */
    bool was_limited;  /* more contacts were found than are solved */
    int bodies, awake; /* all; free ones that are not asleep */
    int contacts;      /* now */
    long long lost;    /* bodies that left the bounds of the world */
    long long unheard; /* impacts and contacts that could not be played */
} sb_world_info;

sb_world_info sb_scene_world_info(const sb_scene *scene);
/* One call per pair of bodies that overlap where they are now, unless they only
 * touch. Returns false if not all pairs were looked at (sb_world_overlaps). */
typedef void sb_scene_overlap_visitor(void *user, sb_body_id first,
                                      sb_body_id second, double depth_m);
bool sb_scene_overlaps(const sb_scene *scene, sb_scene_overlap_visitor *visit,
                       void *user);
/* Likewise, of bodies that were added since its last call; `visit` may be
 * NULL. */
bool sb_scene_new_overlaps(sb_scene *scene, sb_scene_overlap_visitor *visit,
                           void *user);

/* One sentence about such a pair. */
enum { SB_OVERLAP_TEXT_SIZE = 320 };
void sb_scene_overlap_text(const sb_scene *scene, sb_body_id first,
                           sb_body_id second, double depth_m,
                           char text[SB_OVERLAP_TEXT_SIZE]);

/* Does anything still move by itself? */
bool sb_scene_is_moving(const sb_scene *scene);

/* The body must exist: these assert and do not check. */
sb_pose sb_scene_pose(const sb_scene *scene, sb_body_id id);
bool sb_scene_is_asleep(const sb_scene *scene, sb_body_id id);
sb_motion sb_scene_motion(const sb_scene *scene, sb_body_id id);

/* Set pose and motion. BAD_ARGUMENT: not finite, or beyond 1e6. */
SB_NODISCARD sb_status sb_scene_set_pose(sb_scene *scene, sb_body_id id,
                                         const sb_pose *pose, double time_s,
                                         sb_error *err);
/* Give it an impulse at a point of the world; NULL: at its centre.
 * BAD_ARGUMENT: the body is not free. */
SB_NODISCARD sb_status sb_scene_push(sb_scene *scene, sb_body_id id,
                                     sb_vec3 impulse_ns, const sb_vec3 *point,
                                     sb_error *err);

/* A force on a free body, N, until it is set again. */
SB_NODISCARD sb_status sb_scene_set_force(sb_scene *scene, sb_body_id id,
                                          sb_vec3 force_n, sb_error *err);

typedef struct sb_scene_ray_hit {
    sb_body_id body;
    sb_vec3 point, normal;
    double distance_m;
} sb_scene_ray_hit;

/* The nearest body from a point along a direction, up to `most_m`. Makes a
 * world if the scene has none. */
SB_NODISCARD sb_status sb_scene_raycast(sb_scene *scene, sb_vec3 from,
                                        sb_vec3 direction, double most_m,
                                        double time_s, bool *is_hit,
                                        sb_scene_ray_hit *out, sb_error *err);

/* Return all bodies to their declared poses and motions. */
void sb_scene_restart(sb_scene *scene, double time_s);

/* Add a joint. BAD_ARGUMENT, NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_join(sb_scene *scene,
                                     const sb_joint_part *joint, double time_s,
                                     sb_error *err);

/* The rules as declared, and new ones: gravity and the model of impacts take
 * effect at once, the rate with the next load. */
sb_world_rules sb_scene_world_rules(const sb_scene *scene);
void sb_scene_set_world_rules(sb_scene *scene, const sb_world_rules *part);

/* The next body that left the bounds of the world and has been silenced. */
bool sb_scene_next_lost(sb_scene *scene, sb_body_id *out);
