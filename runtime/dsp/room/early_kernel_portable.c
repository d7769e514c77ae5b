/* SPDX-License-Identifier: MIT */
/* The kernel for any CPU: vectors of four floats, no fused operations. */
#define KERNEL sb_early_kernel_portable
#define LANES  4

#include "runtime/dsp/room/early_kernel_body.h"
