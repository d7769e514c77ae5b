/* SPDX-License-Identifier: MIT */
/* runtime/model/solve/discrete.h -- a shape cut up for a method of solving it.
 *
 * Sheets become triangles, solids quadratic tetrahedra; the shape's support or
 * clamp says which nodes are held. Closed forms are meshed by their family
 * (shapes/shapes.h), closed surfaces are filled by fill.h. The same shape gives
 * the same nodes. A deformable body (is_for_deform) has a coarser mesh.
 *
 * Thread: control, workers. Memory: sb_discrete_free.
 */
#pragma once

#include "runtime/model/fill/fill.h"
#include "runtime/model/grain.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/method.h"

typedef struct sb_fem sb_fem;
typedef struct sb_shape sb_shape;

typedef struct sb_discrete {
    sb_method method;    /* never AUTO */
    double thickness_m;  /* of a sheet; 0: solid */
    sb_mesh sheet;       /* of a sheet */
    sb_solid_mesh solid; /* of a solid */
    int node_count;      /* for tet4 the corners only */
    const sb_vec3 *nodes;
    sb_hold *holds; /* one per node; NULL: all free */
    bool is_lumped; /* its mass is in the nodes (tet10.h) */
} sb_discrete;

/* A cheap check before the work begins. BAD_ARGUMENT: an open surface without a
 * thickness, too many vertices. */
SB_NODISCARD sb_status sb_discrete_check(const sb_shape *shape, sb_error *err);

/* BAD_ARGUMENT: an open surface without a thickness, a clamp that holds
 * nothing, too many vertices. NO_MEMORY, and the errors of fill.h. */
SB_NODISCARD sb_status sb_discrete_make(const sb_shape *shape, sb_discrete *out,
                                        sb_error *err);
/* The same in elements of another size, where sb_discrete_is_free. */
SB_NODISCARD sb_status sb_discrete_make_in(const sb_shape *shape,
                                           sb_grain grain, sb_discrete *out,
                                           sb_error *err);
/* Whether the size of its elements may be chosen: the script gives no number,
 * no clamp lists nodes, and the method takes elements of any size. */
bool sb_discrete_is_free(const sb_shape *shape);
void sb_discrete_free(sb_discrete *discrete);

/* Nodes of element i: 3 of a triangle, 4 or 10 of a tetrahedron. */
int sb_discrete_element_count(const sb_discrete *discrete);
const int *sb_discrete_element(const sb_discrete *discrete, int i, int *count);

/* Stiffness and mass for E = 1, rho = 1. */
SB_NODISCARD sb_status sb_discrete_assemble(const sb_discrete *discrete,
                                            double poisson_ratio, sb_fem *out,
                                            sb_error *err);
