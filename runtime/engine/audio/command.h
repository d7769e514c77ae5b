/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/command.h -- commands from control to the audio thread.
 *
 * Commands are plain values with a time in frames, fractional where that is
 * audible. The ring carries them in order of time. The audio thread applies
 * each in the block that contains its time, whatever the block size of the
 * device. Pointers in them change owner: what the audio thread no longer uses
 * returns through the retired ring, and only the control thread frees.
 *
 * Thread: written by control, read by audio. Memory: plain values in the ring.
 */
#pragma once

#include "runtime/base/quality_def.h"
#include "runtime/dsp/ears/path.h"

typedef struct sb_lasting sb_lasting;
typedef struct sb_lasting_move sb_lasting_move;
typedef struct sb_retune sb_retune;
typedef struct sb_room sb_room;
typedef struct sb_stream sb_stream;
typedef struct sb_strike sb_strike;
typedef struct sb_taps sb_taps;
typedef struct sb_voice sb_voice;

typedef enum sb_command_kind {
    SB_COMMAND_ADD,    /* a new voice, silent until struck */
    SB_COMMAND_REMOVE, /* fade it out, then return it */
    SB_COMMAND_STRIKE,
    SB_COMMAND_PATH,   /* the next leg of its path to the ears */
    SB_COMMAND_AIR,    /* new air for all paths */
    SB_COMMAND_HEAD,   /* another measured head */
    SB_COMMAND_ROOM,   /* another room, or none */
    SB_COMMAND_TAPS,   /* its early reflections */
    SB_COMMAND_RETUNE, /* glide to new values of the modes */
    SB_COMMAND_STREAM, /* sound that it plays */
    /* a lasting contact begins; slot and generation here and in MOVE are
     * those of the contact */
    SB_COMMAND_CONTACT,
    SB_COMMAND_MOVE,    /* it changes its motion, or ends */
    SB_COMMAND_QUALITY, /* for all; slot and generation are not used */
    SB_COMMAND_COUNT
} sb_command_kind;

typedef struct sb_command {
    double time_frames;
    uint64_t order; /* among equal times, in order of arrival */
    sb_command_kind kind;
    uint32_t slot;
    /* of the voice; tells it from a successor in the same slot */
    uint32_t generation;
    float power; /* STRIKE: approximate power it adds */
    union {
        void *lent;             /* all that are pointers */
        sb_voice *voice;        /* ADD */
        double fade_frames;     /* REMOVE */
        sb_strike *strike;      /* STRIKE */
        sb_path_knot knot;      /* PATH */
        sb_air_table *air;      /* AIR */
        sb_head *head;          /* HEAD */
        sb_room *room;          /* ROOM */
        sb_taps *taps;          /* TAPS */
        sb_retune *retune;      /* RETUNE */
        sb_stream *stream;      /* STREAM */
        sb_lasting *lasting;    /* CONTACT */
        sb_lasting_move *move;  /* MOVE */
        sb_quality_def quality; /* QUALITY */
    } with;
} sb_command;

typedef enum sb_retired_kind {
    SB_RETIRED_NOTHING,
    SB_RETIRED_VOICE,
    SB_RETIRED_STRIKE,
    SB_RETIRED_RETUNE,
    SB_RETIRED_STREAM,
    SB_RETIRED_LASTING,
    SB_RETIRED_MOVE,
    SB_RETIRED_AIR,
    SB_RETIRED_HEAD,
    SB_RETIRED_ROOM,
    SB_RETIRED_TAPS,
    SB_RETIRED_PAD
} sb_retired_kind;

typedef struct sb_retired {
    sb_retired_kind kind;
    uint32_t slot; /* of a voice or a lasting contact, which is free again */
    void *pointer;
} sb_retired;
