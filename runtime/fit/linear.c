/* SPDX-License-Identifier: MIT */
#include "runtime/fit/linear.h"

#include "runtime/base/memory.h"

#include <lapacke.h>

/* Of a hermitian matrix, into `real`, or of a general one, into `values`. */
static sb_status solve(int n, double complex *a, double *real,
                       double complex *values, sb_error *err) {
    sb_status status = SB_OK;
    lapack_int work_count = 34 * n; /* for blocks of 32 columns */
    double complex *work = sb_alloc((size_t)work_count, sizeof *work);
    double *rwork = sb_alloc((size_t)(3 * n), sizeof *rwork);
    if (!work || !rwork) {
        status = sb_no_memory(err, "eigenproblem of size %d", n);
    } else if ((real ? LAPACKE_zheev_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n,
                                          real, work, work_count, rwork)
                     : LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, a, n,
                                          values, NULL, 1, NULL, 1, work,
                                          work_count, rwork)) != 0) {
        status = sb_fail(err, SB_NO_CONVERGENCE,
                         "eigenproblem of size %d: no convergence", n);
    }
    sb_free(work);
    sb_free(rwork);
    return status;
}

sb_status sb_linear_hermitian(int n, double complex *a, double *values,
                              sb_error *err) {
    return solve(n, a, values, NULL, err);
}

sb_status sb_linear_general(int n, double complex *a, double complex *values,
                            sb_error *err) {
    return solve(n, a, NULL, values, err);
}

bool sb_linear_factor(int n, double *a) {
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a, n) == 0;
}

void sb_linear_forward(int n, int wide, const double *factor, double *x) {
    (void)LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, 1, factor,
                              wide, x, n);
}

void sb_linear_backward(int n, int wide, const double *factor, double *x) {
    (void)LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', n, 1, factor,
                              wide, x, n);
}

bool sb_linear_invert(int n, double *factor) {
    if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, factor, n) != 0) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        for (int i = j + 1; i < n; i++)
            factor[(size_t)i * (size_t)n + (size_t)j] =
                factor[(size_t)j * (size_t)n + (size_t)i];
    }
    return true;
}
