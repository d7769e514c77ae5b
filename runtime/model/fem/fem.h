/* SPDX-License-Identifier: MIT */
/* runtime/model/fem/fem.h -- stiffness and mass matrices of a body.
 *
 * Each method (fem_sheet.c, fem_solid.c) turns geometry and material into
 * stiffness K and mass M over the degrees of freedom that are not fixed, and
 * lists the degrees of freedom of each surface vertex.
 *
 * Thread: control, workers. Memory: sb_fem_free frees the members.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/linear/sparse.h"
#include "runtime/model/method.h"

#include <stdbool.h>

typedef struct sb_material sb_material;
typedef struct sb_mesh sb_mesh;
typedef struct sb_solid_mesh sb_solid_mesh;
typedef struct sb_vec3 sb_vec3;

typedef struct sb_fem {
    int node_count;
    sb_vec3 *nodes;
    int (*dofs)[3]; /* index of each node's x, y, z displacement; -1: fixed */
    int dof_count;
    int element_count;
    double mass_kg;
    sb_sparse k, m;
    /* The skin, where a body is struck and radiates: faces over the nodes.
     * For shells and springs these are the vertices and faces of the mesh. */
    int face_count;
    int (*faces)[3];
} sb_fem;

void sb_fem_free(sb_fem *fem);

typedef struct sb_fem_def {
    /* SHELL, SPRINGS (two layers with braces between them, physics 2.9: the
     * pure spring-mass model) or SPRINGS_LITERAL (as in Raghuvanshi & Lin 3.1:
     * k = Y t on every edge, no bending stiffness) of `sheet`; SOLID (quadratic
     * tetrahedra, isoparametric, consistent mass) or, for comparison, TET4
     * (linear ones on the corners of the same mesh) of `solid`. */
    sb_method method;
    /* SHELL and SOLID: as a deformable body has them, the same stiffness, and
     * masses in the nodes alone (sb_lump_tet10, sb_lump_inertia). */
    bool is_lumped;
    const sb_material *material; /* E, rho and nu */
    const sb_hold *holds;        /* one per node, or NULL: all free */
    const sb_mesh *sheet;        /* its middle surface */
    double thickness_m;          /* of it */
    const sb_solid_mesh *solid;
} sb_fem_def;

/* BAD_ARGUMENT names what is wrong with mesh or material; NO_MEMORY. */
SB_NODISCARD sb_status sb_fem_make(const sb_fem_def *def, sb_fem *out,
                                   sb_error *err);

/* Finds the outer faces, those sides of tetrahedra that no other one shares,
 * facing outward; sb_free frees them. Quadratic: each side becomes four
 * triangles of its six nodes; otherwise one triangle of its corners. */
SB_NODISCARD sb_status sb_skin_find(const sb_solid_mesh *solid,
                                    bool is_quadratic, int (**faces)[3],
                                    int *face_count, sb_error *err);
