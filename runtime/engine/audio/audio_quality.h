/* runtime/engine/audio/audio_quality.h -- quality.h at work in the audio
 * thread.
 *
 * Thread: audio. Memory: sb_audio's.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_QUALITY_H
#define SB_ENGINE_AUDIO_AUDIO_QUALITY_H

#include "runtime/engine/audio/audio.h"

void audio_set_quality(sb_audio *audio, const sb_quality_def *def) SB_RT;

/* Before each block: the threshold that holds now, and a block further on the
 * glide, which is handed back when it has arrived. */
sb_retune *audio_ready_voice(const sb_audio *audio, sb_voice *voice) SB_RT;

/* A block of a voice that is not heard. */
void audio_pass(sb_voice *voice, sb_tracer *tracer,
                sb_voice_report *report) SB_RT;

/* Set the meters; `active_modes` if nothing limits it. */
void audio_show_quality(sb_audio *audio, int active_modes) SB_RT;

#endif
