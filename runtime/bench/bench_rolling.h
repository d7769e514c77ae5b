/* runtime/bench/bench_rolling.h -- how many rolling voices one core plays.
 *
 * Bodies of 32 modes, each rung by something that rolls over it from one end to
 * the other and back at 0.5 to 0.7 m/s: a contact whose weights move in every
 * frame, and a force of micro-impacts a millimetre apart (rub.h; Maunsbach &
 * Serafin 4.3). A second time with a fractal surface underneath besides, whose
 * profile is felt in every frame. Blocks of 128 frames at 48 kHz, all voices in
 * every block. Times as in bench_contacts.h.
 *
 * Thread: control; it takes a few seconds and holds on to one core.
 */
#ifndef SB_BENCH_BENCH_ROLLING_H
#define SB_BENCH_BENCH_ROLLING_H

#include "runtime/base/status.h"

typedef struct sb_bench_rolling_load {
    double p50, p99, best; /* of a block, as shares of its deadline */
    double force;          /* forces only, best block */
} sb_bench_rolling_load;

typedef struct sb_bench_rolling_result {
    int voices, body_modes;
    sb_bench_rolling_load impacts; /* micro-impacts only */
    sb_bench_rolling_load profile; /* with a surface profile */
} sb_bench_rolling_result;

/* Run the bench. NO_MEMORY, or BAD_ARGUMENT if a bank refuses its modes. */
SB_NODISCARD sb_status sb_bench_rolling(sb_bench_rolling_result *out,
                                        sb_error *err);

#endif
