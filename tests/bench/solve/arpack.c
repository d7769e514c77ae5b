/* SPDX-License-Identifier: MIT */
/* ARPACK's reverse communication loop around our factor. Runs on the calling
 * thread; BLAS gets as many threads as our own solver would use. */
#include "tests/bench/solve/arpack.h"

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/model/eigen/eigen_internal.h"
#include "runtime/model/linear/workers.h"

#include <arpack/arpack.h>
#include <cblas.h>

#include <string.h>

enum { MAX_RESTARTS = 300 };

typedef struct arpack {
    const sb_eigen_def *def;
    sb_pencil *pencil;
    sb_sparse m; /* M general: in the factor's order */
    int dim, count, basis;
    const char *bmat;
    double *x, *below; /* [n] a vector to solve for, rows below a supernode */
    double *t, *y;     /* [count] eigenvalues, [count][dim] vectors */
    double *residual, *v, *work, *lwork;
    int lwork_size;
    int parameters[11], pointers[14];
} arpack;

static void free_all(arpack *own) {
    sb_free(own->x);
    sb_free(own->below);
    sb_free(own->t);
    sb_free(own->y);
    sb_free(own->residual);
    sb_free(own->v);
    sb_free(own->work);
    sb_free(own->lwork);
    sb_sparse_free(&own->m);
    sb_pencil_destroy(own->pencil);
}

/* --- one vector at a time ------------------------------------------------- */

/* x = L^-T L^-1 x, a dense triangle and a dense block per supernode. */
static void solve_one(const sb_supernodes *l, double *x, double *below) {
    for (int step = 0; step < 2 * l->count; step++) {
        bool is_forward = step < l->count;
        int s = is_forward ? step : 2 * l->count - 1 - step;
        const int *rows = l->rows + l->starts[s];
        int high = l->starts[s + 1] - l->starts[s];
        int wide = l->columns[s + 1] - l->columns[s], rest = high - wide;
        const double *square = l->l + l->values[s], *block = square + wide;
        double *own = x + l->columns[s];
        if (is_forward) {
            cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit,
                        wide, square, high, own, 1);
            cblas_dgemv(CblasColMajor, CblasNoTrans, rest, wide, 1, block, high,
                        own, 1, 0, below, 1);
            for (int i = 0; i < rest; i++) {
                x[rows[wide + i]] -= below[i];
            }
        } else {
            for (int i = 0; i < rest; i++) {
                below[i] = x[rows[wide + i]];
            }
            cblas_dgemv(CblasColMajor, CblasTrans, rest, wide, -1, block, high,
                        below, 1, 1, own, 1);
            cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit,
                        wide, square, high, own, 1);
        }
    }
}

/* own->x = A^-1 M^1/2 y or A^-1 M y */
static void invert(arpack *own, const double *y) {
    const sb_pencil *pencil = own->pencil;
    sb_supernodes factor = *sb_cholesky_supernodes(pencil->factor);
    if (pencil->is_diagonal) {
        memset(own->x, 0, (size_t)pencil->n * sizeof *own->x);
        for (int i = 0; i < pencil->dim; i++) {
            own->x[pencil->massive[i]] = pencil->roots[i] * y[i];
        }
    } else {
        sb_sparse_multiply(&own->m, y, own->x);
    }
    solve_one(&factor, own->x, own->below);
}

/* w = C v */
static void apply(arpack *own, const double *v, double *w) {
    const sb_pencil *pencil = own->pencil;
    invert(own, v);
    for (int i = 0; i < pencil->dim; i++) {
        w[i] = pencil->is_diagonal
                   ? pencil->roots[i] * own->x[pencil->massive[i]]
                   : own->x[i];
    }
}

/* --- ARPACK --------------------------------------------------------------- */

static sb_status open_pencil(arpack *own, sb_error *err) {
    const sb_eigen_def *def = own->def;
    int threads = def->threads > 0 ? def->threads : sb_workers_default();
    sb_status status =
        sb_pencil_create(&own->pencil, def->k, def->m, threads, err);
    if (!status) status = sb_eigen_factor(def, own->pencil, err);
    if (!status && !own->pencil->is_diagonal) {
        status = sb_sparse_permute(def->m, own->pencil->order, &own->m, err);
    }
    if (status) return status;
    own->dim = own->pencil->dim;
    own->count = own->pencil->rank - 1;
    if (def->max_count < own->count) own->count = def->max_count;
    own->basis =
        2 * own->count + 20 < own->dim ? 2 * own->count + 20 : own->dim;
    own->bmat = own->pencil->is_diagonal ? "I" : "G";
    return SB_OK;
}

