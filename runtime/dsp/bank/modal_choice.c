/* SPDX-License-Identifier: MIT */
/* Measuring a bank, choosing which of its groups are heard, and rendering
 * those. Thread: audio. */
#include "runtime/dsp/bank/modal_choice.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/bank/modal_bank_internal.h"

#include <math.h>
#include <string.h>

/* --- levels ---------------------------------------------------------------*/

/* A popcount without a library call: the baseline CPU has no instruction for
 * it. */
static int lanes_in(unsigned lanes) {
    lanes = (lanes & 0x5555) + (lanes >> 1 & 0x5555);
    lanes = (lanes & 0x3333) + (lanes >> 2 & 0x3333);
    lanes = (lanes & 0x0f0f) + (lanes >> 4 & 0x0f0f);
    return (int)((lanes & 0x00ff) + (lanes >> 8));
}

/* The power of strongly damped modes, which have no amplitude A. */
static double heavy_power(const sb_modal_group *group) {
    double sum = 0;
    unsigned lanes = group->active & group->heavy;
    for (int lane = 0; lanes && lane < SB_MODAL_LANES; lane++) {
        if (!(lanes >> lane & 1)) continue;
        double re = group->u.re[lane], im = group->u.im[lane];
        sum += group->gain[lane] * group->gain[lane] * (re * re + im * im);
    }
    return 0.5 * sum;
}

sb_bank_level sb_modal_bank_measure(sb_modal_bank *bank) {
    sb_bank_level level = {0};
    double loss = 0;
    unsigned before = sb_modal_flush_begin();
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        float power[2] = {0, 0};
        group->power = 0;
        group->expected = group->active;
        if (!group->active) continue;
        bank->kernel->weigh(group, power);
        double sum = (double)power[0];
        if (group->active & group->heavy) sum += heavy_power(group);
        /* NaN counts as loud: the voice checks for it later. */
        group->power = sum >= 0 ? (float)sum : INFINITY;
        level.power += (double)group->power;
        level.groups++;
        level.modes += lanes_in(group->active & group->audible);
        loss += (double)power[1];
    }
    if (level.power > 0) level.fade_per_s = loss / level.power;
    sb_modal_flush_end(before);
    return level;
}

sb_bank_level sb_modal_bank_count(const sb_modal_bank *bank) {
    sb_bank_level level = {0};
    for (int g = 0; g < bank->group_count; g++) {
        const sb_modal_group *group = &bank->groups[g];
        if (!group->active) continue;
        level.groups++;
        level.modes += lanes_in(group->active & group->audible);
    }
    return level;
}

/* An upper bound of the spectrum of a half-sine, relative to an impulse. */
static double pulse_bound(double ratio) {
    return ratio > 1 ? fmin(1, 1 / ((ratio - 1) * (ratio + 1))) : 1;
}

void sb_modal_bank_expect(sb_modal_bank *bank, double squares_n2s2,
                          const float *weights, double pulse_rad_s,
                          sb_bank_level *level) {
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        unsigned here = 0, can = group->ringing | group->heavy;
        double sum = 0;
        for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
            if (!(can >> lane & 1)) continue;
            double weight = (double)weights[g * SB_MODAL_LANES + lane];
            double part = weight * group->gain[lane];
            if (pulse_rad_s > 0)
                part *= pulse_bound(group->omega[lane] / pulse_rad_s);
            sum += part * part;
            here |= (unsigned)(weight != 0) << lane;
        }
        if (here && !group->expected) level->groups++;
        level->modes +=
            lanes_in(here & ~(unsigned)group->expected & group->audible);
        group->expected = (uint16_t)(group->expected | here);
        double power = 0.5 * squares_n2s2 * sum;
        if (!(power >= 0 && power < 1e30)) power = 1e30;
        group->power += (float)power;
        level->power += power;
    }
}

double sb_modal_bank_guess(const sb_modal_bank *bank, double squares_n2s2,
                           const float *weights) {
    enum { FEW = 8 };
    int step = (bank->mode_count + FEW - 1) / FEW, count = 0;
    double sum = 0;
    for (int k = 0; k < bank->mode_count; k += step, count++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!((group->ringing | group->heavy) >> lane & 1)) continue;
        double part = (double)weights[k] * group->gain[lane];
        sum += part * part;
    }
    double power = 0.5 * squares_n2s2 * sum * bank->mode_count / count;
    return power >= 0 && power < 1e30 ? power : 1e30;
}

/* --- choosing -------------------------------------------------------------*/

/* Power in steps of 1.5 dB: the exponent and one bit of the mantissa. */
enum { STEPS = 512 };

/* Whether the group was heard in the block before. */
static bool is_heard(const sb_modal_group *group) {
    return group->hearing == SB_HEARD || group->hearing == SB_GOING;
}

