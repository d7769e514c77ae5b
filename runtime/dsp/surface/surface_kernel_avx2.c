/* SPDX-License-Identifier: MIT */
/* The kernels of the surfaces for AVX2 with FMA: eight floats per vector, 16
 * registers. */
#define LANES  8
#define KERNEL sb_surface_kernel_avx2

#include "runtime/dsp/surface/surface_kernel_body.h"
