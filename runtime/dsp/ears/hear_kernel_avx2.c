/* SPDX-License-Identifier: MIT */
/* The kernels for AVX2 with FMA: vectors of eight floats. */
#include <immintrin.h>

#define KERNEL          sb_hear_kernel_avx2
#define LANES           8
#define SPLAT(x)        ((vf)_mm256_set1_ps(x))
#define RAMP            ((vf){0, 1, 2, 3, 4, 5, 6, 7})
#define VF_FMA(a, b, c) ((vf)_mm256_fmadd_ps(a, b, c))

#include "runtime/dsp/ears/hear_kernel_body.h"
