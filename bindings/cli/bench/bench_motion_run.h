/* bindings/cli/bench/bench_motion_run.h -- `sandbell bench motion` and `bench
 * deformable`: figures of bench_motion.h and bench_deformable.h beside their
 * bounds.
 *
 * Thread: control. Memory: free with bench_motion_free.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_MOTION_RUN_H
#define SB_BINDINGS_CLI_BENCH_BENCH_MOTION_RUN_H

#include "runtime/bench/motion/bench_motion.h"

#include <cjson/cJSON.h>

/* What a bench measures. */
typedef struct bench_motion_table {
    const char *name;  /* "motion" */
    const char *title; /* over the figures */
    const sb_bench_motion_part *(*parts)(int *count);
} bench_motion_table;

extern const bench_motion_table bench_table_motion, bench_table_deformable;

/* The sheets of all parts, in the order of the table. */
typedef struct bench_motion {
    const bench_motion_table *table;
    sb_bench_motion_sheet *sheets;
} bench_motion;

/* Measures all parts, or only the one called `only` unless it is NULL. */
SB_NODISCARD sb_status bench_motion_measure(const bench_motion_table *table,
                                            bool is_quick, const char *only,
                                            bench_motion *out, sb_error *err);
void bench_motion_free(bench_motion *motion);
void bench_motion_print(const bench_motion *motion);
void bench_motion_put(cJSON *to, const bench_motion *motion);

typedef struct bench_motion_options {
    const bench_motion_table *table;
    bool is_quick, is_json;
    const char *part; /* or NULL: all */
} bench_motion_options;

/* Run the bench; returns the program's exit code. */
int bench_motion_run(const bench_motion_options *options);

#endif
