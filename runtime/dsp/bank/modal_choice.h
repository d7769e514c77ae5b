/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_choice.h -- which modes of a bank are heard.
 *
 * When there is too much sound, the weakest modes of a body are left out of the
 * mix (Raghuvanshi & Lin 4.3). Their state keeps advancing, so they return in
 * phase.
 *
 * The kernel mixes the sixteen modes of a group at the cost of one, and
 * regrouping chosen modes costs as much as mixing five groups. So whole groups
 * are chosen: those with the most power first, in steps of 1.5 dB, with a bonus
 * of 1 dB for groups that are heard already, to avoid frequent changes. A group
 * that is added or removed fades over one block.
 *
 * A bank of which nothing is heard need not be rendered at all:
 * sb_modal_bank_coast advances it by many blocks at once.
 *
 * While some groups of a bank are not heard, it may be rendered and receive
 * impulses. Drives, glides and fields render everything: choose all first.
 *
 * Symbols: power is |A|^2 / 2 summed over modes, A being the amplitude at the
 *          output of the bank; multiply by gain^2 for the power at an ear.
 * Thread:  audio. Memory: the bank's own.
 * Source:  Raghuvanshi & Lin 2006, 4.3.
 */
#pragma once

#include "runtime/dsp/bank/bank.h"

/* Whether a group is heard. COMING and GOING last for one block, in which the
 * group fades in or out. */
enum { SB_HEARD, SB_UNHEARD, SB_COMING, SB_GOING };

typedef struct sb_bank_level {
    double power;
    double fade_per_s; /* decay rate of the power */
    int groups, modes; /* that ring, or will ring in this block */
} sb_bank_level;

/* Measure what rings now. */
sb_bank_level sb_modal_bank_measure(sb_modal_bank *bank) SB_RT;

/* Count only; the power is not measured. */
sb_bank_level sb_modal_bank_count(const sb_modal_bank *bank) SB_RT;

/* Add to a measured level what strikes will add in the coming block: the sum of
 * the squares of their impulses, and the weights and half-sine frequency (0:
 * ideal impulse) of one strike that represents all. */
void sb_modal_bank_expect(sb_modal_bank *bank, double squares_n2s2,
                          const float *weights, double pulse_rad_s,
                          sb_bank_level *level) SB_RT;

/* An estimate of that power from at most 8 of the modes, for ideal impulses. */
double sb_modal_bank_guess(const sb_modal_bank *bank, double squares_n2s2,
                           const float *weights) SB_RT;

/* The budget, and the cost of a group that is heard or only advanced. */
typedef struct sb_bank_room {
    double units;
    int modes;
    double heard_units, unheard_units;
} sb_bank_room;

typedef struct sb_bank_choice {
    int heard_groups, heard_modes;
    int going_groups, going_modes;
    int unheard_groups; /* that ring, without those that fade out */
    double power;       /* of the groups that are heard */
} sb_bank_choice;

/* After measure and expect: choose as many groups as the budget allows. */
sb_bank_choice sb_modal_bank_choose(sb_modal_bank *bank,
                                    const sb_bank_room *room) SB_RT;
/* Choose all groups; those that were not heard fade in if `fades`. */
void sb_modal_bank_choose_all(sb_modal_bank *bank, bool fades) SB_RT;
/* Choose no group, without a fade. */
void sb_modal_bank_choose_none(sb_modal_bank *bank) SB_RT;
/* Groups that would fade out stop at once. */
void sb_modal_bank_cut(sb_modal_bank *bank) SB_RT;

bool sb_modal_bank_is_partial(const sb_modal_bank *bank) SB_RT;

/* Apply a smooth gain from 0 to 1 over a block, or from 1 to 0 if
 * `is_going`. */
void sb_modal_fade(float *frames, bool is_going) SB_RT;

/* Advance by so many blocks without output. */
void sb_modal_bank_coast(sb_modal_bank *bank, int blocks) SB_RT;

/* A strike on a bank of which nothing is heard: a half-sine pulse or an ideal
 * impulse is applied as one impulse at its middle. Modes above the first zero
 * of the pulse's spectrum, where less than a fourteenth is left, get nothing;
 * those below it get the right amount to within 4 % of the impulse. */
void sb_modal_bank_impulse_unheard(sb_modal_bank *bank,
                                   const sb_bank_impulse *impulse) SB_RT;
