/* The kernels for any CPU. */
#define KERNEL          sb_hear_kernel_portable
#define KERNEL_NAME     "portable"
#define VF_FMA(a, b, c) ((a) * (b) + (c))

#include "runtime/dsp/hear_kernel_body.h"
