/* runtime/model/grid/grid_ring.h -- rings of wire as meshes, for shapes/ring.c.
 *
 * Thread: control, workers. Memory: the meshes belong to the caller.
 */
#ifndef SB_MODEL_GRID_GRID_RING_H
#define SB_MODEL_GRID_GRID_RING_H

#include "runtime/base/status.h"
#include "runtime/model/grain.h"

typedef struct sb_mesh sb_mesh;
typedef struct sb_shape sb_shape;
typedef struct sb_solid_mesh sb_solid_mesh;

/* The shape is a ring that has been checked. `resolution` is the number of
 * edges around it; at least 24 are made. */
SB_NODISCARD sb_status sb_grid_ring_surface(const sb_shape *ring,
                                            int resolution, sb_mesh *out,
                                            sb_error *err);
SB_NODISCARD sb_status sb_grid_ring_solid(const sb_shape *ring, int resolution,
                                          sb_solid_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_grid_ring_fine_solid(const sb_shape *ring,
                                               sb_grain grain,
                                               sb_solid_mesh *out,
                                               sb_error *err);

#endif
