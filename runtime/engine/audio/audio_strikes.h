/* runtime/engine/audio/audio_strikes.h -- strikes that are due.
 *
 * The memory of an inactive body is in no cache, and fetching it takes longer
 * than rendering it: if thousands are struck at once, activating them all would
 * take several blocks. Where time is limited (quality.h), only some strikes
 * begin in a block, those that will be loudest at the ears. The others wait for
 * the next block, so a crash of thousands begins with the loudest and is
 * complete some hundredths of a second later. A strike that has waited for more
 * than SB_STRIKE_WAIT blocks is too soft and too late to matter: it is dropped
 * and counted.
 *
 * Without a limit every strike begins in its block.
 *
 * Thread: audio. Memory: sb_audio's.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_STRIKES_H
#define SB_ENGINE_AUDIO_AUDIO_STRIKES_H

#include "runtime/engine/audio/audio.h"

enum { SB_STRIKE_WAIT = 64 };

/* Queue a strike that is due in the coming block. */
void audio_queue_strike(sb_audio *audio, const sb_command *command) SB_RT;

/* Begin as many as there is time for. */
void audio_begin_strikes(sb_audio *audio) SB_RT;

#endif
