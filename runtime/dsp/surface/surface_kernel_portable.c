/* The kernels of the surfaces for any CPU: four floats per vector, no fused
 * operations. */
#include "runtime/dsp/vector/vector_portable.h"

#define KERNEL sb_surface_kernel_portable

#include "runtime/dsp/surface/surface_kernel_body.h"
