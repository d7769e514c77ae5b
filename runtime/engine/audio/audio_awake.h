/* runtime/engine/audio/audio_awake.h -- who has something to do in a block.
 *
 * A body that is struck, touched, retuned or told to leave wakes; one at which
 * there is nothing left to hear or to do sleeps, and is not looked at again
 * until something happens to it. So thousands of silent bodies cost what none
 * cost.
 *
 * A body that sounds but is not heard (quality.h) dozes: it is looked at every
 * SB_QUALITY_REFRESH blocks, in turn with the others, or when something
 * happens.
 *
 * A bit for each place in order of arrival: those that are awake are found in
 * that order, which is the order in which they have always been mixed.
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
/* Its place has changed. */
void audio_still_dozes(sb_audio *audio, const sb_voice *voice) SB_RT;

/* Nothing to hear of it, and nothing under way. */
bool audio_may_sleep(const sb_voice *voice) SB_RT;

/* The first place from this one on whose voice is awake, or -1. */
int audio_next_awake(const sb_audio *audio, int from) SB_RT;

/* Wake those whose turn it is, and what strikers on those that are awake
 * ring with, and list the slots of all of them in audio->listed. How many
 * they are. */
int audio_list_awake(sb_audio *audio) SB_RT;

#endif
