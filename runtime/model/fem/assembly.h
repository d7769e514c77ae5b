/* runtime/model/fem/assembly.h -- global matrices from element matrices:
 * numbers the free degrees of freedom and sums elements.
 *
 * A node has `per_node` degrees of freedom. The first three are its
 * displacement; the others (rotations, or the half-difference of two layers)
 * stay free when a node is only pinned.
 *
 * Which entries a matrix has follows from which nodes share an element, so the
 * matrices are laid out first and elements added in place: three times as fast
 * as collecting entries and sorting them.
 *
 * Thread: control, workers. Memory: sb_assembly_end frees all that it does not
 * give to the sb_fem.
 */
#ifndef SB_MODEL_FEM_ASSEMBLY_H
#define SB_MODEL_FEM_ASSEMBLY_H

#include "runtime/model/fem/fem.h"
#include "runtime/model/fem/links.h"

typedef struct sb_assembly {
    sb_fem fem;
    int per_node;
    int *indices; /* [node][per_node], -1: fixed */
    sb_links links;
    /* Free degrees of freedom of a node's links before this one. */
    int *k_before, *m_before;
    int lumped_dofs; /* 0: the mass is consistent */
} sb_assembly;

typedef struct sb_assembly_def {
    const sb_vec3 *nodes;
    int node_count;
    int per_node;
    const sb_hold *holds; /* or NULL */
    sb_cells cells;
    /* Mass on the first so many degrees of freedom of each node by itself, or
     * 0: on displacements, linked as the cells are. */
    int lumped_dofs;
} sb_assembly_def;

/* Copies the nodes, numbers what is free and lays out empty matrices.
 * BAD_ARGUMENT when nothing is free. On failure there is nothing to end. */
SB_NODISCARD sb_status sb_assembly_begin(sb_assembly *assembly,
                                         const sb_assembly_def *def,
                                         sb_error *err);
/* Add a symmetric element matrix, its degrees of freedom node by node. The
 * nodes are those of a cell, or some of them. */
void sb_assembly_add_k(sb_assembly *assembly, const int *nodes, int count,
                       const double *k);
/* The same of a consistent mass, count x count, alike for the three axes. */
void sb_assembly_add_m(sb_assembly *assembly, const int *nodes, int count,
                       const double *m);
/* Lumped mass of one node. */
void sb_assembly_add_mass(sb_assembly *assembly, int node, double mass_kg);
/* Moves the matrices to `out` if `status` is ok, else frees them; returns
 * `status`. */
SB_NODISCARD sb_status sb_assembly_end(sb_assembly *assembly, sb_status status,
                                       sb_fem *out);

/* E, rho and nu are usable; BAD_ARGUMENT names the one that is not. Only these:
 * a problem is also solved for E = 1 Pa, which no material has. */
SB_NODISCARD sb_status sb_elastic_check(const sb_material *material,
                                        sb_error *err);

/* For sheets: material, thickness and faces are usable; BAD_ARGUMENT names
 * what is not. */
SB_NODISCARD sb_status sb_sheet_check(const sb_mesh *mesh,
                                      const sb_material *material,
                                      double thickness_m, sb_error *err);
/* The mesh's own faces become the skin, its vertices get a third of each of
 * their triangles as lumped mass. */
SB_NODISCARD sb_status sb_sheet_finish(sb_assembly *assembly,
                                       const sb_mesh *mesh, double mass_kg_m2,
                                       sb_error *err);
double sb_face_area_m2(const sb_mesh *mesh, int face);

#endif
