/* SPDX-License-Identifier: MIT */
/* The kernels of the surfaces for any CPU: four floats per vector, no fused
 * operations. */
#define LANES  4
#define KERNEL sb_surface_kernel_portable

#include "runtime/dsp/surface/surface_kernel_body.h"
