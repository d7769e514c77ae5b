/* SPDX-License-Identifier: MIT */
/* runtime/scene/scene_internal.h -- bodies that come and go, for scene.c and
 * commit.c.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/scene/state/state.h"

/* Reserve room for `count` more bodies, so that scene_enter cannot fail. */
SB_NODISCARD sb_status scene_reserve(sb_scene *scene, int count, sb_error *err);

/* Reserve room for the weights of a model. */
SB_NODISCARD sb_status scene_reserve_weights(sb_scene *scene,
                                             const sb_model *model,
                                             sb_error *err);

/* A voice for a solved body; null for one that does not ring. */
SB_NODISCARD sb_status scene_make_voice(sb_scene *scene,
                                        const sb_planned *planned,
                                        double time_s, sb_voice_id *out,
                                        sb_error *err);

/* Enter a body; takes `planned` over. Room must have been reserved. */
sb_body_id scene_enter(sb_scene *scene, sb_planned *planned, sb_voice_id voice);
/* Remove the body at that place, but not its voice. */
void scene_leave(sb_scene *scene, int place);
