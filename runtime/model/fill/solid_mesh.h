/* runtime/model/fill/solid_mesh.h -- quadratic tetrahedra from linear ones.
 *
 * Each edge gets a node at its middle, shared by all tetrahedra with that edge.
 * The mid-edge nodes of boundary edges are then moved onto the surface, or onto
 * the sharp edge that they belong to, as far as the curved tetrahedra stay
 * valid: their Jacobian determinant keeps at least a fifth of its value for
 * straight edges at every point checked.
 *
 * Thread: one. Memory: the result is the caller's.
 */
#ifndef SB_MODEL_FILL_SOLID_MESH_H
#define SB_MODEL_FILL_SOLID_MESH_H

#include "runtime/model/fill/boundary.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/fill/tet_mesh.h"

/* Input is in the boundary's axes, output in those of its mesh. */
SB_NODISCARD sb_status sb_solid_mesh_make(const sb_boundary *boundary,
                                          const sb_tet_mesh *mesh,
                                          sb_solid_mesh *out, sb_error *err);

double sb_solid_mesh_volume_m3(const sb_solid_mesh *solid);

/* The least Jacobian determinant of a tetrahedron at its nodes and four inner
 * points. */
double sb_solid_tet_least_jacobian(const sb_solid_mesh *solid, int tet);

#endif
