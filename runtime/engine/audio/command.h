/* runtime/engine/audio/command.h -- what the control thread tells the audio
 * thread.
 *
 * Commands are plain values with a time in frames, fractional where that is
 * heard. The ring carries them in the order of their times; the audio thread
 * applies each in the block that holds its time, whatever the device's block
 * size. Pointers in them change hands: what the audio thread no longer uses
 * comes back through the retired ring, and only the control thread frees.
 */
#ifndef SB_ENGINE_AUDIO_COMMAND_H
#define SB_ENGINE_AUDIO_COMMAND_H

#include "runtime/engine/audio/lasting.h"
#include "runtime/engine/audio/quality_def.h"
#include "runtime/engine/voice/voice.h"

typedef enum sb_command_kind {
    SB_COMMAND_ADD,    /* a new voice, silent until struck */
    SB_COMMAND_REMOVE, /* fade it out, then give it back */
    SB_COMMAND_STRIKE,
    SB_COMMAND_PATH,    /* the next leg of its way to the ears */
    SB_COMMAND_AIR,     /* that all go through from now on */
    SB_COMMAND_RETUNE,  /* new values for the ringing modes, glided to */
    SB_COMMAND_CONTACT, /* a lasting contact begins; slot and generation here and
                          below are the contact's own */
    SB_COMMAND_MOVE,    /* it goes on in another way, or ends */
    SB_COMMAND_QUALITY, /* of everything: slot and generation mean nothing */
    SB_COMMAND_COUNT
} sb_command_kind;

typedef struct sb_command {
    double time_frames;
    uint64_t order; /* among equal times: first come, first served */
    sb_command_kind kind;
    uint32_t slot;
    uint32_t generation; /* of the voice meant: its place may have an heir */
    float power;         /* STRIKE: that it adds to what rings, about */
    union {
        sb_voice *voice;        /* ADD */
        double fade_frames;     /* REMOVE */
        sb_strike *strike;      /* STRIKE */
        sb_path_knot knot;      /* PATH */
        sb_air_table *air;      /* AIR */
        sb_retune *retune;      /* RETUNE */
        sb_lasting *lasting;    /* CONTACT */
        sb_lasting_move *move;  /* MOVE */
        sb_quality_def quality; /* QUALITY */
    } with;
} sb_command;

typedef enum sb_retired_kind {
    SB_RETIRED_VOICE,
    SB_RETIRED_STRIKE,
    SB_RETIRED_RETUNE,
    SB_RETIRED_LASTING,
    SB_RETIRED_MOVE,
    SB_RETIRED_AIR
} sb_retired_kind;

typedef struct sb_retired {
    sb_retired_kind kind;
    uint32_t slot; /* of a voice or a lasting contact: may be used again */
    void *pointer;
} sb_retired;

#endif
