/* SPDX-License-Identifier: MIT */
/* tests/model/eigen/residual.h -- how well eigenpairs solve their problem. */
#pragma once

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/linear/sparse.h"

#include <math.h>
#include <stdlib.h>

/* The largest ||K x - l M x|| / ||K x||. Rounding alone makes about 1e-16 ||K||
 * ||x|| / ||K x||: 3e-9 for a shell of 10,000 vertices. Of rigid motions K x is
 * rounding error: they are left out. */
static inline double worst_residual(const sb_sparse *k, const sb_sparse *m,
                                    const sb_eigen_result *r) {
    size_t n = (size_t)r->n;
    double *kx = calloc(n, sizeof *kx), *mx = calloc(n, sizeof *mx);
    double stiffest = 0, worst = 0;
    int massive = 0;
    sb_sparse_diagonal(k, kx);
    sb_sparse_diagonal(m, mx);
    for (size_t i = 0; i < n; i++) {
        if (mx[i] > 0) stiffest += kx[i] / mx[i];
        massive += mx[i] > 0;
    }
    for (int j = 0; j < r->count; j++) {
        const double *x = r->vectors + (size_t)j * n;
        double error = 0, force = 0;
        if (r->values[j] <= 1e-11 * stiffest / massive) continue;
        sb_sparse_multiply(k, x, kx);
        sb_sparse_multiply(m, x, mx);
        for (size_t i = 0; i < n; i++) {
            double left = kx[i] - r->values[j] * mx[i];
            error += left * left;
            force += kx[i] * kx[i];
        }
        worst = fmax(worst, sqrt(error / force));
    }
    free(kx);
    free(mx);
    return worst;
}
