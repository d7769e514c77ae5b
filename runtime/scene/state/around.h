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

/* BAD_ARGUMENT, NO_MEMORY; on failure nothing has changed. */
SB_NODISCARD sb_status sb_scene_set_room(sb_scene *scene,
                                         const sb_room_def *room, double time_s,
                                         sb_error *err);
sb_room_def sb_scene_room(const sb_scene *scene);

/* A change of the room: what is made for it. */
typedef struct scene_room_change {
    bool changes;
    sb_room_def def;
    sb_air air;
    sb_room *room;               /* or NULL: none */
    struct scene_mirror *mirror; /* or NULL: no early reflections */
} scene_room_change;

/* In three steps, for a commit: make what must change, or nothing; */
SB_NODISCARD sb_status scene_prepare_room(const sb_scene *scene,
                                          const sb_room_def *room,
                                          const sb_air *air,
                                          scene_room_change *out,
                                          sb_error *err);
void scene_drop_room(scene_room_change *change); /* instead of the next */
/* take it over. The engine must have room for a command, and one per body. */
void scene_enter_room(sb_scene *scene, scene_room_change *change,
                      double time_s);
