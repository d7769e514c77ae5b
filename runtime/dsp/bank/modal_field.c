/* SPDX-License-Identifier: MIT */
/* The modes of a touched body: copying them from and to the bank, the
 * factors of a step, and sums over points. Thread: audio. */
#include "runtime/dsp/bank/modal_field.h"

#include "runtime/dsp/bank/modal_bank_internal.h"

#include <math.h>
#include <string.h>

/* stiffness soft gain q v dq vn, three for each stride, two for `ahead` */
enum { ARRAYS = 15 };

/* --- life -----------------------------------------------------------------*/

int sb_modal_field_padded(int mode_count) {
    return (mode_count + SB_MODAL_LANES - 1) / SB_MODAL_LANES * SB_MODAL_LANES;
}

size_t sb_modal_field_bytes(int mode_count) {
    return ARRAYS * sizeof(double) * (size_t)sb_modal_field_padded(mode_count);
}

void sb_modal_field_init(sb_modal_field *field, void *memory, int mode_count) {
    int count = sb_modal_field_padded(mode_count);
    double *at = memory;
    memset(memory, 0, sb_modal_field_bytes(mode_count));
    *field = (sb_modal_field){.count = count};
    double **arrays[ARRAYS] = {
        &field->stiffness, &field->soft,     &field->gain,    &field->q,
        &field->v,         &field->dq,       &field->vn,      &field->whole.g,
        &field->whole.s,   &field->whole.t,  &field->part.g,  &field->part.s,
        &field->part.t,    &field->ahead[0], &field->ahead[1]};
    for (int i = 0; i < ARRAYS; i++, at += count)
        *arrays[i] = at;
}

/* --- steps ----------------------------------------------------------------*/

/* G by its power series, for steps that are short compared to the mode's
 * period: the closed form is a difference that loses its digits there. The
 * coefficients follow from q'' = 1 - 2 s q' - w0^2 q. */
static double series(double omega, double sigma, double h) {
    double before = 0.0, term = 0.5 * h * h, sum = term;
    for (int n = 1; n < 14; n++) {
        double next = -(2.0 * sigma * h * (n + 1) * term +
                        omega * omega * h * h * before) /
                      ((n + 2.0) * (n + 1.0));
        before = term;
        term = next;
        sum += term;
    }
    return sum;
}

static void set_stride(const sb_modal_group *group, int lane, double h,
                       sb_modal_stride *stride, int k) {
    double omega = group->omega[lane], sigma = group->sigma[lane];
    double c, s;
    stride->g[k] = stride->s[k] = stride->t[k] = 0.0;
    if (!((group->ringing | group->heavy) >> lane & 1)) return;
    sb_modal_decay_pair(omega, sigma, h, &c, &s);
    stride->s[k] = s;
    stride->t[k] = c - sigma * s;
    stride->g[k] = fmax(omega, sigma) * h < 0.2
                       ? series(omega, sigma, h)
                       : (1.0 - c - sigma * s) / (omega * omega);
}

static void set_strides(const sb_modal_bank *bank, double h,
                        sb_modal_stride *stride) {
    stride->step_s = h;
    for (int k = 0; k < bank->mode_count; k++) {
        set_stride(&bank->groups[k / SB_MODAL_LANES], k % SB_MODAL_LANES, h,
                   stride, k);
    }
}

static void aim(sb_modal_field *field, const sb_modal_bank *bank) {
    field->aimed = bank->aimed;
    for (int k = 0; k < bank->mode_count; k++)
        field->gain[k] =
            sb_modal_out(&bank->groups[k / SB_MODAL_LANES], k % SB_MODAL_LANES);
}

static void tune(sb_modal_field *field, const sb_modal_bank *bank, int parts) {
    bool is_same = field->parts != 0 && field->tuned == bank->tuned;
    if (!is_same || field->aimed != bank->aimed) aim(field, bank);
    if (field->parts == 0 || field->tuned != bank->tuned) {
        for (int k = 0; k < bank->mode_count; k++) {
            const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
            int lane = k % SB_MODAL_LANES;
            field->stiffness[k] = group->omega[lane] * group->omega[lane];
            field->soft[k] = 1.0 / field->stiffness[k];
        }
        set_strides(bank, bank->dt_s, &field->whole);
        field->parts = 0;
        field->tuned = bank->tuned;
    }
    if (field->parts == parts) return;
    set_strides(bank, bank->dt_s / parts, &field->part);
    field->parts = parts;
}

static uint16_t used_lanes(const sb_modal_bank *bank, int g) {
    int count = bank->mode_count - g * SB_MODAL_LANES;
    if (count > SB_MODAL_LANES) count = SB_MODAL_LANES;
    return (uint16_t)((1u << count) - 1);
}

/* All modes of the group ring, as in nearly every group: one formula serves all
 * lanes, and plain loops are vectorised. */
static bool is_plain(const sb_modal_bank *bank, int g) {
    return bank->groups[g].ringing == used_lanes(bank, g);
}

