/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/audio_lasting.h -- a lasting contact in the audio thread.
 *
 * Something rolls, slides or rubs on one voice or two. Its input is a load
 * (voice_types.h) and a position, and both change by *moves*: each value that
 * a move names changes linearly from its value at a given frame to the target,
 * in the given time; other values continue as they were. The position is given
 * as rows of weights at equal intervals, between which a smooth curve is
 * interpolated: the audio thread knows no shapes.
 *
 * Its force is computed in advance (rub.h; of a ball that rolls, ride.h) and
 * applied to the voices as samples, or it depends on their vibration: then it is a link (link.h), and
 * they are rendered as an island with it.
 *
 * A block is split where a move begins or ends, so that both are exact to the
 * frame.
 *
 * Thread: created by control, then used by the audio thread alone until it
 *         returns through the retired ring; moves likewise.
 * Memory: one block each, from sb_lasting_create and sb_lasting_move_create.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/surface/rub.h"
#include "runtime/engine/audio/island.h"
#include "runtime/engine/voice/voice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_ride sb_ride;

/* Most moves that wait for their frame within one block. */
enum { SB_LASTING_MOVES = 8, SB_LASTING_SIDES = 2 };

/* The values of a load, with one bit for each. */
typedef enum sb_lasting_value {
    SB_LASTING_FORCE,
    SB_LASTING_SPEED_0,
    SB_LASTING_SPEED_1,
    SB_LASTING_SLIP,
    SB_LASTING_VALUES
} sb_lasting_value;

typedef struct sb_lasting_move {
    double start_frame; /* from the start of the coming block */
    double frames;      /* duration, >= 0 */
    unsigned named;     /* bits of the values it changes */
    double to[SB_LASTING_VALUES];
    bool is_last; /* the contact ends with this move */
    int rows;     /* rows of weights; 0: the position continues as before */
    /* `rows` rows each, from the start to the end of the move */
    float *weights[SB_LASTING_SIDES];
} sb_lasting_move;

/* A value that changes linearly. */
typedef struct sb_lasting_ramp {
    double from, to;
    double start_frame, frames;
} sb_lasting_ramp;

typedef struct sb_lasting_side {
    uint32_t slot, generation; /* of the voice; generation 0: no voice */
    int padded;                /* floats per row of weights; 0: no side */
    /* Weights at the start, middle and end of the block. */
    float *start, *middle, *end;
    float *now;     /* work space of a link, for a frame */
    sb_drive drive; /* the same as a drive of the voice */
} sb_lasting_side;

typedef struct sb_lasting {
    sb_lasting_side side[SB_LASTING_SIDES];
    sb_rub rub;
    sb_surface *surface[SB_LASTING_SIDES]; /* in use, or NULL */
    sb_lasting_model model;
    bool is_watched;
    sb_ride *ride; /* KNOWN: a ball that rolls; or NULL */
    float ride_gain;
    /* For all models except KNOWN. */
    sb_link link;
    sb_striker striker; /* used by the link */
    sb_bristle bristle; /* law of the link */
    sb_coupling coupling;
    sb_modal_field field[SB_LASTING_SIDES];
    double profile_m[SB_PROFILE_POINTS];
    double excess_ns[SB_BLOCK_FRAMES]; /* PRESS: force less load */
    uint32_t slot;                     /* among the contacts */
    uint32_t generation;
    sb_lasting_ramp ramp[SB_LASTING_VALUES];
    sb_contact_load now; /* load at the start of the coming block */
    sb_lasting_move *waiting[SB_LASTING_MOVES]; /* ordered by frame */
    int waiting_count;
    sb_lasting_move *path; /* move that the position follows, or NULL */
    double over_frame;     /* end of the contact; INFINITY: not known yet */
    bool is_begun;         /* its first move */
    bool is_over;
    bool is_pressing; /* the force is not 0 in the block */
    bool is_driving;  /* impulse_ns is not 0 in the block */
    bool is_moving;   /* the position changes in the block */
    float impulse_ns[SB_BLOCK_FRAMES];
    float before_ns; /* impulse of the last frame before the block */
} sb_lasting;

/* With room for the weights of both sides and, for a link, for their modes; the
 * caller sets the rest. NULL when out of memory. Thread: control. */
sb_lasting *sb_lasting_create(const int mode_count[SB_LASTING_SIDES],
                              bool is_link);
sb_lasting_move *sb_lasting_move_create(const int mode_count[SB_LASTING_SIDES],
                                        int rows);

/* Queue a move that begins at move->start_frame of the coming block or later.
 * Returns a move that has ended, or NULL. */
sb_lasting_move *sb_lasting_take(sb_lasting *lasting,
                                 sb_lasting_move *move) SB_RT;

/* Moves that have ended, to be retired. */
typedef struct sb_lasting_ended {
    sb_lasting_move *moves[SB_LASTING_MOVES + 1];
    int count;
} sb_lasting_ended;

/* Compute forces and weights of the coming block. */
void sb_lasting_advance(sb_lasting *lasting, sb_lasting_ended *ended) SB_RT;
