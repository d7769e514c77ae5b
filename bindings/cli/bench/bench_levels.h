/* bindings/cli/bench/bench_levels.h -- `sandbell bench levels`: how loud things
 * are when struck with all defaults.
 *
 * Every shape that rings, of six materials and four sizes, alone in a scene:
 * body:strike { speed = 1 }, the default place, striker, listener and gain. The
 * table has the peaks in dBFS.
 *
 * Thread: control. Memory: none is kept.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_LEVELS_H
#define SB_BINDINGS_CLI_BENCH_BENCH_LEVELS_H

#include <stdbool.h>

/* Measure and print; the exit code. */
int bench_levels_run(bool is_json);

#endif
