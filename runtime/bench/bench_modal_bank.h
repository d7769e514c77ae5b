/* runtime/bench/bench_modal_bank.h -- how many modes one core rings in real
 * time, and how near that is to what the core can do at all.
 *
 * A mode costs two fused multiply-adds per sample when it rings freely and four
 * when a force drives it too. So the bound is the core's peak rate of those,
 * measured in the same run, and the share of it is the figure that another
 * machine can be held to.
 *
 *     modes in real time = modes ringing * (seconds of sound / seconds of work)
 *
 * is a rate: it holds while the modes at work fit where they fitted in the
 * measurement. The table of working sets shows how it falls when they do not.
 *
 * All measures are taken in turn, many times over, and given as medians; `best`
 * is the best of each. The clock is that of
 * the thread, which stands still while another process has the core.
 *
 * Thread: control; it takes about five seconds and holds on to one core.
 * Memory: about 100 MB, freed at the end.
 */
#ifndef SB_BENCH_BENCH_MODAL_BANK_H
#define SB_BENCH_BENCH_MODAL_BANK_H

#include "runtime/base/status.h"

enum { SB_BENCH_MODAL_SETS = 5 };

/* A rate and its share of the FMA peak: median of median, best of best. */
typedef struct sb_bench_rate {
    double modes, best_modes; /* in real time at 48 kHz */
    double share, best_share; /* 0 to 1 */
} sb_bench_rate;

typedef struct sb_bench_modal_set {
    int modes_ringing;
    double megabytes;
    sb_bench_rate free;
} sb_bench_modal_set;

typedef struct sb_bench_modal_result {
    const char *isa; /* instruction set of the bank */
    int vector_bits; /* vector width of the peak below, the widest available */
    double fma_peak_gflops;
    double fma_peak_256_gflops; /* with 256-bit vectors; 0 if there are none */

    int body_modes;    /* modes per body */
    int modes_ringing; /* total, during the next four measurements */
    double modes_realtime_free;
    double modes_realtime_driven; /* one resting contact per body */
    double modes_realtime_naive;  /* textbook recurrence in double */
    sb_bench_rate free, driven;   /* details of the first two */

    sb_bench_modal_set sets[SB_BENCH_MODAL_SETS]; /* small to large */
} sb_bench_modal_result;

/* Run the bench. NO_MEMORY, or BAD_ARGUMENT if the bank refuses its modes. */
SB_NODISCARD sb_status sb_bench_modal_bank(sb_bench_modal_result *out,
                                           sb_error *err);

#endif
