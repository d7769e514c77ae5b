/* SPDX-License-Identifier: MIT */
/* runtime/dsp/room/early_kernel.h -- the inner loop of early reflections.
 *
 * The same source (early_kernel_body.h) is compiled for each instruction set.
 *
 * Thread: any; a kernel touches only its arguments. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/room/early.h"

/* The parts of a block, aligned to a cache line. */
typedef float sb_early_parts[SB_EARLY_PARTS][SB_BLOCK_FRAMES];

typedef struct sb_early_kernel {
    /* left[n] += sum over k of gain[0][k] parts[k][n], right with gain[1] */
    void (*add)(const sb_early_parts *parts,
                const float (*gain)[SB_EARLY_PARTS], float *left, float *right);
} sb_early_kernel;

/* early.c chooses one by the instruction set (isa.h). */
extern const sb_early_kernel sb_early_kernel_portable;
extern const sb_early_kernel sb_early_kernel_avx2;
