/* A block in which ringing modes change their values. Thread: audio. */
#include "runtime/dsp/bank/modal_bank_internal.h"

#include <string.h>

static void keep_still(sb_modal_glide *glide, int lane) {
    glide->from_damped[lane] = glide->to_damped[lane] = 0;
    glide->from_sigma[lane] = glide->to_sigma[lane] = 0;
    glide->from_heard[lane] = glide->to_heard[lane] = 0;
}

static void note_from(const sb_modal_group *group, sb_modal_glide *glide) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        glide->from_damped[lane] = group->damped[lane];
        glide->from_sigma[lane] = group->sigma[lane];
        glide->from_heard[lane] = (double)group->heard[lane];
    }
}

static void note_to(const sb_modal_group *group, sb_modal_glide *glide) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        glide->to_damped[lane] = group->damped[lane];
        glide->to_sigma[lane] = group->sigma[lane];
        glide->to_heard[lane] = (double)group->heard[lane];
    }
}

/* Modes that become or cease to be strongly damped change at the start of the
 * block instead: they decay within milliseconds. Modes that rise above the
 * Nyquist frequency fade out. */
static void settle_lane(sb_modal_group *group, unsigned ringing_before,
                        const sb_modal_motion *kept, int lane,
                        sb_modal_glide *glide) {
    bool was_ringing = ringing_before >> lane & 1;
    bool is_ringing = group->ringing >> lane & 1;
    if (!(group->active >> lane & 1)) {
        keep_still(glide, lane);
    } else if (was_ringing && is_ringing) {
        return;
    } else if (was_ringing && !(group->heavy >> lane & 1)) {
        glide->to_damped[lane] = glide->from_damped[lane];
        glide->to_sigma[lane] = glide->from_sigma[lane];
    } else {
        sb_modal_motion_set(group, lane, kept[lane]);
        keep_still(glide, lane);
        if (!is_ringing) return;
        glide->from_damped[lane] = glide->to_damped[lane] = group->damped[lane];
        glide->from_sigma[lane] = glide->to_sigma[lane] = group->sigma[lane];
        glide->from_heard[lane] = glide->to_heard[lane] =
            (double)group->heard[lane];
    }
}

static void glide_group(sb_modal_bank *bank, int index,
                        const sb_bank_mode *modes, int count,
                        sb_modal_sum *sum) {
    sb_modal_group *group = &bank->groups[index];
    sb_modal_motion kept[SB_MODAL_LANES];
    sb_modal_glide glide;
    unsigned ringing_before = group->ringing;
    note_from(group, &glide);
    sb_modal_motions_keep(group, kept);
    sb_modal_group_set(bank, index, modes, count);
    note_to(group, &glide);
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        if (lane < count) kept[lane].q /= group->omega[lane];
        settle_lane(group, ringing_before, kept, lane, &glide);
    }
    bank->kernel->glide(group, &glide, bank->dt_s, sum);
    unsigned mute = group->active & ~(unsigned)(group->ringing | group->heavy);
    for (int lane = 0; mute && lane < SB_MODAL_LANES; lane++) {
        if (mute >> lane & 1) group->u.re[lane] = group->u.im[lane] = 0;
    }
    group->active = (uint16_t)(group->active & ~mute);
}

sb_status sb_modal_bank_glide(sb_modal_bank *bank, const sb_bank_mode *modes,
                              int count, float *out) {
    if (!sb_modal_modes_fit(bank, modes, count)) return SB_BAD_ARGUMENT;
    unsigned before = sb_modal_flush_begin();
    sb_modal_sum sum;
    sum.is_empty = true;
    bank->has_heavy = false;
    for (int g = 0; g < bank->group_count; g++) {
        int first = g * SB_MODAL_LANES;
        if (bank->groups[g].active) {
            glide_group(bank, g, modes + first, count - first, &sum);
        } else {
            sb_modal_group_set(bank, g, modes + first, count - first);
        }
    }
    if (!sum.is_empty) bank->kernel->finish(&sum, 0, out);
    sb_modal_bank_ring_heavy(bank, out);
    sb_modal_flush_end(before);
    return SB_OK;
}
