/* runtime/model/fill/lattice.h -- a lattice of tetrahedra around a boundary.
 *
 * Planes perpendicular to each axis, some of which coincide with flat faces of
 * the surface: the outermost always do. Between those the cells are equal.
 * Every cell that contains a part of the inside is cut into the six tetrahedra
 * around its diagonal (Kuhn's subdivision), in the same manner everywhere, so
 * that neighbours conform.
 *
 * Thread: one. Memory: the mesh is the caller's.
 */
#ifndef SB_MODEL_FILL_LATTICE_H
#define SB_MODEL_FILL_LATTICE_H

#include "runtime/model/fill/boundary.h"
#include "runtime/model/fill/tet_mesh.h"

/* Size of cells along each axis. */
typedef struct sb_cell_plan {
    double cell_m[3];
    double thickness_m; /* of thin places; INFINITY: none found */
} sb_cell_plan;

/* Cells for at most about `most_nodes` quadratic nodes, small enough for two
 * across thin places where possible. `coarser` (1: as estimated) is raised
 * when there were too many nodes. BAD_ARGUMENT: too thin. */
SB_NODISCARD sb_status sb_cell_plan_make(const sb_boundary *boundary,
                                         int most_nodes, double coarser,
                                         sb_cell_plan *out, sb_error *err);

/* Approximate number of quadratic nodes of such cells. */
double sb_cell_plan_nodes(const sb_boundary *boundary, const double cell_m[3]);

/* Places points; their sides and constraints are not set yet. */
SB_NODISCARD sb_status sb_lattice_make(const sb_boundary *boundary,
                                       const sb_cell_plan *plan,
                                       sb_tet_mesh *out, sb_error *err);

#endif
