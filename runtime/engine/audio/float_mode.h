/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/float_mode.h -- flush subnormal numbers to zero.
 *
 * Most processors compute subnormal numbers many times slower than others, and
 * every decaying sound ends in them. The audio thread flushes both operands and
 * results to zero, and restores the caller's mode.
 *
 * Thread: any. Memory: none.
 */
#pragma once

#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

typedef uint64_t sb_float_mode;

static inline sb_float_mode sb_float_mode_flush_to_zero(void) {
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    /* Exceptions masked, round to nearest; flush-to-zero, denormals-are-zero. */
    _mm_setcsr(0x1f80u | 0x8040u);
    return before;
#elif defined(__aarch64__)
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)1 << 24));
    return before;
#else
    return 0;
#endif
}

static inline void sb_float_mode_restore(sb_float_mode mode) {
#if defined(__SSE2__)
    _mm_setcsr((unsigned)mode);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"(mode));
#else
    (void)mode;
#endif
}
