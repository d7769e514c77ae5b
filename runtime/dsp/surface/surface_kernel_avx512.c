/* SPDX-License-Identifier: MIT */
/* The kernels of the surfaces for AVX-512: sixteen floats per vector, 32
 * registers. */
#define LANES  16
#define KERNEL sb_surface_kernel_avx512

#include "runtime/dsp/surface/surface_kernel_body.h"
