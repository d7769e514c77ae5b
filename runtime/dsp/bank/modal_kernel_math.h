/* runtime/dsp/bank/modal_kernel_math.h -- vectors for the kernels, and e^(x + iy).
 *
 * Included by modal_kernel_body.h after the instruction set has defined LANES
 * (floats in a vector), the fused operations and the comparisons. Vectors of
 * floats (vf) and of doubles (vd, half as many) are GCC's vector types.
 *
 * e^(x + iy), x <= 0, |y| < 1e5: reduction by ln 2 and pi / 2 in two parts,
 * then Taylor series as long as double needs on what is left. Relative error
 * below 1e-15 plus the rounding of y.
 */
#ifndef SB_DSP_BANK_MODAL_KERNEL_MATH_H
#define SB_DSP_BANK_MODAL_KERNEL_MATH_H

#include "runtime/dsp/bank/modal_kernel.h"

#include <stdint.h>
#include <string.h>

enum { HALF = LANES / 2 };
enum { PARTS = SB_MODAL_LANES / LANES }; /* vectors in a row of a group */

/* Loops over registers must be unrolled, or they are not registers. */
#define UNROLL _Pragma("GCC unroll 16")

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef float vf_unaligned
    __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef float vh __attribute__((vector_size(LANES * 2)));
typedef double vd __attribute__((vector_size(LANES * 4)));
typedef double vd_unaligned
    __attribute__((vector_size(LANES * 4), aligned(8), may_alias));
typedef int64_t vi __attribute__((vector_size(LANES * 4)));
typedef int32_t vm __attribute__((vector_size(LANES * 4)));

typedef struct vd_complex {
    vd re, im;
} vd_complex;

/* Both halves as one vector of floats. */
static inline vf vf_from_halves(vh low, vh high) {
#if defined(VF_FROM_HALVES)
    return VF_FROM_HALVES(low, high);
#elif LANES == 4
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
#elif LANES == 8
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                   11, 12, 13, 14, 15);
#endif
}

static inline vh vf_low_half(vf v) {
#if LANES == 4
    return __builtin_shufflevector(v, v, 0, 1);
#elif LANES == 8
    return __builtin_shufflevector(v, v, 0, 1, 2, 3);
#else
    return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

static inline vh vf_high_half(vf v) {
#if LANES == 4
    return __builtin_shufflevector(v, v, 2, 3);
#elif LANES == 8
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
#else
    return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

#if LANES != 8
/* u0 + u1, u2 + u3 ... v0 + v1 ...: applied as a tree to LANES vectors it
 * leaves the sum of vector n in lane n. */
static inline vf vf_add_pairs(vf u, vf v) {
#if LANES == 4
    return __builtin_shufflevector(u, v, 0, 2, 4, 6) +
           __builtin_shufflevector(u, v, 1, 3, 5, 7);
#else
    return __builtin_shufflevector(u, v, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                   22, 24, 26, 28, 30) +
           __builtin_shufflevector(u, v, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21,
                                   23, 25, 27, 29, 31);
#endif
}
#endif

static inline vd vd_select(vi mask, vd yes, vd no) {
    return (vd)(((vi)yes & mask) | ((vi)no & ~mask));
}

/* 1.5 * 2^52: added to a small number it leaves its nearest integer in the
 * low bits, and taken away again that integer as a double. */
#define ROUNDER 6755399441055744.0

static inline vd vd_exp(vd x) {
    const vd least = VD_SPLAT(-700.0); /* so that 2^k stays a normal number */
    x = vd_select((vi)(x > least), x, least);
    vd shifted = VD_FMA(x, VD_SPLAT(1.44269504088896340736), VD_SPLAT(ROUNDER));
    vd k = shifted - VD_SPLAT(ROUNDER);
    vd r = VD_FNMA(k, VD_SPLAT(6.93147180369123816490e-01), x);
    r = VD_FNMA(k, VD_SPLAT(1.90821492927058770002e-10), r);
    vd sum = VD_SPLAT(1.0 / 479001600);
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 39916800));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 3628800));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 362880));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 40320));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 5040));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 720));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 120));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 24));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0 / 6));
    sum = VD_FMA(sum, r, VD_SPLAT(0.5));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0));
    sum = VD_FMA(sum, r, VD_SPLAT(1.0));
    return (vd)((vi)sum + ((vi)shifted << 52)); /* times 2^k */
}

