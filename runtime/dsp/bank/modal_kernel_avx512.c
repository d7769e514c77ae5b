/* SPDX-License-Identifier: MIT */
/* The bank's kernels for AVX-512: sixteen floats per vector, 32 registers. */
#define LANES       16
#define KERNEL      sb_modal_kernel_avx512
#define TILE_POINTS 8
#define TILE_STEPS  3

#include "runtime/dsp/bank/modal_kernel_body.h"
