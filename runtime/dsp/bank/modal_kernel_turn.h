/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel_turn.h -- ringing of modes whose a changes.
 *
 * Part of modal_kernel_body.h. In 32 frames, j being counted from their middle,
 *
 *     y(j) = sum over modes of (a + a' j) Re(B e^(l j)),   j = -15.5 .. 15.5,
 *
 * B being the amplitude in the middle. What is even in j and what is odd are
 * summed apart; with (a + a' j) e^(-s j) = (a + (a' - s a) j) cosh(s j), but for
 * terms of the second order,
 *
 *     even(j) = sum  a Re B c(j) - (a' - s a) Im B j s(j),
 *     odd(j)  = sum (a' - s a) Re B j c(j) - a Im B s(j),
 *     c, s    = cosh(s j) cos w j, cosh(s j) sin w j,   y(+-j) = even +- odd,
 *
 * four multiply-adds per mode for two frames: as many as where a does not
 * change.
 */
#pragma once

#include "runtime/dsp/bank/modal_kernel_aim.h"
#include "runtime/dsp/bank/modal_kernel_ring.h"

enum {
    HALVES = SB_MODAL_HALVES,
    TURN_SPANS = LANES > 4 ? LANES / 4 : 2, /* summed at a time, */
    TURN_PLACES = 2                         /* and j of each */
};

/* --- tables --------------------------------------------------------------- */

/* Where s is larger, tanh(s j) is not close to s j. */
#define STEEP (1.0 / (HALVES - 0.5))

static void tune_turn(sb_modal_group *group, double dt_s) {
    sb_modal_aimed *aimed = group->aimed;
    sb_modal_row *half = aimed->halves->half, *whole = &aimed->halves->middle;
    const vd dt = VD_SPLAT(dt_s), none = VD_SPLAT(0.0), one = VD_SPLAT(1.0);
    for (int lane = 0; lane < SB_MODAL_LANES; lane += HALF) {
        vd w = load_double(group->damped + lane);
        vd s = load_double(group->sigma + lane) * dt;
        vd most = VD_SPLAT(STEEP);
        s = vd_select((vi)(s < most), s, most);
        vd_complex at = vd_swing(none, w, VD_SPLAT(0.5 * dt_s));
        vd_complex step = vd_swing(none, w, dt);
        vd down = vd_exp(s * VD_SPLAT(-0.5)), up = one / down;
        vd fall = down * down, rise = up * up;
        for (int j = 0; j < HALVES; j++) {
            vd cosh = (down + up) * VD_SPLAT(0.5);
            store_half(half[j].re + lane, at.re * cosh);
            store_half(half[j].im + lane, at.im * cosh);
            at = vd_times(at, step);
            down *= fall;
            up *= rise;
        }
        vd_complex middle = vd_swing(load_double(group->sigma + lane), w,
                                     VD_SPLAT((HALVES - 0.5) * dt_s));
        store_half(whole->re + lane, middle.re);
        store_half(whole->im + lane, middle.im);
        /* tanh(s j) is s j best if it is at j = 12. */
        vd square = vd_exp(s * VD_SPLAT(-24.0));
        vd fade = (one - square) / (one + square) * VD_SPLAT(1.0 / 12);
        store_half(aimed->fade + lane, fade * VD_SPLAT(4.0 * HALVES));
    }
    aimed->steep = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++)
        if (group->sigma[lane] * dt_s > STEEP)
            aimed->steep = (uint16_t)(aimed->steep | 1u << lane);
    aimed->is_tuned = true;
}

/* --- samples -------------------------------------------------------------- */

/* a B and (a' - s a) B of each span. */
typedef struct turn_factors {
    vf c[SB_MODAL_CHUNK][PARTS][SPANS][4];
} turn_factors;

static inline void turn_spread(sb_modal_group *group, int lane,
                               vf out[SPANS][4]) {
    const sb_modal_aimed *aimed = group->aimed;
    vf_complex u = swing_by(group, aimed->level, lane), b[SPANS];
    vf_complex z32 = load_complex(&group->row[SB_MODAL_ROW_32], lane);
    vf_complex z64 = load_complex(&group->row[SB_MODAL_ROW_64], lane);
    b[0] = times(u, load_complex(&aimed->halves->middle, lane));
    b[1] = times(b[0], z32);
    b[2] = times(b[0], z64);
    b[3] = times(b[1], z64);
    vf fade = load(aimed->fade + lane);
    aim_spans aim = aim_advance(group, lane);
    UNROLL
    for (int i = 0; i < SPANS; i++) {
        vf rate = VF_FNMA(fade, aim.a[i], aim.twice[i]);
        out[i][0] = b[i].re * aim.a[i];
        out[i][1] = b[i].im * aim.a[i];
        out[i][2] = b[i].re * rate;
        out[i][3] = b[i].im * rate;
    }
}

/* What is even and what is odd in j. */
typedef struct turn_tile {
    vf even[TURN_SPANS][TURN_PLACES], odd[TURN_SPANS][TURN_PLACES];
} turn_tile;

static inline turn_tile turn_begin(void) {
    turn_tile t;
    UNROLL
    for (int p = 0; p < TURN_SPANS; p++) {
        UNROLL
        for (int i = 0; i < TURN_PLACES; i++)
            t.even[p][i] = t.odd[p][i] = VF_SPLAT(0.0f);
    }
    return t;
}

/* Every factor is loaded once: loads are as scarce as multiplications. */
static inline __attribute__((always_inline)) void
turn_add(turn_tile *t, vf c[][4], const sb_modal_row *half, int lane,
         int first) {
    vf re[TURN_PLACES], im[TURN_PLACES];
    vf steep_re[TURN_PLACES], steep_im[TURN_PLACES]; /* times j */
    UNROLL
    for (int i = 0; i < TURN_PLACES; i++) {
        /* Of twice the change per span. */
        vf j = VF_SPLAT(((float)(first + i) + 0.5f) / (4 * HALVES));
        re[i] = load(half[i].re + lane);
        im[i] = load(half[i].im + lane);
        IN_REGISTER(re[i]);
        IN_REGISTER(im[i]);
        steep_re[i] = re[i] * j;
        steep_im[i] = im[i] * j;
    }
    UNROLL
    for (int p = 0; p < TURN_SPANS; p++) {
        vf a_re = c[p][0], a_im = c[p][1], rate_re = c[p][2], rate_im = c[p][3];
        IN_REGISTER(a_re);
        IN_REGISTER(a_im);
        IN_REGISTER(rate_re);
        IN_REGISTER(rate_im);
        UNROLL
        for (int i = 0; i < TURN_PLACES; i++) {
            t->even[p][i] = VF_FMA(a_re, re[i], t->even[p][i]);
            t->odd[p][i] = VF_FNMA(a_im, im[i], t->odd[p][i]);
        }
        UNROLL
        for (int i = 0; i < TURN_PLACES; i++) {
            t->even[p][i] = VF_FNMA(rate_im, steep_im[i], t->even[p][i]);
            t->odd[p][i] = VF_FMA(rate_re, steep_re[i], t->odd[p][i]);
        }
    }
}

/* In each four lanes u0 + u1, u2 + u3, v0 + v1, v2 + v3; and of fours of u and v
 * the sums of each two. */
static inline vf add_twos(vf u, vf v) {
#if LANES == 16
    return __builtin_shufflevector(u, v, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24,
                                   26, 12, 14, 28, 30) +
           __builtin_shufflevector(u, v, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25,
                                   27, 13, 15, 29, 31);
#elif LANES == 8
    return __builtin_shufflevector(u, v, 0, 2, 8, 10, 4, 6, 12, 14) +
           __builtin_shufflevector(u, v, 1, 3, 9, 11, 5, 7, 13, 15);
#else
    return vf_add_pairs(u, v);
#endif
}

#if LANES == 16
static inline vf add_fours(vf u, vf v) {
    return __builtin_shufflevector(u, v, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18,
                                   19, 24, 25, 26, 27) +
           __builtin_shufflevector(u, v, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22,
                                   23, 28, 29, 30, 31);
}
#elif LANES == 8
static inline vf add_fours(vf u, vf v) {
    return __builtin_shufflevector(u, v, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(u, v, 4, 5, 6, 7, 12, 13, 14, 15);
}
#endif

/* Two even and two odd sums, and so on. */
typedef struct turn_sums {
    _Alignas(64) float at[SPANS][HALVES / TURN_PLACES][2 * TURN_PLACES];
} turn_sums;

static inline __attribute__((always_inline)) void
turn_end(const turn_tile *t, int first_span, int place, turn_sums *sums) {
    vf sum[TURN_SPANS];
    _Alignas(64) float lane[TURN_SPANS * 4];
    UNROLL
    for (int p = 0; p < TURN_SPANS; p++)
        sum[p] = add_twos(add_twos(t->even[p][0], t->even[p][1]),
                          add_twos(t->odd[p][0], t->odd[p][1]));
#if LANES == 16
    store(lane,
          add_fours(add_fours(sum[0], sum[1]), add_fours(sum[2], sum[3])));
#elif LANES == 8
    store(lane, add_fours(sum[0], sum[1]));
#else
    store(lane, sum[0]);
    store(lane + LANES, sum[1]);
#endif
    UNROLL
    for (int p = 0; p < TURN_SPANS; p++)
        memcpy(sums->at[first_span + p][place], lane + 4 * p, 4 * sizeof *lane);
}

#if LANES == 16
#define EVENS   0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29
#define ODDS    2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31
#define REVERSE 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#elif LANES == 8
#define EVENS   0, 1, 4, 5, 8, 9, 12, 13
#define ODDS    2, 3, 6, 7, 10, 11, 14, 15
#define REVERSE 7, 6, 5, 4, 3, 2, 1, 0
#else
#define EVENS   0, 1, 4, 5
#define ODDS    2, 3, 6, 7
#define REVERSE 3, 2, 1, 0
#endif

static inline void add_any(float *to, vf value) {
    vf_unaligned *at = (vf_unaligned *)(void *)to;
    *at += value;
}

static void turn_finish(const turn_sums *sums, float *out) {
    for (int p = 0; p < SPANS; p++) {
        float *middle = out + (2 * p + 1) * HALVES;
        const float *sum = sums->at[p][0];
        UNROLL
        for (int j = 0; j < HALVES; j += LANES) {
            vf u = load(sum + 2 * j), v = load(sum + 2 * j + LANES);
            vf even = __builtin_shufflevector(u, v, EVENS);
            vf odd = __builtin_shufflevector(u, v, ODDS);
            vf back = even - odd;
            add_any(middle + j, even + odd);
            add_any(middle - j - LANES,
                    __builtin_shufflevector(back, back, REVERSE));
        }
    }
}

static void turn(const sb_modal_chunk *chunk, float *out) {
    turn_factors factors;
    turn_sums sums;
    const sb_modal_row *half[SB_MODAL_CHUNK];
    for (int k = 0; k < chunk->count; k++) {
        sb_modal_group *group = chunk->group[k];
        half[k] = group->aimed->halves->half;
        for (int part = 0; part < PARTS; part++)
            turn_spread(group, part * LANES, factors.c[k][part]);
        group->turning--;
    }
    for (int j = 0; j < HALVES; j += TURN_PLACES) {
        for (int p = 0; p < SPANS; p += TURN_SPANS) {
            turn_tile t = turn_begin();
            for (int k = 0; k < chunk->count * PARTS; k++)
                turn_add(&t, &factors.c[k / PARTS][k % PARTS][p],
                         half[k / PARTS] + j, k % PARTS * LANES, j);
            turn_end(&t, p, j / TURN_PLACES, &sums);
        }
    }
    turn_finish(&sums, out);
}
