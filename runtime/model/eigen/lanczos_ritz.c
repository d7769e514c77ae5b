/* SPDX-License-Identifier: MIT */
/* Eigenpairs of the banded matrix T. Runs on the thread that solves, control or
 * a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen.h"
#include "runtime/model/eigen/lanczos.h"

#include <math.h>
#include <string.h>

/* T, both halves. */
static void assemble(const sb_lanczos *lanczos, double *t) {
    int size = lanczos->size, wide = sb_lanczos_size(lanczos);
    for (int j = 0; j < lanczos->steps; j++) {
        const double *a = lanczos->a + (size_t)(j * size * size);
        const double *b = lanczos->b + (size_t)(j * size * size);
        for (int i = 0; i < size; i++) {
            size_t column_i = (size_t)(j * size + i) * (size_t)wide;
            for (int k = 0; k < size; k++) {
                t[column_i + (size_t)(j * size + k)] = a[i * size + k];
                if (j + 1 == lanczos->steps) continue;
                size_t below = (size_t)((j + 1) * size + k);
                t[column_i + below] = b[i * size + k];
                t[below * (size_t)wide + (size_t)(j * size + i)] =
                    b[i * size + k];
            }
        }
    }
}

static double error_of(const sb_lanczos *lanczos, const double *vector) {
    int size = lanczos->size;
    const double *b = lanczos->b + (size_t)((lanczos->steps - 1) * size * size);
    const double *last = vector + (sb_lanczos_size(lanczos) - size);
    double sum = 0;
    for (int i = 0; i < size; i++) {
        double entry = 0;
        for (int k = i; k < size; k++) {
            entry += b[k * size + i] * last[k];
        }
        sum += entry * entry;
    }
    return sqrt(sum);
}

sb_status sb_lanczos_ritz(const sb_lanczos *lanczos, int count,
                          sb_lanczos_pairs *out, sb_error *err) {
    int size = sb_lanczos_size(lanczos);
    if (count > size) count = size;
    size_t wide = (size_t)size;
    sb_lanczos_pairs ritz = {size, count,
                             sb_alloc((size_t)count, sizeof(double)),
                             sb_alloc((size_t)count, sizeof(double)),
                             sb_alloc((size_t)count * wide, sizeof(double))};
    double *t = sb_alloc(wide * wide, sizeof *t);
    sb_status status =
        t && ritz.values && ritz.errors && ritz.vectors
            ? SB_OK
            : sb_no_memory(err, "eigenproblem of size %d", lanczos->pencil->n);
    if (!status) {
        assemble(lanczos, t);
        status = sb_eigen_symmetric(size, t, NULL,
                                    (sb_eigen_range){size - count, count},
                                    ritz.values, ritz.vectors, err);
    }
    sb_free(t);
    if (status) {
        sb_lanczos_pairs_free(&ritz);
        return status;
    }
    sb_eigen_reverse(ritz.values, ritz.vectors, count, wide);
    for (int i = 0; i < count; i++) {
        ritz.errors[i] = error_of(lanczos, ritz.vectors + (size_t)i * wide);
    }
    *out = ritz;
    return SB_OK;
}

void sb_lanczos_pairs_free(sb_lanczos_pairs *ritz) {
    sb_free_all(ritz->values, ritz->errors, ritz->vectors);
    *ritz = (sb_lanczos_pairs){0};
}

/* --- one pair alone, since T is a band ------------------------------------ */

/* T - shift = L D L' in place of the lower band, `wide` + 1 numbers a column;
 * returns the number of eigenvalues below the shift. */
