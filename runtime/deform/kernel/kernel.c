/* SPDX-License-Identifier: MIT */
#include "runtime/deform/kernel/kernel.h"

#include <stdbool.h>
#include <string.h>

const sb_deform_kernel *sb_deform_kernel_choose(const char *name) {
#if defined(__x86_64__)
    bool runs = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (runs && (!name || strcmp(name, "avx2") == 0))
        return &sb_deform_kernel_avx2;
#endif
    if (!name || strcmp(name, "portable") == 0)
        return &sb_deform_kernel_portable;
    return NULL;
}
