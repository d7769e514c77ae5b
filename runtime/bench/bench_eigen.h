/* runtime/bench/bench_eigen.h -- how fast modes are found, and how well.
 *
 * The problem: a free square plate, a grid of vertices joined by elastic beams
 * along and across its cells, 6 unknowns a vertex of which the 3 rotations
 * have no mass. Its matrices are as large, as full and as badly scaled as
 * those of a shell; making them needs nothing else.
 *
 * LAPACK (small sizes only), ARPACK and our own solver get the same matrices
 * in the same run, all on the threads there are.
 *
 * Thread: control; ARPACK's static state allows one at a time.
 * Memory: given back at the end.
 */
#ifndef SB_BENCH_BENCH_EIGEN_H
#define SB_BENCH_BENCH_EIGEN_H

#include "runtime/base/status.h"
#include "runtime/model/eigen/eigen_sparse.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_bench_eigen_def {
    int side;  /* vertices along an edge of the plate */
    int modes; /* to find, the rigid ones included */
    bool with_dense;
    bool with_arpack;
    int threads; /* 0: one a core */
} sb_bench_eigen_def;

typedef struct sb_bench_eigen_result {
    int unknowns;
    int modes;
    double dense_s, arpack_s, ours_s; /* by the wall clock; 0: not asked */
    /* Of all threads together: what a busy machine does not disturb. */
    double dense_cpu_s, arpack_cpu_s, ours_cpu_s;
    double ratio;          /* ARPACK's time over ours by the wall clock, or 0 */
    double cpu_ratio;      /* and by work */
    double worst_residual; /* ours: |K x - l M x| / |K x| */
    double arpack_residual; /* ARPACK's, or 0 */
    double disagreement;    /* largest relative difference of values */
    size_t factor_bytes;
    size_t ours_bytes, arpack_bytes; /* at the peak; 0: not known */
} sb_bench_eigen_result;

/* K and M of the plate, to be freed by the caller. */
SB_NODISCARD sb_status sb_bench_eigen_plate(int side, sb_sparse *k,
                                            sb_sparse *m, sb_error *err);
SB_NODISCARD sb_status sb_bench_eigen(const sb_bench_eigen_def *def,
                                      sb_bench_eigen_result *out,
                                      sb_error *err);

#endif
