/* The kernels for AVX2 with FMA: vectors of eight floats, 16 registers. */
#include <immintrin.h>

#define KERNEL      sb_modal_kernel_avx2
#define KERNEL_NAME "avx2"
#define LANES       8
#define TILE_POINTS 2
#define TILE_STEPS  5

#define IN_REGISTER(a)    __asm__("" : "+x"(a))
#define VD_FROM_HALF(a)   ((vd)_mm256_cvtps_pd((__m128)(a)))
#define VF_SPLAT(x)       ((vf)_mm256_set1_ps(x))
#define VD_SPLAT(x)       ((vd)_mm256_set1_pd(x))
#define VF_FMA(a, b, c)   ((vf)_mm256_fmadd_ps(a, b, c))
#define VF_FNMA(a, b, c)  ((vf)_mm256_fnmadd_ps(a, b, c))
#define MEET_FMA(a, b, c) __builtin_fma(a, b, c)
#define VD_FMA(a, b, c)   ((vd)_mm256_fmadd_pd(a, b, c))
#define VD_FNMA(a, b, c)  ((vd)_mm256_fnmadd_pd(a, b, c))
#define VD_SQRT(a)        ((vd)_mm256_sqrt_pd(a))
#define VF_AT_LEAST(a, b) \
    (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ))
#define VF_NOT_ZERO(a)            \
    (unsigned)_mm256_movemask_ps( \
        _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_NEQ_UQ))

#include "runtime/dsp/bank/modal_kernel_body.h"
