/* SPDX-License-Identifier: MIT */
/* runtime/scene/commit.h -- turns the running scene into the planned one.
 *
 * The two are compared name by name. A body that is the same is not touched and
 * goes on ringing; one with the same modes but other values is retuned over
 * 20 ms while it rings; one with other modes gets a new voice while the old one
 * fades out; one that is missing fades out; a new one is silent until struck.
 * All changes happen at one time, or none does.
 *
 * Thread: control. Memory: the scene takes the plan's bodies over.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/scene/plan/plan.h"

typedef struct sb_body_id sb_body_id;
typedef struct sb_plan sb_plan;
typedef struct sb_planned sb_planned;
typedef struct sb_scene sb_scene;

typedef struct sb_commit_counts {
    int kept;     /* unchanged */
    int moved;    /* position or gain only */
    int painted;  /* new weights for contacts from now on */
    int retuned;  /* ringing modes glide to new values */
    int replaced; /* cross-faded to other modes */
    int added;
    int removed;
} sb_commit_counts;

/* The running scene as a plan: what scripts declared, with models. A worker may
 * read it, and sb_plan_solve reuses its models. */
SB_NODISCARD sb_status sb_scene_snapshot(const sb_scene *scene, sb_plan **out,
                                         sb_error *err);

/* Turn the scene into `plan`, which must have been solved. The id of its i-th
 * body goes to ids[i]. The bodies of the plan are taken over: it is empty
 * afterwards. On failure scene and plan are unchanged, and so is the sound. */
SB_NODISCARD sb_status sb_scene_commit(sb_scene *scene, sb_plan *plan,
                                       double time_s, sb_body_id *ids,
                                       sb_commit_counts *counts, sb_error *err);

/* Turn one body into what is planned under its name, which must have been
 * solved: retuned, or with a new voice, as by a commit; the rest of the scene
 * goes on, and so does its mass in the world. The planned body is taken over. On failure both are unchanged.
 * STALE_HANDLE: there is no such body. */
SB_NODISCARD sb_status sb_scene_change(sb_scene *scene, sb_planned *planned,
                                       double time_s, sb_change *what,
                                       sb_error *err);

/* Take over only the textures of bodies that are in the scene with the same
 * modes: timers, contacts and everything else of the running script
 * continue, and touches and lasting contacts on such a body change to the
 * new weights in 20 ms. The plan gets the old textures. Only `painted` and
 * `kept` are counted. */
void sb_scene_repaint(sb_scene *scene, sb_plan *plan, double time_s,
                      sb_commit_counts *counts);
