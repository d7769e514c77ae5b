/* runtime/model/linear/supernodes.h -- finds the supernodes of a Cholesky
 * factor.
 *
 * A supernode is a run of neighbouring columns of L stored as one full matrix,
 * so that factorisation and solves work on dense blocks. Input is the pattern
 * of A and the number of nonzeros in each column of L:
 *
 * 1. The elimination tree: parent(j) is the first row below j in column j of L.
 * 2. Columns j and j + 1 with equal patterns below j form one supernode:
 *    parent(j) = j + 1 and count(j) = count(j + 1) + 1.
 * 3. A supernode is merged into the next one, if that is its parent, while few
 *    zeros have to be stored. The limits are those that CHOLMOD documents.
 * 4. The rows of a supernode are its columns and the pattern below its last
 *    column: the union of A's columns and of the rows of its children.
 *
 * Thread: control, workers. Memory: sb_supernode_pattern_free frees the arrays.
 * Source: Liu, "The role of elimination trees in sparse factorization", SIAM J.
 * Matrix Anal. 11 (1990); Ashcraft and Grimes, "The influence of relaxed
 * supernode partitions", ACM TOMS 15 (1989); limits: CHOLMOD User Guide.
 */
#ifndef SB_MODEL_LINEAR_SUPERNODES_H
#define SB_MODEL_LINEAR_SUPERNODES_H

#include "runtime/base/status.h"
#include "runtime/model/linear/sparse.h"

/* As sb_supernodes of panel.h, without values. */
typedef struct sb_supernode_pattern {
    int count;
    int *columns; /* [count + 1] */
    int *starts;  /* [count + 1] */
    int *values;  /* [count] */
    int *rows;
} sb_supernode_pattern;

/* `a` is permuted already, best into a postorder of its elimination tree;
 * counts[j] is the number of nonzeros of column j of L, the diagonal included.
 * NO_MEMORY also when an index would not fit into an int. */
SB_NODISCARD sb_status sb_supernode_pattern_find(const sb_sparse *a,
                                                 const int *counts,
                                                 sb_supernode_pattern *out,
                                                 sb_error *err);
void sb_supernode_pattern_free(sb_supernode_pattern *pattern);

#endif
