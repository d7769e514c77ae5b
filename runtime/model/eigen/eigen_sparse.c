/* SPDX-License-Identifier: MIT */
/* Estimates and checks the problem, chooses a method, solves small problems
 * with LAPACK, and brings the pairs into order, length and sign. Runs on the
 * thread that solves and on its workers. */
#include "runtime/model/eigen/eigen_sparse.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/eigen/eigen.h"
#include "runtime/model/eigen/eigen_internal.h"
#include "runtime/model/linear/blas.h"
#include "runtime/model/linear/workers.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what a problem takes ------------------------------------------------- */

/* Of a core with 512-bit vectors at 2.8 GHz: operations per second in
 * factorisation, in products with L and M, and of tall blocks. */
#define FACTOR_RATE 2e10
#define SOLVE_RATE  8e9
#define BLOCK_RATE  2e10

/* Lanczos needs some 1.7 vectors per eigenvalue and five blocks more. */
static double basis_size(int count) {
    return 1.75 * count + 6 * SB_PENCIL_COLUMNS;
}

static sb_eigen_cost cost_of(const sb_eigen_def *def, const sb_pencil *pencil,
                             int count) {
    sb_factor_size factor = sb_cholesky_size(pencil->factor);
    double n = def->k->n, size = basis_size(count);
    double entry = sizeof(double) + sizeof(int);
    double nonzeros = def->k->starts[def->k->n];
    double m_nonzeros = def->m->starts[def->m->n];
    /* K and M, their sum and its copy in the factor's order, and M unfolded. */
    double matrices = entry * (3 * nonzeros + 3 * m_nonzeros);
    double vectors = 8 * (double)pencil->dim * size + 8 * n * count +
                     8 * n * 6 * SB_PENCIL_COLUMNS;
    /* Inertia needs a second factor, before there are vectors. */
    double bytes = def->held_bytes + matrices +
                   fmax(2 * factor.bytes, factor.bytes + vectors);
    double steps = size / SB_PENCIL_COLUMNS;
    double per_step = SB_PENCIL_COLUMNS *
                      (4 * factor.bytes / sizeof(double) + 4 * m_nonzeros);
    double seconds = 2 * factor.flops / FACTOR_RATE +
                     steps * per_step / SOLVE_RATE +
                     8 * n * size * size / 2 / BLOCK_RATE;
    return (sb_eigen_cost){def->k->n, bytes, seconds};
}

static void print_size(char *text, size_t size, double bytes) {
    if (bytes < 999.5e6) {
        (void)snprintf(text, size, "%.0f MB", bytes / 1e6);
    } else {
        (void)snprintf(text, size, "%.3g GB", bytes / 1e9);
    }
}

sb_status sb_eigen_afford(const sb_eigen_def *def, const sb_pencil *pencil,
                          int count, sb_error *err) {
    sb_eigen_cost cost = cost_of(def, pencil, count);
    if (def->memory_bytes > 0 && cost.bytes > def->memory_bytes) {
        char need[32], limit[32];
        print_size(need, sizeof need, cost.bytes);
        print_size(limit, sizeof limit, def->memory_bytes);
        return sb_fail(err, SB_NO_MEMORY,
                       "%d unknowns and %d modes need about %s of memory and "
                       "%.0f s, more than the %s allowed",
                       cost.unknowns, count, need, ceil(cost.seconds), limit);
    }
    sb_status status = sb_eigen_tell(def, "size", cost.unknowns,
                                     (int)ceil(cost.bytes / 1e6), err);
    double most = 1e9;
    if (status) return status;
    return sb_eigen_tell(def, "time", (int)fmin(1e3 * cost.seconds, most), 0,
                         err);
}

sb_status sb_eigen_estimate(const sb_eigen_def *def, int count,
                            sb_eigen_cost *out, sb_error *err) {
    sb_pencil *pencil = NULL;
    sb_status status = sb_pencil_create(&pencil, def->k, def->m, 1, err);
    if (!status) *out = cost_of(def, pencil, count);
    sb_pencil_destroy(pencil);
    return status;
}

/* --- small problems ------------------------------------------------------- */

/* The whole problem as M x = t (K - s M) x by LAPACK: the right-hand matrix is
 * definite even where M is not. */

static void spread(const sb_sparse *a, double factor, double *dense) {
    size_t n = (size_t)a->n;
    for (int j = 0; j < a->n; j++) {
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            size_t i = (size_t)a->rows[p], column = (size_t)j;
            dense[column * n + i] += factor * a->values[p];
            if (i != column) dense[i * n + column] += factor * a->values[p];
        }
    }
}

