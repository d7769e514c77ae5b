/* SPDX-License-Identifier: MIT */
/* The bank's lifetime, its modes and its free ringing. Excitation is in
 * modal_excite.c, the inner loops in modal_kernel_body.h. Thread: audio. */
#include "runtime/dsp/bank/bank.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/bank/modal_bank_internal.h"
#include "runtime/dsp/vector/isa.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Below this wd / w0 a mode is stepped sample by sample: (wd + i s) z would
 * lose one digit per factor of ten. */
static const double heavy_ratio = 0.1;

/* Negligible amplitude when no threshold is set: 600 dB below one pascal at a
 * metre. */
static const double least_amplitude = 1e-30;

/* A mode with out_gain 0 has no amplitude to compare with a threshold. When one
 * is set, the modal velocity is compared with this: 5e-25 joules. */
static const double least_silent_velocity = 1e-12;

/* --- instruction sets -----------------------------------------------------*/

static const sb_modal_kernel *const kernels[SB_ISA_COUNT] = {
    [SB_ISA_PORTABLE] = &sb_modal_kernel_portable,
#if defined(__x86_64__)
    [SB_ISA_AVX2] = &sb_modal_kernel_avx2,
    [SB_ISA_AVX512] = &sb_modal_kernel_avx512,
#endif
};

/* --- life -----------------------------------------------------------------*/

static int groups_for(int modes) {
    return (modes + SB_MODAL_LANES - 1) / SB_MODAL_LANES;
}

size_t sb_modal_bank_bytes(int capacity) {
    if (capacity < 1) return 0;
    return sb_modal_bank_aligned(sizeof(sb_modal_bank)) +
           (size_t)groups_for(capacity) * sizeof(sb_modal_group);
}

sb_modal_bank *sb_modal_bank_init(void *memory, int capacity,
                                  double sample_rate_hz) {
    assert(capacity >= 1 && sample_rate_hz > 0);
    assert((uintptr_t)memory % SB_MODAL_BANK_ALIGN == 0);
    sb_modal_bank *bank = memory;
    *bank = (sb_modal_bank){
        .kernel = kernels[sb_isa_chosen()],
        .groups = (sb_modal_group *)(void *)((char *)memory +
                                             sb_modal_bank_aligned(
                                                 sizeof(sb_modal_bank))),
        .dt_s = 1 / sample_rate_hz,
        .capacity = capacity};
    return bank;
}

void sb_modal_bank_reset(sb_modal_bank *bank) {
    for (int g = 0; g < bank->group_count; g++) {
        memset(&bank->groups[g].u, 0, sizeof bank->groups[g].u);
        bank->groups[g].active = 0;
    }
}

/* --- modes ----------------------------------------------------------------*/

static bool are_valid(const sb_bank_mode *modes, int count) {
    for (int k = 0; k < count; k++) {
        const sb_bank_mode *mode = &modes[k];
        if (!(isfinite(mode->omega_rad_s) && mode->omega_rad_s > 0))
            return false;
        if (!(isfinite(mode->sigma_per_s) && mode->sigma_per_s >= 0))
            return false;
        if (!isfinite(mode->out_gain)) return false;
    }
    return true;
}

static float to_finite_float(double x) {
    return (float)fmin(fmax(x, -(double)FLT_MAX), (double)FLT_MAX);
}

static void set_loudness(const sb_modal_bank *bank, sb_modal_group *group) {
    double threshold = bank->threshold;
    group->least = fmax(threshold, least_amplitude);
    /* Smaller squares are not normal floats; the kernel then compares in
     * double. */
    group->loud = fmaxf((float)(group->least * group->least), FLT_MIN);
    group->quiet = threshold > 0 ? least_silent_velocity : least_amplitude;
}

static void set_lane(const sb_modal_bank *bank, sb_modal_group *group, int lane,
                     const sb_bank_mode *mode) {
    unsigned bit = 1u << lane;
    double w0 = mode->omega_rad_s, s = mode->sigma_per_s;
    double wd = s < w0 ? sqrt((w0 - s) * (w0 + s)) : 0;
    group->omega[lane] = w0;
    group->sigma[lane] = s;
    group->gain[lane] = mode->out_gain;
    if (mode->out_gain != 0) group->audible = (uint16_t)(group->audible | bit);
    if (w0 * bank->dt_s >= SB_PI)
        return; /* above the Nyquist frequency: muted */
    if (wd < heavy_ratio * w0) {
        group->heavy = (uint16_t)(group->heavy | bit);
        return;
    }
    group->ringing = (uint16_t)(group->ringing | bit);
    group->damped[lane] = wd;
    group->inverse_damped[lane] = 1 / wd;
    group->slope[lane] = (float)(s / wd);
    group->heard[lane] = to_finite_float(mode->out_gain);
    if (!group->aimed) return;
    group->aimed->level[lane] = group->heard[lane];
    group->heard[lane] *= group->aimed->now[lane];
}

