/* bindings/cli/console/bench_options.h -- options of `sandbell bench`, for the
 * program, which prints their help, and for sandbell_bench (tests/bench), which
 * measures.
 *
 * Thread: control. Memory: texts belong to the command line.
 */
#ifndef SB_BINDINGS_CLI_CONSOLE_BENCH_OPTIONS_H
#define SB_BINDINGS_CLI_CONSOLE_BENCH_OPTIONS_H

#include "bindings/cli/console/cli.h"

typedef struct bench_options {
    bool is_json, is_quick, is_campaign;
    double sets, reloads, rings;
    const char *plot; /* a PNG to write, or NULL */
    const char *part; /* of a table of figures, or NULL: all */
} bench_options;

/* The name of the bench is *what, unchanged if there is none. False, with a
 * message: exit with USAGE. */
bool bench_options_read(int argc, char **argv, bench_options *out,
                        const char **what);

#endif
