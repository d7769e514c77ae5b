/* SPDX-License-Identifier: MIT */
/* The bank's kernels for any CPU: four floats per vector, no fused
 * operations. */
#define LANES       4
#define KERNEL      sb_modal_kernel_portable
#define TILE_POINTS 2
#define TILE_STEPS  5

#include "runtime/dsp/bank/modal_kernel_body.h"
