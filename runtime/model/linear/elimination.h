/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/elimination.h -- which columns of a Cholesky factor
 * depend on which, and how many nonzeros each has, without computing it;
 * and the supernodes of the factor.
 *
 * - The elimination tree: parent(j) is the first row below j in column j of L.
 *   Row i of L has the columns on the paths of the tree from the columns of row
 *   i of A up to i, the row's subtree.
 * - A postorder numbers each subtree without a gap, children before parents. It
 *   changes neither the tree nor the fill, and brings columns with equal
 *   patterns together.
 * - Counts: column j is in the subtree of row i if one of its descendants is a
 *   leaf of it. Each leaf adds 1 at itself and takes 1 away where its path meets
 *   that of the leaf before; the sum over all descendants is the count.
 *
 * Thread: control, workers. Memory: the caller's.
 * Source: Liu, "The role of elimination trees in sparse factorization", SIAM J.
 * Matrix Anal. 11 (1990); Gilbert, Ng and Peyton, "An efficient algorithm to
 * compute row and column counts for sparse Cholesky factorization", SIAM J.
 * Matrix Anal. 15 (1994).
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/linear/panel.h"

/* A symmetric pattern: rows[starts[j]] .. are the rows of column j of its lower
 * triangle, the diagonal or not. Borrowed. */
typedef struct sb_sparsity {
    int n;
    const int *starts; /* [n + 1] */
    const int *rows;
} sb_sparsity;

/* What a factor has in an order of elimination, which becomes a postorder:
 * siblings by their counts, the fewest first. */
typedef struct sb_elimination {
    int *order;      /* [n] in and out: the unknown that is number i */
    int *parent;     /* [n] out, of numbers; -1 at a root */
    int *counts;     /* [n] out, the diagonal included */
    double nonzeros; /* out: the sum of counts, */
    double flops;    /* and of their squares */
} sb_elimination;

SB_NODISCARD sb_status sb_elimination_find(const sb_sparsity *a,
                                           sb_elimination *out, sb_error *err);

/* Changes `order` into a postorder in which siblings keep their order. */
SB_NODISCARD sb_status sb_elimination_postorder(const sb_sparsity *a,
                                                int *order, sb_error *err);

/* A supernode is a run of neighbouring columns of L stored as one full matrix,
 * so that factorisation and solves work on dense blocks.
 *
 * 1. Columns j and j + 1 with equal patterns below j form one supernode:
 *    parent(j) = j + 1, which has no other child, and count(j) = count(j + 1)
 *    + 1.
 * 2. A supernode is merged into the next one, if that is its parent, while few
 *    zeros have to be stored. The limits are those of the CHOLMOD User Guide.
 * 3. The rows of a supernode are its columns and the pattern below its last
 *    column. Row i is in those on the way from its entries in A up to i.
 *
 * Source: Ashcraft and Grimes, "The influence of relaxed supernode partitions",
 * ACM TOMS 15 (1989); Chen, Davis, Hager and Rajamanickam, "Algorithm 887:
 * CHOLMOD", ACM TOMS 35 (2008). */

/* Without `l`. NO_MEMORY also when an index would not fit into an int. */
SB_NODISCARD sb_status sb_supernodes_find(const sb_sparsity *a,
                                          const sb_elimination *elimination,
                                          sb_supernodes *out, sb_error *err);
void sb_supernodes_free(sb_supernodes *supernodes); /* and `l` */
