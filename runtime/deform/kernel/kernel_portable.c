/* SPDX-License-Identifier: MIT */
/* Inner loops with 2 doubles in a vector. */
#define WIDTH 2
#include "runtime/deform/kernel/kernel_body.h"

const sb_deform_kernel sb_deform_kernel_portable = SB_DEFORM_KERNEL("portable");
