/* SPDX-License-Identifier: MIT */
#include "tests/bench/audio/fma_peak.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Two FMA units with a latency of four or five cycles need ten operations in
 * flight. */
enum { IN_FLIGHT = 12 };

/* x = x * 0.999 + 0.001 converges to 1: no overflow, no subnormals. The empty
 * asm keeps the compiler from removing the result. */
#define DEFINE_RUN(name, attributes, vector, splat, fma)                  \
    attributes static void name(long rounds) {                            \
        vector x[IN_FLIGHT], factor = splat(0.999f), term = splat(1e-3f); \
        for (int i = 0; i < IN_FLIGHT; i++)                               \
            x[i] = splat((float)i);                                       \
        for (long round = 0; round < rounds; round++)                     \
            _Pragma("GCC unroll 12") for (int i = 0; i < IN_FLIGHT; i++)  \
                x[i] = fma(x[i], factor, term);                           \
        for (int i = 0; i < IN_FLIGHT; i++)                               \
            __asm__ volatile("" ::"m"(x[i]));                             \
    }

typedef float float4 __attribute__((vector_size(16)));

#if defined(__aarch64__)
#define FMA_NEON(x, a, b) vfmaq_f32(b, x, a)
DEFINE_RUN(run_128, , float32x4_t, vdupq_n_f32, FMA_NEON)
#else
#define SPLAT_ANY(a)     ((float4){a, a, a, a})
#define FMA_ANY(x, a, b) ((x) * (a) + (b)) /* one multiply and one add */
DEFINE_RUN(run_128, , float4, SPLAT_ANY, FMA_ANY)
#endif

#if defined(__x86_64__)
DEFINE_RUN(run_256, __attribute__((target("avx2,fma"))), __m256, _mm256_set1_ps,
           _mm256_fmadd_ps)
DEFINE_RUN(run_512, __attribute__((target("avx512f"))), __m512, _mm512_set1_ps,
           _mm512_fmadd_ps)
#endif

int fma_widest_bits(int limit_bits) {
#if defined(__x86_64__)
    if (limit_bits >= 512 && __builtin_cpu_supports("avx512f")) return 512;
    if (limit_bits >= 256 && __builtin_cpu_supports("fma")) return 256;
#endif
    return limit_bits >= 128 ? 128 : 0;
}

double fma_run(int vector_bits, long rounds) {
#if defined(__x86_64__)
    if (vector_bits == 512) run_512(rounds);
    if (vector_bits == 256) run_256(rounds);
#endif
    if (vector_bits == 128) run_128(rounds);
    int floats = vector_bits / 32;
    return 2.0 * IN_FLIGHT * floats * (double)rounds;
}
