/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/audio_internal.h -- shared by the audio*.c files only.
 *
 * Thread: audio. Memory: sb_audio's.
 */
#pragma once

#include "runtime/engine/audio/audio.h"

/* Add to a counter; set a meter. */
void audio_count(atomic_llong *counter, long long amount) SB_RT;
void audio_show(atomic_int *meter, int value) SB_RT;

/* The voice of that slot and generation; NULL when it has left, even if its slot
 * is in use again. */
static inline sb_voice *audio_voice(const sb_audio *audio, uint32_t slot,
                                    uint32_t generation) {
    sb_voice *voice = slot < SB_AUDIO_VOICES ? audio->voices[slot] : NULL;
    return voice && voice->generation == generation ? voice : NULL;
}

/* --- audio_retire.c: what goes back to control ----------------------------*/

/* Return a pointer: at once, or as soon as there is room. NULL: nothing. */
void audio_retire(sb_audio *audio, sb_retired_kind kind, uint32_t slot,
                  void *pointer) SB_RT;
void audio_retire_strike(sb_audio *audio, sb_strike *strike) SB_RT;
void audio_retire_streams(sb_audio *audio, sb_stream *list) SB_RT;
/* Before each block: those for which there was no room. */
void audio_retire_waiting(sb_audio *audio) SB_RT;

/* --- audio_ears.c ---------------------------------------------------------*/

/* Begin a block; output what arrives now; change the air or the room. Without
 * ears these do nothing. */
void audio_begin_ears(sb_audio *audio) SB_RT;
void audio_hear(sb_audio *audio, float *stereo) SB_RT;
void audio_set_air(sb_audio *audio, sb_air_table *air) SB_RT;
void audio_set_head(sb_audio *audio, sb_head *head) SB_RT;
void audio_set_room(sb_audio *audio, sb_room *room) SB_RT;

/* Prepare the wanted voices for the block, after its commands; write `count`
 * frames of it, from `from` on, or zeros for -1. */
void audio_begin_dry(sb_audio *audio) SB_RT;
void audio_give_dry(const sb_audio *audio, float *const *mono, int at, int from,
                    int count) SB_RT;

/* --- audio_lasting.c ------------------------------------------------------*/

/* Compute the forces of lasting contacts before the voices are rendered.
 * Contacts that are over are removed after the block. */
void audio_advance_contacts(sb_audio *audio) SB_RT;
void audio_forget_contacts(sb_audio *audio) SB_RT;

/* --- audio_strikes.c: strikes that are due -----------------------------------
 *
 * The memory of an inactive body is in no cache, and fetching it takes longer
 * than rendering it: if thousands are struck at once, activating them all would
 * take several blocks. Where time is limited (quality.h), only some strikes
 * begin in a block, those that will be loudest at the ears. The others wait for
 * the next block, so a crash of thousands begins with the loudest and is
 * complete some hundredths of a second later. A strike that has waited for more
 * than 64 blocks is too soft and too late to matter: it is dropped and counted.
 * Without a limit every strike begins in its block.
 *
 * Pads come from control, and hits that control posts, through a ring of their
 * own: they have no time at which they are due, and are taken before the next
 * hit or block. A hit waits for the block of its frame and is then a strike
 * like any other. */

/* Queue a strike that is due in the coming block. */
void audio_queue_strike(sb_audio *audio, const sb_command *command) SB_RT;
/* Queue the hits of pads that are due in the coming block. */
void audio_begin_hits(sb_audio *audio) SB_RT;
/* Begin as many as there is time for. */
void audio_begin_strikes(sb_audio *audio) SB_RT;
/* Give a strike of a pad back. True if the pad may be retired. */
bool audio_pad_take_back(sb_strike *strike) SB_RT;

/* --- audio_awake.c: which voices are active in a block -----------------------
 *
 * A voice becomes active when it is struck, touched, retuned or removed. It
 * becomes inactive when there is nothing left to hear or to do, and is then
 * skipped until something happens to it. So thousands of silent bodies cost
 * nothing. A voice that sounds but is not heard (quality.h) dozes: it is
 * examined every SB_QUALITY_REFRESH blocks, in turn with the others, or when
 * something happens.
 *
 * There is one bit per place in order of arrival. Active voices are found in
 * that order, which is the order of mixing. */

void audio_wake(sb_audio *audio, const sb_voice *voice) SB_RT;
void audio_let_sleep(sb_audio *audio, sb_voice *voice) SB_RT;
/* It is silent, and nothing is in progress. */
bool audio_may_sleep(const sb_voice *voice) SB_RT;

bool audio_may_doze(const sb_voice *voice) SB_RT;
void audio_let_doze(sb_audio *audio, sb_voice *voice) SB_RT;
/* Update its bit after its place has changed. */
void audio_update_dozing(sb_audio *audio, const sb_voice *voice) SB_RT;

/* The first place from this one on with an active voice, or -1. */
int audio_next_awake(const sb_audio *audio, int from) SB_RT;

/* Activate the voices whose turn it is, and those that act as strikers of
 * active voices, and list the slots of all active voices in active.listed.
 * Returns their number. */
int audio_list_awake(sb_audio *audio) SB_RT;

/* quality.h applied: new limits; */
void audio_set_quality(sb_audio *audio, const sb_quality_def *def) SB_RT;
/* before each block, apply the present threshold and advance the glide, which
 * is returned when it is complete; */
sb_retune *audio_ready_voice(const sb_audio *audio, sb_voice *voice) SB_RT;
/* advance a voice that is not heard by a block; */
void audio_pass(sb_voice *voice, sb_tracer *tracer,
                sb_voice_report *report) SB_RT;
/* set the meters, to `active_modes` if there is no limit. */
void audio_show_quality(sb_audio *audio, int active_modes) SB_RT;
