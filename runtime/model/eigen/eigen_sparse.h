/* SPDX-License-Identifier: MIT */
/* runtime/model/eigen/eigen_sparse.h -- the lowest eigenpairs of a large
 * vibration problem.
 *
 *     K x = l M x,   K and M symmetric, K >= 0, M >= 0 and perhaps singular
 *
 * Finds all eigenvalues up to a bound, or a number of the lowest. The number
 * found is checked against the inertia of K - s M at the bound, or just below
 * the highest one found. LAPACK solves small problems; block shift-invert
 * Lanczos (lanczos.h) on a sparse factor (cholesky.h) solves large ones and
 * searches again, orthogonally to the vectors found, when some are missing. The
 * same problem gives the same bits on one machine, whatever the number of
 * threads.
 *
 * Thread: control, workers. Memory: sb_eigen_result_free frees the arrays.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/stop.h"

typedef struct sb_sparse sb_sparse;

typedef enum sb_eigen_method {
    SB_EIGEN_AUTO,   /* by size */
    SB_EIGEN_DENSE,  /* LAPACK */
    SB_EIGEN_LANCZOS /* ours */
} sb_eigen_method;

typedef struct sb_eigen_def {
    const sb_sparse *k;
    const sb_sparse *m;
    double max_value; /* up to this eigenvalue; INFINITY: no bound */
    int max_count;    /* at most this many, the lowest */
    /* An estimate of the lowest nonzero eigenvalue's size, or 0: scales the
     * shift that makes K - s M definite. */
    double scale;
    sb_eigen_method method;
    int threads;          /* 0: one per core; results do not depend on it */
    int guess;            /* how many eigenvalues it may have; 0: unknown */
    double memory_bytes;  /* not more than this; 0: no limit */
    double held_bytes;    /* of the matrices' owner, for the estimate */
    sb_progress progress; /* or NULL */
    void *context;
} sb_eigen_def;

typedef struct sb_eigen_result {
    int n;
    int count;
    double *values;    /* ascending; rigid motions are near 0 of either sign */
    double *vectors;   /* [count][n], x' M x = 1; the entry of largest absolute
                      * value (the first such) is positive */
    int inertia_count; /* eigenvalues below the bound by inertia; -1: not
                        * counted, since max_count ended the search */
} sb_eigen_result;

/* What a problem takes, from the analysis of its matrices: memory at the worst
 * moment, and time on one core of a common machine. */
typedef struct sb_eigen_cost {
    int unknowns;
    double bytes, seconds;
} sb_eigen_cost;

/* For `count` eigenvalues. Lanczos only: a dense problem is small. */
SB_NODISCARD sb_status sb_eigen_estimate(const sb_eigen_def *def, int count,
                                         sb_eigen_cost *out, sb_error *err);

/* NO_MEMORY when it would take more than memory_bytes: "... needs 13.2 GB, more
 * than the 2 GB allowed". `progress` gets the stage "size" with the unknowns
 * and the megabytes, then "time" with the milliseconds. */
SB_NODISCARD sb_status sb_eigen_sparse(const sb_eigen_def *def,
                                       sb_eigen_result *out, sb_error *err);
void sb_eigen_result_free(sb_eigen_result *result);
