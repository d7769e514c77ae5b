/* bindings/cli/bench/bench_live.h -- cost of a reload of a ringing scene.
 *
 * Thread: control; creates a temporary folder and removes it.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_LIVE_H
#define SB_BINDINGS_CLI_BENCH_BENCH_LIVE_H

#include "bindings/cli/bench/bench_click.h"
#include "runtime/base/status.h"

/* Resources of the process at one moment. */
typedef struct bench_live_usage {
    long resident_kb;
    int descriptors;
    int threads;
    long lua_bytes;
    long live_blocks;
} bench_live_usage;

typedef struct bench_live_result {
    int bodies, modes;
    /* From the end of the save to the audio thread's first changed block, in
     * real time on the silent clock; the device's own latency comes on top. */
    double save_to_sound_ms, save_to_sound_worst_ms;
    long long live_missed; /* deadlines missed meanwhile */
    bench_click_result click;
    /* Reloads at 10 per second of scene time. */
    int reloads;
    double reload_ms; /* load, compare and commit, on average */
    long long blocks, blocks_late;
    double worst_block;   /* longest block, as a share of its deadline */
    double worst_work;    /* the same in processor time */
    long long empty_late; /* late runs of an equally long empty loop */
    double worst_empty;
    bench_live_usage early, late; /* after a tenth of the reloads, after all */
} bench_live_result;

SB_NODISCARD sb_status bench_live(int reloads, bench_live_result *out,
                                  sb_error *err);

#endif
