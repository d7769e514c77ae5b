/* SPDX-License-Identifier: MIT */
#include "runtime/dsp/vector/isa.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static const char *const names[SB_ISA_COUNT] = {
    [SB_ISA_PORTABLE] = "portable",
#if defined(__x86_64__)
    [SB_ISA_AVX2] = "avx2",
    [SB_ISA_AVX512] = "avx512",
#endif
};

/* The chosen sb_isa + 1; 0: none yet. */
static atomic_int chosen;

static bool runs_here(int isa) {
#if defined(__x86_64__)
    if (isa == SB_ISA_AVX512) {
        return __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw");
    }
    if (isa == SB_ISA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    (void)isa;
    return true;
}

const char *sb_isa_choose(const char *name) {
    for (int isa = SB_ISA_COUNT - 1; isa >= 0; isa--) {
        if (name && strcmp(name, names[isa]) != 0) continue;
        if (!runs_here(isa)) continue;
        atomic_store(&chosen, isa + 1);
        return names[isa];
    }
    return NULL;
}

sb_isa sb_isa_chosen(void) {
    int isa = atomic_load(&chosen);
    if (isa == 0) {
        (void)sb_isa_choose(NULL);
        isa = atomic_load(&chosen);
    }
    return (sb_isa)(isa - 1);
}
