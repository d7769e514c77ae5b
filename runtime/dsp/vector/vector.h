/* runtime/dsp/vector/vector.h -- vectors of floats and doubles of any width.
 *
 * A kernel's .c file first includes vector_portable.h, vector_avx2.h or
 * vector_avx512.h, which define for one instruction set
 *
 *     LANES                   floats per vector: 4, 8 or 16
 *     VF_SPLAT VF_FMA VF_FNMA VF_AT_LEAST VF_NOT_ZERO
 *     VD_SPLAT VD_FMA VD_FNMA VD_SQRT VD_FROM_HALF
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
#ifndef SB_DSP_VECTOR_VECTOR_H
#define SB_DSP_VECTOR_VECTOR_H

#include <stdint.h>
#include <string.h>

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

#endif
