/* runtime/model/fem/links.h -- which nodes share an element.
 *
 * Thread: control, workers. Memory: sb_links_free frees the lists.
 */
#ifndef SB_MODEL_FEM_LINKS_H
#define SB_MODEL_FEM_LINKS_H

#include "runtime/base/status.h"

/* Elements of `per_cell` nodes each; consecutive ones are `stride` ints
 * apart. */
typedef struct sb_cells {
    const int *nodes;
    int stride, per_cell, count;
} sb_cells;

typedef struct sb_links {
    int node_count;
    int *starts; /* node_count + 1 entries; index into others */
    int *others; /* neighbours of each node with higher numbers, ascending */
} sb_links;

/* BAD_ARGUMENT when a node belongs to no element: it would have no
 * stiffness. */
SB_NODISCARD sb_status sb_links_find(const sb_cells *cells, int node_count,
                                     sb_links *out, sb_error *err);
void sb_links_free(sb_links *links);

/* The index of node b > a in `others`; a and b must share an element. */
int sb_links_at(const sb_links *links, int a, int b);

#endif
