#include "runtime/model/eigen/arpack.h"

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/model/linear/blas.h"

#include <arpack/arpack.h>

#include <string.h>

enum { MAX_RESTARTS = 300 };

typedef struct arpack {
    sb_pencil *pencil;
    int dim, count, basis;
    const char *bmat;
    double *residual, *v, *work, *lwork;
    int lwork_size;
    int parameters[11], pointers[14];
} arpack;

static void free_all(arpack *own) {
    sb_free(own->residual);
    sb_free(own->v);
    sb_free(own->work);
    sb_free(own->lwork);
}

static sb_status open_all(arpack *own, sb_error *err) {
    size_t dim = (size_t)own->dim, basis = (size_t)own->basis;
    own->lwork_size = own->basis * (own->basis + 8);
    own->residual = sb_alloc(dim, sizeof(double));
    own->v = sb_alloc(dim * basis, sizeof(double));
    own->work = sb_alloc(dim * 3, sizeof(double));
    own->lwork = sb_alloc((size_t)own->lwork_size, sizeof(double));
    if (!own->residual || !own->v || !own->work || !own->lwork) {
        return sb_fail(err, SB_NO_MEMORY,
                       "eigenproblem of size %d: out of memory", own->dim);
    }
    sb_random random = sb_random_make(1, 0);
    for (size_t i = 0; i < dim; i++) {
        own->residual[i] = 2 * sb_random_unit(&random) - 1;
    }
    /* With M in the product, C applied once keeps us in its range. */
    sb_pencil_apply_one(own->pencil, own->residual, own->residual);
    own->parameters[0] = 1; /* exact shifts */
    own->parameters[2] = MAX_RESTARTS;
    own->parameters[6] = own->pencil->is_diagonal ? 1 : 3;
    return SB_OK;
}

/* Mode 3 hands over M x for the solve, but C takes x, so M is applied twice:
 * little beside the solve. */
static void answer(arpack *own, int ido) {
    const double *from = own->work + own->pointers[0] - 1;
    double *to = own->work + own->pointers[1] - 1;
    if (ido == 2) {
        sb_sparse_multiply(&own->pencil->m, from, to);
    } else {
        sb_pencil_apply_one(own->pencil, from, to);
    }
}

static sb_status iterate(arpack *own, sb_error *err) {
    int ido = 0, info = 1;
    for (;;) {
        dsaupd_c(&ido, own->bmat, own->dim, "LM", own->count, 1e-10,
                 own->residual, own->basis, own->v, own->dim, own->parameters,
                 own->pointers, own->work, own->lwork, own->lwork_size, &info);
        if (ido == 99) break;
        answer(own, ido);
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

sb_status sb_arpack(sb_pencil *pencil, int count, double *values,
                    double *vectors, sb_error *err) {
    arpack own = {.pencil = pencil,
                  .dim = pencil->dim,
                  .count = count,
                  .basis = 2 * count + 20 < pencil->dim ? 2 * count + 20
                                                        : pencil->dim,
                  .bmat = pencil->is_diagonal ? "I" : "G"};
    /* It is given all the threads that BLAS can use. */
    sb_blas_set_threads(pencil->threads);
    sb_status status = open_all(&own, err);
    if (!status) status = iterate(&own, err);
    if (!status) status = extract(&own, values, vectors, err);
    sb_blas_set_threads(1);
    free_all(&own);
    return status;
}
