/* SPDX-License-Identifier: MIT */
/* runtime/dsp/vector/vector.h -- vectors of floats and doubles of any width.
 *
 * A kernel's .c file defines LANES, floats per vector: 16 for AVX-512, with 32
 * registers; 8 for AVX2 with FMA, with 16 registers; 4 for any CPU, without fused
 * operations. This defines, for that instruction set,
 *
 *     VF_SPLAT VF_FMA VF_FNMA VF_AT_LEAST VF_NOT_ZERO
 *     VD_SPLAT VD_FMA VD_FNMA VD_FROM_HALF
 *                             FMA(a, b, c) is a b + c, FNMA is c - a b; the
 *                             comparisons give one bit per lane
 *     SCALAR_FMA(a, b, c)     a b + c of two doubles, fused where that is one
 *                             instruction
 *     VF_FROM_HALVES(a, b)    both as one vector; only where GCC's own code for
 *                             it is slow
 *     IN_REGISTER(a)          load `a` once. GCC may otherwise fold the load
 *                             into each operation that uses it, which makes
 *                             loads the bottleneck.
 *
 * vf is a vector of LANES floats, vd one of LANES / 2 doubles, vh one of
 * LANES / 2 floats; all are GCC vector types. The project compiles with
 * -ffp-contract=off, so operations are fused only where the source says so.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#if LANES > 4
#include <immintrin.h>
#endif

#if LANES == 16
#define IN_REGISTER(a)      __asm__("" : "+v"(a))
#define VD_FROM_HALF(a)     ((vd)_mm512_cvtps_pd((__m256)(a)))
#define VF_SPLAT(x)         ((vf)_mm512_set1_ps(x))
#define VD_SPLAT(x)         ((vd)_mm512_set1_pd(x))
#define VF_FMA(a, b, c)     ((vf)_mm512_fmadd_ps(a, b, c))
#define VF_FNMA(a, b, c)    ((vf)_mm512_fnmadd_ps(a, b, c))
#define SCALAR_FMA(a, b, c) __builtin_fma(a, b, c)
#define VD_FMA(a, b, c)     ((vd)_mm512_fmadd_pd(a, b, c))
#define VD_FNMA(a, b, c)    ((vd)_mm512_fnmadd_pd(a, b, c))
#define VF_FROM_HALVES(a, b)                                                  \
    ((vf)_mm512_insertf32x8(_mm512_castps256_ps512((__m256)(a)), (__m256)(b), \
                            1))
#define VF_AT_LEAST(a, b) in_scalar(_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ))
#define VF_NOT_ZERO(a) \
    (unsigned)_mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_NEQ_UQ)

/* GCC would continue in mask registers, where every operation occupies a unit
 * that multiplies. */
static inline unsigned in_scalar(unsigned mask) {
    __asm__("" : "+r"(mask));
    return mask;
}
#elif LANES == 8
#define IN_REGISTER(a)      __asm__("" : "+x"(a))
#define VD_FROM_HALF(a)     ((vd)_mm256_cvtps_pd((__m128)(a)))
#define VF_SPLAT(x)         ((vf)_mm256_set1_ps(x))
#define VD_SPLAT(x)         ((vd)_mm256_set1_pd(x))
#define VF_FMA(a, b, c)     ((vf)_mm256_fmadd_ps(a, b, c))
#define VF_FNMA(a, b, c)    ((vf)_mm256_fnmadd_ps(a, b, c))
#define SCALAR_FMA(a, b, c) __builtin_fma(a, b, c)
#define VD_FMA(a, b, c)     ((vd)_mm256_fmadd_pd(a, b, c))
#define VD_FNMA(a, b, c)    ((vd)_mm256_fnmadd_pd(a, b, c))
#define VF_AT_LEAST(a, b) \
    (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ))
#define VF_NOT_ZERO(a)            \
    (unsigned)_mm256_movemask_ps( \
        _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_NEQ_UQ))
#else
#define IN_REGISTER(a)
#define VD_FROM_HALF(a)     __builtin_convertvector(a, vd)
#define VF_SPLAT(x)         ((vf){(x), (x), (x), (x)})
#define VD_SPLAT(x)         ((vd){(x), (x)})
#define VF_FMA(a, b, c)     ((a) * (b) + (c))
#define VF_FNMA(a, b, c)    ((c) - (a) * (b))
#define SCALAR_FMA(a, b, c) ((a) * (b) + (c))
#define VD_FMA(a, b, c)     ((a) * (b) + (c))
#define VD_FNMA(a, b, c)    ((c) - (a) * (b))
#define VF_AT_LEAST(a, b)   lane_bits((a) >= (b))
#define VF_NOT_ZERO(a)      lane_bits((a) != VF_SPLAT(0.0f))

typedef int lane_flags __attribute__((vector_size(16)));

static inline unsigned lane_bits(lane_flags flags) {
    lane_flags bits = flags & (lane_flags){1, 2, 4, 8};
    return (unsigned)(bits[0] | bits[1] | bits[2] | bits[3]);
}
#endif

enum { HALF = LANES / 2 };
/* Loops over register arrays must be unrolled to stay in registers. */
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

/* The sum of c[i] x^(count - 1 - i), for a constant `count`. */
static inline __attribute__((always_inline)) vd
vd_polynomial(vd x, const double *c, int count) {
    vd sum = VD_SPLAT(c[0]);
    UNROLL
    for (int i = 1; i < count; i++)
        sum = VD_FMA(sum, x, VD_SPLAT(c[i]));
    return sum;
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
