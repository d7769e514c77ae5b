/* SPDX-License-Identifier: MIT */
/* The whole of a dense eigenproblem by LAPACK, in pieces of some hundredths of
 * a second, so that work that is no longer wanted ends between them. */
#include "runtime/model/eigen/eigen.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/blas.h"

#include <lapacke.h>

#include <stddef.h>

/* LAPACK's, of one panel of dsytrd; lapacke.h does not declare it. */
void dlatrd_(const char *half, const lapack_int *n, const lapack_int *width,
             double *a, const lapack_int *a_wide, double *e, double *tau,
             double *w, const lapack_int *w_wide, size_t half_size);

void sb_eigen_reverse(double *values, double *vectors, int count, size_t size) {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        double *a = vectors + (size_t)i * size, *b = vectors + (size_t)j * size;
        double value = values[i];
        values[i] = values[j];
        values[j] = value;
        for (size_t k = 0; k < size; k++) {
            double entry = a[k];
            a[k] = b[k];
            b[k] = entry;
        }
    }
}

static int between(double value, int least, int most) {
    if (value > most) return most;
    return value < least ? least : (int)value;
}

/* Columns whose product with a matrix of size n takes some hundredths. */
static int columns_for(int n) {
    return between(4e8 / n / n, 32, 256);
}

static double *at(double *a, int n, int row, int column) {
    return a + (size_t)column * (size_t)n + row;
}

/* B = L L'. */
static sb_status factor(int n, double *b, sb_error *err) {
    int width = columns_for(n);
    sb_status status = SB_OK;
    for (int j = 0; !status && j < n; j += width) {
        int own = n - j < width ? n - j : width, below = n - j - own;
        if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', own, at(b, n, j, j),
                                n) != 0) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "eigenproblem of size %d: the right-hand matrix is "
                           "not positive definite",
                           n);
        }
        sb_blas_shape shape = {below, own, own};
        sb_blas_solve_right(shape, at(b, n, j, j), n, at(b, n, j + own, j), n);
        sb_blas_take_square(shape, at(b, n, j + own, j), n,
                            at(b, n, j + own, j + own), n);
        status = sb_stop_check(err);
    }
    return status;
}

/* A x = l B x with B = L L' becomes (L^-1 A L^-T) y = l y, x = L^-T y. */
static sb_status reduce(int n, double *a, double *b, sb_error *err) {
    int width = columns_for(n);
    sb_status status = factor(n, b, err);
    for (int j = 0; !status && j < n; j += width) {
        sb_blas_shape shape = {n, n - j < width ? n - j : width, 0};
        sb_blas_solve_left(shape, false, b, n, at(a, n, 0, j), n);
        status = sb_stop_check(err);
    }
    for (int i = 0; !status && i < n; i += width) {
        sb_blas_shape shape = {n - i < width ? n - i : width, n, 0};
        sb_blas_solve_right(shape, b, n, at(a, n, i, 0), n);
        status = sb_stop_check(err);
    }
    return status;
}

typedef struct tridiagonal {
    double *diagonal, *beside; /* n each */
    double *tau;               /* of the reflections, in the lower half of A */
    double *z;                 /* n * n: workspace */
} tridiagonal;

/* As dsytrd, with panels that are narrow when n is large. */
static sb_status to_tridiagonal(int n, double *a, tridiagonal *t,
                                sb_error *err) {
    enum { LAST = 32 }; /* columns that are done one by one */
    lapack_int wide = n, width = between(1.2e8 / n / n, 4, 32);
    double *w = t->z;
    int j = 0;
    sb_status status = SB_OK;
    for (; !status && j < n - LAST - width; j += width) {
        lapack_int left = n - j, rest = left - width;
        dlatrd_("L", &left, &width, at(a, n, j, j), &wide, t->beside + j,
                t->tau + j, w, &wide, 1);
        sb_blas_take_both((sb_blas_shape){rest, rest, width},
                          at(a, n, j + width, j), n, w + width, n,
                          at(a, n, j + width, j + width), n);
        for (int i = j; i < j + width; i++) {
            *at(a, n, i + 1, i) = t->beside[i];
            t->diagonal[i] = *at(a, n, i, i);
        }
        status = sb_stop_check(err);
    }
    if (status) return status;
    (void)LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'L', n - j, at(a, n, j, j), n,
                              t->diagonal + j, t->beside + j, t->tau + j, w, n);
    return sb_stop_check(err);
}

/* Vectors of the tridiagonal matrix to those of A, then to those of A and B. */
static sb_status turn_back(int n, double *a, double *b, const double *tau,
                           int count, double *vectors, sb_error *err) {
    enum { WORK = (256 + 65) * 64 }; /* as dormtr wants for most columns */
    int width = columns_for(n);
    double *work = sb_alloc(WORK, sizeof *work);
    sb_status status =
        work ? SB_OK : sb_no_memory(err, "eigenproblem of size %d", n);
    for (int j = 0; !status && j < count; j += width) {
        int own = count - j < width ? count - j : width;
        double *to = at(vectors, n, 0, j);
        (void)LAPACKE_dormtr_work(LAPACK_COL_MAJOR, 'L', 'L', 'N', n, own, a, n,
                                  tau, to, n, work, WORK);
        if (b)
            sb_blas_solve_left((sb_blas_shape){n, own, 0}, true, b, n, to, n);
        status = sb_stop_check(err);
    }
    sb_free(work);
    return status;
}

sb_status sb_eigen_symmetric(int n, double *a, double *b, sb_eigen_range range,
                             double *values, double *vectors, sb_error *err) {
    size_t wide = (size_t)n;
    tridiagonal t = {
        sb_alloc(wide, sizeof(double)), sb_alloc(wide, sizeof(double)),
        sb_alloc(wide, sizeof(double)), sb_alloc(wide * wide, sizeof(double))};
    sb_status status = sb_stop_check(err);
    if (!t.diagonal || !t.beside || !t.tau || !t.z) {
        status = sb_no_memory(err, "eigenproblem of size %d", n);
    }
    if (!status) status = sb_blas_enter(err);
    bool has_entered = !status;
    if (!status && b) status = reduce(n, a, b, err);
    if (!status) status = to_tridiagonal(n, a, &t, err);
    /* For the third or more of the pairs that we want, divide and conquer is
     * faster than bisection, and its vectors are orthogonal. */
    if (!status) {
        status = sb_eigen_tridiagonal(n, t.diagonal, t.beside, t.z, range,
                                      values, vectors, err);
    }
    if (!status) status = turn_back(n, a, b, t.tau, range.count, vectors, err);
    if (has_entered) sb_blas_leave();
    sb_free_all(t.diagonal, t.beside, t.tau, t.z);
    return status;
}
