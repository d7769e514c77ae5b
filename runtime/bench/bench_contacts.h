/* runtime/bench/bench_contacts.h -- how many nonlinear impacts one core solves
 * in real time.
 *
 * Bodies of 64 modes, a striker on each, in blocks of 128 frames at 48 kHz. Two
 * loads, one at a time:
 *
 *   pressing  all strikers touch in every frame of every block: soft mallets,
 *             one solve per frame
 *   striking  all strike anew in every block, steel on steel: a contact of two
 *             frames each, in steps of 1/32 of one
 *
 * Times are shares of the block's deadline, on the clock of the thread, which
 * stands still while another process has the core.
 *
 * Thread: control; it takes a few seconds and holds on to one core.
 */
#ifndef SB_BENCH_BENCH_CONTACTS_H
#define SB_BENCH_BENCH_CONTACTS_H

#include "runtime/base/status.h"

typedef struct sb_bench_contacts_load {
    double p50, p99; /* of a block, as a share of its deadline */
    double best;     /* fastest block */
    double realtime; /* number of strikers at which p50 equals the deadline */
    double solves_per_s; /* solves per second of sound */
} sb_bench_contacts_load;

typedef struct sb_bench_contacts_result {
    int strikers, body_modes;
    const char *isa;
    sb_bench_contacts_load pressing, striking;
} sb_bench_contacts_result;

/* Run the bench. NO_MEMORY, or BAD_ARGUMENT if a bank refuses its modes. */
SB_NODISCARD sb_status sb_bench_contacts(sb_bench_contacts_result *out,
                                         sb_error *err);

#endif
