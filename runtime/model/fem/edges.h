/* runtime/model/fem/edges.h -- the edges of a surface, each once.
 *
 * Thread: control, workers. Memory: sb_edges_free frees the list.
 */
#ifndef SB_MODEL_FEM_EDGES_H
#define SB_MODEL_FEM_EDGES_H

#include "runtime/model/mesh/mesh.h"

typedef struct sb_edge {
    int a, b;       /* vertices, a < b; first member, as sb_cells requires */
    double area_m2; /* of all faces that share it */
} sb_edge;

typedef struct sb_edges {
    int count;
    sb_edge *list; /* ascending by a, then b */
} sb_edges;

SB_NODISCARD sb_status sb_edges_find(const sb_mesh *mesh, sb_edges *out,
                                     sb_error *err);
void sb_edges_free(sb_edges *edges);

#endif
