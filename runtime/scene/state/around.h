/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/around.h -- the room around the bodies of a scene.
 *
 * A change makes a new room for the audio thread; the old one fades out.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/scene/plan/room_def.h"

typedef struct sb_room sb_room;
typedef struct sb_scene sb_scene;

/* NO_MEMORY; on failure nothing has changed. */
SB_NODISCARD sb_status sb_scene_set_room(sb_scene *scene,
                                         const sb_room_def *room, double time_s,
                                         sb_error *err);
sb_room_def sb_scene_room(const sb_scene *scene);

/* For a commit. The audio thread's room, if it must change: `*changes`; NULL is
 * no room. */
SB_NODISCARD sb_status scene_prepare_room(const sb_scene *scene,
                                          const sb_room_def *room,
                                          bool *changes, sb_room **out,
                                          sb_error *err);
/* Take it over; the engine must have room for a command. */
void scene_enter_room(sb_scene *scene, const sb_room_def *room, sb_room *made,
                      double time_s);
