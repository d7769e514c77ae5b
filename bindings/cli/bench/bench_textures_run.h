/* bindings/cli/bench/bench_textures_run.h -- `sandbell bench textures`. */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_TEXTURES_RUN_H
#define SB_BINDINGS_CLI_BENCH_BENCH_TEXTURES_RUN_H

#include "bindings/cli/console/cli.h"

/* Measure and print; the exit code. */
int bench_textures_run(bool is_json);

#endif
