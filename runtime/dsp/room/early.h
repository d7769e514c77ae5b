/* SPDX-License-Identifier: MIT */
/* runtime/dsp/room/early.h -- early reflections: what each mirror image of a body
 * sends to each ear.
 *
 * A body's sound x is split once into SB_EARLY_PARTS: x itself, and what
 * first-order low-passes leave of it. Each tap adds a sum of these parts to the
 * ring buffer of an ear, as many frames later as its sound travels:
 *
 *     ear[n + delay] += sum over k of gain_k x_k[n]
 *
 * The gains make the losses at the walls, in the air and round the head
 * (scene/state/mirror.c). Delays are whole frames. Where a body moves, its new
 * taps replace the old ones by a cross-fade of SB_EARLY_FADE blocks, so a
 * reflection has no exact Doppler shift: its delay changes by fades.
 *
 * Thread:  audio; sb_early_split_poles any.
 * Memory:  ring buffers are the room's, taps come from control, one block each,
 *          and return by sb_reflected_spent and sb_reflected_take.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/voice_types.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SB_EARLY_PARTS = 4,
    SB_EARLY_FADE = 3 /* blocks: less than a control step */
};

/* y += pole (x - y) per frame. */
void sb_early_split_poles(double sample_rate_hz,
                          float poles[SB_EARLY_PARTS - 1]) SB_RT;

typedef struct sb_tap {
    int delay[2]; /* frames >= 0; left, right */
    float gain[2][SB_EARLY_PARTS];
} sb_tap;

typedef struct sb_taps {
    int count;
    sb_tap taps[];
} sb_taps;

/* The taps of one voice, and the state of its low-passes. */
typedef struct sb_reflected {
    sb_taps *now, *next, *waiting; /* next fades in; waiting comes after it */
    sb_taps *spent[3];
    int faded; /* blocks */
    float low[SB_EARLY_PARTS - 1];
} sb_reflected;

/* New taps: after a fade, or at once for a silent voice. Nothing may be spent:
 * take that before. */
void sb_reflected_put(sb_reflected *reflected, sb_taps *taps,
                      bool at_once) SB_RT;
/* Taps that are not used any more, or NULL. */
sb_taps *sb_reflected_spent(sb_reflected *reflected) SB_RT;
/* Any taps that it holds, or NULL. */
sb_taps *sb_reflected_take(sb_reflected *reflected) SB_RT;

/* The ring buffers of both ears. */
typedef struct sb_early {
    float *ear[2];
    uint32_t mask;
    float poles[SB_EARLY_PARTS - 1];
} sb_early;

/* A block of a voice, whose first frame is heard at `frame` plus the delay.
 * `goes_on`: it continues the last one. */
void sb_early_take(sb_early *early, sb_reflected *reflected, const float *mono,
                   int64_t frame, bool goes_on) SB_RT;
/* Add what is heard in the block that begins at `frame`, and clear it. */
void sb_early_give(sb_early *early, int64_t frame, float *stereo) SB_RT;
