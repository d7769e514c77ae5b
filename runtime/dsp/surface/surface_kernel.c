#include "runtime/dsp/surface/surface_kernel.h"

#include "runtime/dsp/vector/isa.h"

static const sb_surface_kernel *const kernels[SB_ISA_COUNT] = {
    [SB_ISA_PORTABLE] = &sb_surface_kernel_portable,
#if defined(__x86_64__)
    [SB_ISA_AVX2] = &sb_surface_kernel_avx2,
    [SB_ISA_AVX512] = &sb_surface_kernel_avx512,
#endif
};

const sb_surface_kernel *sb_surface_kernel_chosen(void) {
    return kernels[sb_isa_chosen()];
}
