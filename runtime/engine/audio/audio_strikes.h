/* runtime/engine/audio/audio_strikes.h -- blows whose time has come.
 *
 * A body that has slept is in no cache, and to fetch it takes longer than to
 * ring it: when thousands are struck at once, waking them all would take
 * several blocks' time. Where time is limited (quality.h), only so many blows
 * begin in one block, those that will be loudest at the ears; the others wait
 * for the next, and so a crash of thousands begins with the loudest and is
 * complete a few hundredths of a second later. What has waited for longer than
 * SB_STRIKE_WAIT blocks is too soft and too late to matter: it is dropped, and
 * counted.
 *
 * Without a limit every blow begins in its block.
 *
 * Thread: audio. Memory: sb_audio's.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_STRIKES_H
#define SB_ENGINE_AUDIO_AUDIO_STRIKES_H

#include "runtime/engine/audio/audio.h"

enum { SB_STRIKE_WAIT = 64 };

/* It is due in the coming block. */
void audio_queue_strike(sb_audio *audio, const sb_command *command) SB_RT;

/* Begin those that there is time for. */
void audio_begin_strikes(sb_audio *audio) SB_RT;

#endif
