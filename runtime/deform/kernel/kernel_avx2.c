/* SPDX-License-Identifier: MIT */
/* Inner loops with 4 doubles in a vector. */
#define WIDTH 4
#include "runtime/deform/kernel/kernel_body.h"

const sb_deform_kernel sb_deform_kernel_avx2 = SB_DEFORM_KERNEL("avx2");
