/* SPDX-License-Identifier: MIT */
/* runtime/dsp/ears/path.h -- the acoustic path from a body to each ear.
 *
 * A path is given by knots. A sound that leaves the body at time e arrives at
 * an ear at a(e) = e + d(e), d being the delay. Between two knots the delay and
 * the gains are cubic Hermite splines, so that neither position nor velocity
 * jumps. Each leg begins at the present position and velocity of the path,
 * whatever the previous target was; after the last knot everything stays
 * constant.
 *
 * A jump has no path in between: the sound from the old position fades out
 * while the new one fades in.
 *
 * Symbols: e, d -> frames; full, dull -> gains of the whole sound and of its
 *          low-passed part (ears.h).
 * Thread:  audio; sb_path_begin control, before it is played.
 * Memory:  the caller's.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/ears/air_filter.h"
#include "runtime/dsp/ears/head.h"
#include "runtime/dsp/ears/hear_kernel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_ear_knot {
    double delay;          /* frames, >= 0 */
    double rate;           /* its derivative, frames per frame: > -1 */
    float full, full_rate; /* full scale per (Pa m); per frame */
    float dull, dull_rate;
} sb_ear_knot;

typedef struct sb_path_knot {
    double time_frames; /* time at which it is reached */
    sb_ear_knot ear[2]; /* left, right */
    float distance_m;   /* through the air; 0: no absorption */
    /* Where a measured head sees it, and per frame; { 0 }: there is none. */
    sb_vec3 toward, toward_rate;
    /* Where the body has the listener, in its own axes, and per frame; { 0 }:
     * it is heard alike from all directions. */
    sb_vec3 aim, aim_rate;
    float roomy;   /* gain to the room, full scale per (Pa m) */
    bool is_jump;  /* at the target from the start of the leg on */
    bool is_eased; /* the leg only smooths a step */
} sb_path_knot;

typedef struct sb_path_leg {
    sb_path_knot from, to;
    double arrival[2]; /* time up to which sound has arrived, per ear */
} sb_path_leg;

enum { SB_PATH_TURNS = 8, SB_PATH_SLACK = 4 * SB_HEAR_LANES };

typedef struct sb_path_turn {
    double start_frames;
    sb_path_knot to;
} sb_path_turn;

/* A body through a measured head (head.h). */
typedef struct sb_path_head {
    bool is_on;          /* since the body was last silent */
    const sb_head *head; /* for which, and in which place, ... */
    sb_head_place place;
    float filters[2 * SB_HEAD_TAPS_MAX]; /* ... these are */
    float past[SB_HEAD_TAPS_MAX];        /* frames before the block */
    /* What each ear hears, in place of `aired`. */
    float ear[2][SB_HEAR_TAPS + SB_BLOCK_FRAMES + SB_PATH_SLACK];
} sb_path_head;

typedef struct sb_path {
    bool is_set;
    sb_path_leg now, old;           /* the old one only during a fade */
    double fade_start, fade_frames; /* 0 frames: no fade */
    sb_path_turn turns[SB_PATH_TURNS];
    int turn_count;
    double heard;       /* e up to which sound has been written */
    int64_t next_frame; /* first frame of the block that continues the last */
    double aired_m;     /* distance and air for which coefs was computed */
    const void *air;
    float coefs[SB_AIR_HALF_MAX + 1];
    /* The last frames, raw and after absorption, followed by the block. */
    float raw[2 * SB_AIR_HALF_MAX + SB_BLOCK_FRAMES + SB_PATH_SLACK];
    float aired[SB_HEAR_TAPS + SB_BLOCK_FRAMES + SB_PATH_SLACK];
    sb_path_head measured;
} sb_path;

/* Start at rest at this knot. */
void sb_path_begin(sb_path *path, const sb_path_knot *knot);

/* Leave at `start_frames`, not before the previous leg, and reach `to` at its
 * time. */
void sb_path_add(sb_path *path, double start_frames,
                 const sb_path_knot *to) SB_RT;

/* The same for a silent path: it is at the target at once. */
void sb_path_put(sb_path *path, double start_frames,
                 const sb_path_knot *to) SB_RT;

/* Take the turns of a silent path up to `time_frames`, as if they were taken
 * when it is heard again, so that few remain stored. */
void sb_path_pass(sb_path *path, double time_frames) SB_RT;

/* The leg at a time. A knot's rates hold at its time; after it they are 0. */
void sb_path_look(const sb_path_leg *leg, double time_frames,
                  sb_path_knot *out) SB_RT;

/* Take the next turn: begin a leg from the present position. */
void sb_path_turn_over(sb_path *path, double fade_frames) SB_RT;

/* How far the path has faded over from before its last jump, 0 .. 1. */
double sb_path_faded_in(const sb_path *path, double time_frames) SB_RT;

/* Where a measured head sees the body, also after turns that are not yet taken;
 * jumps fade for `fade_frames`. */
void sb_path_see(const sb_path *path, double time_frames, double fade_frames,
                 sb_head_place *out) SB_RT;

/* The direction of the listener, of length 1, and its rate per frame, also after
 * turns that are not yet taken; { 0 } where there is none. */
typedef struct sb_path_aiming {
    sb_vec3 at, rate;
} sb_path_aiming;
sb_path_aiming sb_path_aim(const sb_path *path, double time_frames) SB_RT;

/* When the last leg ends. */
double sb_path_end(const sb_path *path) SB_RT;

/* The larger gain of both ears at a knot, including the low-passed part. */
float sb_path_loudest(const sb_path_knot *knot) SB_RT;
