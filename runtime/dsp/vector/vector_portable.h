/* runtime/dsp/vector/vector_portable.h -- vector.h for any CPU: four floats per
 * vector, no fused operations.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_DSP_VECTOR_VECTOR_PORTABLE_H
#define SB_DSP_VECTOR_VECTOR_PORTABLE_H

#include <math.h>

#define LANES 4

#define IN_REGISTER(a)
#define VD_FROM_HALF(a)     __builtin_convertvector(a, vd)
#define VF_SPLAT(x)         ((vf){(x), (x), (x), (x)})
#define VD_SPLAT(x)         ((vd){(x), (x)})
#define VF_FMA(a, b, c)     ((a) * (b) + (c))
#define VF_FNMA(a, b, c)    ((c) - (a) * (b))
#define SCALAR_FMA(a, b, c) ((a) * (b) + (c))
#define VD_FMA(a, b, c)     ((a) * (b) + (c))
#define VD_FNMA(a, b, c)    ((c) - (a) * (b))
#define VD_SQRT(a)          ((vd){sqrt((a)[0]), sqrt((a)[1])})
#define VF_AT_LEAST(a, b)   lane_bits((a) >= (b))
#define VF_NOT_ZERO(a)      lane_bits((a) != VF_SPLAT(0.0f))

typedef int lane_flags __attribute__((vector_size(16)));

static inline unsigned lane_bits(lane_flags flags) {
    lane_flags bits = flags & (lane_flags){1, 2, 4, 8};
    return (unsigned)(bits[0] | bits[1] | bits[2] | bits[3]);
}

#include "runtime/dsp/vector/vector.h"

#endif
