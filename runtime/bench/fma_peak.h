/* runtime/bench/fma_peak.h -- peak rate of fused multiply-adds of a core.
 *
 * Independent accumulators in registers, nothing else: no load, no store.
 *
 * Thread: any but audio.
 */
#ifndef SB_BENCH_FMA_PEAK_H
#define SB_BENCH_FMA_PEAK_H

/* Widest vectors this machine has, in bits, at most `limit_bits`; 0 if there
 * are none that narrow. */
int sb_fma_widest_bits(int limit_bits);

/* Do `rounds` rounds with vectors of that width and return the floating-point
 * operations done, two for a multiply-add. */
double sb_fma_run(int vector_bits, long rounds);

#endif
