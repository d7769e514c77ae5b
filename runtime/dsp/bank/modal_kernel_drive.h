/* runtime/dsp/bank/modal_kernel_drive.h -- excitation: impulses and forces.
 *
 * Part of modal_kernel_body.h.
 */
#ifndef SB_DSP_BANK_MODAL_KERNEL_DRIVE_H
#define SB_DSP_BANK_MODAL_KERNEL_DRIVE_H

#include "runtime/dsp/bank/modal_kernel_math.h"

static void add_impulse(sb_modal_group *group, const sb_modal_state *jump,
                        double until_first_s, double until_end_s,
                        sb_modal_row *amplitude) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES) {
        vd_complex first[2];
        for (int half = 0; half < 2; half++) {
            int at = lane + half * HALF;
            vd s = load_double(group->sigma + at);
            vd w = load_double(group->damped + at);
            vd_complex du = load_state(jump, at);
            first[half] = vd_times(du, vd_swing(s, w, VD_SPLAT(until_first_s)));
            vd_complex end =
                vd_times(du, vd_swing(s, w, VD_SPLAT(until_end_s)));
            vd_complex u = load_state(&group->u, at);
            store_state(&group->u, at,
                        (vd_complex){u.re + end.re, u.im + end.im});
        }
        vf gain = load(group->heard + lane);
        store_complex(amplitude, lane,
                      (vf_complex){narrow(first[0].re, first[1].re) * gain,
                                   narrow(first[0].im, first[1].im) * gain});
    }
}

enum {
    DRIVE_POINTS = LANES == 16 ? 8 : 4
}; /* twice as many are in registers */

typedef struct pushes {
    vf_complex sum[DRIVE_POINTS];
} pushes;

/* sum_(i=1..16) r[16 p + i - 1] Z^i for DRIVE_POINTS values of p. */
static inline pushes push(const sb_modal_group *group, int lane,
                          const float *r) {
    pushes u;
    UNROLL
    for (int p = 0; p < DRIVE_POINTS; p++)
        u.sum[p] = (vf_complex){VF_SPLAT(0.0f), VF_SPLAT(0.0f)};
#pragma GCC unroll 1
    for (int i = 0; i < SB_MODAL_STEPS; i++) {
        vf_complex z = load_complex(&group->row[i], lane);
        UNROLL
        for (int p = 0; p < DRIVE_POINTS; p++) {
            vf force = VF_SPLAT(r[p * SB_MODAL_STEPS + i]);
            u.sum[p].re = VF_FMA(force, z.re, u.sum[p].re);
            u.sum[p].im = VF_FMA(force, z.im, u.sum[p].im);
        }
    }
    return u;
}

/* u + v z. */
static inline vf_complex plus_times(vf_complex u, vf_complex v, vf_complex z) {
    vf re = VF_FNMA(v.im, z.im, u.re), im = VF_FMA(v.im, z.re, u.im);
    return (vf_complex){VF_FMA(v.re, z.re, re), VF_FMA(v.re, z.im, im)};
}

/* sum_p Z^(16 p) times those: pairs with Z^16, then pairs of pairs with Z^32
 * and so on. Horner's chain would wait for itself. */
static inline __attribute__((always_inline)) vf_complex
gather(const sb_modal_group *group, int lane, const float *reversed) {
    vf_complex total = {VF_SPLAT(0.0f), VF_SPLAT(0.0f)};
    for (int p = SB_MODAL_POINTS - DRIVE_POINTS; p >= 0; p -= DRIVE_POINTS) {
        pushes u = push(group, lane, &reversed[p * SB_MODAL_STEPS]);
        const sb_modal_row *power = &group->row[SB_MODAL_ROW_16];
        UNROLL
        for (int width = DRIVE_POINTS / 2; width > 0; width /= 2, power++) {
            vf_complex z = load_complex(power, lane);
            UNROLL
            for (int i = 0; i < width; i++)
                u.sum[i] = plus_times(u.sum[2 * i], u.sum[2 * i + 1], z);
        }
        if ((int)DRIVE_POINTS == (int)SB_MODAL_POINTS) return u.sum[0];
        total = plus_times(u.sum[0], total, load_complex(power, lane));
    }
    return total;
}

