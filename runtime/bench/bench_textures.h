/* runtime/bench/bench_textures.h -- what looking up textures costs.
 *
 * Contacts that roll over bodies with textures of 512 modes, each at its own
 * pace and place: the weights of all of them are looked up anew in every block
 * of 128 frames at 48 kHz. The textures together are larger than the caches.
 *
 * Thread: control; it takes a few seconds and holds on to one core.
 */
#ifndef SB_BENCH_BENCH_TEXTURES_H
#define SB_BENCH_BENCH_TEXTURES_H

#include "runtime/base/status.h"

typedef struct sb_bench_textures_result {
    int contacts, body_modes, bodies;
    int width, height;
    double megabytes;      /* of all textures */
    double bytes_a_texel;  /* per texel and mode */
    double p50, p99, best; /* of a block, as shares of its deadline */
    double lookup_ns;      /* one position, all modes, p50 */
} sb_bench_textures_result;

/* NO_MEMORY. */
SB_NODISCARD sb_status sb_bench_textures(sb_bench_textures_result *out,
                                         sb_error *err);

#endif
