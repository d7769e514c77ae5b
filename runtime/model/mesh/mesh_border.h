/* runtime/model/mesh/mesh_border.h -- the edges where a surface ends.
 *
 * Thread: control, workers. Memory: the list is the caller's, sb_free.
 */
#ifndef SB_MODEL_MESH_BORDER_H
#define SB_MODEL_MESH_BORDER_H

#include "runtime/model/mesh/mesh.h"

/* The edges that only one face has, as pairs of vertices; none: it is closed,
 * and *edges is NULL. NO_MEMORY. */
SB_NODISCARD sb_status sb_mesh_border(const sb_mesh *mesh, int (**edges)[2],
                                      int *count, sb_error *err);

#endif