static inline vd_complex vd_turn(vd y) {
    vd shifted =
        VD_FMA(y, VD_SPLAT(6.36619772367581382433e-01), VD_SPLAT(ROUNDER));
    vd k = shifted - VD_SPLAT(ROUNDER);
    vd r = VD_FNMA(k, VD_SPLAT(1.57079632673412561417e+00), y);
    r = VD_FNMA(k, VD_SPLAT(6.07710050650619224932e-11), r);
    vd r2 = r * r;
    vd sine = VD_SPLAT(-1.0 / 1307674368000);
    sine = VD_FMA(sine, r2, VD_SPLAT(1.0 / 6227020800));
    sine = VD_FMA(sine, r2, VD_SPLAT(-1.0 / 39916800));
    sine = VD_FMA(sine, r2, VD_SPLAT(1.0 / 362880));
    sine = VD_FMA(sine, r2, VD_SPLAT(-1.0 / 5040));
    sine = VD_FMA(sine, r2, VD_SPLAT(1.0 / 120));
    sine = VD_FMA(sine, r2, VD_SPLAT(-1.0 / 6));
    sine = VD_FMA(sine, r2 * r, r);
    vd cosine = VD_SPLAT(1.0 / 20922789888000);
    cosine = VD_FMA(cosine, r2, VD_SPLAT(-1.0 / 87178291200));
    cosine = VD_FMA(cosine, r2, VD_SPLAT(1.0 / 479001600));
    cosine = VD_FMA(cosine, r2, VD_SPLAT(-1.0 / 3628800));
    cosine = VD_FMA(cosine, r2, VD_SPLAT(1.0 / 40320));
    cosine = VD_FMA(cosine, r2, VD_SPLAT(-1.0 / 720));
    cosine = VD_FMA(cosine, r2, VD_SPLAT(1.0 / 24));
    cosine = VD_FMA(cosine, r2, VD_SPLAT(-0.5));
    cosine = VD_FMA(cosine, r2, VD_SPLAT(1.0));
    /* k quarter turns: odd ones swap the two, then the signs follow. */
    vi quarter = (vi)shifted;
    vi odd = -(quarter & 1);
    vi flip_cos = ((quarter + 1) & 2) << 62;
    vi flip_sin = (quarter & 2) << 62;
    return (vd_complex){(vd)((vi)vd_select(odd, sine, cosine) ^ flip_cos),
                        (vd)((vi)vd_select(odd, cosine, sine) ^ flip_sin)};
}

/* e^((-s + i w) t). */
static inline vd_complex vd_swing(vd s, vd w, vd t) {
    vd_complex turn = vd_turn(w * t);
    vd shrink = vd_exp(-(s * t));
    return (vd_complex){turn.re * shrink, turn.im * shrink};
}

static inline vd_complex vd_times(vd_complex u, vd_complex v) {
    return (vd_complex){VD_FNMA(u.im, v.im, u.re * v.re),
                        VD_FMA(u.im, v.re, u.re * v.im)};
}

typedef struct vf_complex {
    vf re, im;
} vf_complex;

static inline vf load(const float *from) {
    return *(const vf *)(const void *)from;
}

static inline void store(float *to, vf value) {
    *(vf *)(void *)to = value;
}

static inline vd load_double(const double *from) {
    return *(const vd *)(const void *)from;
}

static inline vd load_unaligned(const double *from) {
    return *(const vd_unaligned *)from;
}

static inline void store_double(double *to, vd value) {
    *(vd *)(void *)to = value;
}

static inline vf_complex load_complex(const sb_modal_row *from, int lane) {
    return (vf_complex){load(from->re + lane), load(from->im + lane)};
}

static inline void store_complex(sb_modal_row *to, int lane, vf_complex value) {
    store(to->re + lane, value.re);
    store(to->im + lane, value.im);
}

static inline vd_complex load_state(const sb_modal_state *from, int lane) {
    return (vd_complex){load_double(from->re + lane),
                        load_double(from->im + lane)};
}

static inline void store_state(sb_modal_state *to, int lane, vd_complex value) {
    store_double(to->re + lane, value.re);
    store_double(to->im + lane, value.im);
}

static inline vf_complex times(vf_complex u, vf_complex v) {
    return (vf_complex){VF_FNMA(u.im, v.im, u.re * v.re),
                        VF_FMA(u.im, v.re, u.re * v.im)};
}

static inline vf narrow(vd low, vd high) {
    return vf_from_halves(__builtin_convertvector(low, vh),
                          __builtin_convertvector(high, vh));
}

static inline void store_half(float *to, vd value) {
    vh half = __builtin_convertvector(value, vh);
    memcpy(to, &half, sizeof half);
}

static inline vh load_half(const float *from) {
    vh half;
    memcpy(&half, from, sizeof half);
    return half;
}

#endif
