/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel_aim.h -- where a of the modes goes.
 *
 * Part of modal_kernel_body.h. The harmonics of a direction and their rates, the
 * m in lanes; a and its rate there, the modes in lanes; and the cubic from what
 * a is now, as differences from span to span: three additions in each.
 */
#pragma once

#include "runtime/dsp/bank/modal_kernel_math.h"

enum { SPANS = SB_MODAL_SPANS };

enum {
    ORDERS = SB_HARMONICS_ORDER_MOST + 1,
    ROWS = (ORDERS + LANES - 1) / LANES
};

/* (x + iy)^m and its rate. */
typedef struct powers_of_m {
    _Alignas(64) float re[ROWS * LANES], im[ROWS * LANES];
    float re_rate[ROWS * LANES], im_rate[ROWS * LANES];
} powers_of_m;

static inline void raise(const sb_modal_heading *to, int order,
                         powers_of_m *p) {
    const float x = to->at[0], y = to->at[1];
    const float x_rate = to->rate[0], y_rate = to->rate[1];
    float re = 1, im = 0, before_re = 0, before_im = 0;
    for (int m = 0; m <= order; m++) {
        float by_re = (float)m * before_re, by_im = (float)m * before_im;
        p->re[m] = re;
        p->im[m] = im;
        p->re_rate[m] = by_re * x_rate - by_im * y_rate;
        p->im_rate[m] = by_im * x_rate + by_re * y_rate;
        before_re = re;
        before_im = im;
        re = before_re * x - before_im * y;
        im = before_im * x + before_re * y;
    }
}

static inline void store_any(float *to, vf value) {
    *(vf_unaligned *)(void *)to = value;
}

/* P_lm and its rate, the m of one row in lanes. */
typedef struct legendre {
    vf now, before, rate, rate_before;
} legendre;

static inline void next_l(legendre *p, const sb_modal_legendre *by, int at,
                          float odd, const sb_modal_heading *to) {
    vf sum = load(by->sum + at), part = load(by->part + at);
    vf z = VF_SPLAT(odd * to->at[2]), z_rate = VF_SPLAT(odd * to->rate[2]);
    vf now = (z * p->now - sum * p->before) * part + load(by->start + at);
    vf rate = VF_FMA(z, p->rate, z_rate * p->now);
    rate = VF_FNMA(sum, p->rate_before, rate) * part;
    *p = (legendre){now, p->now, rate, p->rate};
}

/* Those of one row of m, from `at` on. What it has too many of one l is
 * overwritten by the next, and by the rows before. */
static inline void harmonics_row(const sb_modal_heading *to,
                                 const sb_modal_legendre *by, int order, int at,
                                 const powers_of_m *power,
                                 sb_modal_harmonics *out) {
    const vf none = VF_SPLAT(0.0f);
    const vf re = load(power->re + at), im = load(power->im + at);
    const vf re_rate = load(power->re_rate + at);
    const vf im_rate = load(power->im_rate + at);
    legendre p = {none, none, none, none};
    for (int l = at; l <= order; l++) {
        next_l(&p, &by[l], at, (float)(2 * l - 1), to);
        float *cosine = out->cosine[0] + sb_modal_cosine(l, at);
        float *cosine_rate = out->cosine[1] + sb_modal_cosine(l, at);
        float *sine = out->sine[0] + sb_modal_sine(l, at);
        float *sine_rate = out->sine[1] + sb_modal_sine(l, at);
        /* The sine of m = 0, which is no harmonic, falls on the last one of the
         * l before. */
        float last = sine[0], last_rate = sine_rate[0];
        store_any(cosine, p.now * re);
        store_any(cosine_rate, VF_FMA(p.now, re_rate, p.rate * re));
        store_any(sine, p.now * im);
        store_any(sine_rate, VF_FMA(p.now, im_rate, p.rate * im));
        if (at > 0 || l == 0) continue;
        sine[0] = last;
        sine_rate[0] = last_rate;
    }
}

static void harmonics(const sb_modal_heading *to, const sb_modal_legendre *by,
                      int order, sb_modal_harmonics *out) {
    powers_of_m power;
    const int last = order / LANES * LANES;
    for (int at = 0; at <= last; at += LANES) {
        store(power.re + at, VF_SPLAT(0.0f));
        store(power.im + at, VF_SPLAT(0.0f));
        store(power.re_rate + at, VF_SPLAT(0.0f));
        store(power.im_rate + at, VF_SPLAT(0.0f));
    }
    raise(to, order, &power);
    for (int at = last; at >= 0; at -= LANES)
        harmonics_row(to, by, order, at, &power, out);
}

typedef struct aim_sum {
    vf value, rate;
} aim_sum;

static inline void aim_add(aim_sum *sum, const float *coefs, float value,
                           float rate) {
    vf c = load(coefs);
    sum->value = VF_FMA(c, VF_SPLAT(value), sum->value);
    sum->rate = VF_FMA(c, VF_SPLAT(rate), sum->rate);
}

/* In four sums, to hide latency. */
static inline aim_sum aim_part(const float *coefs, int count,
                               const float *value, const float *rate) {
    const vf none = VF_SPLAT(0.0f);
    aim_sum sum[4] = {{none, none}, {none, none}, {none, none}, {none, none}};
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        UNROLL
        for (int k = 0; k < 4; k++)
            aim_add(&sum[k], coefs + (i + k) * SB_MODAL_LANES, value[i + k],
                    rate[i + k]);
    }
    for (; i < count; i++)
        aim_add(&sum[0], coefs + i * SB_MODAL_LANES, value[i], rate[i]);
    return (aim_sum){(sum[0].value + sum[1].value) +
                         (sum[2].value + sum[3].value),
                     (sum[0].rate + sum[1].rate) + (sum[2].rate + sum[3].rate)};
}

