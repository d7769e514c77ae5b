#include "runtime/model/eigen/eigen.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/blas.h"

#include <lapacke.h>

#include <string.h>

/* A x = l B x with B = L L' becomes (L^-1 A L^-T) y = l y, x = L^-T y. */
static sb_status reduce(int n, double *a, double *b, sb_error *err) {
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, b, n) != 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "eigenproblem of size %d: the right-hand matrix is not "
                       "positive definite",
                       n);
    }
    sb_status status = sb_stop_check(err);
    if (status) return status;
    (void)LAPACKE_dsygst_work(LAPACK_COL_MAJOR, 1, 'L', n, a, n, b, n);
    return sb_stop_check(err);
}

/* Divide and conquer for all eigenpairs: for the third or more of them that
 * we want it is faster than bisection, and its vectors are orthogonal. */
static sb_status solve_all(int n, double *a, double *values, sb_error *err) {
    double work_size = 0;
    lapack_int iwork_size = 0;
    (void)LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values,
                              &work_size, -1, &iwork_size, -1);
    lapack_int work_count = (lapack_int)work_size;
    double *work = sb_alloc((size_t)work_count, sizeof *work);
    lapack_int *iwork = sb_alloc((size_t)iwork_size, sizeof *iwork);
    sb_status status = SB_OK;
    if (!work || !iwork) {
        status = sb_fail(err, SB_NO_MEMORY,
                         "eigenproblem of size %d: out of memory", n);
    } else if (LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values,
                                   work, work_count, iwork, iwork_size) != 0) {
        status = sb_fail(err, SB_NO_CONVERGENCE,
                         "eigenproblem of size %d: no convergence", n);
    }
    sb_free(work);
    sb_free(iwork);
    return status;
}

sb_status sb_eigen_symmetric(int n, double *a, double *b, sb_eigen_range range,
                             double *values, double *vectors, sb_error *err) {
    sb_blas_set_threads(1);
    double *all = sb_alloc((size_t)n, sizeof *all);
    if (!all) {
        return sb_fail(err, SB_NO_MEMORY,
                       "eigenproblem of size %d: out of memory", n);
    }
    sb_status status = sb_stop_check(err);
    if (!status && b) status = reduce(n, a, b, err);
    if (!status) status = solve_all(n, a, all, err);
    if (!status) {
        size_t wide = (size_t)n;
        memcpy(values, all + range.first, (size_t)range.count * sizeof *values);
        memcpy(vectors, a + (size_t)range.first * wide,
               (size_t)range.count * wide * sizeof *vectors);
        if (b && range.count > 0) {
            (void)LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', n,
                                      range.count, b, n, vectors, n);
        }
    }
    sb_free(all);
    return status;
}
