/* SPDX-License-Identifier: MIT */
/* runtime/engine/engine_pad.h -- places on voices, prepared to be hit.
 *
 * A pad (voice/pad.h) is prepared once by control. sb_engine_hit_pad then hits
 * it on the thread that pulls, some microseconds each, without the lead of a
 * control step: it sounds in the block that is rendered next.
 *
 * A hit on a voice that is gone, or not yet there, is dropped and counted.
 *
 * Thread: control, except sb_engine_hit_pad.
 * Memory: the engine owns its pads; definitions are copied.
 */
#pragma once

#include "runtime/engine/voice/voice_pad.h"

typedef struct sb_engine sb_engine;

typedef struct sb_pad_def {
    sb_voice_id voice;
    const double *weights; /* phi . direction, one per mode of the voice */
    /* A moving mass, without start_frame, weights, law and speed; NULL: a known
     * force. */
    const sb_striker *striker;
    uint32_t label; /* of sb_engine_next_impact; 0: no reports */
    sb_pad_law *law;
    const void *law_data; /* copied */
    size_t law_bytes;
} sb_pad_def;

/* Prepare a pad. If `id` is the id of a pad, that becomes the new one and keeps
 * its id; hits that wait or play keep the old one. STALE_HANDLE, NO_MEMORY,
 * also when all SB_AUDIO_PADS are in use, QUEUE_FULL when the thread that pulls
 * has not taken what was sent. */
SB_NODISCARD sb_status sb_engine_prepare_pad(sb_engine *engine,
                                             const sb_pad_def *def,
                                             sb_pad_id *id, sb_error *err);

/* The id is stale at once; hits that wait or play go on. A stale id is a
 * no-op. */
void sb_engine_release_pad(sb_engine *engine, sb_pad_id id);
bool sb_engine_has_pad(const sb_engine *engine, sb_pad_id id);

/* Hit a pad at this frame; one that is past, as 0: at once, that is, at the
 * start of the block of SB_BLOCK_FRAMES that is rendered next. False if it was
 * dropped, which is counted: the id is stale, the speed makes no sound, or
 * SB_PAD_HITS of this pad wait or play.
 *
 * Thread: audio (the one that pulls). */
bool sb_engine_hit_pad(sb_engine *engine, sb_pad_id id, double speed_m_s,
                       int64_t frame) SB_RT;

/* The same from the control thread: it is taken when the next block is
 * rendered. False if the queue is full. */
bool sb_engine_post_hit(sb_engine *engine, sb_pad_id id, double speed_m_s,
                        int64_t frame);
