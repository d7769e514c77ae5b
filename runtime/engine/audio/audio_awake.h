/* runtime/engine/audio/audio_awake.h -- which voices are active in a block.
 *
 * A voice becomes active when it is struck, touched, retuned or removed. It
 * becomes inactive when there is nothing left to hear or to do, and is then
 * skipped until something happens to it. So thousands of silent bodies cost
 * nothing.
 *
 * A voice that sounds but is not heard (quality.h) dozes: it is examined every
 * SB_QUALITY_REFRESH blocks, in turn with the others, or when something
 * happens.
 *
 * There is one bit per place in order of arrival. Active voices are found in
 * that order, which is the order of mixing.
 *
 * Thread: audio. Memory: sb_audio's.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_AWAKE_H
#define SB_ENGINE_AUDIO_AUDIO_AWAKE_H

#include "runtime/engine/audio/audio.h"

void audio_wake(sb_audio *audio, const sb_voice *voice) SB_RT;
void audio_let_sleep(sb_audio *audio, sb_voice *voice) SB_RT;

void audio_let_doze(sb_audio *audio, sb_voice *voice) SB_RT;
bool audio_may_doze(const sb_voice *voice) SB_RT;
void audio_wake_dozing(sb_audio *audio) SB_RT;
/* Update its bit after its place has changed. */
void audio_update_dozing(sb_audio *audio, const sb_voice *voice) SB_RT;

/* It is silent, and nothing is in progress. */
bool audio_may_sleep(const sb_voice *voice) SB_RT;

/* The first place from this one on with an active voice, or -1. */
int audio_next_awake(const sb_audio *audio, int from) SB_RT;

/* Activate the voices whose turn it is, and those that act as strikers of
 * active voices, and list the slots of all active voices in audio->listed.
 * Returns their number. */
int audio_list_awake(sb_audio *audio) SB_RT;

#endif
