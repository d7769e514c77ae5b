/* SPDX-License-Identifier: MIT */
/* Boundary elements with 4 doubles in a vector. */
#define WIDTH 4
#include "runtime/model/bem/bem_kernel_body.h"

const sb_bem_kernel sb_bem_kernel_avx2 = SB_BEM_KERNEL;
