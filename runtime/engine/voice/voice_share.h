/* SPDX-License-Identifier: MIT */
/* runtime/engine/voice/voice_share.h -- the cost of a voice, and its share.
 *
 * Costs are in units (quality.h). They were measured on one machine and hold to
 * a factor of two on others: their ratios matter; the time of a unit is
 * measured on each machine.
 *
 * Thread: audio. Memory: the voice's.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_bank_room sb_bank_room;
typedef struct sb_strike sb_strike;
typedef struct sb_voice sb_voice;
typedef struct sb_voice_report sb_voice_report;

enum {
    SB_UNITS_BLOCK = 600,       /* fixed cost of a block */
    SB_UNITS_VOICE = 50,        /* a voice that is heard */
    SB_UNITS_PATH = 35,         /* its path through the air */
    SB_UNITS_MOVE = 80,         /* more if the path moves */
    SB_UNITS_PATH_COMMAND = 30, /* a path command */
    SB_UNITS_PASS = 15,         /* a voice that is not heard */
    SB_UNITS_STRIKE = 12,       /* beginning a strike on an active voice */
    SB_UNITS_WAKE = 120,        /* on an inactive voice that is in no cache */
    SB_UNITS_DIFFUSE = 150,
    /* Per group of sixteen modes: */
    SB_UNITS_RING = 16,
    SB_UNITS_TURN = 4,     /* advanced only */
    SB_UNITS_WEIGH = 3,    /* measured */
    SB_UNITS_COAST = 6,    /* advanced by many blocks */
    SB_UNITS_EXPECT = 8,   /* estimating the effect of a strike */
    SB_UNITS_IMPULSE = 29, /* an ideal impulse */
    SB_UNITS_PULSE = 110,
    SB_UNITS_UNHEARD = 20, /* a strike that is not heard */
    SB_UNITS_DRIVE = 55,
    SB_UNITS_GLIDE = 200,
    SB_UNITS_TOUCH = 100, /* in an island */
    /* Strikers that press: one alone, or n on a body, which are solved
     * together, n SB_UNITS_STRIKER + n^2 SB_UNITS_STRIKER_PAIR; and per mode of
     * both sides. Measured with n = 1 to 32 strikers of mass 100 kg and
     * stiffness 100 to 10,000 on 3 to 300 modes; stiff ones take up to two and
     * a half times as much, for a few blocks. */
    SB_UNITS_STRIKER_ALONE = 2500,
    SB_UNITS_STRIKER = 4300,
    SB_UNITS_STRIKER_PAIR = 245,
    SB_UNITS_STRIKER_MODE = 8
};

/* The cost of the strikers that press on it now, and of one more. */
double sb_voice_striker_units(const sb_voice *voice) SB_RT;
double sb_voice_next_striker_units(const sb_voice *voice,
                                   const sb_strike *strike) SB_RT;

/* The cost of hearing it in full in the coming block, and its number of
 * modes. */
double sb_voice_full_units(const sb_voice *voice, int *modes) SB_RT;

/* The cost of a heard voice without its modes. */
double sb_voice_base_units(const sb_voice *voice) SB_RT;

/* The cost of a heard and of an unheard group of a heard voice. */
void sb_voice_prices(const sb_voice *voice, sb_bank_room *room) SB_RT;

/* Strikes that begin in the coming block, and their cost if it is not heard. */
int sb_voice_new_strikes(const sb_voice *voice) SB_RT;
double sb_voice_unheard_units(const sb_voice *voice) SB_RT;

/* It must be heard in full or not at all. */
bool sb_voice_is_whole(const sb_voice *voice) SB_RT;
/* It is in the middle of an audible strike: the choice of groups must not
 * change. */
bool sb_voice_is_held(const sb_voice *voice) SB_RT;

/* Estimate its power at the louder ear: measured, or extrapolated for an
 * unheard voice unless `is_due`; plus an estimate of what strikes add. Returns
 * the units that this costs. */
double sb_voice_rate(sb_voice *voice, bool is_due) SB_RT;
/* Measure group by group, as choosing needs it. */
void sb_voice_look(sb_voice *voice) SB_RT;
double sb_voice_look_units(const sb_voice *voice) SB_RT;
double sb_voice_ear_power(const sb_voice *voice) SB_RT; /* gain^2 */

/* Hear all of it, at once or fading in. */
void sb_voice_show(sb_voice *voice, bool fades) SB_RT;

/* Advance an unheard voice by a block. */
void sb_voice_pass(sb_voice *voice, sb_voice_report *report) SB_RT;
