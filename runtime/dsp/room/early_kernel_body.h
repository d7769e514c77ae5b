/* SPDX-License-Identifier: MIT */
/* The inner loop of early_kernel.h, for vectors of LANES floats. */
#include "runtime/dsp/room/early_kernel.h"
#include "runtime/dsp/vector/vector.h"

/* Delays are any: ring buffers are read and written where they are. */
static inline vf read_ring(const float *from) {
    return *(const vf_unaligned *)(const void *)from;
}

static inline void write_ring(float *to, vf value) {
    *(vf_unaligned *)(void *)to = value;
}

/* Both ears at once, because loads of the parts are the bottleneck. */
static void add(const sb_early_parts *parts,
                const float (*gain)[SB_EARLY_PARTS], float *left,
                float *right) {
    const vf l0 = VF_SPLAT(gain[0][0]), l1 = VF_SPLAT(gain[0][1]);
    const vf l2 = VF_SPLAT(gain[0][2]), l3 = VF_SPLAT(gain[0][3]);
    const vf r0 = VF_SPLAT(gain[1][0]), r1 = VF_SPLAT(gain[1][1]);
    const vf r2 = VF_SPLAT(gain[1][2]), r3 = VF_SPLAT(gain[1][3]);
    for (int n = 0; n < SB_BLOCK_FRAMES; n += LANES) {
        vf x0 = load(&(*parts)[0][n]), x1 = load(&(*parts)[1][n]);
        vf x2 = load(&(*parts)[2][n]), x3 = load(&(*parts)[3][n]);
        IN_REGISTER(x0);
        IN_REGISTER(x1);
        IN_REGISTER(x2);
        IN_REGISTER(x3);
        vf l = read_ring(left + n), r = read_ring(right + n);
        l = VF_FMA(l0, x0, l);
        r = VF_FMA(r0, x0, r);
        l = VF_FMA(l1, x1, l);
        r = VF_FMA(r1, x1, r);
        l = VF_FMA(l2, x2, l);
        r = VF_FMA(r2, x2, r);
        l = VF_FMA(l3, x3, l);
        r = VF_FMA(r3, x3, r);
        write_ring(left + n, l);
        write_ring(right + n, r);
    }
}

const sb_early_kernel KERNEL = {add};
