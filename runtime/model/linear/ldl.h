/* runtime/model/linear/ldl.h -- symmetric factors, and how many eigenvalues of a
 * matrix are negative.
 *
 *     A = L D L',  D diagonal
 *
 * has as many negative pivots in D as A has negative eigenvalues (Sylvester).
 * The supernodes of L follow from the pattern of A alone and are given. There
 * is no pivoting: none is needed for a definite matrix, and an indefinite one
 * for which a pivot nearly vanishes is refused; K - s M with another shift s
 * will do.
 *
 * Thread: control, workers. Memory: the caller's; what is needed on the way,
 * and the factor that is only counted from, comes and goes within the call.
 */
#ifndef SB_MODEL_LINEAR_LDL_H
#define SB_MODEL_LINEAR_LDL_H

#include "runtime/base/status.h"
#include "runtime/model/linear/panel.h"
#include "runtime/model/linear/sparse.h"

#include <stddef.h>

/* Room for the values of all supernodes. */
size_t sb_ldl_size(const sb_supernodes *pattern);

/* `a` in the order of the supernodes, whose own values are not used. `l` gets
 * those of L sqrt(D), for a definite matrix. *minor is the first column whose
 * pivot is not positive, with BAD_ARGUMENT, or n. */
SB_NODISCARD sb_status sb_ldl_factor(const sb_supernodes *pattern,
                                     const sb_sparse *a, double *l, int *minor,
                                     sb_error *err);
/* NO_CONVERGENCE when a pivot is too small to have a sign. */
SB_NODISCARD sb_status sb_ldl_inertia(const sb_supernodes *pattern,
                                      const sb_sparse *a, int *negative,
                                      sb_error *err);

#endif
