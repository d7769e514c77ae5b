/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/room_def.h -- the room as a script describes it.
 *
 * A free choice: how long each octave rings, how loud, how late. The energy of
 * the reverberation is given relative to the direct sound from 1 m away, in the
 * octave of 1 kHz. All octaves begin equally loud, so one that rings longer has
 * more energy.
 *
 * Thread:  any. Memory: plain values.
 */
#pragma once

#include "runtime/base/field.h"

#include <stdbool.h>

enum { SB_ROOM_OCTAVES = 7 }; /* 125 Hz to 8 kHz */

/* Ranges and meanings are in sb_reverb_fields. */
typedef struct sb_reverb_def {
    double t60_s[SB_ROOM_OCTAVES]; /* all 0: no reverberation */
    double level_db, predelay_s;
} sb_reverb_def;

typedef struct sb_room_def {
    sb_reverb_def reverb;
} sb_room_def;

extern const sb_field sb_reverb_fields[];
extern const sb_field sb_t60_row; /* of one T60 */

sb_room_def sb_room_default(void); /* none */
bool sb_room_is_same(const sb_room_def *a, const sb_room_def *b);
bool sb_reverb_is_on(const sb_reverb_def *reverb);
