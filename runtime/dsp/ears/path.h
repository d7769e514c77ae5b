/* runtime/dsp/ears/path.h -- how far it is from a body to each ear, at every
 * moment.
 *
 * A path is told in knots. At the time e that a sound leaves the body, the
 * ear's delay d(e) says when it arrives, a(e) = e + d(e); between two knots d
 * and the gains are the cubics of Hermite, so that neither place nor speed has
 * a step. Each leg begins where and as fast as the path is at that time,
 * whatever was told before, and after the last knot everything stays as it is.
 *
 * A jump has no way in between: what was heard from the old place fades out
 * while the new one fades in.
 *
 * Symbols: e, d -> frames; full, dull -> gains of the whole sound and of its low
 *          part (propagation.h).
 * Thread:  audio, but for sb_path_begin before it is played. Memory: the
 *          caller's.
 */
#ifndef SB_DSP_EARS_PATH_H
#define SB_DSP_EARS_PATH_H

#include "runtime/base/status.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/dsp/ears/air.h"
#include "runtime/dsp/ears/hear_kernel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_ear_knot {
    double delay;          /* frames, >= 0 */
    double rate;           /* of it, frames a frame: > -1 */
    float full, full_rate; /* full scale per (Pa m); a frame */
    float dull, dull_rate;
} sb_ear_knot;

typedef struct sb_path_knot {
    double time_frames; /* when it is there */
    sb_ear_knot ear[2]; /* left, right */
    float distance_m;   /* through the air; 0: the air takes nothing */
    bool is_jump;       /* it is there from the leg's start on */
    bool is_eased;      /* there is a way to it only so that no step is heard */
} sb_path_knot;

typedef struct sb_path_leg {
    sb_path_knot from, to;
    double arrival[2]; /* of what has been heard up to now, by ear */
} sb_path_leg;

enum { SB_PATH_TURNS = 8, SB_PATH_SLACK = 4 * SB_HEAR_LANES };

typedef struct sb_path_turn {
    double start_frames;
    sb_path_knot to;
} sb_path_turn;

typedef struct sb_path {
    bool is_set;
    sb_path_leg now, old;           /* the old one only while it fades */
    double fade_start, fade_frames; /* 0 frames: nothing fades */
    sb_path_turn turns[SB_PATH_TURNS];
    int turn_count;
    double heard;       /* e up to which it has been written */
    int64_t next_frame; /* of the block that goes on with the last one */
    double aired_m;     /* the distance, and the air, that coefs is for */
    const void *air;
    float coefs[SB_AIR_HALF_MAX + 1];
    /* The last frames, raw and through the air, and the block's behind them. */
    float raw[2 * SB_AIR_HALF_MAX + SB_BLOCK_FRAMES + SB_PATH_SLACK];
    float aired[SB_HEAR_TAPS + SB_BLOCK_FRAMES + SB_PATH_SLACK];
} sb_path;

/* It has always been there. */
void sb_path_begin(sb_path *path, const sb_path_knot *knot);

/* Set out at `start_frames`, not before what was told last, and be at `to` at
 * its time. */
void sb_path_add(sb_path *path, double start_frames,
                 const sb_path_knot *to) SB_RT;

/* The same for a path along which nothing is on its way: it is there at
 * once. */
void sb_path_put(sb_path *path, double start_frames,
                 const sb_path_knot *to) SB_RT;

/* The turns that a path which nobody hears has taken by `time_frames`: as if
 * they were all taken when it is heard again, and few are left to keep. */
void sb_path_pass(sb_path *path, double time_frames) SB_RT;

/* Where the leg is at a time. A knot's own speed is the speed at its time, and
 * none is left after it. */
void sb_path_look(const sb_path_leg *leg, double time_frames,
                  sb_path_knot *out) SB_RT;

/* The next turn that is due is taken: the leg from where it is now. */
void sb_path_turn_over(sb_path *path, double fade_frames) SB_RT;

/* The loudest that either ear hears of it at a knot, low part included. */
float sb_path_loudest(const sb_path_knot *knot) SB_RT;

#endif
