/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/record.h -- the force of a contact as samples of a block.
 *
 * A contact takes up to 64 steps per frame, since a hard striker on a thin
 * sheet comes off and returns more than 30,000 times per second. The sum of its
 * force over each frame would show that as a force below half the sample rate,
 * up to 17 dB above what there is. So the force is kept in BINS parts per
 * frame, and a low-pass takes what lies above half the sample rate out of it
 * (74 dB) before it becomes one impulse per frame, REACH / 2 frames later.
 *
 * Thread: audio (init as well). Memory: the caller's.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/voice_types.h"

#include <stdbool.h>

enum {
    SB_RECORD_BINS = 8,   /* per frame */
    SB_RECORD_REACH = 32, /* frames, of the low-pass */
    SB_RECORD_TAPS = SB_RECORD_BINS * SB_RECORD_REACH
};

typedef struct sb_record {
    /* The last REACH frames of the block before, then this block, N s. */
    float bins_ns[SB_RECORD_TAPS + SB_RECORD_BINS * SB_BLOCK_FRAMES];
    float taps[SB_RECORD_TAPS];
    bool is_fresh; /* there is a force in this block */
    bool is_late;  /* there was one in the block before */
} sb_record;

/* In zeroed memory. */
void sb_record_init(sb_record *record) SB_RT;

/* Add an impulse that lasts for `frames` from `frame` on, within the block. */
void sb_record_add(sb_record *record, double frame, double frames,
                   double impulse_ns) SB_RT;

/* End the block: add its impulses, one per frame, to `impulse_ns`. */
void sb_record_take(sb_record *record, float *impulse_ns) SB_RT;
