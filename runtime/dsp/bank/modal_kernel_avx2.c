/* SPDX-License-Identifier: MIT */
/* The bank's kernels for AVX2 with FMA: eight floats per vector, 16
 * registers. */
#define LANES       8
#define KERNEL      sb_modal_kernel_avx2
#define TILE_POINTS 2
#define TILE_STEPS  5

#include "runtime/dsp/bank/modal_kernel_body.h"
