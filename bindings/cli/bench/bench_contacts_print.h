/* bindings/cli/bench/bench_contacts_print.h -- `sandbell bench contacts`. */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_CONTACTS_PRINT_H
#define SB_BINDINGS_CLI_BENCH_BENCH_CONTACTS_PRINT_H

#include "bindings/cli/console/cli.h"

/* Measure and print; the exit code. */
int bench_contacts_run(bool is_json);

/* Run the energy campaign with `sets` random impacts; fails if any of them
 * gains energy. */
int bench_energy_run(double sets, bool is_json);

#endif
