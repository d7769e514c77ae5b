/* The kernels for AVX2 with FMA. */
#include <immintrin.h>

#define KERNEL      sb_hear_kernel_avx2
#define KERNEL_NAME "avx2"
#define VF_FMA(a, b, c) \
    ((vf)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))

#include "runtime/dsp/hear_kernel_body.h"
