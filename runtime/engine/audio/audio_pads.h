/* runtime/engine/audio/audio_pads.h -- hits of prepared places.
 *
 * Pads come from control, and hits that control posts, through a ring of their
 * own: they have no time at which they are due, and are taken before the next
 * hit or block. A hit waits for the block of its frame and is then a strike
 * like any other (audio_strikes.h).
 *
 * Thread: audio. Memory: sb_audio's; pads return through the retired ring.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_PADS_H
#define SB_ENGINE_AUDIO_AUDIO_PADS_H

#include "runtime/engine/voice/voice_pad.h"

typedef struct sb_audio sb_audio;

/* Hit a pad: see sb_engine_hit_pad. */
bool sb_audio_hit(sb_audio *audio, sb_pad_id id, double speed_m_s,
                  int64_t frame) SB_RT;

/* Queue the hits that are due in the coming block. */
void audio_begin_hits(sb_audio *audio) SB_RT;

#endif
