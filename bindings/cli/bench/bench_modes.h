/* bindings/cli/bench/bench_modes.h -- measurements of `sandbell bench modes`.
 *
 * Thread: control. Memory: none is kept.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_MODES_H
#define SB_BINDINGS_CLI_BENCH_BENCH_MODES_H

#include <stdbool.h>

/* Returns the program's exit code. */
int bench_modes(bool is_quick, bool is_json);

#endif
