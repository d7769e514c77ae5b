/* SPDX-License-Identifier: MIT */
/* Times ARPACK and our own eigensolver on the same matrices and prints a table:
 * the custom target bench_arpack. Sides of the plate may be given as arguments.
 * Runs on the main thread. */
#include "tests/bench/solve/arpack.h"

#include "runtime/model/linear/sparse.h"
#include "tests/bench/measure.h"
#include "tests/bench/solve/eigen_plate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODES = 500 };

static double megabytes(size_t bytes) {
    return (double)bytes * 1e-6;
}

static sb_status compare(const sb_eigen_def *def, sb_error *err) {
    bench_eigen_cost ours, theirs;
    sb_eigen_result a = {0}, b = {0};
    sb_status status = bench_eigen_time(sb_eigen_sparse, def, &ours, &a, err);
    if (!status) {
        status = bench_eigen_time(arpack_solve, def, &theirs, &b, err);
    }
    if (!status) {
        (void)printf("  %8d %8.2f %8.2f %7.1f %7.1f %9.1e %9.1e %9.1e %7.0f "
                     "%7.0f\n",
                     def->k->n, theirs.wall_s, ours.wall_s,
                     theirs.wall_s / ours.wall_s, theirs.cpu_s / ours.cpu_s,
                     theirs.worst_residual, ours.worst_residual,
                     bench_eigen_disagreement(&a, &b),
                     megabytes(theirs.peak_bytes), megabytes(ours.peak_bytes));
        (void)fflush(stdout);
    }
    sb_eigen_result_free(&a);
    sb_eigen_result_free(&b);
    return status;
}

static sb_status run(int side, sb_error *err) {
    sb_sparse k = {0}, m = {0};
    sb_status status = bench_eigen_plate(side, &k, &m, err);
    if (!status) {
        sb_eigen_def def = {.k = &k,
                            .m = &m,
                            .max_value = INFINITY,
                            .max_count = MODES,
                            .method = SB_EIGEN_LANCZOS};
        status = compare(&def, err);
    }
    sb_sparse_free(&k);
    sb_sparse_free(&m);
    return status;
}

int main(int argc, char **argv) {
    choose_blas(argv);
    static const int sides[] = {22, 50, 71};
    int count = argc > 1 ? argc - 1 : 3;
    sb_error err = {0};
    (void)printf("%d modes of a plate of beams, the same matrices and factor "
                 "for both; seconds,\nratios (ARPACK / ours) by the clock and "
                 "by processor time, residuals, MB\n\n"
                 "  %8s %8s %8s %7s %7s %9s %9s %9s %7s %7s\n",
                 MODES, "unknowns", "ARPACK", "ours", "ratio", "cpu", "ARPACK",
                 "ours", "differ", "ARPACK", "ours");
    for (int i = 0; i < count; i++) {
        int side = argc > 1 ? atoi(argv[i + 1]) : sides[i];
        if (run(side, &err)) {
            (void)fprintf(stderr, "bench_arpack: %s\n", err.message);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
