/* SPDX-License-Identifier: MIT */
/* runtime/dsp/room/room.h -- the room around bodies and ears.
 *
 *     every body ─► sum ─┬► predelay ─► late field ─────┐
 *          │             └► response of a real room ───┤
 *          └─► early reflections ──────────────────────┴─► both ears
 *
 * What comes out is delayed by as much as the direct sound (`latency`), so that
 * reflections keep their distance from it.
 *
 * Thread:  audio, except bytes and init: control.
 * Memory:  the caller's, of sb_room_bytes: one block, freed as one.
 */
#pragma once

#include "runtime/dsp/room/convolve.h"
#include "runtime/dsp/room/early.h"
#include "runtime/dsp/room/late.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_room_design {
    int latency; /* frames */
    double predelay_s;
    sb_late_def late; /* size 0: there is none */
    double early_s;   /* longest delay of a reflection; 0: there are none */
    const float *response; /* interleaved stereo, used by init; or NULL */
    int response_frames;
} sb_room_design;

typedef struct sb_room sb_room;

size_t sb_room_bytes(const sb_room_design *design);
/* In zeroed memory of that size, aligned to a cache line. */
sb_room *sb_room_init(void *memory, const sb_room_design *design);

/* Begin the block that starts at this frame. `silence` is the peak that counts
 * as silence. */
void sb_room_begin(sb_room *room, int64_t frame, float silence) SB_RT;

/* Hear a block of a body, which goes on from its last one or not, with a gain
 * to the late field that goes from `from` to `to`. */
void sb_room_take(sb_room *room, sb_reflected *reflected, const float *mono,
                  bool goes_on, float from, float to) SB_RT;

/* Add the room's sound to the block. */
void sb_room_give(sb_room *room, float *stereo) SB_RT;

/* Frames for which something louder than silence may still come. */
int64_t sb_room_travelling(const sb_room *room) SB_RT;
