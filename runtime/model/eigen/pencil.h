/* SPDX-License-Identifier: MIT */
/* runtime/model/eigen/pencil.h -- the shift-inverted form of K x = l M x.
 *
 * With a shift s below all eigenvalues, A = K - s M is positive definite, and
 * the lowest eigenvalues l become the highest, well separated eigenvalues t of
 *
 *     C y = t y,   t = 1 / (l - s)
 *
 * M diagonal:  y = M^1/2 x on the unknowns that have mass, C = M^1/2 A^-1
 *              M^1/2 there, and the product of two vectors is y' y. Massless
 *              unknowns (half of a shell's) appear only in A^-1.
 * M general:   y = x, C = A^-1 M, and the product is y' M y.
 *
 * In both cases x = A^-1 M x / t gives massless unknowns their static response
 * and removes from x what is not in the range of C.
 *
 * Thread: control, workers; one thread at a time per pencil. Memory: destroy
 * frees it; K and M are borrowed until then.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/linear/cholesky.h"
#include "runtime/model/linear/panel.h"
#include "runtime/model/linear/sparse.h"

#include <stdbool.h>

/* Panels per block. Two keep two cores busy; with more, Lanczos would need more
 * vectors to converge. */
enum { SB_PENCIL_PANELS = 2, SB_PENCIL_COLUMNS = 16 };

typedef struct sb_pencil {
    int n;
    int dim;  /* length of y */
    int rank; /* unknowns with mass: the number of eigenvalues */
    bool is_diagonal;
    double shift;
    int threads;
    sb_cholesky *factor;
    const int *order; /* of the factor */
    int *massive;     /* [dim], M diagonal: places in the factor's order */
    double *roots;    /* [dim], of the masses */
    sb_sparse all_m;  /* M general: in the factor's order, unfolded */
    double *panels;   /* [SB_PENCIL_PANELS][n][8] */
} sb_pencil;

/* BAD_ARGUMENT for a negative mass or no mass at all. Does not factor. */
SB_NODISCARD sb_status sb_pencil_create(sb_pencil **out, const sb_sparse *k,
                                        const sb_sparse *m, int threads,
                                        sb_error *err);
void sb_pencil_destroy(sb_pencil *pencil); /* NULL is allowed */

SB_NODISCARD sb_status sb_pencil_factor(sb_pencil *pencil, double shift,
                                        sb_error *err);

/* w = C v for up to SB_PENCIL_PANELS panels. */
void sb_pencil_apply(sb_pencil *pencil, const double *v, double *w, int panels);
/* The vectors z for which v' z is the product of v and w: M w in `scratch`, or
 * w itself when M is diagonal. */
const double *sb_pencil_weigh(const sb_pencil *pencil, const double *w,
                              double *scratch, int panels);
/* x = A^-1 M^1/2 y or A^-1 M y for `count` vectors in panels. The vectors x are
 * stored one after the other, in the order of K and M, and not scaled. */
void sb_pencil_expand(sb_pencil *pencil, const double *y, double *x, int count);
/* x = x - A^-1 r, `count` vectors in the order of K and M. */
void sb_pencil_correct(sb_pencil *pencil, const double *r, double *x,
                       int count);
/* The inverse, for one vector: y = M^1/2 x or x. */
void sb_pencil_contract(const sb_pencil *pencil, const double *x, double *y);
