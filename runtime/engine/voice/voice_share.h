/* runtime/engine/voice/voice_share.h -- what a voice costs, and what it gets.
 *
 * Prices are in units (quality.h), measured on one machine and good to a factor
 * of two on others: what matters is their order; the time of a unit is measured
 * anew on each.
 *
 * Thread: audio. Memory: the voice's.
 */
#ifndef SB_ENGINE_VOICE_VOICE_SHARE_H
#define SB_ENGINE_VOICE_VOICE_SHARE_H

#include "runtime/dsp/bank/modal_choice.h"
#include "runtime/engine/voice/voice.h"

enum {
    SB_UNITS_BLOCK = 600, /* whatever there is to hear */
    SB_UNITS_VOICE = 50,  /* heard at all: its two ears */
    SB_UNITS_PATH = 35,   /* along a path, through the air */
    SB_UNITS_MOVE = 80,   /* that it moves along */
    SB_UNITS_TELL = 30,   /* told where it goes */
    SB_UNITS_PASS = 15,   /* not heard */
    SB_UNITS_STRIKE = 12, /* begins, on one that sounds */
    SB_UNITS_WAKE = 120,  /* on one that is at rest and in no cache */
    SB_UNITS_DIFFUSE = 150,
    /* For each group of sixteen modes: */
    SB_UNITS_RING = 16,
    SB_UNITS_TURN = 4,     /* only turns */
    SB_UNITS_WEIGH = 3,    /* measured */
    SB_UNITS_COAST = 6,    /* made up for many blocks */
    SB_UNITS_EXPECT = 8,   /* a blow's share of it told beforehand */
    SB_UNITS_IMPULSE = 29, /* an ideal impulse */
    SB_UNITS_PULSE = 110,
    SB_UNITS_UNHEARD = 20, /* a blow that is not heard */
    SB_UNITS_DRIVE = 55,
    SB_UNITS_GLIDE = 200,
    SB_UNITS_TOUCH = 100 /* in an island */
};

/* Heard in full, in the coming block; and how many modes that are. */
double sb_voice_full_units(const sb_voice *voice, int *modes) SB_RT;

/* One that is heard, but for its modes. */
double sb_voice_base_units(const sb_voice *voice) SB_RT;

/* What a group costs that is heard, or not, of one that is. */
void sb_voice_prices(const sb_voice *voice, sb_bank_room *room) SB_RT;

/* Blows that begin in the coming block, and their cost if it is not heard. */
int sb_voice_new_strikes(const sb_voice *voice) SB_RT;
double sb_voice_unheard_units(const sb_voice *voice) SB_RT;

/* It is heard in full, or not at all. */
bool sb_voice_is_whole(const sb_voice *voice) SB_RT;
/* It is in the middle of a blow that is heard: what is heard must stay. */
bool sb_voice_is_held(const sb_voice *voice) SB_RT;

/* Its power at the louder ear: measured, or of one that is not heard as it is
 * to be expected, if not `is_due`; with a guess of what comes in. Returns the
 * units that takes. */
double sb_voice_rate(sb_voice *voice, bool is_due) SB_RT;
/* Group by group, as choosing needs it; and the units of that. */
void sb_voice_look(sb_voice *voice) SB_RT;
double sb_voice_look_units(const sb_voice *voice) SB_RT;
double sb_voice_ear_power(const sb_voice *voice) SB_RT; /* gain^2 */

/* All of it is heard, from now on or fading in. */
void sb_voice_show(sb_voice *voice, bool fades) SB_RT;

/* A block of a voice that is not heard. */
void sb_voice_pass(sb_voice *voice, sb_voice_report *report) SB_RT;

#endif
