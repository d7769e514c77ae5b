/* SPDX-License-Identifier: MIT */
/* The kernels for any CPU: vectors of four floats, no fused operations. */
#define KERNEL          sb_hear_kernel_portable
#define LANES           4
#define SPLAT(x)        ((vf){(x), (x), (x), (x)})
#define RAMP            ((vf){0, 1, 2, 3})
#define VF_FMA(a, b, c) ((a) * (b) + (c))

#include "runtime/dsp/ears/hear_kernel_body.h"
