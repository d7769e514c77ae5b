/* SPDX-License-Identifier: MIT */
/* runtime/model/fem/assembly.h -- global matrices from element matrices:
 * numbers the free degrees of freedom and sums elements.
 *
 * A node has `per_node` degrees of freedom. The first three are its
 * displacement; the others (rotations, or the half-difference of two layers)
 * stay free when a node is only pinned.
 *
 * The sparsity pattern follows from the nodes that share an element. It is
 * computed first, and elements are added in place: three times as fast as
 * collecting entries and sorting them.
 *
 * Thread: control, workers. Memory: sb_assembly_end frees everything that it
 * does not move to the sb_fem.
 */
#pragma once

#include "runtime/model/fem/fem.h"
#include "runtime/model/material.h"

/* Elements of `per_cell` nodes each; consecutive ones are `stride` ints
 * apart. */
typedef struct sb_cells {
    const int *nodes;
    int stride, per_cell, count;
} sb_cells;

/* Which nodes share an element. */
typedef struct sb_links {
    int node_count;
    int *starts; /* node_count + 1 entries; index into others */
    int *others; /* neighbours of each node with higher numbers, ascending */
} sb_links;

typedef struct sb_assembly {
    sb_fem fem;
    int per_node;
    int *indices; /* [node][per_node], -1: fixed */
    sb_links links;
    /* Free degrees of freedom of the node's earlier links. */
    int *k_before, *m_before;
    int lumped_dofs; /* 0: consistent mass */
    bool has_inertia;
} sb_assembly;

typedef struct sb_assembly_def {
    const sb_vec3 *nodes;
    int node_count;
    int per_node;
    const sb_hold *holds; /* one per node, or NULL: all free */
    sb_cells cells;
    /* Number of leading degrees of freedom per node that carry lumped mass;
     * 0: consistent mass, on displacements, with the couplings of the cells. */
    int lumped_dofs;
    /* Of these, the first three have mass and the others inertia; else all have
     * mass. */
    bool has_inertia;
} sb_assembly_def;

/* Copies the nodes, numbers the free degrees of freedom and creates matrices
 * with zero entries. BAD_ARGUMENT when no degree of freedom is free. On
 * failure sb_assembly_end must not be called. */
SB_NODISCARD sb_status sb_assembly_begin(sb_assembly *assembly,
                                         const sb_assembly_def *def,
                                         sb_error *err);
/* Adds a symmetric element matrix; degrees of freedom are ordered node by
 * node. The nodes must all belong to one cell. */
void sb_assembly_add_k(sb_assembly *assembly, const int *nodes, int count,
                       const double *k);
/* The same for a consistent mass matrix, count x count, identical for the
 * three axes. */
void sb_assembly_add_m(sb_assembly *assembly, const int *nodes, int count,
                       const double *m);
/* Adds lumped mass to one node. */
void sb_assembly_add_mass(sb_assembly *assembly, int node, double mass_kg);
/* Adds lumped inertia, about all axes, to one node; needs has_inertia. */
void sb_assembly_add_inertia(sb_assembly *assembly, int node,
                             double inertia_kg_m2);
/* Moves the matrices to `out` if `status` is ok, else frees them; returns
 * `status`. */
SB_NODISCARD sb_status sb_assembly_end(sb_assembly *assembly, sb_status status,
                                       sb_fem *out);

/* Checks E, rho and nu; BAD_ARGUMENT names the invalid one. Other properties
 * are not checked, since problems are also solved for E = 1 Pa, which no
 * material has. */
SB_NODISCARD sb_status sb_elastic_check(const sb_material *material,
                                        sb_error *err);

/* fem_sheet.c: sb_fem_make for the methods of sheets. */
SB_NODISCARD sb_status sb_fem_of_sheet(const sb_fem_def *def, sb_fem *out,
                                       sb_error *err);