static int rank_of(const sb_sparse *m) {
    int rank = 0;
    for (int j = 0; j < m->n; j++) {
        int p = m->starts[j];
        rank += p < m->starts[j + 1] && m->rows[p] == j && m->values[p] > 0;
    }
    return rank;
}

/* The lowest eigenvalues are those of the largest t, at the end. */
static int keep(const sb_eigen_def *def, double shift, const double *t,
                int count) {
    int kept = 0;
    while (kept < count && kept < def->max_count) {
        double value = shift + 1 / t[count - 1 - kept];
        if (!(t[count - 1 - kept] > 0) || value > def->max_value) break;
        kept++;
    }
    return kept;
}

static sb_status collect(const sb_eigen_def *def, double shift, const double *t,
                         const double *vectors, int count, sb_eigen_result *out,
                         sb_error *err) {
    size_t n = (size_t)def->k->n;
    int kept = keep(def, shift, t, count);
    sb_status status = sb_eigen_reserve(out, kept, err);
    for (int i = 0; !status && i < kept; i++) {
        out->values[i] = shift + 1 / t[count - 1 - i];
        memcpy(out->vectors + (size_t)i * n,
               vectors + (size_t)(count - 1 - i) * n, n * sizeof *vectors);
    }
    if (!status) out->count = kept;
    return status;
}

static sb_status solve_whole(const sb_eigen_def *def, double shift,
                             sb_eigen_result *out, sb_error *err) {
    size_t n = (size_t)def->k->n;
    int rank = rank_of(def->m);
    /* With a bound the number of eigenvalues is unknown. */
    int count =
        isinf(def->max_value) && def->max_count < rank ? def->max_count : rank;
    double *a = sb_alloc(n * n, sizeof *a);
    double *b = sb_alloc(n * n, sizeof *b);
    double *t = sb_alloc((size_t)count, sizeof *t);
    double *vectors = sb_alloc((size_t)count * n, sizeof *vectors);
    sb_status status =
        a && b && t && vectors
            ? SB_OK
            : sb_no_memory(err, "eigenproblem of size %d", def->k->n);
    if (!status) {
        spread(def->m, 1, a);
        spread(def->k, 1, b);
        spread(def->m, -shift, b);
        status = sb_eigen_symmetric(def->k->n, a, b,
                                    (sb_eigen_range){def->k->n - count, count},
                                    t, vectors, err);
    }
    if (!status) status = collect(def, shift, t, vectors, count, out, err);
    sb_free_all(a, b, t, vectors);
    return status;
}

/* --- all ------------------------------------------------------------------ */

/* Up to the first size LAPACK is always quick enough; beyond the second its n^3
 * operations and n^2 numbers are too many. */
enum { DENSE_ALWAYS = 200, DENSE_AT_MOST = 6000 };

sb_status sb_eigen_reserve(sb_eigen_result *result, int count, sb_error *err) {
    size_t total = (size_t)result->count + (size_t)count;
    double *values = sb_resize(result->values, total, sizeof *values);
    if (values) result->values = values;
    if (!values || (result->n > 0 && total > SIZE_MAX / (size_t)result->n)) {
        return sb_no_memory(err, "eigenproblem of size %d", result->n);
    }
    double *vectors =
        sb_resize(result->vectors, total * (size_t)result->n, sizeof *vectors);
    if (!vectors)
        return sb_no_memory(err, "eigenproblem of size %d", result->n);
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
    if (!status) status = solve_whole(def, shift, out, err);
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
    double *products; /* [n] per part */
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
    double *mx = own->products + (size_t)part * (size_t)n;
    for (int j = part; j < own->result->count && !sb_stop_is_wanted();
         j += FINISH_PARTS) {
        double *x = own->result->vectors + (size_t)j * (size_t)n;
        sb_sparse_multiply(own->def->m, x, mx);
        scale_vector(x, mx, n);
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
    sb_status status =
        places && hand
            ? SB_OK
            : sb_no_memory(err, "eigenproblem of size %d", result->n);
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

sb_status sb_eigen_finish(const sb_eigen_def *def, sb_eigen_result *result,
                          sb_error *err) {
    int threads = def->threads > 0 ? def->threads : sb_workers_default();
    finish own = {
        def, result,
        sb_alloc((size_t)result->n * FINISH_PARTS, sizeof *own.products)};
    sb_status status =
        own.products ? sort(result, err)
                     : sb_no_memory(err, "eigenproblem of size %d", result->n);
    if (result->count > def->max_count) result->count = def->max_count;
    if (!status) {
        sb_workers_run(threads, FINISH_PARTS, finish_part, &own);
        status = sb_stop_check(err);
    }
    sb_free(own.products);
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
