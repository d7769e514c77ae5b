/* runtime/model/fill/refine.h -- splits long edges of a surface.
 *
 * Edges that are too long are halved and their faces split along with them,
 * until none is: two, three or four faces for one. The surface stays where it
 * is, its faces keep their orientation, texture coordinates are interpolated.
 *
 * Thread: control, workers. Memory: the mesh is the caller's.
 */
#ifndef SB_MODEL_FILL_REFINE_H
#define SB_MODEL_FILL_REFINE_H

#include "runtime/model/mesh/mesh.h"

/* Split edges longer than the extent of their component, twice the reach from
 * its middle, by `elements`: it is the same however the mesh is turned. With
 * `elements` 0 there are as many as are good: 16 along a square sheet. The
 * mesh has no tetrahedra. A round that would make more than `most_vertices` is
 * left out, and `is_done`, which may be NULL, says whether all were made. On
 * failure (NO_MEMORY) the mesh is valid, and perhaps finer. */
SB_NODISCARD sb_status sb_mesh_refine(sb_mesh *mesh, int elements,
                                      int most_vertices, bool *is_done,
                                      sb_error *err);

#endif
