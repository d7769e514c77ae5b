/* The whole problem as M x = t (K - s M) x by LAPACK: the right-hand matrix is
 * definite even where M is not. */
#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen.h"
#include "runtime/model/eigen/eigen_internal.h"

#include <math.h>
#include <string.h>

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

sb_status sb_eigen_dense(const sb_eigen_def *def, double shift,
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
    sb_status status = SB_OK;
    if (!a || !b || !t || !vectors) {
        status = sb_fail(err, SB_NO_MEMORY,
                         "eigenproblem of size %d: out of memory", def->k->n);
    }
    if (!status) {
        spread(def->m, 1, a);
        spread(def->k, 1, b);
        spread(def->m, -shift, b);
        status = sb_eigen_symmetric(def->k->n, a, b,
                                    (sb_eigen_range){def->k->n - count, count},
                                    t, vectors, err);
    }
    if (!status) status = collect(def, shift, t, vectors, count, out, err);
    sb_free(a);
    sb_free(b);
    sb_free(t);
    sb_free(vectors);
    return status;
}
