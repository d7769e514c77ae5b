/* SPDX-License-Identifier: MIT */
/* The kernel for AVX2 with FMA: vectors of eight floats. */
#define KERNEL sb_early_kernel_avx2
#define LANES  8

#include "runtime/dsp/room/early_kernel_body.h"
