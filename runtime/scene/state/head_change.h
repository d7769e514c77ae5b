/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/head_change.h -- another measured head for a listener.
 *
 * A file is read and fitted (dsp/ears/head.h) only if it is not the one that was
 * used last. Filters go to the audio thread, delays stay here.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/scene/plan/listener.h"

typedef struct sb_scene sb_scene;

typedef struct scene_head_change {
    struct sb_head *head; /* NULL: as it is */
    struct sb_head_delays *delays;
    sb_ears_file file;
} scene_head_change;

/* NOT_FOUND, BAD_FORMAT, NO_MEMORY; nothing, if the listener's ears are not
 * measured. */
SB_NODISCARD sb_status scene_prepare_head(const sb_scene *scene,
                                          const sb_listener *listener,
                                          scene_head_change *out,
                                          sb_error *err);
void scene_drop_head(scene_head_change *change); /* instead of the next */
/* Room for a command must have been reserved. */
void scene_wear_head(sb_scene *scene, scene_head_change *change, double time_s);
