/* runtime/model/linear/dissection.h -- orders the nodes of a graph by nested
 * dissection (ordering.h).
 *
 * Thread: control, workers. Memory: the caller's; METIS allocates from the C
 * library, after as much was refused or granted by memory.h.
 */
#ifndef SB_MODEL_LINEAR_DISSECTION_H
#define SB_MODEL_LINEAR_DISSECTION_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A graph, or a part of one: its edges as a lower triangle. */
typedef struct sb_piece {
    int n;
    int *starts, *rows;
    int *names; /* [n] the nodes */
} sb_piece;

bool sb_piece_make(sb_piece *p, int n, int edges); /* false: no memory */
void sb_piece_free(sb_piece *p);

/* The same edges, each in both directions. */
typedef struct sb_graph {
    int *starts, *rows;
} sb_graph;

/* Both triangles, without the diagonal, and room for `spare` edges more. */
SB_NODISCARD sb_status sb_piece_unfold(const sb_piece *p, size_t spare,
                                       sb_graph *out, sb_error *err);
void sb_graph_free(sb_graph *g);

/* order[i] is the name of the node that is eliminated as number i. */
SB_NODISCARD sb_status sb_dissect(const sb_piece *whole, int *order,
                                  sb_error *err);

#endif
