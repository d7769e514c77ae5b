/* SPDX-License-Identifier: MIT */
/* tests/dsp/bank/bank_queries.h -- what a modal bank holds. */
#pragma once

#include "runtime/dsp/bank/modal_bank_internal.h"

/* Modes that are heard and ring. */
static inline int bank_active_count(const sb_modal_bank *bank) {
    int count = 0;
    for (int g = 0; g < bank->group_count; g++) {
        unsigned lanes = bank->groups[g].active & bank->groups[g].audible;
        for (; lanes; lanes &= lanes - 1) /* clears the lowest bit */
            count++;
    }
    return count;
}

/* The motion of a point with these weights. */
static inline void bank_read(const sb_modal_bank *bank, const float *weights,
                             double *displacement_m, double *velocity_m_s) {
    sb_modal_motion sum = {0, 0};
    for (int k = 0; k < bank->mode_count; k++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!(group->active >> lane & 1)) continue;
        sb_modal_motion m = sb_modal_motion_get(group, lane);
        sum.q += (double)weights[k] * m.q;
        sum.velocity += (double)weights[k] * m.velocity;
    }
    *displacement_m = sum.q;
    *velocity_m_s = sum.velocity;
}
