/* runtime/model/eigen/pencil.h -- K x = l M x turned inside out.
 *
 * With a shift s below all eigenvalues, A = K - s M is definite and the low
 * end of the problem becomes the high, well separated end of
 *
 *     C y = t y,   t = 1 / (l - s)
 *
 * M diagonal:  y = M^1/2 x on the unknowns that have mass, C = M^1/2 A^-1
 *              M^1/2 there, and the product of two vectors is y' y. Massless
 *              unknowns (half of a shell's) take no part but in A^-1.
 * M general:   y = x, C = A^-1 M, and the product is y' M y.
 *
 * Either way x = A^-1 M x / t gives the massless unknowns their static answer
 * and takes out of x what is not in the range of C.
 *
 * Thread: control, workers; not two at a time. Memory: destroy frees it; K and
 * M are borrowed until then.
 */
#ifndef SB_MODEL_EIGEN_PENCIL_H
#define SB_MODEL_EIGEN_PENCIL_H

#include "runtime/base/status.h"
#include "runtime/model/linear/cholesky.h"
#include "runtime/model/linear/panel.h"
#include "runtime/model/linear/sparse.h"

#include <stdbool.h>

/* Panels worked on at once. Two keep two cores busy; with more, Lanczos would
 * need more vectors in all. */
enum { SB_PENCIL_PANELS = 2, SB_PENCIL_COLUMNS = 16 };

typedef struct sb_pencil {
    int n;
    int dim;  /* length of y */
    int rank; /* unknowns with mass: there are no more eigenvalues */
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

/* BAD_ARGUMENT for a negative mass or none at all. There is no factor yet. */
SB_NODISCARD sb_status sb_pencil_create(sb_pencil **out, const sb_sparse *k,
                                        const sb_sparse *m,
                                        sb_analysis analysis, int threads,
                                        sb_error *err);
void sb_pencil_destroy(sb_pencil *pencil); /* NULL is allowed */

SB_NODISCARD sb_status sb_pencil_factor(sb_pencil *pencil, double shift,
                                        sb_error *err);

/* w = C v for up to SB_PENCIL_PANELS panels. */
void sb_pencil_apply(sb_pencil *pencil, const double *v, double *w, int panels);
/* What to multiply with for products with w: M w, put into `scratch`, or w
 * itself when M is diagonal. */
const double *sb_pencil_weigh(const sb_pencil *pencil, const double *w,
                              double *scratch, int panels);
/* x = A^-1 M^1/2 y or A^-1 M y of `count` vectors in panels; x one after the
 * other, in the order of K and M, not scaled. */
void sb_pencil_expand(sb_pencil *pencil, const double *y, double *x, int count);
/* x = x - A^-1 r, `count` vectors in the order of K and M. */
void sb_pencil_correct(sb_pencil *pencil, const double *r, double *x,
                       int count);
/* And back, one vector: y = M^1/2 x or x. */
void sb_pencil_contract(const sb_pencil *pencil, const double *x, double *y);

#endif