static inline aim_sum aim_lanes(const float *coefs, int order,
                                const sb_modal_harmonics *y) {
    const int cosines = sb_modal_cosine(order + 1, 0);
    const int sines = sb_modal_cosine(order, 0);
    aim_sum even = aim_part(coefs, cosines, y->cosine[0], y->cosine[1]);
    aim_sum odd = aim_part(coefs + cosines * SB_MODAL_LANES, sines,
                           y->sine[0] + 1, y->sine[1] + 1);
    return (aim_sum){even.value + odd.value, even.rate + odd.rate};
}

/* The value in one sum, l by l and m by m. */
static inline vf aim_at_rest(const float *coefs, int order,
                             const sb_modal_harmonics *y) {
    const float *sines =
        coefs + (sb_modal_cosine(order + 1, 0) - 1) * SB_MODAL_LANES;
    vf sum = VF_SPLAT(0.0f);
    for (int l = 0; l <= order; l++) {
        for (int m = -l; m <= l; m++) {
            int i = m < 0 ? sb_modal_sine(l, -m) : sb_modal_cosine(l, m);
            const float *from = (m < 0 ? sines : coefs) + i * SB_MODAL_LANES;
            float by = m < 0 ? y->sine[0][i] : y->cosine[0][i];
            sum = VF_FMA(load(from), VF_SPLAT(by), sum);
        }
    }
    return sum;
}

/* The cubic from a and its present rate to those at the end, as differences from
 * span to span. True if it differs from what a is now. */
static inline unsigned aim_lanes_to(sb_modal_aimed *aimed, int lane, aim_sum to,
                                    const sb_modal_course *course) {
    const float least = 1e-6f; /* smaller changes wait until they have grown */
    const float spans = (float)(SPANS * course->blocks), share = course->share;
    vf per = VF_SPLAT(1.0f / spans), whole = VF_SPLAT(spans);
    vf now = load(aimed->now + lane);
    vf third = load(aimed->change[2] + lane);
    vf rate =
        VF_FNMA(third, VF_SPLAT(1.0f / 24), load(aimed->change[0] + lane));
    if (!course->is_onward) rate = VF_SPLAT(0.0f);
    vf way = (to.value - now) * VF_SPLAT(share), mean = way * per;
    to.rate = VF_FMA(to.rate, VF_SPLAT(share), mean * VF_SPLAT(1 - share));
    vf two = VF_SPLAT(2.0f), three = VF_SPLAT(3.0f);
    vf square = (VF_FNMA(two, rate, mean * three) - to.rate) * per;
    vf cube = (VF_FNMA(two, mean, rate) + to.rate) * (per * per);
    vf next = VF_FMA(rate, VF_SPLAT(0.5f), now);
    next = VF_FMA(square, VF_SPLAT(0.25f), next);
    store(aimed->next + lane, VF_FMA(cube, VF_SPLAT(0.125f), next));
    store(aimed->change[0] + lane, VF_FMA(cube, VF_SPLAT(0.25f), rate));
    store(aimed->change[1] + lane, VF_FMA(three, cube, square * two));
    store(aimed->change[2] + lane, cube * VF_SPLAT(6.0f));
    vf rates = VF_FMA(rate, rate, to.rate * to.rate) * (whole * whole);
    return VF_AT_LEAST(VF_FMA(way, way, rates), VF_SPLAT(least * least));
}

static void aim(sb_modal_group *group, const float *coefs, int order,
                const sb_modal_harmonics *y, const sb_modal_course *course) {
    sb_modal_aimed *aimed = group->aimed;
    unsigned is_changing = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES) {
        aim_sum to = aim_lanes(coefs + lane, order, y);
        if (group->active) {
            is_changing |= aim_lanes_to(aimed, lane, to, course);
            continue;
        }
        vf none = VF_SPLAT(0.0f), a = aim_at_rest(coefs + lane, order, y);
        store(aimed->now + lane, a);
        store(aimed->next + lane, VF_FMA(to.rate, VF_SPLAT(0.5f), a));
        store(group->heard + lane, load(aimed->level + lane) * a);
        store(aimed->change[0] + lane, to.rate);
        store(aimed->change[1] + lane, none);
        store(aimed->change[2] + lane, none);
    }
    group->turning = (uint16_t)(is_changing ? course->blocks : 0);
}

/* a in the middle of each span of a block and its change there, twice. */
typedef struct aim_spans {
    vf a[SPANS], twice[SPANS];
} aim_spans;

static inline aim_spans aim_advance(sb_modal_group *group, int lane) {
    sb_modal_aimed *aimed = group->aimed;
    aim_spans out;
    vf next = load(aimed->next + lane), first = load(aimed->change[0] + lane);
    vf second = load(aimed->change[1] + lane);
    vf third = load(aimed->change[2] + lane);
    UNROLL
    for (int i = 0; i < SPANS; i++) {
        vf before = first;
        out.a[i] = next;
        first += second;
        second += third;
        next += first;
        out.twice[i] = before + first;
    }
    store(aimed->next + lane, next);
    store(aimed->change[0] + lane, first);
    store(aimed->change[1] + lane, second);
    vf bend = VF_FNMA(third, VF_SPLAT(0.5f), second);
    vf now = VF_FNMA(first, VF_SPLAT(0.5f), next);
    now = VF_FNMA(bend, VF_SPLAT(0.125f), now);
    store(aimed->now + lane, now);
    store(group->heard + lane, now * load(aimed->level + lane));
    return out;
}

static void turned(sb_modal_group *group) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES)
        (void)aim_advance(group, lane);
    group->turning--;
}
