/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/track.h -- the position of something over time.
 *
 * A track consists of legs, each a Hermite cubic between two positions with
 * their velocities at two times. After the last leg the motion continues at its
 * final velocity, which is zero for something that has stopped.
 *
 * Something that a script places step by step has positions that are known only
 * when they are reached. It follows the quadratic B-spline of these positions,
 * one and a half steps late: smooth, without overshoot, and at rest two steps
 * after the last position. A position far from the previous one is a jump.
 *
 * Thread: control. Memory: the caller's.
 */
#pragma once

#include "runtime/base/pose.h"

#include <stdbool.h>

typedef struct sb_leg {
    double from_s, to_s;
    sb_vec3 start, start_velocity;
    sb_vec3 end, end_velocity;
    /* How a body is turned at both times, and its spin; not of a listener. */
    sb_quat start_turn, end_turn;
    sb_vec3 start_spin, end_spin;
} sb_leg;

enum { SB_TRACK_LEGS = 2 };

typedef struct sb_track {
    sb_leg legs[SB_TRACK_LEGS]; /* one after the other */
    int count;                  /* at least 1 */
    sb_vec3 last, before;       /* positions placed step by step */
    double put_s, step_s;       /* time of the last, and since the one before */
} sb_track;

/* A track at rest. */
sb_track sb_track_rest(sb_vec3 place);
/* Position and velocity at a time. */
sb_vec3 sb_track_at(const sb_track *track, double time_s, sb_vec3 *velocity);
bool sb_track_rests_at(const sb_track *track, double time_s, sb_vec3 place);

/* Continue on this leg. */
void sb_track_follow(sb_track *track, const sb_leg *leg);
/* From `time_s` on, move at this velocity from this position. */
void sb_track_go(sb_track *track, double time_s, sb_vec3 place,
                 sb_vec3 velocity);
/* Go there. True when it has jumped: by more than `far` from a rest, or by
 * more than twenty times that from where it was going. */
bool sb_track_move(sb_track *track, double time_s, sb_vec3 place, double far);
/* The same, unless it rests there. */
bool sb_track_put(sb_track *track, double time_s, sb_vec3 place, double far);
