/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/fill_internal.h -- the steps from a boundary to a solid:
 * a lattice (lattice.c), cut to the shape of the boundary (chains.c, cut.c,
 * mend.c) as a mesh for local changes (tet_mesh.c), and curved (solid_mesh.c).
 *
 * Thread: one. Memory: the mesh is the caller's; sb_tet_mesh_free frees its
 * arrays.
 */
#pragma once

#include "runtime/model/fill/boundary.h"
#include "runtime/model/fill/fill.h"

/* --- a tetrahedral mesh for local changes ----------------------------------
 * The state between lattice and solid: points, tetrahedra over them, and for
 * each point the tetrahedra of which it is a corner (its star). A change
 * replaces some tetrahedra by others that fill the same space, so the mesh
 * never has gaps.
 *
 * Each point is unconstrained, or constrained to the surface, to a sharp edge
 * of it (a chain), or to a corner. */

typedef enum sb_hold_on {
    SB_ON_NOTHING,
    SB_ON_FACE,
    SB_ON_EDGE,
    SB_ON_CORNER
} sb_hold_on;

typedef struct sb_tet_point {
    sb_vec3 at;
    double size;        /* of the surrounding lattice cells, m */
    signed char side;   /* -1 inside, 0 on the surface, 1 outside */
    unsigned char hold; /* sb_hold_on */
    int chain;          /* for SB_ON_EDGE; otherwise -1 */
    double distance;    /* from the surface; INFINITY: far */
    sb_vec3 normal;     /* of the surface, for SB_ON_FACE */
    int star;           /* 4 tet + corner of its first tetrahedron, or -1 */
} sb_tet_point;

typedef struct sb_tet_mesh {
    sb_tet_point *points;
    int point_count, point_capacity;
    int (*tets)[4]; /* positive volume; [0] == -1: free slot */
    int (*next)[4]; /* linked lists of the stars */
    int tet_count, tet_capacity;
    int *spare; /* free slots */
    int spare_count, spare_capacity;
    bool is_out_of_memory; /* a change was refused for lack of memory */
} sb_tet_mesh;

enum { SB_STAR_MOST = 160 };

void sb_tet_mesh_free(sb_tet_mesh *mesh);
int sb_tet_mesh_point(sb_tet_mesh *mesh,
                      sb_tet_point point); /* -1: out of memory */

/* Reserves room for `tets` more; adding that many cannot fail afterwards. */
bool sb_tet_mesh_room(sb_tet_mesh *mesh, int tets);
void sb_tet_mesh_put(sb_tet_mesh *mesh, const int tet[4]);
void sb_tet_mesh_take(sb_tet_mesh *mesh, int tet);

static inline bool sb_tet_is_live(const sb_tet_mesh *mesh, int tet) {
    return mesh->tets[tet][0] >= 0;
}

bool sb_tet_has(const int tet[4], int point);

/* Finds the tetrahedra that contain all `count` points. Returns their
 * number, or -1 when there are more than `most`. */
int sb_tet_mesh_around(const sb_tet_mesh *mesh, const int *points, int count,
                       int *found, int most);

/* The tetrahedron on the other side of the face opposite `corner`, or -1. */
int sb_tet_mesh_across(const sb_tet_mesh *mesh, int tet, int corner);

/* Inserts a point on the edge, face or tetrahedron spanned by `count` points
 * and splits the tetrahedra around it. -1 if one would have no volume, or if
 * out of memory. */
int sb_tet_mesh_insert(sb_tet_mesh *mesh, const int *points, int count,
                       sb_tet_point point);

/* Six times the volume. */
double sb_tet_volume6(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 d);

/* The least sine of the six dihedral angles; negative if inside out. */
double sb_tet_quality(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 d);
double sb_tet_mesh_quality(const sb_tet_mesh *mesh, const int tet[4]);

/* The least quality of the star of `point` if it were at `at`. */
double sb_tet_mesh_star_quality(const sb_tet_mesh *mesh, int point, sb_vec3 at);

/* --- the lattice ------------------------------------------------------------
 * Planes perpendicular to each axis, some of which coincide with flat faces of
 * the surface: the outermost always do. Between those the cells are equal.
 * Every cell that contains a part of the inside is cut into the six tetrahedra
 * around its diagonal (Kuhn's subdivision), in the same manner everywhere, so
 * that neighbours conform. */

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

/* --- cutting and mending ----------------------------------------------------
 * Sharp edges first: the nearest lattice points are moved onto them, and where
 * none is near enough a point is inserted, so that every sharp edge becomes a
 * run of edges of the mesh. Then points near the surface are moved onto it, the
 * edges that still cross it are split there, and the outside is removed. Last,
 * flat tetrahedra are improved: points move (along the surface, if they are on
 * it), edges are flipped or collapsed.
 *
 * Source: Labelle & Shewchuk 2007 (snapping and cutting a lattice);
 *         Klingner & Shewchuk 2008 (the changes that improve a mesh). */

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

/* --- the solid ---------------------------------------------------------------
 * Each edge gets a node at its middle, shared by all tetrahedra with that edge.
 * The mid-edge nodes of boundary edges are then moved onto the surface, or onto
 * the sharp edge that they belong to, as far as the curved tetrahedra stay
 * valid: their Jacobian determinant keeps at least a fifth of its value for
 * straight edges at every point checked. */

/* Input is in the boundary's axes, output in those of its mesh. */
SB_NODISCARD sb_status sb_solid_mesh_make(const sb_boundary *boundary,
                                          const sb_tet_mesh *mesh,
                                          sb_solid_mesh *out, sb_error *err);
