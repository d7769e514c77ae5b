/* runtime/model/linear/supernodes.h -- finds the supernodes of a Cholesky
 * factor.
 *
 * A supernode is a run of neighbouring columns of L stored as one full matrix,
 * so that factorisation and solves work on dense blocks. Input is the pattern
 * of A, its elimination tree and the number of nonzeros in each column of L
 * (elimination.h):
 *
 * 1. Columns j and j + 1 with equal patterns below j form one supernode:
 *    parent(j) = j + 1, which has no other child, and count(j) = count(j + 1)
 *    + 1.
 * 2. A supernode is merged into the next one, if that is its parent, while few
 *    zeros have to be stored. The limits are those of the CHOLMOD User Guide.
 * 3. The rows of a supernode are its columns and the pattern below its last
 *    column. Row i is in those on the way from its entries in A up to i.
 *
 * Thread: control, workers. Memory: sb_supernode_pattern_free frees the arrays.
 * Source: Ashcraft and Grimes, "The influence of relaxed supernode partitions",
 * ACM TOMS 15 (1989); Chen, Davis, Hager and Rajamanickam, "Algorithm 887:
 * CHOLMOD", ACM TOMS 35 (2008).
 */
#ifndef SB_MODEL_LINEAR_SUPERNODES_H
#define SB_MODEL_LINEAR_SUPERNODES_H

#include "runtime/base/status.h"
#include "runtime/model/linear/elimination.h"

/* As sb_supernodes of panel.h, without values. */
typedef struct sb_supernode_pattern {
    int count;
    int *columns; /* [count + 1] */
    int *starts;  /* [count + 1] */
    int *values;  /* [count] */
    int *rows;
} sb_supernode_pattern;

/* NO_MEMORY also when an index would not fit into an int. */
SB_NODISCARD sb_status sb_supernode_pattern_find(
    const sb_pattern *a, const sb_elimination *elimination,
    sb_supernode_pattern *out, sb_error *err);
void sb_supernode_pattern_free(sb_supernode_pattern *pattern);

#endif
