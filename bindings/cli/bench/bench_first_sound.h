/* bindings/cli/bench/bench_first_sound.h -- `sandbell bench first_sound`: how
 * long each scene of the gallery takes from its start to its first sample.
 *
 * Each scene is rendered for 20 ms by a process of its own with an empty cache,
 * so that every body is solved. The table has seconds by the clock, seconds of
 * processor time, and the unknowns of the largest solve that was announced.
 *
 * Thread: control. Memory: none is kept; caches are in a temporary folder.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_FIRST_SOUND_H
#define SB_BINDINGS_CLI_BENCH_BENCH_FIRST_SOUND_H

#include <stdbool.h>

/* Measure and print; the exit code. */
int bench_first_sound_run(bool is_json);

#endif
