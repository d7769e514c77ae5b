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
 * While r changes, a follows a cubic of time from where and how it is to a(r) and
 * its rate some blocks ahead. With n the highest order and t how far r turns
 * on the way, this leaves lines 3.2e-4 (n t)^4 beside those of a mode: 94 dB
 * below it for n t = .5. In the samples it is exact to the first order in every
 * 32 frames, which leaves 1.3 (n t')^2, t' being the turn in these: 91 dB below
 * for order 8 at one turn per second.
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
    /* [group][(order + 1)^2][16], for harmonics of modal_kernel.h. */
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

/* Where a bank is to be heard from, and when. */
typedef struct sb_modal_aiming {
    sb_vec3 at;     /* of length 1 */
    sb_vec3 rate;   /* of `at`, per block */
    int blocks;     /* >= 1: from now until then */
    double share;   /* a goes this part of the way there, 0 .. 1 */
    bool is_onward; /* a continues with its present rate, else from rest */
    bool all;       /* modes at rest are there at once, else they stay */
} sb_modal_aiming;

/* Before a block. What the bank was on its way to is forgotten. */
void sb_modal_bank_aim(sb_modal_bank *bank, const sb_modal_aiming *to) SB_RT;

/* Instead of a render: a is what it is at the end of the block. */
void sb_modal_bank_aim_now(sb_modal_bank *bank) SB_RT;
