/* SPDX-License-Identifier: MIT */
/* Panels with 4 doubles in a vector. */
#define WIDTH 4
#define GROUP 4
#include "runtime/model/linear/panel_kernel_body.h"

const sb_panel_kernel sb_panel_kernel_avx2 = SB_PANEL_KERNEL;
