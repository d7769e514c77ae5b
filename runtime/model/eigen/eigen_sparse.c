/* Checks the problem, chooses a method, and brings its pairs into order, length
 * and sign. Runs on the thread that solves and on its workers. */
#include "runtime/model/eigen/eigen_sparse.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/eigen/eigen_internal.h"
#include "runtime/model/linear/blas.h"
#include "runtime/model/linear/workers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Up to the first size LAPACK is always quick enough; beyond the second its n^3
 * operations and n^2 numbers are too many. */
enum { DENSE_ALWAYS = 200, DENSE_AT_MOST = 6000 };

static sb_status no_memory(int n, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "eigenproblem of size %d: out of memory",
                   n);
}

sb_status sb_eigen_reserve(sb_eigen_result *result, int count, sb_error *err) {
    size_t total = (size_t)result->count + (size_t)count;
    double *values = sb_resize(result->values, total, sizeof *values);
    if (values) result->values = values;
    if (!values || (result->n > 0 && total > SIZE_MAX / (size_t)result->n)) {
        return no_memory(result->n, err);
    }
    double *vectors =
        sb_resize(result->vectors, total * (size_t)result->n, sizeof *vectors);
    if (!vectors) return no_memory(result->n, err);
    result->vectors = vectors;
    return SB_OK;
}

sb_status sb_eigen_tell(const sb_eigen_def *def, const char *stage, int done,
                        int expected, sb_error *err) {
    sb_status status = sb_stop_check(err);
    if (status || !def->progress ||
        def->progress(def->context, stage, done, expected)) {
        return status;
    }
    return sb_fail(err, SB_INTERRUPTED, "eigenproblem of size %d: interrupted",
                   def->k->n);
}

static sb_status check_matrix(const sb_sparse *a, const char *name,
                              sb_error *err) {
    for (int j = 0; j < a->n; j++) {
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            if (isfinite(a->values[p])) continue;
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "eigenproblem of size %d: %s has %g at row %d, "
                           "column %d",
                           a->n, name, a->values[p], a->rows[p], j);
        }
    }
    return SB_OK;
}

static sb_status check(const sb_eigen_def *def, sb_error *err) {
    if (!def->k || !def->m || def->k->n != def->m->n || def->k->n < 1) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "eigenproblem: K and M must be of one size");
    }
    if (def->max_count < 1 || isnan(def->max_value) || def->scale < 0 ||
        !isfinite(def->scale)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "eigenproblem: at most %d eigenvalues up to %g with "
                       "scale %g",
                       def->max_count, def->max_value, def->scale);
    }
    sb_status status = check_matrix(def->k, "K", err);
    return status ? status : check_matrix(def->m, "M", err);
}

static sb_status solve_densely(const sb_eigen_def *def, sb_eigen_result *out,
                               sb_error *err) {
    bool is_known = false;
    double stiffest = sb_eigen_stiffest(def);
    double shift = sb_eigen_shift(def, stiffest, &is_known);
    /* LAPACK finds the whole spectrum: keep digits at its high end, too. */
    if (stiffest > 0) shift = fmin(shift, -1e-7 * stiffest);
    sb_status status = sb_eigen_tell(def, "modes", 0, 0, err);
    if (!status) status = sb_eigen_dense(def, shift, out, err);
    bool is_complete = !isinf(def->max_value) && out->count < def->max_count;
    out->inertia_count = is_complete ? out->count : -1;
    return status;
}

static sb_status solve(const sb_eigen_def *def, sb_eigen_result *out,
                       sb_error *err) {
    int n = def->k->n;
    bool is_small = def->method == SB_EIGEN_AUTO && n <= DENSE_ALWAYS;
    if (def->method == SB_EIGEN_DENSE || is_small) {
        return solve_densely(def, out, err);
    }
    bool is_dense = false;
    sb_status status = sb_eigen_lanczos(def, out, &is_dense, err);
    if (!is_dense || n > DENSE_AT_MOST) return status;
    out->count = 0;
    return solve_densely(def, out, err);
}

/* --- the same order, length and sign, whatever the method ----------------- */

typedef struct finish {
    const sb_eigen_def *def;
    sb_eigen_result *result;
    double *products; /* [2][n] per part */
    double *residuals;
} finish;

enum { FINISH_PARTS = SB_WORKERS_MAX };

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The sign comes last: scaling can make two entries equal. */
static void scale_vector(double *x, const double *mx, int n) {
    int largest = 0;
    double factor = 1 / sqrt(dot(x, mx, n));
    for (int i = 0; i < n; i++) {
        x[i] *= factor;
        if (fabs(x[i]) > fabs(x[largest])) largest = i;
    }
    if (x[largest] > 0) return;
    for (int i = 0; i < n; i++) {
        x[i] = -x[i];
    }
}