/* Lanes that do not ring get zero rows. The state of strongly damped lanes must
 * pass through the kernel unchanged. */
static void close_lane(sb_modal_group *group, int lane) {
    for (int row = 0; row < SB_MODAL_ROWS; row++)
        group->row[row].re[lane] = group->row[row].im[lane] = 0;
    group->turn.re[lane] = group->heavy >> lane & 1 ? 1 : 0;
    group->turn.im[lane] = 0;
}

/* Set everything of a group except its state. */
static void sb_modal_group_set(sb_modal_bank *bank, int index,
                               const sb_bank_mode *modes, int count) {
    sb_modal_group *group = &bank->groups[index];
    sb_modal_state u = group->u;
    uint16_t active = group->active;
    uint8_t hearing = group->hearing;
    uint16_t turning = group->turning;
    sb_modal_aimed *aimed = group->aimed;
    memset(group, 0, sizeof *group);
    if (aimed) memset(aimed->level, 0, sizeof aimed->level);
    if (aimed) aimed->is_tuned = false;
    group->aimed = aimed;
    group->u = u;
    group->hearing = hearing;
    group->turning = turning;
    group->active = active;
    for (int lane = 0; lane < SB_MODAL_LANES && lane < count; lane++)
        set_lane(bank, group, lane, &modes[lane]);
    bank->kernel->tune(group, bank->dt_s);
    for (int lane = 0; lane < SB_MODAL_LANES; lane++)
        if (!(group->ringing >> lane & 1)) close_lane(group, lane);
    if (group->heavy) bank->has_heavy = true;
    set_loudness(bank, group);
    bank->tuned++;
}

sb_status sb_modal_bank_set_modes(sb_modal_bank *bank,
                                  const sb_bank_mode *modes, int count) {
    if (count < 0 || count > bank->capacity || !are_valid(modes, count))
        return SB_BAD_ARGUMENT;
    unsigned before = sb_modal_flush_begin();
    bank->mode_count = count;
    bank->group_count = groups_for(count);
    bank->has_heavy = bank->is_partial = false;
    bank->aims = NULL;
    for (int g = 0; g < bank->group_count; g++) {
        int first = g * SB_MODAL_LANES;
        memset(&bank->groups[g], 0, sizeof bank->groups[g]);
        sb_modal_group_set(bank, g, modes + first, count - first);
    }
    sb_modal_flush_end(before);
    return SB_OK;
}

/* --- state as displacement and velocity -----------------------------------*/

sb_modal_motion sb_modal_motion_get(const sb_modal_group *group, int lane) {
    double re = group->u.re[lane], im = group->u.im[lane];
    double w0 = group->omega[lane], s = group->sigma[lane];
    if (re == 0 && im == 0) return (sb_modal_motion){0, 0};
    if (group->heavy >> lane & 1) return (sb_modal_motion){im / w0, re};
    return (sb_modal_motion){(group->damped[lane] * im - s * re) / (w0 * w0),
                             re};
}

void sb_modal_motion_set(sb_modal_group *group, int lane, sb_modal_motion m) {
    unsigned bit = 1u << lane;
    double w0 = group->omega[lane], s = group->sigma[lane];
    double re = m.velocity, im = 0;
    if (group->heavy & bit) {
        im = w0 * m.q;
    } else if (group->ringing & bit) {
        im = (s * re + w0 * w0 * m.q) * group->inverse_damped[lane];
    } else {
        re = 0; /* moved above the Nyquist frequency */
    }
    group->u.re[lane] = re;
    group->u.im[lane] = im;
    if (re == 0 && im == 0) group->active = (uint16_t)(group->active & ~bit);
}

/* What a retune keeps of every lane: (w0 q, q'). The caller divides by the new
 * w0. */
static void sb_modal_motions_keep(const sb_modal_group *group,
                                  sb_modal_motion kept[SB_MODAL_LANES]) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        kept[lane] = sb_modal_motion_get(group, lane);
        kept[lane].q *= group->omega[lane];
    }
}

static bool sb_modal_modes_fit(const sb_modal_bank *bank,
                               const sb_bank_mode *modes, int count) {
    return count == bank->mode_count && are_valid(modes, count);
}

sb_status sb_modal_bank_retune(sb_modal_bank *bank, const sb_bank_mode *modes,
                               int count) {
    if (!sb_modal_modes_fit(bank, modes, count)) return SB_BAD_ARGUMENT;
    unsigned before = sb_modal_flush_begin();
    bank->has_heavy = false;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        int first = g * SB_MODAL_LANES;
        sb_modal_motion kept[SB_MODAL_LANES];
        sb_modal_motions_keep(group, kept);
        sb_modal_group_set(bank, g, modes + first, count - first);
        for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
            if (!(group->active >> lane & 1)) continue;
            kept[lane].q /= group->omega[lane];
            sb_modal_motion_set(group, lane, kept[lane]);
        }
    }
    sb_modal_flush_end(before);
    return SB_OK;
}

