/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/ordering.h -- in which order the unknowns of a sparse
 * matrix are eliminated, so that its Cholesky factor stays small.
 *
 * Unknowns with equal columns, such as the motions of one node of a mesh, stay
 * together: what is ordered is the graph of these groups. Two methods:
 *
 * - minimum degree (AMD): quick, and good for sheets and bars;
 * - nested dissection: a few nodes, the separator, cut the graph into two halves
 *   and are eliminated last; each half is cut in the same way. Good for solids.
 *   METIS finds a separator in some hundredths of a second, but would take
 *   seconds for all of them, so the halves are taken apart here, with a question
 *   (stop.h) between two of them.
 *
 * Thread: control, workers. Memory: destroy frees it. AMD works in memory of
 * ours, METIS allocates from the C library.
 * Source: George, SIAM J. Numer. Anal. 10 (1973), nested dissection; Amestoy,
 * Davis and Duff, ACM TOMS 30 (2004), AMD; Karypis and Kumar, SIAM J. Sci.
 * Comput. 20 (1998), METIS.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/linear/sparse.h"

typedef struct sb_ordering sb_ordering;

/* Finds the groups of `a`, whose values do not matter. */
SB_NODISCARD sb_status sb_ordering_create(sb_ordering **out, const sb_sparse *a,
                                          sb_error *err);
void sb_ordering_destroy(sb_ordering *ordering); /* NULL is allowed */

/* order[i] is the unknown that is eliminated as number i. */
SB_NODISCARD sb_status sb_ordering_by_degree(const sb_ordering *ordering,
                                             int *order, sb_error *err);
SB_NODISCARD sb_status sb_ordering_by_dissection(const sb_ordering *ordering,
                                                 int *order, sb_error *err);
