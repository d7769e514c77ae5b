/* bindings/cli/bench/bench_world_run.h -- `sandbell bench world`.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_WORLD_RUN_H
#define SB_BINDINGS_CLI_BENCH_BENCH_WORLD_RUN_H

#include <stdbool.h>

typedef struct bench_world_options {
    int rings;
    bool is_quick, is_json;
    const char *plot; /* a PNG to write, or NULL */
} bench_world_options;

/* Run the bench; returns the program's exit code. */
int bench_world_run(const bench_world_options *options);

#endif
