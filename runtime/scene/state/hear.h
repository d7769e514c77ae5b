/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/hear.h -- how loud and from where bodies are heard.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/base/quality_def.h"
#include "runtime/base/voice_types.h"
#include "runtime/scene/plan/listener.h"
#include "runtime/scene/state/body.h"

SB_NODISCARD sb_status sb_scene_set_gain(sb_scene *scene, sb_body_id id,
                                         double gain, double time_s,
                                         sb_error *err);

/* Move the listener for all bodies at once; on failure nothing has changed. A
 * listener with a velocity goes on moving. */
SB_NODISCARD sb_status sb_scene_set_listener(sb_scene *scene,
                                             const sb_listener *listener,
                                             double time_s, sb_error *err);
sb_listener sb_scene_listener(const sb_scene *scene);
/* The automatic gain; 0 as long as nothing has rung. */
double sb_scene_exposure(const sb_scene *scene);
/* The automatic gain is this one, whatever rings. */
void sb_scene_set_exposure(sb_scene *scene, double gain);
/* The next commit begins anew: it chooses the automatic gain again, and all
 * bodies are silent, without strikers in flight. Strikes are forgotten. */
void sb_scene_start_over(sb_scene *scene);

/* Call at the start of each control step: advances a listener that has a
 * velocity. */
SB_NODISCARD sb_status sb_scene_advance_listener(sb_scene *scene, double from_s,
                                                 double to_s, sb_error *err);

/* What to drop when there is too much sound (engine/audio/quality.h). */
SB_NODISCARD sb_status sb_scene_set_quality(sb_scene *scene,
                                            const sb_quality_def *quality,
                                            double time_s, sb_error *err);
sb_quality_def sb_scene_quality(const sb_scene *scene);
/* The voice that plays a body; the null id if it does not ring. */
sb_voice_id sb_scene_voice(const sb_scene *scene, sb_body_id id);
