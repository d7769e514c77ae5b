/* runtime/dsp/bank/modal_choice.h -- which modes of a bank are heard.
 *
 * When there is too much sound, a body's weakest modes are left out (Raghuvanshi
 * & Lin 4.3). They go on turning and fading, and come back in phase.
 *
 * The kernel mixes sixteen modes of a group for the price of one, and to put
 * the chosen modes of several groups together costs as much as mixing five, so
 * what is chosen is groups: those with the most power first, to within 1.5 dB,
 * and with a bonus of 1 dB for what is heard already, against changing too
 * often. A group that comes or goes fades over one block.
 *
 * A bank of which nothing is heard need not be touched at all: sb_modal_bank_coast
 * makes up for many blocks at once.
 *
 * While some of a bank is not heard, it may be rendered and kicked. Drives,
 * glides and fields hear everything: choose all of it before.
 *
 * Symbols: power is |A|^2 / 2 summed over modes, A the amplitude at the bank's
 *          output; of what is heard of it at an ear, multiply by gain^2.
 * Thread:  audio. Memory: the bank's own.
 * Source:  Raghuvanshi & Lin 2006, 4.3.
 */
#ifndef SB_DSP_BANK_MODAL_CHOICE_H
#define SB_DSP_BANK_MODAL_CHOICE_H

#include "runtime/dsp/bank/modal_bank.h"

/* Of a group of modes. The last two are for one block and end in it. */
enum { SB_HEARD, SB_UNHEARD, SB_COMING, SB_GOING };

typedef struct sb_bank_level {
    double power;
    double fade_per_s; /* of the power */
    int groups, modes; /* that ring, or will in this block */
} sb_bank_level;

/* What rings now. */
sb_bank_level sb_modal_bank_measure(sb_modal_bank *bank) SB_RT;

/* Only how many they are. */
sb_bank_level sb_modal_bank_count(const sb_modal_bank *bank) SB_RT;

/* What blows will add in the coming block, to what was measured: the sum of
 * their impulses' squares, and the weights and half-sine frequency (0: an ideal
 * impulse) of one that stands for all. */
void sb_modal_bank_expect(sb_modal_bank *bank, double squares_n2s2,
                          const float *weights, double pulse_rad_s,
                          sb_bank_level *level) SB_RT;

/* The power that would add, guessed from at most 8 of the modes. */
double sb_modal_bank_guess(const sb_modal_bank *bank, double squares_n2s2,
                           const float *weights, double pulse_rad_s) SB_RT;

/* What there is to spend, and what a group costs that is heard, or only turns. */
typedef struct sb_bank_room {
    double units;
    int modes;
    double heard_units, unheard_units;
} sb_bank_room;

typedef struct sb_bank_choice {
    int heard_groups, heard_modes;
    int going_groups, going_modes;
    int unheard_groups; /* that ring; those that go are not among them */
    double power;       /* of what is heard */
} sb_bank_choice;

/* After measure and expect: choose as much as there is room for. */
sb_bank_choice sb_modal_bank_choose(sb_modal_bank *bank,
                                    const sb_bank_room *room) SB_RT;
/* All of it, fading in what was not heard; at once, if not `fades`. */
void sb_modal_bank_choose_all(sb_modal_bank *bank, bool fades) SB_RT;
/* Nothing of it, at once. */
void sb_modal_bank_choose_none(sb_modal_bank *bank) SB_RT;
/* Let what goes be gone at once. */
void sb_modal_bank_cut(sb_modal_bank *bank) SB_RT;

bool sb_modal_bank_is_partial(const sb_modal_bank *bank) SB_RT;

/* A gain that goes from 0 to 1 over a block, smoothly; backwards for what goes. */
void sb_modal_fade(float *frames, bool is_going) SB_RT;

/* So many blocks on, of which nothing is heard. */
void sb_modal_bank_coast(sb_modal_bank *bank, int blocks) SB_RT;

/* A blow on a bank of which nothing is heard: a half-sine pulse or an ideal
 * impulse as one impulse at its middle. Modes above the first zero of a pulse's
 * spectrum, where less than a fourteenth is left, get nothing of it, and those
 * below it their due to within 4 % of an impulse's. */
void sb_modal_bank_impulse_unheard(sb_modal_bank *bank,
                                   const sb_bank_impulse *impulse) SB_RT;

#endif
