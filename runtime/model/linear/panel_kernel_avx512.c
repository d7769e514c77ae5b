/* SPDX-License-Identifier: MIT */
/* Panels with 8 doubles in a vector. */
#define WIDTH 8
#define GROUP 8
#include "runtime/model/linear/panel_kernel_body.h"

const sb_panel_kernel sb_panel_kernel_avx512 = SB_PANEL_KERNEL;
