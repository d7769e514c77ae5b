/* runtime/dsp/vector/vector_avx2.h -- vector.h for AVX2 with FMA: eight floats
 * per vector, 16 registers.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_DSP_VECTOR_VECTOR_AVX2_H
#define SB_DSP_VECTOR_VECTOR_AVX2_H

#include <immintrin.h>

#define LANES 8

#define IN_REGISTER(a)      __asm__("" : "+x"(a))
#define VD_FROM_HALF(a)     ((vd)_mm256_cvtps_pd((__m128)(a)))
#define VF_SPLAT(x)         ((vf)_mm256_set1_ps(x))
#define VD_SPLAT(x)         ((vd)_mm256_set1_pd(x))
#define VF_FMA(a, b, c)     ((vf)_mm256_fmadd_ps(a, b, c))
#define VF_FNMA(a, b, c)    ((vf)_mm256_fnmadd_ps(a, b, c))
#define SCALAR_FMA(a, b, c) __builtin_fma(a, b, c)
#define VD_FMA(a, b, c)     ((vd)_mm256_fmadd_pd(a, b, c))
#define VD_FNMA(a, b, c)    ((vd)_mm256_fnmadd_pd(a, b, c))
#define VD_SQRT(a)          ((vd)_mm256_sqrt_pd(a))
#define VF_AT_LEAST(a, b) \
    (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ))
#define VF_NOT_ZERO(a)            \
    (unsigned)_mm256_movemask_ps( \
        _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_NEQ_UQ))

#include "runtime/dsp/vector/vector.h"

#endif
