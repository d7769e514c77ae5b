/* The low modes of a fine mesh move far with little force: the rounding of a
 * solve shows in K x - l M x. One more solve with that as its right-hand side
 * takes it out:
 *
 *     x - A^-1 (K x - l M x) = (l - s) A^-1 M x,   A = K - s M
 *
 * is a step of inverse iteration, written so that it also refines. */
#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen_internal.h"
#include "runtime/model/linear/workers.h"

#include <math.h>

/* Relative residual from which on it is worth a solve. */
#define WORTH 1e-9

typedef struct polish {
    const sb_eigen_def *def;
    const double *values;
    const double *vectors;
    double *residuals; /* [SB_PENCIL_COLUMNS][n] */
    double *products;  /* the same, M x */
    double errors[SB_PENCIL_COLUMNS];
} polish;

static void measure(void *context, int j) {
    polish *own = context;
    int n = own->def->k->n;
    double *r = own->residuals + (size_t)j * (size_t)n;
    double *mx = own->products + (size_t)j * (size_t)n;
    const double *x = own->vectors + (size_t)j * (size_t)n;
    double error = 0, force = 0;
    sb_sparse_multiply(own->def->k, x, r);
    sb_sparse_multiply(own->def->m, x, mx);
    for (int i = 0; i < n; i++) {
        force += r[i] * r[i];
        r[i] -= own->values[j] * mx[i];
        error += r[i] * r[i];
    }
    own->errors[j] = sqrt(error / force);
}

sb_status sb_eigen_polish(const sb_eigen_def *def, sb_pencil *pencil,
                          const double *values, double *vectors, int count,
                          bool *was_needed, sb_error *err) {
    size_t size = (size_t)def->k->n * SB_PENCIL_COLUMNS;
    polish own = {def,
                  values,
                  vectors,
                  sb_alloc(size, sizeof(double)),
                  sb_alloc(size, sizeof(double)),
                  {0}};
    sb_status status = SB_OK;
    if (!own.residuals || !own.products) {
        status = sb_fail(err, SB_NO_MEMORY,
                         "eigenproblem of size %d: out of memory", def->k->n);
    }
    if (!status) {
        double rigid = sb_eigen_rigid(def), worst = -1;
        sb_workers_run(pencil->threads, count, measure, &own);
        for (int j = 0; j < count; j++) {
            if (values[j] > rigid) worst = fmax(worst, own.errors[j]);
        }
        *was_needed = worst < 0 || worst > WORTH; /* < 0: all were rigid */
        if (worst > WORTH) {
            sb_pencil_correct(pencil, own.residuals, vectors, count);
        }
    }
    sb_free(own.residuals);
    sb_free(own.products);
    return status;
}
