/* runtime/engine/audio/audio_internal.h -- what the audio*.c files share.
 * Nobody else looks in here.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_INTERNAL_H
#define SB_ENGINE_AUDIO_AUDIO_INTERNAL_H

#include "runtime/engine/audio/audio.h"

/* A pointer leaves the audio thread: at once, or as soon as there is room. */
void audio_retire(sb_audio *audio, sb_retired thing) SB_RT;
void audio_retire_strike(sb_audio *audio, sb_strike *strike) SB_RT;
void audio_retire_move(sb_audio *audio, sb_lasting_move *move) SB_RT;

void audio_add_voice(sb_audio *audio, const sb_command *command) SB_RT;

/* audio_ears.c. Voices that sound in this block are heard later; hear what
 * arrives now. Nothing happens without ears. */
void audio_begin_ears(sb_audio *audio) SB_RT;
void audio_hear(sb_audio *audio, float *stereo) SB_RT;
void audio_set_air(sb_audio *audio, sb_air_table *air) SB_RT;

/* Add to a counter, set a meter. */
void audio_count(atomic_llong *counter, long long amount) SB_RT;
void audio_show(atomic_int *meter, int value) SB_RT;

/* Work out what presses in this block, before the voices sound. One that is
 * over goes after it has been heard, when it is forgotten. */
void audio_advance_contacts(sb_audio *audio) SB_RT;
void audio_forget_contacts(sb_audio *audio) SB_RT;

#endif
