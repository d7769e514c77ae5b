/* SPDX-License-Identifier: MIT */
/* The inner loop of early_kernel.h, for vectors of LANES floats. */
#include "runtime/dsp/room/early_kernel.h"
#include "runtime/dsp/vector/vector.h"

static void add(const sb_early_parts *parts, const float *gain, float *to) {
    const vf g0 = VF_SPLAT(gain[0]), g1 = VF_SPLAT(gain[1]);
    const vf g2 = VF_SPLAT(gain[2]), g3 = VF_SPLAT(gain[3]);
    for (int n = 0; n < SB_BLOCK_FRAMES; n += LANES) {
        vf sum = *(const vf_unaligned *)(const void *)(to + n);
        sum = VF_FMA(g0, *(const vf_unaligned *)&(*parts)[0][n], sum);
        sum = VF_FMA(g1, *(const vf_unaligned *)&(*parts)[1][n], sum);
        sum = VF_FMA(g2, *(const vf_unaligned *)&(*parts)[2][n], sum);
        sum = VF_FMA(g3, *(const vf_unaligned *)&(*parts)[3][n], sum);
        *(vf_unaligned *)(void *)(to + n) = sum;
    }
}

const sb_early_kernel KERNEL = {add};
