/* SPDX-License-Identifier: MIT */
/* tests/bench/audio/fma_peak.h -- peak rate of fused multiply-adds of a core.
 *
 * Independent accumulators in registers, nothing else: no load, no store.
 *
 * Thread: any but audio.
 */
#pragma once

/* Widest vectors of this machine, in bits, at most `limit_bits`; 0 if none. */
int fma_widest_bits(int limit_bits);

/* Run `rounds` rounds with vectors of that width. Returns the floating-point
 * operations, two per multiply-add. */
double fma_run(int vector_bits, long rounds);
