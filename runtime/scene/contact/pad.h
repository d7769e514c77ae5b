/* SPDX-License-Identifier: MIT */
/* runtime/scene/contact/pad.h -- places on bodies, prepared to be hit.
 *
 * sb_scene_strike finds the weights of all modes at its place for each strike,
 * a millisecond on a plate of 800 modes, and is heard a control step later. A
 * pad has them ready: sb_engine_hit_pad (engine_pad.h) hits it from the audio
 * thread and needs no lead, sb_engine_post_hit from the control thread.
 *
 * A hit sounds as sb_scene_strike with the same definition, place, speed and
 * time does, sample by sample; where the duration of the contact depends on
 * the speed and the modes' share on the duration (a stiffening or an onset with
 * a known force; a body with a diffuse part), within -120 dB.
 *
 * A pad stays at its place on the body as that moves. When the body changes, as
 * by a reload, its pads are prepared again and keep their ids; until the new
 * voice begins, hits are dropped and counted. When the body is removed, or
 * there is no memory, they are gone.
 *
 * Hits are events (scene_event.h), once they have been computed, if that was
 * wanted when the pad was prepared. They throw nothing that lies on the body.
 *
 * Thread: control. Memory: the scene's; definitions are copied.
 */
#pragma once

#include "runtime/engine/voice/voice_pad.h"
#include "runtime/scene/state/body.h"

typedef struct sb_strike_def sb_strike_def;

/* Prepare a place for hits as `def` describes them, but for its speed and
 * impulse. STALE_HANDLE, NO_MEMORY, QUEUE_FULL; BAD_ARGUMENT: the body does not
 * ring by modes, or the strike is more than one blow: it bounces, scatters or
 * grazes. */
SB_NODISCARD sb_status sb_scene_prepare_pad(sb_scene *scene, sb_body_id id,
                                            const sb_place *place,
                                            const sb_strike_def *def,
                                            sb_pad_id *out, sb_error *err);

/* The id is stale at once; hits that wait or play go on. A stale id is a
 * no-op. */
void sb_scene_release_pad(sb_scene *scene, sb_pad_id id);
