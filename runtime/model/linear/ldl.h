/* runtime/model/linear/ldl.h -- L D L' factors of symmetric matrices, and the
 * number of their negative eigenvalues.
 *
 *     A = L D L',  D diagonal
 *
 * has as many negative pivots in D as A has negative eigenvalues (Sylvester).
 * The supernodes of L depend on the pattern of A alone; the caller gives them.
 * There is no pivoting: a definite matrix needs none, and an indefinite one
 * with a vanishing pivot is refused; the caller tries another shift s of
 * K - s M.
 *
 * Thread: control, workers. Memory: the caller's; workspace, and the factor
 * that sb_ldl_inertia needs, are freed before the call returns.
 */
#ifndef SB_MODEL_LINEAR_LDL_H
#define SB_MODEL_LINEAR_LDL_H

#include "runtime/base/status.h"
#include "runtime/model/linear/panel.h"
#include "runtime/model/linear/sparse.h"

#include <stdbool.h>
#include <stddef.h>

/* Called from time to time with the share of the operations that are done, 0 to
 * 1; returning false ends the factorisation with INTERRUPTED. */
typedef struct sb_ldl_watch {
    bool (*goes_on)(void *context, double share); /* or NULL */
    void *context;
} sb_ldl_watch;

/* Numbers in all supernodes together. */
size_t sb_ldl_size(const sb_supernodes *pattern);

/* Factors a definite matrix. `a` is in the order of the supernodes, whose own
 * values are not used. `l` gets the values of L sqrt(D). *minor is n, or with
 * BAD_ARGUMENT the first column whose pivot is not positive. */
SB_NODISCARD sb_status sb_ldl_factor(const sb_supernodes *pattern,
                                     const sb_sparse *a, sb_ldl_watch watch,
                                     double *l, int *minor, sb_error *err);
/* NO_CONVERGENCE when a pivot is too small to have a sign. */
SB_NODISCARD sb_status sb_ldl_inertia(const sb_supernodes *pattern,
                                      const sb_sparse *a, sb_ldl_watch watch,
                                      int *negative, sb_error *err);

#endif
