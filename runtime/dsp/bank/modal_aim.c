/* SPDX-License-Identifier: MIT */
#include "runtime/dsp/bank/modal_aim.h"

#include "runtime/dsp/bank/modal_bank_internal.h"

/* P_mm = (2m - 1)!!, (l - m) P_lm = (2l - 1) z P_(l-1)m - (l + m - 1) P_(l-2)m:
 * without a root or a division, for a hundred bodies turn at once. */
#define SUM(l, m)  ((float)((l) + (m)-1))
#define PART(l, m) ((m) < (l) ? 1.f / (float)((m) < (l) ? (l) - (m) : 1) : 0.f)
#define ALL(of, l)                                                            \
    {                                                                         \
        of(l, 0), of(l, 1), of(l, 2), of(l, 3), of(l, 4), of(l, 5), of(l, 6), \
            of(l, 7), of(l, 8), of(l, 9), of(l, 10), of(l, 11), of(l, 12),    \
            of(l, 13), of(l, 14), of(l, 15), of(l, 16)                        \
    }
#define ROW(l, start) [l] = {ALL(SUM, l), ALL(PART, l), {[l] = (start)}}
#define ODD_8         2027025.f
#define ODD_12        (ODD_8 * 17.f * 19.f * 21.f * 23.f)

static const sb_modal_legendre legendre[SB_HARMONICS_ORDER_MOST + 1] = {
    ROW(0, 1.f),
    ROW(1, 1.f),
    ROW(2, 3.f),
    ROW(3, 15.f),
    ROW(4, 105.f),
    ROW(5, 945.f),
    ROW(6, 10395.f),
    ROW(7, 135135.f),
    ROW(8, ODD_8),
    ROW(9, ODD_8 * 17.f),
    ROW(10, ODD_8 * 17.f * 19.f),
    ROW(11, ODD_8 * 17.f * 19.f * 21.f),
    ROW(12, ODD_12),
    ROW(13, ODD_12 * 25.f),
    ROW(14, ODD_12 * 25.f * 27.f),
    ROW(15, ODD_12 * 25.f * 27.f * 29.f),
    ROW(16, ODD_12 * 25.f * 27.f * 29.f * 31.f)};

void sb_modal_bank_set_aims(sb_modal_bank *bank, sb_modal_aims *aims) {
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        sb_modal_aimed *before = group->aimed, *aimed = &aims->aimed[g];
        for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
            float now = before ? before->now[lane] : 1;
            aimed->level[lane] =
                before ? before->level[lane] : group->heard[lane];
            aimed->now[lane] = now;
            for (int i = 0; i < 3; i++)
                aimed->change[i][lane] = before ? before->change[i][lane] : 0;
        }
        group->turning = 0;
        aimed->is_tuned = false;
        group->aimed = aimed;
    }
    bank->aims = aims;
    bank->is_turning = false;
}

void sb_modal_bank_aim(sb_modal_bank *bank, const sb_modal_aiming *to) {
    const float per_span = 1.0f / SB_MODAL_SPANS;
    sb_modal_heading heading = {
        {(float)to->at.x, (float)to->at.y, (float)to->at.z},
        {(float)to->rate.x * per_span, (float)to->rate.y * per_span,
         (float)to->rate.z * per_span}};
    sb_modal_course course = {to->blocks, (float)to->share, to->is_onward};
    const float *coefs = bank->aims->coefs;
    sb_modal_harmonics y;
    bank->kernel->harmonics(&heading, legendre, bank->aims->order, &y);
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        int order = bank->aims->orders[g];
        const float *own = coefs;
        coefs += sb_harmonics_count(order) * SB_MODAL_LANES;
        if (!to->all && !group->active) continue;
        bank->kernel->aim(group, own, order, &y, &course);
        bank->aimed++;
        if (sb_modal_is_turning(group)) bank->is_turning = true;
    }
}

void sb_modal_group_turned(const sb_modal_bank *bank, sb_modal_group *group) {
    if (sb_modal_is_turning(group)) bank->kernel->turned(group);
}

void sb_modal_bank_aim_now(sb_modal_bank *bank) {
    if (!bank->is_turning) return;
    bank->is_turning = false;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        if (!group->active || !sb_modal_is_turning(group)) continue;
        bank->kernel->turned(group);
        bank->is_turning = true;
    }
    bank->aimed++;
}

/* --- rendering ------------------------------------------------------------ */

bool sb_modal_turning_ready(const sb_modal_bank *bank, sb_modal_group *group) {
    sb_modal_aimed *aimed = group->aimed;
    if (!aimed->is_tuned) bank->kernel->tune_turn(group, bank->dt_s);
    if (!(group->active & aimed->steep)) return true;
    bank->kernel->turned(group);
    return false;
}