static void finish_part(void *context, int part) {
    finish *own = context;
    int n = own->result->n;
    double *kx = own->products + (size_t)(2 * part) * (size_t)n;
    double *mx = kx + n;
    for (int j = part; j < own->result->count && !sb_stop_is_wanted();
         j += FINISH_PARTS) {
        double *x = own->result->vectors + (size_t)j * (size_t)n;
        double error = 0, force = 0;
        sb_sparse_multiply(own->def->m, x, mx);
        scale_vector(x, mx, n);
        sb_sparse_multiply(own->def->m, x, mx);
        sb_sparse_multiply(own->def->k, x, kx);
        for (int i = 0; i < n; i++) {
            double left = kx[i] - own->result->values[j] * mx[i];
            error += left * left;
            force += kx[i] * kx[i];
        }
        own->residuals[j] = sqrt(error / force);
    }
}

typedef struct place {
    double value;
    int index;
} place;

static int by_value(const void *left, const void *right) {
    const place *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return a->index - b->index;
}

/* Permutes in place, cycle by cycle, with one vector of workspace. */
static void reorder(sb_eigen_result *result, place *places, double *hand) {
    size_t n = (size_t)result->n, bytes = n * sizeof *hand;
    for (int i = 0; i < result->count; i++) {
        result->values[i] = places[i].value;
        if (places[i].index == i) continue;
        memcpy(hand, result->vectors + (size_t)i * n, bytes);
        int to = i;
        while (places[to].index != i) {
            int from = places[to].index;
            memcpy(result->vectors + (size_t)to * n,
                   result->vectors + (size_t)from * n, bytes);
            places[to].index = to;
            to = from;
        }
        memcpy(result->vectors + (size_t)to * n, hand, bytes);
        places[to].index = to;
    }
}

static sb_status sort(sb_eigen_result *result, sb_error *err) {
    size_t count = (size_t)result->count;
    place *places = sb_alloc(count, sizeof *places);
    double *hand = sb_alloc((size_t)result->n, sizeof *hand);
    sb_status status = places && hand ? SB_OK : no_memory(result->n, err);
    if (!status) {
        for (int i = 0; i < result->count; i++) {
            places[i] = (place){result->values[i], i};
        }
        qsort(places, count, sizeof *places, by_value);
        reorder(result, places, hand);
    }
    sb_free(places);
    sb_free(hand);
    return status;
}

/* For a rigid motion K x is rounding error: residuals mean nothing. */
static double worst_elastic(const sb_eigen_def *def, const finish *own) {
    double worst = 0, rigid = sb_eigen_rigid(def);
    const sb_eigen_result *result = own->result;
    for (int i = 0; i < result->count; i++) {
        if (result->values[i] <= rigid) continue;
        worst = fmax(worst, own->residuals[i]);
    }
    return worst;
}

sb_status sb_eigen_finish(const sb_eigen_def *def, sb_eigen_result *result,
                          sb_error *err) {
    int threads = def->threads > 0 ? def->threads : sb_workers_default();
    finish own = {
        def, result,
        sb_alloc((size_t)result->n * 2 * FINISH_PARTS, sizeof *own.products),
        sb_alloc((size_t)result->count, sizeof *own.residuals)};
    sb_status status =
        own.products && own.residuals ? SB_OK : no_memory(result->n, err);
    if (!status) status = sort(result, err);
    if (result->count > def->max_count) result->count = def->max_count;
    if (!status) {
        sb_workers_run(threads, FINISH_PARTS, finish_part, &own);
        result->worst_residual = worst_elastic(def, &own);
        status = sb_stop_check(err);
    }
    sb_free(own.products);
    sb_free(own.residuals);
    return status;
}

sb_status sb_eigen_sparse(const sb_eigen_def *def, sb_eigen_result *out,
                          sb_error *err) {
    sb_status status = check(def, err);
    if (status) return status;
    sb_eigen_result result = {.n = def->k->n};
    status = sb_blas_enter(err);
    if (status) return status;
    status = solve(def, &result, err);
    if (!status) status = sb_eigen_finish(def, &result, err);
    sb_blas_leave();
    if (status) {
        sb_eigen_result_free(&result);
        return status;
    }
    *out = result;
    return SB_OK;
}

void sb_eigen_result_free(sb_eigen_result *result) {
    sb_free(result->values);
    sb_free(result->vectors);
    *result = (sb_eigen_result){0};
}