static int step_of(const sb_modal_group *group) {
    const float bonus = 1.26f;
    float power = is_heard(group) ? group->power * bonus : group->power;
    uint32_t bits;
    memcpy(&bits, &power, sizeof bits);
    return (int)(bits >> 22) & (STEPS - 1);
}

static int modes_of(const sb_modal_group *group) {
    return lanes_in(group->expected & (unsigned)group->audible);
}

/* The lowest step of which every group is wanted; some of the next lower step
 * may be. */
static int lowest_whole_step(const sb_modal_bank *bank, int groups, int modes) {
    uint16_t group_count[STEPS] = {0};
    int mode_count[STEPS] = {0};
    for (int g = 0; g < bank->group_count; g++) {
        const sb_modal_group *group = &bank->groups[g];
        if (!group->expected) continue;
        group_count[step_of(group)]++;
        mode_count[step_of(group)] += modes_of(group);
    }
    int step = STEPS;
    while (step > 0 && groups >= group_count[step - 1] &&
           modes >= mode_count[step - 1]) {
        step--;
        groups -= group_count[step];
        modes -= mode_count[step];
    }
    return step;
}

static void hear(sb_modal_group *group, bool is_wanted,
                 sb_bank_choice *choice) {
    bool was_heard = is_heard(group) || !group->active;
    if (is_wanted) {
        group->hearing = was_heard ? SB_HEARD : SB_COMING;
        choice->heard_groups++;
        choice->heard_modes += modes_of(group);
        choice->power += (double)group->power;
    } else if (was_heard && group->active) {
        group->hearing = SB_GOING;
        choice->going_groups++;
        choice->going_modes += lanes_in(group->active & group->audible);
    } else {
        group->hearing = SB_UNHEARD;
        choice->unheard_groups++;
    }
}

sb_bank_choice sb_modal_bank_choose(sb_modal_bank *bank,
                                    const sb_bank_room *room) {
    sb_bank_choice choice = {0};
    int rings = 0, modes = 0, step = 0;
    for (int g = 0; g < bank->group_count; g++) {
        rings += bank->groups[g].expected != 0;
        modes += modes_of(&bank->groups[g]);
    }
    double extra = room->heard_units - room->unheard_units;
    double groups = (room->units - rings * room->unheard_units) / extra;
    int groups_left = (int)fmax(0, fmin(groups + 1e-9, rings));
    int modes_left = room->modes > 0 ? room->modes : 0;
    if (groups_left < rings || modes_left < modes)
        step = lowest_whole_step(bank, groups_left, modes_left);
    /* First the groups that are certainly wanted; what they leave of the budget
     * goes to the next step. */
    for (int g = 0; g < bank->group_count; g++) {
        const sb_modal_group *group = &bank->groups[g];
        if (!group->expected || step_of(group) < step) continue;
        groups_left--;
        modes_left -= modes_of(group);
    }
    bank->is_partial = false;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        if (!group->expected) {
            group->hearing = SB_HEARD; /* silent groups cost nothing */
            continue;
        }
        bool is_wanted = step_of(group) >= step;
        if (step_of(group) == step - 1 && groups_left > 0 &&
            modes_left >= modes_of(group)) {
            is_wanted = true;
            groups_left--;
            modes_left -= modes_of(group);
        }
        hear(group, is_wanted, &choice);
        if (group->hearing != SB_HEARD) bank->is_partial = true;
    }
    return choice;
}

void sb_modal_bank_choose_all(sb_modal_bank *bank, bool fades) {
    bank->is_partial = false;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        bool comes = fades && group->hearing != SB_HEARD && group->active;
        group->hearing = comes ? SB_COMING : SB_HEARD;
        if (comes) bank->is_partial = true;
    }
}

void sb_modal_bank_choose_none(sb_modal_bank *bank) {
    bank->is_partial = true;
    for (int g = 0; g < bank->group_count; g++)
        bank->groups[g].hearing = SB_UNHEARD;
}

void sb_modal_bank_cut(sb_modal_bank *bank) {
    for (int g = 0; g < bank->group_count; g++)
        if (bank->groups[g].hearing == SB_GOING)
            bank->groups[g].hearing = SB_UNHEARD;
}

bool sb_modal_bank_is_partial(const sb_modal_bank *bank) {
    return bank->is_partial;
}

/* --- sound ----------------------------------------------------------------*/

void sb_modal_fade(float *frames, bool is_going) {
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float t = (float)(is_going ? SB_BLOCK_FRAMES - n : n) / SB_BLOCK_FRAMES;
        frames[n] *= t * t * (3.0f - 2.0f * t);
    }
}

