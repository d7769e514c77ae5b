/* runtime/model/fill/cut.h -- cuts a lattice to the shape of a boundary and
 * improves its tetrahedra.
 *
 * Sharp edges first: the nearest lattice points are moved onto them, and where
 * none is near enough a point is inserted, so that every sharp edge becomes a
 * run of edges of the mesh. Then points near the surface are moved onto it, the
 * edges that still cross it are split there, and the outside is removed. Last,
 * flat tetrahedra are improved: points move (along the surface, if they are on
 * it), edges are flipped or collapsed.
 *
 * Thread: one. Memory: the mesh is the caller's.
 * Source: Labelle & Shewchuk 2007 (snapping and cutting a lattice);
 *         Klingner & Shewchuk 2008 (the changes that improve a mesh).
 */
#ifndef SB_MODEL_FILL_CUT_H
#define SB_MODEL_FILL_CUT_H

#include "runtime/model/fill/boundary.h"
#include "runtime/model/fill/tet_mesh.h"

/* Represents sharp edges by edges of the mesh, as far as the lattice is fine
 * enough. NO_MEMORY. */
SB_NODISCARD sb_status sb_cut_trace_chains(const sb_boundary *boundary,
                                           sb_tet_mesh *mesh, sb_error *err);

/* Snaps points, splits edges and removes the outside. NO_MEMORY. */
SB_NODISCARD sb_status sb_cut_to_boundary(const sb_boundary *boundary,
                                          sb_tet_mesh *mesh, sb_error *err);

/* Removes small pieces that share no face with the rest. *piece_count is the
 * number of remaining pieces. NO_MEMORY. */
SB_NODISCARD sb_status sb_cut_drop_crumbs(sb_tet_mesh *mesh, int *piece_count,
                                          sb_error *err);

/* Improves tetrahedra whose least sine is below `target`. */
void sb_cut_mend(const sb_boundary *boundary, sb_tet_mesh *mesh, double target);

#endif
