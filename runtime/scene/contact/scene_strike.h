/* SPDX-License-Identifier: MIT */
/* runtime/scene/contact/scene_strike.h -- strikes on bodies.
 *
 * A strike definition (strike/strike.h) and a place become an impact
 * (impact.h), which is played by the engine. scene_event.h has what comes of it;
 * one contact can be watched sample by sample.
 *
 * Thread: control. Memory: the scene's; definitions are copied.
 */
#pragma once

#include "runtime/scene/contact/scene_event.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/strike/strike_def.h"

typedef struct sb_impact_estimate sb_impact_estimate;
typedef struct sb_traced sb_traced;

/* Strike at `time_s`, which may lie ahead. A body that does not ring takes the
 * strike silently. STALE_HANDLE, NO_MEMORY, QUEUE_FULL. */
SB_NODISCARD sb_status sb_scene_strike(sb_scene *scene, sb_body_id id,
                                       const sb_place *place,
                                       const sb_strike_def *def, double time_s,
                                       sb_impact_estimate *out, sb_error *err);

/* Strike with another body of the scene, at a place of its own. Material,
 * hardness and effective mass of the striker are those of that body, as is its
 * radius if it is a ball; a mass in the definition takes precedence. Both
 * bodies receive the same force in opposite directions: straight into their
 * surfaces, or the body along the direction of `place` and the striker against
 * it. Also BAD_ARGUMENT: the striker is the body itself, is a resonator, or
 * cannot move as a whole and no mass is given. */
SB_NODISCARD sb_status sb_scene_strike_with(
    sb_scene *scene, sb_body_id id, const sb_place *place, sb_body_id striker,
    const sb_place *striker_place, const sb_strike_def *def, double time_s,
    sb_impact_estimate *out, sb_error *err);

/* --- one contact, sample by sample ---------------------------------------- */

/* Watch the contact that is the `number`th to begin from now on, counted from
 * 1: strikes and lasting contacts count, micro-impacts of strikes do not; by
 * steps if they are wanted (sb_engine_trace). NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_watch(sb_scene *scene, long long number,
                                      bool wants_steps, sb_error *err);
long long sb_scene_contacts_begun(const sb_scene *scene);
/* The name of the first body of the contact that was watched last, "" if there
 * was none, and its kind: "strike", "world", or that of a lasting contact. */
const char *sb_scene_watched(const sb_scene *scene, const char **kind);
/* Its next row; false when there is none. If neither body rings, all rows are
 * available at once. */
bool sb_scene_next_traced(sb_scene *scene, sb_traced *out);