/* sb_modal_motion_get for a whole group. */
static void load_group(sb_modal_field *field, const sb_modal_bank *bank,
                       int g) {
    const sb_modal_group *group = &bank->groups[g];
    const double *soft = field->soft + g * SB_MODAL_LANES;
    double *q = field->q + g * SB_MODAL_LANES;
    double *v = field->v + g * SB_MODAL_LANES;
    if (!is_plain(bank, g)) {
        for (int lane = 0; used_lanes(bank, g) >> lane; lane++) {
            sb_modal_motion m = sb_modal_motion_get(group, lane);
            q[lane] = m.q;
            v[lane] = m.velocity;
        }
        return;
    }
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        double re = group->u.re[lane], im = group->u.im[lane];
        v[lane] = re;
        q[lane] =
            (group->damped[lane] * im - group->sigma[lane] * re) * soft[lane];
    }
}

void sb_modal_field_load(sb_modal_field *field, const sb_modal_bank *bank,
                         int parts) {
    field->loops = &bank->kernel->field;
    tune(field, bank, parts);
    for (int g = 0; g < bank->group_count; g++)
        load_group(field, bank, g);
}

/* sb_modal_motion_set for a whole group. */
static void store_group(const sb_modal_field *field, sb_modal_bank *bank,
                        int g) {
    sb_modal_group *group = &bank->groups[g];
    const double *stiffness = field->stiffness + g * SB_MODAL_LANES;
    const double *q = field->q + g * SB_MODAL_LANES;
    const double *v = field->v + g * SB_MODAL_LANES;
    if (!is_plain(bank, g)) {
        group->active = used_lanes(bank, g);
        for (int lane = 0; lane < SB_MODAL_LANES; lane++)
            if (group->active >> lane & 1)
                sb_modal_motion_set(group, lane,
                                    (sb_modal_motion){q[lane], v[lane]});
        return;
    }
    unsigned active = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        group->u.re[lane] = v[lane];
        group->u.im[lane] =
            (group->sigma[lane] * v[lane] + stiffness[lane] * q[lane]) *
            group->inverse_damped[lane];
    }
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        bool is_active = group->u.re[lane] != 0 || group->u.im[lane] != 0;
        active |= (unsigned)is_active << lane;
    }
    group->active = (uint16_t)active;
}

void sb_modal_field_store(const sb_modal_field *field, sb_modal_bank *bank) {
    for (int g = 0; g < bank->group_count; g++)
        store_group(field, bank, g);
}

/* --- points ---------------------------------------------------------------*/

void sb_modal_field_go(sb_modal_field *field) {
    double *q = field->q, *v = field->v;
    field->q = field->dq;
    field->v = field->vn;
    field->dq = q;
    field->vn = v;
}

void sb_modal_field_push(sb_modal_field *field, const sb_modal_stride *stride,
                         const float *weights, double force_n) {
    for (int k = 0; k < field->count; k++) {
        double p = (double)weights[k] * force_n;
        field->q[k] += stride->g[k] * p;
        field->v[k] += stride->s[k] * p;
    }
}

void sb_modal_field_give(const sb_modal_field *field,
                         const sb_modal_stride *stride, const float *from,
                         const float *at, double *give, double *give_speed) {
    double sum = 0.0, speed = 0.0;
    for (int k = 0; k < field->count; k++) {
        double both = (double)from[k] * (double)at[k];
        sum += both * stride->g[k];
        speed += both * stride->s[k];
    }
    *give = sum;
    *give_speed = speed;
}

double sb_modal_field_softness(const sb_modal_field *field,
                               const float *weights) {
    double sum = 0.0;
    for (int k = 0; k < field->count; k++) {
        double phi = (double)weights[k];
        sum += phi * phi * field->soft[k];
    }
    return sum;
}

/* The sum of all modes at a point as if they were in phase. */
static double envelope(const sb_modal_bank *bank, const float *weights,
                       bool is_speed) {
    double sum = 0.0;
    for (int k = 0; k < bank->mode_count; k++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!(group->active >> lane & 1)) continue;
        double re = group->u.re[lane], im = group->u.im[lane];
        double speed = fabs((double)weights[k]) * sqrt(re * re + im * im);
        sum += is_speed ? speed : speed / group->omega[lane];
    }
    return sum;
}

double sb_modal_field_max_reach(const sb_modal_bank *bank,
                                const float *weights) {
    return envelope(bank, weights, false);
}

double sb_modal_field_max_speed(const sb_modal_bank *bank,
                                const float *weights) {
    return envelope(bank, weights, true);
}

double sb_modal_field_softest(const sb_modal_bank *bank, const float *weights) {
    double most = 0.0;
    for (int k = 0; k < bank->mode_count; k++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        double phi = (double)weights[k], w = group->omega[k % SB_MODAL_LANES];
        if (w > 0.0) most = fmax(most, phi * phi / (w * w));
    }
    return most;
}
