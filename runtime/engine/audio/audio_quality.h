/* runtime/engine/audio/audio_quality.h -- quality.h applied by the audio
 * thread.
 *
 * Thread: audio. Memory: sb_audio's.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_QUALITY_H
#define SB_ENGINE_AUDIO_AUDIO_QUALITY_H

#include "runtime/engine/audio/audio.h"

void audio_set_quality(sb_audio *audio, const sb_quality_def *def) SB_RT;

/* Before each block: apply the present threshold and advance the glide, which
 * is returned when it is complete. */
sb_retune *audio_ready_voice(const sb_audio *audio, sb_voice *voice) SB_RT;

/* Advance a voice that is not heard by a block. */
void audio_pass(sb_voice *voice, sb_tracer *tracer,
                sb_voice_report *report) SB_RT;

/* Set the meters; `active_modes` applies if there is no limit. */
void audio_show_quality(sb_audio *audio, int active_modes) SB_RT;

#endif
