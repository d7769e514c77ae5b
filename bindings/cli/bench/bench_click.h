/* bindings/cli/bench/bench_click.h -- does a reload make a sound of its own?
 *
 * Thread: control; works in the folder it is given.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_CLICK_H
#define SB_BINDINGS_CLI_BENCH_BENCH_CLICK_H

#include "runtime/base/status.h"

enum { BENCH_CLICK_PITCHES = 5 };

/* Level more than an octave away from a mode at -6 dBFS during a glide by 10 %
 * in stiffness, and the same for a glide computed sample by sample. */
typedef struct bench_click_glide {
    double hz;
    double dbfs;
    double ideal_dbfs;
} bench_click_glide;

typedef struct bench_click_result {
    double same_residual; /* largest difference after a reload that changes
                              nothing: 0 */
    bench_click_glide glides[BENCH_CLICK_PITCHES];
    int saves; /* valid and invalid saves, alternating, while it rings */
    double saves_residual; /* largest difference they cause: 0 */
} bench_click_result;

SB_NODISCARD sb_status bench_click(const char *folder, bench_click_result *out,
                                   sb_error *err);

#endif
