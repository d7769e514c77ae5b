/* runtime/dsp/vector/vector_avx512.h -- vector.h for AVX-512: sixteen floats
 * per vector, 32 registers.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_DSP_VECTOR_VECTOR_AVX512_H
#define SB_DSP_VECTOR_VECTOR_AVX512_H

#include <immintrin.h>

#define LANES 16

#define IN_REGISTER(a)      __asm__("" : "+v"(a))
#define VD_FROM_HALF(a)     ((vd)_mm512_cvtps_pd((__m256)(a)))
#define VF_SPLAT(x)         ((vf)_mm512_set1_ps(x))
#define VD_SPLAT(x)         ((vd)_mm512_set1_pd(x))
#define VF_FMA(a, b, c)     ((vf)_mm512_fmadd_ps(a, b, c))
#define VF_FNMA(a, b, c)    ((vf)_mm512_fnmadd_ps(a, b, c))
#define SCALAR_FMA(a, b, c) __builtin_fma(a, b, c)
#define VD_FMA(a, b, c)     ((vd)_mm512_fmadd_pd(a, b, c))
#define VD_FNMA(a, b, c)    ((vd)_mm512_fnmadd_pd(a, b, c))
#define VD_SQRT(a)          ((vd)_mm512_sqrt_pd(a))
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

#include "runtime/dsp/vector/vector.h"

#endif
