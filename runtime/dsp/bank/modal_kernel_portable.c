/* The kernels for any CPU: vectors of four floats, no fused operations. */
#include <math.h>

#define KERNEL      sb_modal_kernel_portable
#define KERNEL_NAME "portable"
#define LANES       4
#define TILE_POINTS 2
#define TILE_STEPS  5

#define IN_REGISTER(a)
#define VD_FROM_HALF(a)   __builtin_convertvector(a, vd)
#define VF_SPLAT(x)       ((vf){(x), (x), (x), (x)})
#define VD_SPLAT(x)       ((vd){(x), (x)})
#define VF_FMA(a, b, c)   ((a) * (b) + (c))
#define VF_FNMA(a, b, c)  ((c) - (a) * (b))
#define VD_FMA(a, b, c)   ((a) * (b) + (c))
#define VD_FNMA(a, b, c)  ((c) - (a) * (b))
#define VD_SQRT(a)        ((vd){sqrt((a)[0]), sqrt((a)[1])})
#define VF_AT_LEAST(a, b) lane_bits((a) >= (b))
#define VF_NOT_ZERO(a)    lane_bits((a) != VF_SPLAT(0.0f))

typedef int lane_flags __attribute__((vector_size(16)));

static inline unsigned lane_bits(lane_flags flags) {
    lane_flags bits = flags & (lane_flags){1, 2, 4, 8};
    return (unsigned)(bits[0] | bits[1] | bits[2] | bits[3]);
}

#include "runtime/dsp/bank/modal_kernel_body.h"