/* Render all groups in that state; true if any rang. */
static bool ring_those(sb_modal_bank *bank, int hearing, float *out) {
    sb_modal_chunk chunk, turning;
    sb_modal_sum sum;
    bool has_rung = false;
    chunk.count = turning.count = 0;
    chunk.is_far = false;
    sum.is_empty = true;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        if (!group->active || group->hearing != hearing) continue;
        if (!(group->active & group->audible & group->ringing)) {
            sb_modal_group_turned(bank, group);
            bank->kernel->advance(group);
        } else if (sb_modal_turning_add(bank, &turning, group, out)) {
            has_rung = true;
        } else {
            chunk.group[chunk.count++] = group;
        }
        if (chunk.count < SB_MODAL_CHUNK) continue;
        bank->kernel->render(&chunk, &sum);
        chunk.count = 0;
    }
    if (chunk.count > 0) bank->kernel->render(&chunk, &sum);
    sb_modal_turning_end(bank, &turning, out);
    if (!sum.is_empty) bank->kernel->finish(&sum, 0, out);
    has_rung = has_rung || !sum.is_empty;
    for (int g = 0; bank->has_heavy && g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        if (group->hearing != hearing || !(group->active & group->heavy))
            continue;
        sb_modal_heavy_render(group, bank->dt_s, out);
        has_rung = true;
    }
    return has_rung;
}

static void ring_unheard(sb_modal_bank *bank) {
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        float unheard[SB_BLOCK_FRAMES];
        if (!group->active || group->hearing != SB_UNHEARD) continue;
        sb_modal_group_turned(bank, group);
        bank->kernel->advance(group);
        if (!(group->active & group->heavy)) continue;
        memset(unheard, 0, sizeof unheard);
        sb_modal_heavy_render(group, bank->dt_s, unheard);
    }
}

/* Fades are complete at the end of the block. */
static void settle(sb_modal_bank *bank) {
    bank->is_partial = false;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        if (group->hearing == SB_COMING) group->hearing = SB_HEARD;
        if (group->hearing == SB_GOING) group->hearing = SB_UNHEARD;
        if (group->hearing == SB_UNHEARD) bank->is_partial = true;
    }
}

void sb_modal_bank_render_chosen(sb_modal_bank *bank, float *out) {
    unsigned before = sb_modal_flush_begin();
    if (bank->is_turning) bank->aimed++;
    (void)ring_those(bank, SB_HEARD, out);
    for (int hearing = SB_COMING; hearing <= SB_GOING; hearing++) {
        float part[SB_BLOCK_FRAMES] = {0};
        if (!ring_those(bank, hearing, part)) continue;
        sb_modal_fade(part, hearing == SB_GOING);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            out[n] += part[n];
    }
    ring_unheard(bank);
    settle(bank);
    sb_modal_flush_end(before);
}

/* --- unheard --------------------------------------------------------------*/

void sb_modal_bank_coast(sb_modal_bank *bank, int blocks) {
    unsigned before = sb_modal_flush_begin();
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        float unheard[SB_BLOCK_FRAMES];
        if (!group->active) continue;
        for (int i = 0; i < blocks && group->active & group->heavy; i++) {
            memset(unheard, 0, sizeof unheard);
            sb_modal_heavy_render(group, bank->dt_s, unheard);
        }
        bank->kernel->coast(group, blocks);
    }
    sb_modal_flush_end(before);
}

/* About cos(pi r / 2) / (1 - r^2), the spectrum of a half-sine about its middle
 * at r times its frequency. A cosine per mode would cost as much as all the
 * rest. */
static double half_sine(double ratio) {
    double square = ratio * ratio;
    return fmax(0, 1 - square / 9) / (1 + 0.132 * square);
}

void sb_modal_bank_impulse_unheard(sb_modal_bank *bank,
                                   const sb_bank_impulse *impulse) {
    unsigned before = sb_modal_flush_begin();
    double pulse = impulse->pulse_rad_s;
    double middle_s = pulse > 0 ? 0.5 * SB_PI / pulse : 0;
    double at = fmax(impulse->at_frame, 0) + middle_s / bank->dt_s;
    at = fmin(at, SB_BLOCK_FRAMES);
    for (int k = 0; k < bank->mode_count; k += SB_MODAL_LANES) {
        sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        sb_modal_state jump = {{0}, {0}};
        sb_modal_row amplitude;
        unsigned touched = 0;
        for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
            unsigned bit = 1u << lane;
            if (!((group->ringing | group->heavy) & bit)) continue;
            double by =
                (double)impulse->weights[k + lane] * impulse->impulse_ns;
            if (pulse > 0) by *= half_sine(group->omega[lane] / pulse);
            if (by == 0) continue;
            if (group->heavy & bit) {
                float unheard[SB_BLOCK_FRAMES] = {0};
                sb_modal_heavy_impulse(group, lane, at, 0, by, bank->dt_s,
                                       unheard);
                continue;
            }
            jump.re[lane] = by;
            jump.im[lane] =
                by * (group->sigma[lane] * group->inverse_damped[lane]);
            touched |= bit;
        }
        if (!touched) continue;
        bank->kernel->add_impulse(
            group, &jump, 0, (SB_BLOCK_FRAMES - at) * bank->dt_s, &amplitude);
        group->active = (uint16_t)(group->active | touched);
    }
    sb_modal_flush_end(before);
}
