/* runtime/bench/bench_modes.h -- how long it takes from a mesh to its modes,
 * and from a solved one to a model.
 *
 * A body of bench_meshes.h goes through all stages: its triangles are cleaned,
 * meshed, assembled, solved for a number of modes, finished (radiation,
 * merging) and made into a model. Runs below three seconds are repeated, and
 * the best of three is reported.
 *
 * Thread: control. Memory: freed before the call returns.
 */
#ifndef SB_BENCH_BENCH_MODES_H
#define SB_BENCH_BENCH_MODES_H

#include "runtime/base/status.h"
#include "runtime/bench/bench_meshes.h"
#include "runtime/model/fem/method.h"

#include <stddef.h>

typedef struct sb_bench_body_def {
    sb_bench_form form;
    int vertices;
    int modes;
    double thickness_m; /* of a shell; 0: solid */
} sb_bench_body_def;

typedef struct sb_bench_body_result {
    int vertices; /* actual number */
    int nodes, unknowns, modes;
    double clean_s;    /* soup to mesh */
    double fill_s;     /* mesh to elements */
    double assembly_s; /* elements to matrices */
    double modes_s;    /* order, factor, Lanczos */
    double finish_s;   /* radiation, merging, places on the surface */
    double total_s;
    double cpu_s; /* of all threads */
    size_t peak_bytes;
} sb_bench_body_result;

SB_NODISCARD sb_status sb_bench_body(const sb_bench_body_def *def,
                                     sb_bench_body_result *out, sb_error *err);

/* The exponent p of total_s ~ vertices^p. */
double sb_bench_growth(const sb_bench_body_result *small,
                       const sb_bench_body_result *large);

typedef struct sb_bench_cached_result {
    int vertices, modes;
    size_t file_bytes;
    double solve_s; /* the first time */
    double read_s;  /* sb_model_file_read */
    double make_s;  /* sb_maker_make: key, file, model */
} sb_bench_cached_result;

/* Time the cache with a body made as in a scene: all modes up to 22 kHz, or
 * `modes` of them. Uses a temporary folder and removes it. */
SB_NODISCARD sb_status sb_bench_cached(const sb_bench_body_def *def,
                                       sb_bench_cached_result *out,
                                       sb_error *err);

#endif
