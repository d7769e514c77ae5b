/* SPDX-License-Identifier: MIT */
#include "runtime/dsp/bank/modal_aim.h"

#include "runtime/base/pi.h"
#include "runtime/base/select.h"
#include "runtime/dsp/bank/modal_bank_internal.h"

#include <math.h>

/* --- turning -------------------------------------------------------------- */

/* Smaller changes of a wait until they have grown. */
#define LEAST 1e-6f

void sb_modal_bank_set_fine(sb_modal_bank *bank, double amplitude) {
    bank->fine = amplitude > 0 ? amplitude : 0;
}

static void hear_from(sb_modal_group *group, const float *a) {
    sb_modal_aimed *aimed = group->aimed;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        aimed->now[lane] = a[lane];
        group->heard[lane] = aimed->level[lane] * a[lane];
    }
    aimed->is_turning = false;
}

void sb_modal_group_turned(sb_modal_group *group) {
    if (sb_modal_is_turning(group)) hear_from(group, group->aimed->to);
}

void sb_modal_bank_set_aims(sb_modal_bank *bank, sb_modal_aims *aims) {
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        sb_modal_aimed *before = group->aimed, *aimed = &aims->aimed[g];
        for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
            aimed->level[lane] =
                before ? before->level[lane] : group->heard[lane];
            aimed->now[lane] = before ? before->now[lane] : 1;
        }
        aimed->is_turning = false;
        group->aimed = aimed;
    }
    bank->aims = aims;
    bank->is_turning = false;
}

/* True if it changes by more than LEAST. */
static bool set_aim(sb_modal_aimed *aimed, const float *a, float share) {
    float most = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        float change = a[lane] - aimed->now[lane];
        most = sb_maxf(most, fabsf(change));
        aimed->to[lane] =
            share < 1 ? aimed->now[lane] + share * change : a[lane];
    }
    return most > LEAST;
}

/* Those of harmonics.h without their norms:
 *
 *     P_mm = (2m - 1)!!,
 *     (l - m) P_lm = (2l - 1) z P_(l-1)m - (l + m - 1) P_(l-2)m.
 *
 * In float, without a root or a division: a hundred bodies turn at once. */
static void harmonics(int order, sb_vec3 from, float *out) {
    static const float parts[SB_HARMONICS_ORDER_MOST + 1] = {
        0,        1,        1 / 2.f,  1 / 3.f,  1 / 4.f,  1 / 5.f,
        1 / 6.f,  1 / 7.f,  1 / 8.f,  1 / 9.f,  1 / 10.f, 1 / 11.f,
        1 / 12.f, 1 / 13.f, 1 / 14.f, 1 / 15.f, 1 / 16.f};
    float x = (float)from.x, y = (float)from.y, z = (float)from.z;
    float re = 1, im = 0, diagonal = 1; /* (x + iy)^m */
    for (int m = 0; m <= order; m++) {
        float before = 0, now = diagonal;
        for (int l = m; l <= order; l++) {
            out[l * (l + 1) - m] = now * im;
            out[l * (l + 1) + m] = now * re;
            float next =
                ((float)(2 * l + 1) * z * now - (float)(l + m) * before) *
                parts[l + 1 - m < SB_HARMONICS_ORDER_MOST
                          ? l + 1 - m
                          : SB_HARMONICS_ORDER_MOST];
            before = now;
            now = next;
        }
        float turned = re * x - im * y;
        im = re * y + im * x;
        re = turned;
        diagonal *= (float)(2 * m + 1);
    }
}

void sb_modal_bank_aim(sb_modal_bank *bank, sb_vec3 from, float share,
                       bool all) {
    const float *coefs = bank->aims->coefs;
    float y[(SB_HARMONICS_ORDER_MOST + 1) * (SB_HARMONICS_ORDER_MOST + 1)];
    harmonics(bank->aims->order, from, y);
    _Alignas(64) float a[SB_MODAL_LANES];
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        int count = sb_harmonics_count(bank->aims->orders[g]);
        const float *own = coefs;
        coefs += count * SB_MODAL_LANES;
        if (!all && !group->active) continue;
        bank->kernel->aim(own, y, count, a);
        bank->aimed++;
        if (!group->active)
            hear_from(group, a);
        else if (set_aim(group->aimed, a, share))
            group->aimed->is_turning = bank->is_turning = true;
    }
}

void sb_modal_bank_aim_now(sb_modal_bank *bank) {
    if (!bank->is_turning) return;
    for (int g = 0; g < bank->group_count; g++)
        sb_modal_group_turned(&bank->groups[g]);
    bank->is_turning = false;
    bank->aimed++;
}

/* --- rendering ------------------------------------------------------------ */

/* A ramp that is taken in steps of 16 frames leaves a sawtooth of the height
 * 1/8; its first line is this part of the change of the amplitude. */
#define SAW (1 / (8 * SB_PI))

static bool is_loud(const sb_modal_row *change, double fine) {
    float sum = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++)
        sum += change->re[lane] * change->re[lane] +
               change->im[lane] * change->im[lane];
    return (double)sum * (SAW * SAW) > fine * fine;
}

static void render(const sb_modal_bank *bank, sb_modal_turning *turning,
                   sb_modal_sum *sum) {
    sb_modal_chunk *chunk = &turning->chunk;
    if (chunk->count == 0) return;
    bank->kernel->turn(chunk, sum);
    int loud = 0;
    for (int i = 0; i < chunk->count; i++) {
        sb_modal_group *group = chunk->group[i];
        sb_modal_group_turned(group);
        if (!is_loud(&chunk->amplitude[i], bank->fine)) continue;
        if (i > loud) chunk->amplitude[loud] = chunk->amplitude[i];
        chunk->group[loud++] = group;
    }
    chunk->count = loud;
    sb_modal_chunk_ring(bank, chunk, &turning->fine);
}

void sb_modal_turning_add(const sb_modal_bank *bank, sb_modal_turning *turning,
                          sb_modal_group *group, sb_modal_sum *sum) {
    sb_modal_chunk *chunk = &turning->chunk;
    chunk->group[chunk->count++] = group;
    if (chunk->count == SB_MODAL_CHUNK) render(bank, turning, sum);
}

void sb_modal_turning_end(const sb_modal_bank *bank, sb_modal_turning *turning,
                          sb_modal_sum *sum, float *out) {
    float ramp[SB_BLOCK_FRAMES] = {0};
    render(bank, turning, sum);
    if (turning->fine.is_empty) return;
    bank->kernel->finish(&turning->fine, 0, ramp);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float off = (float)(n % SB_MODAL_STEPS) - SB_MODAL_MIDDLE;
        out[n] += ramp[n] * off / SB_BLOCK_FRAMES;
    }
}
