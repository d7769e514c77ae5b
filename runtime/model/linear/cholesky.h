/* runtime/model/linear/cholesky.h -- factors of K - s M, on CHOLMOD's analysis.
 *
 *     P (K - s M) P' = L L'
 *
 * for shifts s below all eigenvalues, so that the matrix is definite. Fill-in
 * is reduced by the order P, which CHOLMOD finds once for all shifts, together
 * with the supernodes; the numbers are ours (ldl.h), since CHOLMOD would share
 * its work out to threads of its own. Solves take and give vectors in that
 * order: entry i here is order[i] of the matrices.
 *
 * This file is the only one to know CHOLMOD, whose supernodal part is under
 * the GPL: another analysis could take its place here.
 *
 * Thread: control, workers; not two at a time. Memory: destroy frees it; K and M are borrowed until then. CHOLMOD's
 * own memory comes from the C library.
 */
#ifndef SB_MODEL_LINEAR_CHOLESKY_H
#define SB_MODEL_LINEAR_CHOLESKY_H

#include "runtime/base/status.h"
#include "runtime/model/linear/panel.h"
#include "runtime/model/linear/sparse.h"

#include <stddef.h>

typedef struct sb_cholesky sb_cholesky;

/* Finds the order. */
SB_NODISCARD sb_status sb_cholesky_create(sb_cholesky **out, const sb_sparse *k,
                                          const sb_sparse *m, sb_error *err);
void sb_cholesky_destroy(sb_cholesky *cholesky); /* NULL is allowed */

const int *sb_cholesky_order(const sb_cholesky *cholesky);
size_t sb_cholesky_bytes(const sb_cholesky *cholesky); /* of the factor */

/* BAD_ARGUMENT when K - s M is not positive definite; then there is no factor
 * to solve with. */
SB_NODISCARD sb_status sb_cholesky_factor(sb_cholesky *cholesky, double shift,
                                          sb_error *err);

/* L, in the order of P, as long as the factor is there. */
sb_supernodes sb_cholesky_supernodes(const sb_cholesky *cholesky);

/* x = (K - s M)^-1 x, one vector, by CHOLMOD itself. */
void sb_cholesky_solve(sb_cholesky *cholesky, double *x);

/* How many eigenvalues lie below `shift`, once there has been a factor (ldl.h).
 * NO_CONVERGENCE when `shift` may itself be one: try another next to it. */
SB_NODISCARD sb_status sb_cholesky_inertia(const sb_cholesky *cholesky,
                                           double shift, int *below,
                                           sb_error *err);

#endif