static int factor_band(double *band, int size, int wide, double least) {
    int below = 0;
    for (int j = 0; j < size; j++) {
        double *own = band + (size_t)j * (size_t)(wide + 1);
        int reach = size - 1 - j < wide ? size - 1 - j : wide;
        if (fabs(own[0]) < least) own[0] = least;
        below += own[0] < 0;
        for (int i = 1; i <= reach; i++) {
            double *other = own + (size_t)i * (size_t)(wide + 1);
            double factor = own[i] / own[0];
            for (int k = i; k <= reach; k++) {
                other[k - i] -= factor * own[k];
            }
        }
        for (int i = 1; i <= reach; i++) {
            own[i] /= own[0];
        }
    }
    return below;
}

static void solve_band(const double *band, int size, int wide, double *x) {
    for (int j = 0; j < size; j++) {
        const double *own = band + (size_t)j * (size_t)(wide + 1);
        for (int i = 1; i <= wide && j + i < size; i++) {
            x[j + i] -= own[i] * x[j];
        }
    }
    for (int j = size - 1; j >= 0; j--) {
        const double *own = band + (size_t)j * (size_t)(wide + 1);
        x[j] /= own[0];
        for (int i = 1; i <= wide && j + i < size; i++) {
            x[j] -= own[i] * x[j + i];
        }
    }
}

static void load_band(const sb_lanczos *lanczos, double shift, double *band) {
    int size = lanczos->size;
    memset(band, 0,
           (size_t)sb_lanczos_size(lanczos) * (size_t)(size + 1) *
               sizeof *band);
    for (int j = 0; j < lanczos->steps; j++) {
        const double *a = lanczos->a + (size_t)(j * size * size);
        const double *b = lanczos->b + (size_t)(j * size * size);
        for (int i = 0; i < size; i++) {
            double *own = band + (size_t)((j * size + i) * (size + 1));
            for (int k = i; k < size; k++) {
                own[k - i] = a[i * size + k];
            }
            own[0] -= shift;
            for (int k = 0; k <= i && j + 1 < lanczos->steps; k++) {
                own[size + k - i] = b[i * size + k];
            }
        }
    }
}

/* The `rank`-th highest eigenvalue of T, by bisection of its logarithm. */
static double bisect(const sb_lanczos *lanczos, int rank, double *band) {
    double low = 1e-14 * lanczos->largest, high = 2 * lanczos->largest;
    int size = sb_lanczos_size(lanczos);
    for (int i = 0; i < 46; i++) {
        double middle = sqrt(low * high);
        load_band(lanczos, middle, band);
        int below = factor_band(band, size, lanczos->size, 1e-18 * low);
        if (size - below >= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Inverse iteration, a little beside the eigenvalue. */
static void find_vector(const sb_lanczos *lanczos, double value, double *band,
                        double *x) {
    int size = sb_lanczos_size(lanczos);
    load_band(lanczos, value * (1 + 1e-10), band);
    (void)factor_band(band, size, lanczos->size, 1e-18 * value);
    for (int i = 0; i < size; i++) {
        x[i] = 1 + 0.5 * sin(i);
    }
    for (int pass = 0; pass < 3; pass++) {
        double sum = 0;
        solve_band(band, size, lanczos->size, x);
        for (int i = 0; i < size; i++) {
            sum += x[i] * x[i];
        }
        for (int i = 0; i < size; i++) {
            x[i] /= sqrt(sum);
        }
    }
}

sb_status sb_lanczos_error(const sb_lanczos *lanczos, int rank, double *out,
                           sb_error *err) {
    int size = sb_lanczos_size(lanczos);
    if (rank > size) {
        *out = 1;
        return SB_OK;
    }
    double *band =
        sb_alloc((size_t)size * (size_t)(lanczos->size + 1), sizeof *band);
    double *x = sb_alloc((size_t)size, sizeof *x);
    sb_status status = band && x ? SB_OK
                                 : sb_no_memory(err, "eigenproblem of size %d",
                                                lanczos->pencil->n);
    if (!status) {
        double value = bisect(lanczos, rank, band);
        find_vector(lanczos, value, band, x);
        *out = error_of(lanczos, x) / value;
    }
    sb_free(band);
    sb_free(x);
    return status;
}
