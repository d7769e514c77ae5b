/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/refine.h -- splits long edges of a surface.
 *
 * Edges that are too long are halved and their faces split with them into two,
 * three or four, until no edge is too long. The surface keeps its shape, faces
 * keep their orientation, texture coordinates are interpolated.
 *
 * Thread: control, workers. Memory: the mesh is the caller's.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_mesh sb_mesh;

/* Splits edges longer than the extent of their component divided by
 * `elements`. The extent is twice the greatest distance from its centroid,
 * which does not depend on rotation. With `elements` 0 a default is chosen:
 * 16 along a square sheet. The mesh must have no tetrahedra. A round that
 * would exceed `most_vertices` is omitted; `is_done`, which may be NULL, is
 * set to whether all rounds were made. On failure (NO_MEMORY) the mesh is
 * valid and possibly finer. */
SB_NODISCARD sb_status sb_mesh_refine(sb_mesh *mesh, int elements,
                                      int most_vertices, bool *is_done,
                                      sb_error *err);
