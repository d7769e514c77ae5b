/* SPDX-License-Identifier: MIT */
/* runtime/model/fem/tet10.h -- the matrices of one tetrahedron.
 *
 * Quadratic, isoparametric: position and displacement are both interpolated by
 * N_a. With L_i the volume coordinates
 *
 *     N_a = L_i (2 L_i - 1) at corner i,   4 L_i L_j at the middle of edge ij
 *
 * so that faces may be curved. K_ab = integral of  l g_a g_b' + m (g_b g_a' +
 * g_a . g_b I),  g = grad N, l and m Lame's constants;  M_ab = rho integral of
 * N_a N_b, times I. With straight edges both are exact; with curved edges a
 * rule of degree 5 is used, which still gives the exact total mass.
 *
 * The linear element, for comparison, has N_i = L_i: far too stiff in bending.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/base/vec3.h"

#include <stdbool.h>

typedef struct sb_material sb_material;

enum { SB_TET_NODES_MOST = 10 };

/* Storage for either element, of `count` nodes: k couples (3 a + i) and (3 b
 * + j) at (3 a + i) 3 count + 3 b + j; m, identical for the three axes,
 * couples a and b at a count + b. */
typedef struct sb_tet_matrices {
    double k[9 * SB_TET_NODES_MOST * SB_TET_NODES_MOST];
    double m[SB_TET_NODES_MOST * SB_TET_NODES_MOST];
    double volume_m3;
} sb_tet_matrices;

/* Ends of the edges whose middles are nodes 4 .. 9. */
extern const int sb_tet_edges[6][2];

/* N_a of the quadratic element at volume coordinates L_i. */
void sb_tet10_values(const double l[4], double n[10]);

/* False when the element is flat or inside out, that is, when its Jacobian
 * determinant is not positive at an integration point. `out` is then
 * invalid. */
bool sb_tet10(const sb_vec3 nodes[10], const sb_material *material,
              sb_tet_matrices *out);
/* The same with the stiffness from four points, which deformable bodies use:
 * curved elements are a little softer. */
bool sb_tet10_four(const sb_vec3 nodes[10], const sb_material *material,
                   sb_tet_matrices *out);
bool sb_tet4(const sb_vec3 nodes[4], const sb_material *material,
             sb_tet_matrices *out);

/* Masses in the nodes alone, as deformable bodies have them: an explicit step
 * needs no equations to be solved then. The element, of sb_tet10, shares its
 * mass among its nodes as the diagonal of its consistent mass matrix is shared,
 * which keeps all of them positive.
 * Source: E. Hinton, T. Rock, O. Zienkiewicz, A Note on Mass Lumping and
 * Related Processes in the Finite Element Method, 1976. */
void sb_lump_tet10(const sb_tet_matrices *element, double mass_kg,
                   double out[10]);
