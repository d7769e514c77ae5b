/* runtime/dsp/bank/modal_bank_internal.h -- shared by the files of the bank.
 *
 * Thread: audio. Only the files of this folder and tests include this.
 */
#ifndef SB_DSP_BANK_MODAL_BANK_INTERNAL_H
#define SB_DSP_BANK_MODAL_BANK_INTERNAL_H

#include "runtime/dsp/bank/modal_kernel.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

struct sb_modal_bank {
    const sb_modal_kernel *kernel;
    /* stored behind this struct in the caller's memory */
    sb_modal_group *groups;
    double dt_s;
    double threshold;
    int capacity;
    int mode_count;
    int group_count;
    bool is_partial;     /* some group is not SB_HEARD: modal_choice.h */
    bool has_heavy;      /* some lane of some group is strongly damped */
    unsigned last_visit; /* value of groups_rung when last rendered */
    unsigned tuned;      /* incremented whenever the value of a mode changes */
};

/* Subnormal numbers occur in every decaying sound and cost a hundred times
 * as much as normal ones on x86, so they are treated as zero while the bank
 * works. */
static inline unsigned sb_modal_flush_begin(void) {
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); /* flush to zero, denormals are zero */
    return before;
#else
    return 0;
#endif
}

static inline void sb_modal_flush_end(unsigned before) {
#if defined(__SSE2__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

/* The state of a mode as displacement and velocity. */
typedef struct sb_modal_motion {
    double q, velocity;
} sb_modal_motion;

bool sb_modal_modes_fit(const sb_modal_bank *bank, const sb_bank_mode *modes,
                        int count) SB_RT;

/* Set everything of a group except its state. */
void sb_modal_group_set(sb_modal_bank *bank, int index,
                        const sb_bank_mode *modes, int count) SB_RT;

/* What a retune keeps of every lane: (w0 q, q'). The caller divides by the new
 * w0. */
void sb_modal_motions_keep(const sb_modal_group *group,
                           sb_modal_motion kept[SB_MODAL_LANES]) SB_RT;
sb_modal_motion sb_modal_motion_get(const sb_modal_group *group,
                                    int lane) SB_RT;
void sb_modal_motion_set(sb_modal_group *group, int lane,
                         sb_modal_motion motion) SB_RT;

/* sb_modal_bank_render of a bank that is_partial. */
void sb_modal_bank_render_chosen(sb_modal_bank *bank, float *out) SB_RT;

/* Render a block of all strongly damped lanes (modal_heavy.h). */
void sb_modal_bank_ring_heavy(sb_modal_bank *bank, float *out) SB_RT;

/* Add the ringing that follows from the amplitudes of the chunk, and empty
 * it. */
static inline void sb_modal_chunk_ring(const sb_modal_bank *bank,
                                       sb_modal_chunk *chunk,
                                       sb_modal_sum *sum) {
    if (chunk->count > 0) bank->kernel->ring(chunk, sum);
    chunk->count = 0;
}

#endif
