/* runtime/model/fem/fem.h -- stiffness and mass matrices of a body.
 *
 * Each method (shell.c, springs.c, fem_solid.c) turns geometry and material into
 * stiffness K and mass M over the degrees of freedom that are not fixed, and
 * lists the degrees of freedom of each surface vertex.
 *
 * Thread: control, workers. Memory: sb_fem_free frees the members.
 */
#ifndef SB_MODEL_FEM_FEM_H
#define SB_MODEL_FEM_FEM_H

#include "runtime/base/status.h"
#include "runtime/model/linear/sparse.h"
#include "runtime/model/method.h"

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

/* `holds` has one entry per node; NULL: all free. E, rho and nu come from
 * the material. The mesh is the middle surface of a sheet of `thickness_m`. */
SB_NODISCARD sb_status sb_fem_shell(const sb_mesh *mesh,
                                    const sb_material *material,
                                    double thickness_m, const sb_hold *holds,
                                    sb_fem *out, sb_error *err);
/* Two layers of springs with braces between them (physics 2.9): the pure
 * spring-mass model. */
SB_NODISCARD sb_status sb_fem_springs(const sb_mesh *mesh,
                                      const sb_material *material,
                                      double thickness_m, const sb_hold *holds,
                                      sb_fem *out, sb_error *err);
/* As in Raghuvanshi & Lin 3.1: k = Y t on every edge, no bending stiffness. */
SB_NODISCARD sb_status sb_fem_springs_literal(const sb_mesh *mesh,
                                              const sb_material *material,
                                              double thickness_m,
                                              const sb_hold *holds, sb_fem *out,
                                              sb_error *err);
/* Quadratic tetrahedra, isoparametric, consistent mass. */
SB_NODISCARD sb_status sb_fem_solid(const sb_solid_mesh *solid,
                                    const sb_material *material,
                                    const sb_hold *holds, sb_fem *out,
                                    sb_error *err);
/* The matrices of a deformable body: the same stiffness, masses by lump.h. */
SB_NODISCARD sb_status sb_fem_shell_lumped(const sb_mesh *mesh,
                                           const sb_material *material,
                                           double thickness_m,
                                           const sb_hold *holds, sb_fem *out,
                                           sb_error *err);
SB_NODISCARD sb_status sb_fem_solid_lumped(const sb_solid_mesh *solid,
                                           const sb_material *material,
                                           const sb_hold *holds, sb_fem *out,
                                           sb_error *err);
/* Linear tetrahedra on the corners of the same mesh, for comparison. */
SB_NODISCARD sb_status sb_fem_tet4(const sb_solid_mesh *solid,
                                   const sb_material *material,
                                   const sb_hold *holds, sb_fem *out,
                                   sb_error *err);

#endif