static inline void add_to_state(double *state, vf value) {
    vd low = load_double(state), high = load_double(state + HALF);
    store_double(state, low + VD_FROM_HALF(vf_low_half(value)));
    store_double(state + HALF, high + VD_FROM_HALF(vf_high_half(value)));
}

static unsigned drive(sb_modal_group *group, const float *reversed,
                      const float *weights) {
    unsigned touched = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES) {
        vf phi = *(const vf_unaligned *)(weights + lane);
        unsigned here = VF_NOT_ZERO(phi);
        if (!here) continue;
        touched |= here << lane;
        vf_complex sum = gather(group, lane, reversed);
        vf slope = load(group->slope + lane);
        add_to_state(group->u.re + lane, phi * VF_FNMA(slope, sum.im, sum.re));
        add_to_state(group->u.im + lane, phi * VF_FMA(slope, sum.re, sum.im));
    }
    return touched;
}

enum { SPAN_VECTORS = 8, SPAN = SPAN_VECTORS * LANES };

/* Frames of the output in registers. */
typedef struct span {
    vf frames[SPAN_VECTORS];
} span;

/* The response to impulses of the same span: each shift of the response by less
 * than a vector is loaded once and used for all impulses it serves. Where
 * registers allow it, two accumulators are used, so that neither waits for
 * itself. */
static inline void convolve_within(span *s, const float *impulse,
                                   const float *response) {
    enum { CHAINS = LANES == 16 ? 2 : 1 };
    span chain[2] = {*s, {{VF_SPLAT(0.0f)}}};
    for (int shift = 0; shift < LANES; shift++) {
        vf heard[SPAN_VECTORS];
        UNROLL
        for (int i = 0; i < SPAN_VECTORS; i++) {
            heard[i] = *(const vf_unaligned *)&response[i * LANES - shift];
            IN_REGISTER(heard[i]);
        }
        UNROLL
        for (int at = 0; at < SPAN_VECTORS; at++) {
            vf force = VF_SPLAT(impulse[at * LANES + shift]);
            UNROLL
            for (int i = at; i < SPAN_VECTORS; i++) {
                vf *frames = &chain[at % CHAINS].frames[i];
                *frames = VF_FMA(force, heard[i - at], *frames);
            }
        }
    }
    UNROLL
    for (int i = 0; i < SPAN_VECTORS; i++)
        s->frames[i] = chain[0].frames[i] + chain[1].frames[i];
}

/* The response to the `count` impulses before the span. */
static inline void convolve_before(span *s, const float *impulse, int count,
                                   const float *response) {
    for (int m = 0; m < count; m++) {
        vf force = VF_SPLAT(impulse[m]);
        const float *h = &response[count - m];
        UNROLL
        for (int i = 0; i < SPAN_VECTORS; i++) {
            vf heard = *(const vf_unaligned *)&h[i * LANES];
            s->frames[i] = VF_FMA(force, heard, s->frames[i]);
        }
    }
}

static void convolve(const float *impulse, const float *response, float *out) {
    _Alignas(64) float padded[LANES + SB_BLOCK_FRAMES] = {0};
    float *from_zero = padded + LANES; /* zeros before the impulse */
    memcpy(from_zero, response, SB_BLOCK_FRAMES * sizeof *response);
    for (int n = 0; n < SB_BLOCK_FRAMES; n += SPAN) {
        span s;
        UNROLL
        for (int i = 0; i < SPAN_VECTORS; i++)
            s.frames[i] = *(const vf_unaligned *)&out[n + i * LANES];
        convolve_before(&s, impulse, n, from_zero);
        convolve_within(&s, impulse + n, from_zero);
        UNROLL
        for (int i = 0; i < SPAN_VECTORS; i++)
            *(vf_unaligned *)&out[n + i * LANES] = s.frames[i];
    }
}

#endif
