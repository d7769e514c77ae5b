/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/fill.h -- fills a closed surface with tetrahedra.
 *
 * A lattice aligned with the flat faces of the surface (boundary.h) is cut to
 * its shape with sharp edges preserved, and curved onto it (fill_internal.h).
 * Boxes, and all bodies bounded by planes along three axes, are exact and
 * independent of their rotation. Components inside others are cavities;
 * components that intersect are filled once.
 *
 * Thread: control, workers. Memory: the result is the caller's.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_mesh sb_mesh;
typedef struct sb_vec3 sb_vec3;

/* Quadratic tetrahedra: corners 0 .. 3, then the middles of the edges 01 12
 * 02 03 13 23. Middles of boundary edges may lie off the straight line, on
 * the surface. */
typedef struct sb_solid_mesh {
    int node_count;
    int tet_count;
    int corner_count; /* nodes 0 .. corner_count - 1 are corners */
    sb_vec3 *nodes;
    int (*tets)[10];
} sb_solid_mesh;

void sb_solid_mesh_free(sb_solid_mesh *solid);

typedef struct sb_fill_def {
    /* Edge of the lattice, m; 0: chosen so that thin places have enough
     * elements and the node count stays within `most_nodes`. */
    double cell_m;
    int most_nodes; /* default 20000; at least 100 */
    /* Where the size is chosen: cells smaller by this factor, and nodes within
     * finer^3 times `most_nodes`; 0 means 1. For the same body in several
     * sizes of elements. */
    double finer;
} sb_fill_def;

sb_fill_def sb_fill_def_default(void);

/* Fills the closed surface. BAD_ARGUMENT for one with holes ("... has 3
 * holes (12 border edges): close them, or give a thickness and method =
 * \"shell\""), one that encloses nothing, or one too thin for `most_nodes`.
 * The least dihedral angle is above 8 degrees except in extreme cases, and
 * the Jacobian determinant is positive at all nodes and inner points
 * checked. */
SB_NODISCARD sb_status sb_fill(const sb_mesh *boundary, const sb_fill_def *def,
                               sb_solid_mesh *out, sb_error *err);

/* Straight-sided quadratic tetrahedra from the mesh's own tetrahedra.
 * BAD_ARGUMENT if it has none. */
SB_NODISCARD sb_status sb_solid_from_tets(const sb_mesh *mesh,
                                          sb_solid_mesh *out, sb_error *err);

double sb_solid_mesh_volume_m3(const sb_solid_mesh *solid);

/* The least Jacobian determinant of a tetrahedron at its nodes and four inner
 * points. */
double sb_solid_tet_least_jacobian(const sb_solid_mesh *solid, int tet);
