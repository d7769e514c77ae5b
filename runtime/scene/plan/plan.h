/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/plan.h -- a scene as a script describes it.
 *
 * A plan is independent of the engine and of the running scene: a script fills
 * it, on any one thread, and its models are computed there, too. Only then is
 * it compared with the running scene and committed (commit.h).
 *
 * Thread: one at a time; handed from a worker to control as a whole.
 * Memory: the plan owns its bodies and retains their models. Definitions are
 *         copied, modes given by hand included.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/stop.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>

typedef struct sb_body_def sb_body_def;
typedef struct sb_joint_part sb_joint_part;
typedef struct sb_listener sb_listener;
typedef struct sb_plan sb_plan;
typedef struct sb_planned sb_planned;
typedef struct sb_quality_def sb_quality_def;
typedef struct sb_room_def sb_room_def;
typedef struct sb_world_rules sb_world_rules;

SB_NODISCARD sb_status sb_plan_create(sb_plan **out, sb_error *err);
void sb_plan_destroy(sb_plan *plan); /* NULL is allowed */

/* BAD_ARGUMENT: a name that is taken, a bad shape or material, no material
 * where one is needed. */
SB_NODISCARD sb_status sb_plan_add(sb_plan *plan, const sb_body_def *def,
                                   int *index, sb_error *err);
/* A copy of a solved body, its model and texture shared; for snapshots. */
SB_NODISCARD sb_status sb_plan_add_solved(sb_plan *plan,
                                          const sb_planned *solved,
                                          sb_error *err);
int sb_plan_count(const sb_plan *plan);
const sb_planned *sb_plan_at(const sb_plan *plan, int index);
/* The body itself; a commit takes it over and leaves it empty. */
sb_planned *sb_plan_take(sb_plan *plan, int index);
int sb_plan_find(const sb_plan *plan, const char *name); /* or -1 */
sb_listener *sb_plan_listener(sb_plan *plan);
sb_quality_def *sb_plan_quality(sb_plan *plan);
sb_room_def *sb_plan_room(sb_plan *plan);

sb_world_rules *sb_plan_world(sb_plan *plan);
/* BAD_ARGUMENT: as sb_joint_check, a name that is taken, or bodies that are not
 * free. Whether the bodies exist is checked when the plan is committed. */
SB_NODISCARD sb_status sb_plan_join(sb_plan *plan, const sb_joint_part *joint,
                                    sb_error *err);
int sb_plan_joint_count(const sb_plan *plan);
const sb_joint_part *sb_plan_joint_at(const sb_plan *plan, int index);

/* How much memory a solve may take, bytes; 0: the default (solve.h). */
void sb_plan_set_memory(sb_plan *plan, double bytes);
/* The stage that is reported before each body, also if nothing is solved. */
#define SB_STAGE_NEXT "next"

/* The stage before the radiation of `done` bodies, which takes about `expected`
 * ms. */
#define SB_STAGE_AIR "air"

/* Radiation that takes long and is not cached yet may be left out: the bodies
 * have the quick law, and `put_off_s` says so (planned.h). */
void sb_plan_put_off(sb_plan *plan);

/* A callback for progress, called on the thread of sb_plan_solve; it may
 * interrupt. */
void sb_plan_set_progress(sb_plan *plan, sb_progress progress, void *context);
/* The name of the body that is being solved. */
const char *sb_plan_solving(const sb_plan *plan);

/* Compute the models of all bodies; models in `running` (may be NULL) are
 * reused. */
SB_NODISCARD sb_status sb_plan_solve(sb_plan *plan, const sb_plan *running,
                                     sb_error *err);

/* What a commit changes about one body. */
typedef enum sb_change {
    SB_CHANGE_NONE,
    SB_CHANGE_PLACE,  /* position, gain, motion or impacts */
    SB_CHANGE_PAINT,  /* its texture, and possibly position or gain */
    SB_CHANGE_TUNING, /* the same modes, noise bands or springs, other values */
    SB_CHANGE_MODEL   /* other modes, bands or places, or whether it rings */
} sb_change;
