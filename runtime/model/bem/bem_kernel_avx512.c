/* SPDX-License-Identifier: MIT */
/* Boundary elements with 8 doubles in a vector. */
#define WIDTH 8
#include "runtime/model/bem/bem_kernel_body.h"

const sb_bem_kernel sb_bem_kernel_avx512 = SB_BEM_KERNEL;
