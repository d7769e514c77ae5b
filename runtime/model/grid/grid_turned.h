/* runtime/model/grid/grid_turned.h -- walls of revolution as meshes.
 *
 * Thread: control, workers. Memory: the mesh belongs to the caller.
 */
#ifndef SB_MODEL_GRID_GRID_TURNED_H
#define SB_MODEL_GRID_GRID_TURNED_H

#include "runtime/base/status.h"

typedef struct sb_mesh sb_mesh;
typedef struct sb_outline sb_outline;

/* The middle of the wall, facing outward, with (u, v) of shape.h. Edges round
 * the widest ring and along the profile are about 1 / `resolution` of the
 * longer of its height and its width; every point of the profile has a ring of
 * vertices unless such rings are closer than half of that. NO_MEMORY. */
SB_NODISCARD sb_status sb_grid_turned(const sb_outline *outline, int resolution,
                                      sb_mesh *out, sb_error *err);

#endif
