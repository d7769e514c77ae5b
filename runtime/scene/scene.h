/* SPDX-License-Identifier: MIT */
/* runtime/scene/scene.h -- a scene: bodies, listener, and their lives.
 *
 * A whole scene is planned (plan/plan.h) and committed (commit.h); single
 * bodies may be added and removed after that. The headers below declare what
 * can be done with the bodies; lasting contacts (contact/lasting.h) and the
 * rigid-body world (world/scene_world.h) are included where they are used.
 *
 * Thread: control.
 * Memory: the scene owns its bodies and retains their models.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/scene/state/body.h"

#include <stdint.h>

typedef struct sb_body_def sb_body_def;
typedef struct sb_engine sb_engine;

/* An empty scene. The engine must outlive it. */
SB_NODISCARD sb_status sb_scene_create(sb_engine *engine, sb_scene **out,
                                       sb_error *err);
void sb_scene_destroy(sb_scene *scene); /* NULL is allowed */

/* Seed of the random streams of bodies added from now on; default 1. The same
 * seed gives the same micro-impacts at every sample rate. */
void sb_scene_set_seed(sb_scene *scene, uint64_t seed);

/* From now on a body that is added has the quick law of radiation if the exact
 * one is not cached; `put_off_s` says so (planned.h). */
void sb_scene_put_off_air(sb_scene *scene);

/* From now on every body that rings has a stem: its sound alone, before the
 * limiter, with the name of the body; bodies of the same name share it. Before
 * the first body, and only while no device runs. */
void sb_scene_want_stems(sb_scene *scene);
int sb_scene_stem_count(const sb_scene *scene);
const char *sb_scene_stem_name(const sb_scene *scene, int i);
/* See sb_engine_stem_block. */
const float *sb_scene_stem_block(const sb_scene *scene, int i);

/* Add a body, silent until struck. BAD_ARGUMENT as sb_plan_add, NO_MODES,
 * NO_CONVERGENCE, NO_MEMORY; the message names the body. */
SB_NODISCARD sb_status sb_scene_add(sb_scene *scene, const sb_body_def *def,
                                    double time_s, sb_body_id *out,
                                    sb_error *err);

/* The same for one that has been solved (plan.h), perhaps on another thread; it
 * is taken over, and empty afterwards. On failure it is unchanged. */
SB_NODISCARD sb_status sb_scene_add_planned(sb_scene *scene,
                                            sb_planned *planned, double time_s,
                                            sb_body_id *out, sb_error *err);

/* Fade the body out over 50 ms; the id is stale at once. */
SB_NODISCARD sb_status sb_scene_remove(sb_scene *scene, sb_body_id id,
                                       double time_s, sb_error *err);
