/* SPDX-License-Identifier: MIT */
/* runtime/dsp/vector/isa.h -- which instruction set the kernels run on.
 *
 * Inner loops are compiled once per instruction set into tables of functions;
 * tables of one kind are indexed by sb_isa. The fastest set that this build has
 * and this machine supports is chosen at first use.
 *
 * Thread: any. Memory: one atomic word.
 */
#pragma once

#include "runtime/base/status.h"

typedef enum sb_isa {
    SB_ISA_PORTABLE,
#if defined(__x86_64__)
    SB_ISA_AVX2,
    SB_ISA_AVX512,
#endif
    SB_ISA_COUNT
} sb_isa;

/* Choose by name, "avx512", "avx2" or "portable", or NULL for the fastest.
 * Banks that exist keep the one they were initialised with. Returns the name
 * chosen, or NULL, with nothing changed, if this build or this machine does not
 * have that instruction set. */
const char *sb_isa_choose(const char *name);

/* The chosen one; by default the fastest. */
sb_isa sb_isa_chosen(void) SB_RT;
