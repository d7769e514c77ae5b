/* runtime/engine/audio/audio_internal.h -- shared by the audio*.c files only.
 *
 * Thread: audio. Memory: sb_audio's.
 */
#ifndef SB_ENGINE_AUDIO_AUDIO_INTERNAL_H
#define SB_ENGINE_AUDIO_AUDIO_INTERNAL_H

#include "runtime/engine/audio/audio.h"

/* Return a pointer to control: at once, or as soon as there is room. */
void audio_retire(sb_audio *audio, sb_retired thing) SB_RT;
void audio_retire_strike(sb_audio *audio, sb_strike *strike) SB_RT;
void audio_retire_move(sb_audio *audio, sb_lasting_move *move) SB_RT;

void audio_add_voice(sb_audio *audio, const sb_command *command) SB_RT;

/* audio_ears.c: begin a block; output what arrives now; change the air. Without
 * ears these do nothing. */
void audio_begin_ears(sb_audio *audio) SB_RT;
void audio_hear(sb_audio *audio, float *stereo) SB_RT;
void audio_set_air(sb_audio *audio, sb_air_table *air) SB_RT;

/* audio_dry.c: prepare the wanted voices for the block, after its commands;
 * write `count` frames of it, from `from` on, or zeros for
 * -1. */
void audio_begin_dry(sb_audio *audio) SB_RT;
void audio_give_dry(const sb_audio *audio, float *const *mono, int at, int from,
                    int count) SB_RT;

/* Add to a counter; set a meter. */
void audio_count(atomic_llong *counter, long long amount) SB_RT;
void audio_show(atomic_int *meter, int value) SB_RT;

/* Compute the forces of lasting contacts before the voices are rendered.
 * Contacts that are over are removed after the block. */
void audio_advance_contacts(sb_audio *audio) SB_RT;
void audio_forget_contacts(sb_audio *audio) SB_RT;

#endif
