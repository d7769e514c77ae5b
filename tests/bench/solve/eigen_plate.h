/* SPDX-License-Identifier: MIT */
/* tests/bench/solve/eigen_plate.h -- how fast and how accurately modes are found.
 *
 * The problem: a free square plate, a grid of vertices joined by elastic beams
 * along the edges and one diagonal of its cells. A vertex has 6 unknowns; its 3
 * rotations have no mass. The matrices are as large, as full and as badly
 * scaled as those of a shell, and need no mesh.
 *
 * LAPACK (small sizes only) and our own solver get the same matrices in the
 * same run, on all cores. tests/bench compares with ARPACK.
 *
 * Thread: control. Memory: freed before the call returns.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/eigen/eigen_sparse.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_eigen_def {
    int side;  /* vertices along an edge of the plate */
    int modes; /* to find, rigid ones included */
    bool with_dense;
    int threads; /* 0: one per core */
} bench_eigen_def;

/* Cost of one solver; all 0 if it did not run. */
typedef struct bench_eigen_cost {
    double wall_s;
    double cpu_s;          /* of all threads */
    size_t peak_bytes;     /* 0: unknown */
    double worst_residual; /* |K x - l M x| / |K x| */
} bench_eigen_cost;

typedef struct bench_eigen_result {
    int unknowns;
    int modes;
    bench_eigen_cost ours, dense; /* the second: LAPACK */
    double disagreement; /* largest relative difference of eigenvalues */
    size_t factor_bytes;
} bench_eigen_result;

SB_NODISCARD sb_status bench_eigen(const bench_eigen_def *def,
                                   bench_eigen_result *out, sb_error *err);

/* --- for benches of other solvers ----------------------------------------- */

/* K and M of the plate; the caller frees them. */
SB_NODISCARD sb_status bench_eigen_plate(int side, sb_sparse *k, sb_sparse *m,
                                         sb_error *err);

/* A solver with the signature of sb_eigen_sparse. */
typedef sb_status (*sb_eigen_solver)(const sb_eigen_def *def,
                                     sb_eigen_result *out, sb_error *err);

/* Runs a solver; the caller frees the result. */
SB_NODISCARD sb_status bench_eigen_time(sb_eigen_solver solver,
                                        const sb_eigen_def *def,
                                        bench_eigen_cost *out,
                                        sb_eigen_result *result, sb_error *err);
/* The largest relative difference of eigenvalues; 1 when counts differ. */
double bench_eigen_disagreement(const sb_eigen_result *a,
                                const sb_eigen_result *b);
