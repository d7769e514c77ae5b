/* bindings/cli/bench_textures_run.h -- `sandbell bench textures`. */
#ifndef SB_BINDINGS_BENCH_TEXTURES_RUN_H
#define SB_BINDINGS_BENCH_TEXTURES_RUN_H

#include "bindings/cli/cli.h"

/* Measure and print; the exit code. */
int bench_textures_run(bool is_json);

#endif
