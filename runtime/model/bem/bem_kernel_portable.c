/* SPDX-License-Identifier: MIT */
/* Boundary elements with 2 doubles in a vector. */
#define WIDTH 2
#include "runtime/model/bem/bem_kernel_body.h"

const sb_bem_kernel sb_bem_kernel_portable = SB_BEM_KERNEL;
