/* SPDX-License-Identifier: MIT */
/* tests/bench/solve/mesh_to_model.h -- how long it takes from a mesh to its modes,
 * and from a solved one to a model.
 *
 * A body of bench_meshes.h goes through all stages: its triangles are cleaned,
 * meshed, assembled, solved for a number of modes, finished (radiation,
 * merging) and made into a model. Runs below three seconds are repeated, and
 * the best of three is reported.
 *
 * Thread: control. Memory: freed before the call returns.
 */
#pragma once

#include "runtime/model/mesh_source.h"
#include "runtime/model/method.h"
#include "tests/bench/solve/bench_meshes.h"

#include <stddef.h>

typedef struct bench_body_def {
    bench_form form;
    int vertices;
    int modes;
    double thickness_m; /* of a shell; 0: solid */
} bench_body_def;

typedef struct bench_body_result {
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
} bench_body_result;

/* The mesh of a body, cleaned; *seconds is the time of that. */
SB_NODISCARD sb_status bench_mesh_source(const bench_body_def *def,
                                         sb_mesh_source **source,
                                         double *seconds, sb_error *err);

SB_NODISCARD sb_status bench_body(const bench_body_def *def,
                                  bench_body_result *out, sb_error *err);

/* The exponent p of total_s ~ vertices^p. */
double bench_growth(const bench_body_result *small,
                    const bench_body_result *large);

typedef struct bench_cached_result {
    int vertices, modes;
    size_t file_bytes;
    double solve_s; /* the first time */
    double read_s;  /* sb_model_file_read */
    double make_s;  /* sb_maker_make: key, file, model */
} bench_cached_result;

/* Time the cache with a body made as in a scene: all modes up to 22 kHz, or
 * `modes` of them. Uses a temporary folder and removes it. */
SB_NODISCARD sb_status bench_cached(const bench_body_def *def,
                                    bench_cached_result *out, sb_error *err);
