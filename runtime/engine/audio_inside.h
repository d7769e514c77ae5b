/* runtime/engine/audio_inside.h -- what the audio*.c files share.
 * Nobody else looks in here.
 */
#ifndef SB_ENGINE_AUDIO_INSIDE_H
#define SB_ENGINE_AUDIO_INSIDE_H

#include "runtime/engine/audio.h"

/* A pointer leaves the audio thread: at once, or as soon as there is room. */
void audio_retire(sb_audio *audio, sb_retired thing) SB_RT;
void audio_retire_move(sb_audio *audio, sb_lasting_move *move) SB_RT;

void audio_add_voice(sb_audio *audio, const sb_command *command) SB_RT;

/* Set a meter. */
void audio_show(atomic_int *meter, int value) SB_RT;

/* Work out what presses in this block, before the voices sound. One that is over
 * goes after it has been heard, when it is forgotten. */
void audio_advance_contacts(sb_audio *audio) SB_RT;
void audio_forget_contacts(sb_audio *audio) SB_RT;

#endif
