/* runtime/model/fill/cut.h -- cuts a lattice to the shape of a boundary and
 * improves its tetrahedra.
 *
 * Sharp edges first: the lattice points nearest to them are moved onto them,
 * and where none is near enough a point is put in, so that every sharp edge
 * becomes a run of edges of the mesh. Then points near the surface are moved
 * onto it, the edges that still cross it are split where they do, and what is
 * outside is dropped. Last, flat tetrahedra are improved: points move (along
 * the surface, if they are on it), edges are flipped or collapsed.
 *
 * Thread: one.
 * Source: Labelle & Shewchuk 2007 (the snapping and cutting of a lattice);
 * Klingner & Shewchuk 2008 (which changes mend a mesh).
 */
#ifndef SB_MODEL_FILL_CUT_H
#define SB_MODEL_FILL_CUT_H

#include "runtime/model/fill/boundary.h"
#include "runtime/model/fill/tet_mesh.h"

/* Make the sharp edges edges of the mesh, as far as the lattice is fine
 * enough for them. NO_MEMORY. */
SB_NODISCARD sb_status sb_cut_trace_chains(const sb_boundary *boundary,
                                           sb_tet_mesh *mesh, sb_error *err);

/* Snap, split, and drop what is outside. NO_MEMORY. */
SB_NODISCARD sb_status sb_cut_to_boundary(const sb_boundary *boundary,
                                          sb_tet_mesh *mesh, sb_error *err);

/* Drops small pieces that share no face with the rest. *piece_count gets the
 * number of pieces left. NO_MEMORY. */
SB_NODISCARD sb_status sb_cut_drop_crumbs(sb_tet_mesh *mesh, int *piece_count,
                                          sb_error *err);

/* Mend tetrahedra whose least sine is below `target`. */
void sb_cut_mend(const sb_boundary *boundary, sb_tet_mesh *mesh, double target);

#endif
