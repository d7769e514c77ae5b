/* runtime/bench/bench_energy.h -- does any impact gain energy?
 *
 * Random impacts over twelve decades of mass, stiffness, loss, speed, weights
 * and gravity, exponents from 1 to 4, bodies of one to four modes, four sample
 * rates. Each is played until the block after it has touched; then
 *
 *     kinetic + contact spring + modes - m g y
 *
 * must not exceed what the striker came with, by more than 1e-9 of the largest
 * of its terms. As many single steps of the two solvers are solved by
 * themselves: how many iterations they take, and, for one step in ten, how far
 * the gradient's penetration lies from the root that halving an interval in
 * extended precision finds. The K-method's own energy error is only reported.
 *
 * Thread: control; some minutes for a million.
 */
#ifndef SB_BENCH_BENCH_ENERGY_H
#define SB_BENCH_BENCH_ENERGY_H

#include "runtime/base/status.h"

#include <stdint.h>

typedef struct sb_bench_energy_impacts {
    long sets;
    long touched;    /* impacts whose contact began within the blocks played */
    long not_finite; /* impacts that gave NaN or infinity */
    long gained;     /* impacts above 1e-9 */
    double worst;    /* gain, as a share of the largest term */
} sb_bench_energy_impacts;

typedef struct sb_bench_energy_result {
    sb_bench_energy_impacts gradient, kmethod;   /* a tenth as many impacts */
    long steps;                                  /* solved by themselves */
    int gradient_iterations, kmethod_iterations; /* most */
    double gradient_mean, kmethod_mean;
    long not_finite; /* steps */
    double miss;     /* error of the root, relative to the distance */
} sb_bench_energy_result;

/* Run the campaign; the same seed gives the same impacts. NO_MEMORY. */
SB_NODISCARD sb_status sb_bench_energy(long sets, uint64_t seed,
                                       sb_bench_energy_result *out,
                                       sb_error *err);

#endif
