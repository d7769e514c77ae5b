/* SPDX-License-Identifier: MIT */
/* Panels with 2 doubles in a vector. */
#define WIDTH 2
#define GROUP 2
#include "runtime/model/linear/panel_kernel_body.h"

const sb_panel_kernel sb_panel_kernel_portable = SB_PANEL_KERNEL;
