/* runtime/scene/commit.h -- from the scene that runs to the one that is planned.
 *
 * The two are compared name by name. What is the same is not touched and goes
 * on ringing; what has the same modes with other values is retuned over 20 ms
 * while it rings; what has other modes gets a new voice while the old one fades
 * away; what is missing fades out; what is new is silent until struck. All of
 * it happens at one time, or none of it.
 *
 * Thread: control.
 */
#ifndef SB_SCENE_COMMIT_H
#define SB_SCENE_COMMIT_H

#include "runtime/scene/plan/plan.h"
#include "runtime/scene/scene.h"

typedef struct sb_commit_counts {
    int kept;     /* not touched */
    int moved;    /* position or gain only */
    int painted;  /* other weights, for whatever touches it from now on */
    int retuned;  /* ringing modes glide to new values */
    int replaced; /* cross-faded to other modes */
    int added;
    int removed;
} sb_commit_counts;

/* The running scene as a plan: what scripts declared, with models, for
 * sb_plan_solve and for a worker to read. */
SB_NODISCARD sb_status sb_scene_snapshot(const sb_scene *scene, sb_plan **out,
                                         sb_error *err);

/* Make the scene what `plan`, solved, says. The id of its i-th body goes to
 * ids[i]. Bodies of the plan are taken over: it is empty afterwards. On failure
 * scene and plan are what they were, and not a sample changes. */
SB_NODISCARD sb_status sb_scene_commit(sb_scene *scene, sb_plan *plan,
                                       double time_s, sb_body_id *ids,
                                       sb_commit_counts *counts, sb_error *err);

/* Only take over the textures of bodies that are there with the same modes:
 * timers, contacts and all else of the running script go on, and what rests or
 * moves on such a body goes over to the new weights in 20 ms. The plan gets the
 * old textures. Only `painted` and `kept` are counted. */
void sb_scene_repaint(sb_scene *scene, sb_plan *plan, double time_s,
                      sb_commit_counts *counts);

#endif
