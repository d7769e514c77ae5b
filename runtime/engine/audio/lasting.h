/* runtime/engine/audio/lasting.h -- a contact that lasts, as the audio thread
 * knows it.
 *
 * Something rolls, slides or rubs on a voice, or on two. What it does is told
 * as a load (contact_load.h) and a place, and both change by *moves*: each of
 * the values that a move names goes from where it is at a given frame, in a
 * straight line, to where the move says, in the time it says; the others go on
 * as they were told before. The place is told as weights, in rows at even times
 * of the way, between which a smooth curve is laid: the audio thread knows no
 * shapes.
 *
 * Its force is known ahead (rub.h) and handed to the voices as samples, or it
 * depends on how they ring: then it is a link (link.h), and they are played as
 * an island with it.
 *
 * A block is cut where a move begins or ends, so that both fall on their frame.
 *
 * Thread: made on the control thread, then used by the audio thread alone until
 *         it comes back retired; so are moves.
 * Memory: one block each, made by sb_lasting_create and sb_lasting_move_create.
 */
#ifndef SB_ENGINE_AUDIO_LASTING_H
#define SB_ENGINE_AUDIO_LASTING_H

#include "runtime/base/status.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/dsp/surface/contact_load.h"
#include "runtime/dsp/surface/rub.h"
#include "runtime/engine/audio/island.h"
#include "runtime/engine/voice/voice.h"

#include <stdbool.h>
#include <stdint.h>

/* Moves that may wait for their frame within one block. */
enum { SB_LASTING_MOVES = 8, SB_LASTING_SIDES = 2 };

typedef enum sb_lasting_model {
    SB_LASTING_KNOWN,    /* rub.h's */
    SB_LASTING_PRESS,    /* a loaded mass on the surfaces' profile */
    SB_LASTING_FRICTION, /* bristles */
    SB_LASTING_BUZZ      /* a gap that opens and closes */
} sb_lasting_model;

/* The values of a load, and a bit for each. */
typedef enum sb_lasting_value {
    SB_LASTING_FORCE,
    SB_LASTING_SPEED_0,
    SB_LASTING_SPEED_1,
    SB_LASTING_SLIP,
    SB_LASTING_VALUES
} sb_lasting_value;

typedef struct sb_lasting_move {
    double start_frame; /* from the start of the coming block */
    double frames;      /* how long it takes, >= 0 */
    unsigned named;     /* bits of the values it changes */
    double to[SB_LASTING_VALUES];
    bool is_last; /* the contact is over when it has arrived */
    int rows;     /* of weights; 0: the place goes on as it was told */
    float *weights[SB_LASTING_SIDES]; /* `rows` rows each, the first where the
                                         move begins, the last where it ends */
} sb_lasting_move;

/* A value on its way. */
typedef struct sb_lasting_ramp {
    double from, to;
    double start_frame, frames;
} sb_lasting_ramp;

typedef struct sb_lasting_side {
    uint32_t slot, generation; /* of the voice; generation 0: nothing rings */
    int padded;                /* floats in a row of weights; 0: no side */
    /* In the block that has been advanced: at its start, middle and end. */
    float *start, *middle, *end;
    float *now;     /* room for a link's, of a frame */
    sb_drive drive; /* the same for the voice */
} sb_lasting_side;

typedef struct sb_lasting {
    sb_lasting_side side[SB_LASTING_SIDES];
    sb_rub rub;
    sb_surface *surface[SB_LASTING_SIDES]; /* that it uses; or NULL */
    sb_lasting_model model;
    bool is_watched;
    /* Of all but KNOWN. */
    sb_link link;
    sb_striker striker; /* the link's room */
    sb_bristle bristle; /* its law */
    sb_coupling coupling;
    sb_modal_field field[SB_LASTING_SIDES];
    double profile_m[SB_PROFILE_POINTS];
    uint32_t slot; /* its own, of the contacts */
    uint32_t generation;
    sb_lasting_ramp ramp[SB_LASTING_VALUES];
    sb_contact_load now; /* at the start of the coming block */
    sb_lasting_move *waiting[SB_LASTING_MOVES]; /* in order of their frames */
    int waiting_count;
    sb_lasting_move *path; /* that the place follows, or NULL */
    double over_frame;     /* when it is over; INFINITY: not told yet */
    bool is_over;
    bool is_pressing; /* there is a force in the block */
    bool is_moving;   /* the place changes in it */
    float impulse_ns[SB_BLOCK_FRAMES];
    float before_ns; /* the last of the block before */
} sb_lasting;

/* With room for the weights of both sides, and, of a link, for their modes; the
 * caller fills in the rest. NULL when out of memory. Thread: control. */
sb_lasting *sb_lasting_create(const int mode_count[SB_LASTING_SIDES],
                              bool is_link);
sb_lasting_move *sb_lasting_move_create(const int mode_count[SB_LASTING_SIDES],
                                        int rows);

/* Take up a move that begins at move->start_frame of the coming block or later.
 * Hands back one that is over with that, or NULL. */
sb_lasting_move *sb_lasting_take(sb_lasting *lasting,
                                 sb_lasting_move *move) SB_RT;

/* Moves that have ended, to be handed back. */
typedef struct sb_lasting_ended {
    sb_lasting_move *moves[SB_LASTING_MOVES + 1];
    int count;
} sb_lasting_ended;

/* Work out the coming block: forces and weights. */
void sb_lasting_advance(sb_lasting *lasting, sb_lasting_ended *ended) SB_RT;

#endif