static sb_status open_all(arpack *own, sb_error *err) {
    size_t dim = (size_t)own->dim, basis = (size_t)own->basis;
    size_t n = (size_t)own->def->k->n, count = (size_t)own->count;
    own->lwork_size = own->basis * (own->basis + 8);
    own->x = sb_alloc(n, sizeof(double));
    own->below = sb_alloc(n, sizeof(double));
    own->t = sb_alloc(count, sizeof(double));
    own->y = sb_alloc(count * dim, sizeof(double));
    own->residual = sb_alloc(dim, sizeof(double));
    own->v = sb_alloc(dim * basis, sizeof(double));
    own->work = sb_alloc(dim * 3, sizeof(double));
    own->lwork = sb_alloc((size_t)own->lwork_size, sizeof(double));
    if (!own->x || !own->below || !own->t || !own->y || !own->residual ||
        !own->v || !own->work || !own->lwork) {
        return sb_fail(err, SB_NO_MEMORY,
                       "eigenproblem of size %d: out of memory", own->dim);
    }
    sb_random random = sb_random_make(1, 0);
    for (size_t i = 0; i < dim; i++) {
        own->residual[i] = 2 * sb_random_unit(&random) - 1;
    }
    /* With M in the product, the start vector must be in the range of C. */
    apply(own, own->residual, own->residual);
    own->parameters[0] = 1; /* exact shifts */
    own->parameters[2] = MAX_RESTARTS;
    own->parameters[6] = own->pencil->is_diagonal ? 1 : 3;
    return SB_OK;
}

/* Mode 3 hands over M x for the solve, but C takes x, so M is applied twice:
 * little compared with the solve. */
static void reply(arpack *own, int ido) {
    const double *from = own->work + own->pointers[0] - 1;
    double *to = own->work + own->pointers[1] - 1;
    if (ido == 2) {
        sb_sparse_multiply(&own->m, from, to);
    } else {
        apply(own, from, to);
    }
}

static sb_status iterate(arpack *own, sb_error *err) {
    int ido = 0, info = 1;
    for (;;) {
        dsaupd_c(&ido, own->bmat, own->dim, "LM", own->count, 1e-10,
                 own->residual, own->basis, own->v, own->dim, own->parameters,
                 own->pointers, own->work, own->lwork, own->lwork_size, &info);
        if (ido == 99) break;
        reply(own, ido);
    }
    if (info == 0) return SB_OK;
    return sb_fail(err, SB_NO_CONVERGENCE,
                   "eigenproblem of size %d: ARPACK ended with code %d",
                   own->dim, info);
}

static sb_status extract(arpack *own, double *values, double *vectors,
                         sb_error *err) {
    int info = 0;
    int *select = sb_alloc((size_t)own->basis, sizeof *select);
    if (!select) {
        return sb_fail(err, SB_NO_MEMORY,
                       "eigenproblem of size %d: out of memory", own->dim);
    }
    /* In mode 3 ARPACK gives shift + 1/t; with shift 0 that is 1/t. */
    dseupd_c(1, "A", select, values, vectors, own->dim, 0, own->bmat, own->dim,
             "LM", own->count, 1e-10, own->residual, own->basis, own->v,
             own->dim, own->parameters, own->pointers, own->work, own->lwork,
             own->lwork_size, &info);
    sb_free(select);
    if (info != 0) {
        return sb_fail(err, SB_NO_CONVERGENCE,
                       "eigenproblem of size %d: ARPACK ended with code %d",
                       own->dim, info);
    }
    for (int i = 0; !own->pencil->is_diagonal && i < own->count; i++) {
        values[i] = 1 / values[i];
    }
    return SB_OK;
}

static sb_status collect(arpack *own, sb_eigen_result *out, sb_error *err) {
    const sb_pencil *pencil = own->pencil;
    sb_status status = sb_eigen_reserve(out, own->count, err);
    for (int i = 0; !status && i < own->count; i++) {
        double value = pencil->shift + 1 / own->t[i];
        double *x = out->vectors + (size_t)out->count * (size_t)out->n;
        if (value > own->def->max_value) continue;
        invert(own, own->y + (size_t)i * (size_t)own->dim);
        for (int k = 0; k < out->n; k++) {
            x[pencil->order[k]] = own->x[k];
        }
        out->values[out->count++] = value;
    }
    out->inertia_count = -1;
    return status;
}

sb_status arpack_solve(const sb_eigen_def *def, sb_eigen_result *out,
                       sb_error *err) {
    arpack own = {.def = def};
    sb_eigen_result result = {.n = def->k->n};
    openblas_set_num_threads(1);
    sb_status status = open_pencil(&own, err);
    if (!status) {
        openblas_set_num_threads(own.pencil->threads);
        status = open_all(&own, err);
    }
    if (!status) status = iterate(&own, err);
    if (!status) status = extract(&own, own.t, own.y, err);
    openblas_set_num_threads(1);
    if (!status) status = collect(&own, &result, err);
    if (!status) status = sb_eigen_finish(def, &result, err);
    free_all(&own);
    if (status) {
        sb_eigen_result_free(&result);
        return status;
    }
    *out = result;
    return SB_OK;
}
