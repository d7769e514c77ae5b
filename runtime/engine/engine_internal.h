/* SPDX-License-Identifier: MIT */
/* runtime/engine/engine_internal.h -- shared by the engine*.c files only.
 *
 * Thread: control, except engine_pull.c. Memory: the engine's.
 */
#pragma once

#include "runtime/engine/audio/audio.h"
#include "runtime/engine/audio/audio_lasting.h"
#include "runtime/engine/engine.h"

/* What the estimate of a strike's loudness needs of a mode. */
typedef struct engine_tone {
    float gain, omega_rad_s;
} engine_tone;

struct sb_engine {
    sb_audio *audio;
    uint32_t generation[SB_AUDIO_VOICES]; /* odd while in use */
    int mode_count[SB_AUDIO_VOICES];
    engine_tone *tones[SB_AUDIO_VOICES];  /* one per mode, as of its creation */
    double added_frames[SB_AUDIO_VOICES]; /* time at which it is added */
    bool is_resting[SB_AUDIO_VOICES];     /* removed, not yet retired */
    uint32_t next_slot;
    uint32_t lasting_generation[SB_AUDIO_CONTACTS]; /* odd while in use */
    bool is_lasting[SB_AUDIO_CONTACTS];             /* not yet retired */
    int lasting_modes[SB_AUDIO_CONTACTS][SB_LASTING_SIDES];
    sb_voice_id lasting_voice[SB_AUDIO_CONTACTS][SB_LASTING_SIDES];
    bool is_link[SB_AUDIO_CONTACTS]; /* its force depends on the modes */
    double unit_ns; /* time per unit of cost at the start; 0: not live */
    /* The move that will end each contact, allocated with it: an end must not
     * fail. */
    sb_lasting_move *end_move[SB_AUDIO_CONTACTS];
    uint32_t next_lasting;
    uint32_t pad_generation[SB_AUDIO_PADS]; /* odd while in use */
    int pad_count;                          /* in use */
    sb_pad *pads;        /* all that have not been retired, linked */
    sb_command *pending; /* a binary heap, earliest first */
    int pending_count, pending_capacity;
    uint64_t order;
    double threshold; /* last threshold set */
    _Atomic int64_t horizon;
};

/* STALE_HANDLE for a voice that does not exist any more. */
SB_NODISCARD sb_status engine_check_voice(const sb_engine *engine,
                                          sb_voice_id id, sb_error *err);

/* Queue a command; room for it has been reserved. */
void engine_post(sb_engine *engine, sb_command command);

/* Free a contact that was retired, or never sent. */
void engine_free_lasting(sb_lasting *lasting);
void engine_lasting_is_back(sb_engine *engine, uint32_t slot);
void engine_free_end_moves(sb_engine *engine);
void engine_free_stems(sb_engine *engine); /* engine_voice.c */
void engine_free_dry(sb_engine *engine);
void engine_free_pad(sb_engine *engine,
                     const sb_pad *gone); /* engine_strike.c */
void engine_free_pads(sb_engine *engine);
