/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_aim.h -- a bank that is heard from a direction.
 *
 * The output of mode k is g a(r) q', r being the direction of the listener in
 * the body's frame and the mean of a^2 over all directions 1:
 *
 *     a(r) = sum over l, m of a_lm Y_lm(r).
 *
 * a is real: the pattern of the mode (runtime/base/pattern.h) turned in its
 * phase such that as much of its power as possible is real, which is all of it
 * where the surface has the same shape seen from behind. What is left out,
 * together with the rest of the pattern, is made up for by a factor. A mode of
 * whose power less than half would be kept, or without a pattern, has a = 1.
 *
 * While r changes, a moves linearly over each block. In 8 steps in a block it is
 * held for 16 frames, which costs as much as ringing; the lines that this leaves,
 * 3 kHz from those of the modes, are 28 dB below the change of a in a block. Where
 * they would be above `fine`, the ramp is added exactly, at the cost of another
 * rendering of the group.
 *
 * Forces act on what is heard at the end of the block: impulses, drives, and
 * contacts solved frame by frame, for which a moves in steps of a block.
 * What decides which modes are heard (modal_choice.h), and which are at rest,
 * is the mean over all directions.
 *
 * Symbols: a aim, g level.
 * Thread:  audio; sb_modal_aims_init control.
 * Memory:  the caller's.
 */
#pragma once

#include "runtime/base/pattern.h"
#include "runtime/dsp/bank/bank.h"

typedef struct sb_modal_aimed sb_modal_aimed;

/* a_lm of all modes, sixteen by sixteen, and their present a. */
typedef struct sb_modal_aims {
    int group_count;
    int order;         /* the highest */
    const int *orders; /* [group]; 0: all of its modes have a = 1 */
    /* [group][(order + 1)^2][16], for harmonics without their norms. */
    const float *coefs;
    sb_modal_aimed *aimed; /* [group], of the bank that has it */
} sb_modal_aims;

/* Of `count` modes. The memory is aligned to SB_MODAL_BANK_ALIGN. */
size_t sb_modal_aims_bytes(const sb_pattern *patterns, int count);
sb_modal_aims *sb_modal_aims_init(void *memory, const sb_pattern *patterns,
                                  int count);

/* Hear the bank by these from now on. Its a stays what it is, and it is done
 * with those that it had. */
void sb_modal_bank_set_aims(sb_modal_bank *bank, sb_modal_aims *aims) SB_RT;

/* Before a block: hear the bank at its end from this direction, of length 1.
 * a goes `share` of the way there, 0 .. 1. Modes at
 * rest follow only if `all`, and then at once. */
void sb_modal_bank_aim(sb_modal_bank *bank, sb_vec3 from, float share,
                       bool all) SB_RT;

/* Instead of a render: be there at once. */
void sb_modal_bank_aim_now(sb_modal_bank *bank) SB_RT;

/* The amplitude of lines that may be left while a bank turns; 0: none. */
void sb_modal_bank_set_fine(sb_modal_bank *bank, double amplitude) SB_RT;