void sb_modal_bank_set_threshold(sb_modal_bank *bank, double amplitude) {
    bank->threshold = amplitude > 0 ? amplitude : 0;
    for (int g = 0; g < bank->group_count; g++)
        set_loudness(bank, &bank->groups[g]);
}

/* --- ringing --------------------------------------------------------------*/

/* Groups rendered by all banks so far. The number since the last visit
 * estimates whether this bank is still in the core's own cache. It controls
 * prefetching only, so lost updates between threads do no harm. */
static atomic_uint groups_rung;

static bool is_far(sb_modal_bank *bank) {
    const unsigned near_groups = (1u << 20) / sizeof(sb_modal_group);
    unsigned now = atomic_load_explicit(&groups_rung, memory_order_relaxed);
    unsigned since = now - bank->last_visit;
    bank->last_visit = now;
    atomic_store_explicit(&groups_rung, now + (unsigned)bank->group_count,
                          memory_order_relaxed);
    return since > near_groups;
}

void sb_modal_bank_ring_heavy(sb_modal_bank *bank, float *out) {
    for (int g = 0; bank->has_heavy && g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        if (group->active & group->heavy)
            sb_modal_heavy_render(group, bank->dt_s, out);
    }
}

void sb_modal_bank_render(sb_modal_bank *bank, float *out) {
    if (bank->is_partial) {
        sb_modal_bank_render_chosen(bank, out);
        return;
    }
    unsigned before = sb_modal_flush_begin();
    sb_modal_chunk chunk, turning;
    sb_modal_sum sum;
    chunk.count = 0;
    chunk.is_far = is_far(bank);
    sum.is_empty = true;
    sb_modal_turning_begin(bank, &turning);
    int chunks = (bank->group_count + SB_MODAL_CHUNK - 1) / SB_MODAL_CHUNK;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        if (!group->active) continue;
        if (!(group->active & group->audible & group->ringing)) {
            sb_modal_group_turned(bank, group);
            bank->kernel->advance(group);
            continue;
        }
        if (sb_modal_turning_add(bank, &turning, group, out)) continue;
        chunk.group[chunk.count++] = group;
        /* Chunks of equal size: a small last chunk would cost more. */
        if (chunk.count * chunks < bank->group_count) continue;
        bank->kernel->render(&chunk, &sum);
        chunk.count = 0;
    }
    if (chunk.count > 0) bank->kernel->render(&chunk, &sum);
    sb_modal_turning_end(bank, &turning, out);
    if (!sum.is_empty) bank->kernel->finish(&sum, 0, out);
    sb_modal_bank_ring_heavy(bank, out);
    sb_modal_flush_end(before);
}

/* --- queries --------------------------------------------------------------*/

int sb_modal_bank_mode_count(const sb_modal_bank *bank) {
    return bank->mode_count;
}

double sb_modal_bank_energy_j(const sb_modal_bank *bank) {
    double twice = 0;
    for (int g = 0; g < bank->group_count; g++) {
        const sb_modal_group *group = &bank->groups[g];
        for (int lane = 0; group->active && lane < SB_MODAL_LANES; lane++) {
            sb_modal_motion m = sb_modal_motion_get(group, lane);
            double w0_q = group->omega[lane] * m.q;
            twice += m.velocity * m.velocity + w0_q * w0_q;
        }
    }
    return 0.5 * twice;
}

double sb_modal_bank_mode_energy_j(const sb_modal_bank *bank, int mode) {
    const sb_modal_group *group = &bank->groups[mode / SB_MODAL_LANES];
    if (!group->active) return 0.0;
    int lane = mode % SB_MODAL_LANES;
    sb_modal_motion m = sb_modal_motion_get(group, lane);
    double w0_q = group->omega[lane] * m.q;
    return 0.5 * (m.velocity * m.velocity + w0_q * w0_q);
}

bool sb_modal_bank_is_finite(const sb_modal_bank *bank) {
    double sum[2] = {0, 0};
    for (int g = 0; g < bank->group_count; g++) {
        const sb_modal_state *u = &bank->groups[g].u;
        for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
            sum[0] += u->re[lane] * u->re[lane];
            sum[1] += u->im[lane] * u->im[lane];
        }
    }
    return isfinite(sum[0] + sum[1]);
}

/* --- a block in which the modes change ------------------------------------*/

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
    sb_modal_group_turned(bank, group);
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
    if (bank->is_turning) bank->aimed++;
    if (!sum.is_empty) bank->kernel->finish(&sum, 0, out);
    sb_modal_bank_ring_heavy(bank, out);
    sb_modal_flush_end(before);
    return SB_OK;
}
