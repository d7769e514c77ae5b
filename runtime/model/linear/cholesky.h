/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/cholesky.h -- Cholesky factors of K - s M.
 *
 *     P (K - s M) P' = L L'
 *
 * The shift s lies below all eigenvalues, so that the matrix is positive
 * definite. The permutation P, which reduces fill-in, is found once for all
 * shifts (ordering.h). Vectors are in the factor's order: entry i is unknown
 * order[i] of the matrices. L is stored in supernodes (elimination.h).
 *
 * Thread: control, workers; one thread at a time per factor. Memory: destroy
 * frees it; K and M are borrowed until then.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/linear/panel.h"
#include "runtime/model/linear/sparse.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_cholesky sb_cholesky;

/* Finds P and the supernodes of L. */
SB_NODISCARD sb_status sb_cholesky_create(sb_cholesky **out, const sb_sparse *k,
                                          const sb_sparse *m, sb_error *err);
void sb_cholesky_destroy(sb_cholesky *cholesky); /* NULL is allowed */

const int *sb_cholesky_order(const sb_cholesky *cholesky);

/* Called from time to time with the share of the operations that are done, 0 to
 * 1; returning false ends the factorisation with INTERRUPTED. */
typedef struct sb_factor_watch {
    bool (*goes_on)(void *context, double share); /* or NULL */
    void *context;
} sb_factor_watch;

/* Who is told of the progress of the following calls. */
void sb_cholesky_watch(sb_cholesky *cholesky, sb_factor_watch watch);

/* What a factor takes, from the analysis alone. */
typedef struct sb_factor_size {
    double bytes; /* of L */
    double flops; /* to compute it */
} sb_factor_size;
sb_factor_size sb_cholesky_size(const sb_cholesky *cholesky);

/* Computes L for a shift. BAD_ARGUMENT when K - s M is not positive definite,
 * INTERRUPTED by the watch; L is then undefined. */
SB_NODISCARD sb_status sb_cholesky_factor(sb_cholesky *cholesky, double shift,
                                          sb_error *err);

/* L in the factor's order. It lives as long as `cholesky`; its values change
 * with each sb_cholesky_factor. */
const sb_supernodes *sb_cholesky_supernodes(const sb_cholesky *cholesky);

/* The number of eigenvalues below `shift`. NO_CONVERGENCE when `shift`
 * is too near to an eigenvalue: the caller tries one beside it. */
SB_NODISCARD sb_status sb_cholesky_inertia(const sb_cholesky *cholesky,
                                           double shift, int *below,
                                           sb_error *err);
