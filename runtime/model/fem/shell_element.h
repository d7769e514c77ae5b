/* SPDX-License-Identifier: MIT */
/* runtime/model/fem/shell_element.h -- the stiffness of one thin triangle.
 *
 * Bending out of the plane: discrete Kirchhoff (DKT). With L_i the area
 * coordinates, the slope g = grad w is taken as
 *
 *     g = sum L_i g_i + sum over edges ij  4 L_i L_j a_ij s_ij
 *     a_ij = 3 (w_j - w_i) / (2 l_ij) - 3/4 s_ij . (g_i + g_j)
 *
 * so that half-way along each edge it is the slope of the cubic through the
 * ends' w and slopes, as in a beam, and across the edge it is linear. The
 * curvature is the symmetric gradient of g, linear in the triangle.
 *
 * Stretching in the plane: the constant strain of the corners' displacements
 * alone (CST) is far too stiff where a sheet bends in its own plane. Here the
 * corners also turn about the normal, which bulges the edges: a mean strain
 * plus a part of one that is linear in the triangle. Two such triangles bend
 * nearly as the beam they make up, however long. No spring is needed against
 * that turning.
 *
 * Thread: any. Memory: the caller's.
 * Source: Batoz, Bathe, Ho, A study of three-node triangular plate bending
 *         elements, Int. J. Num. Meth. Eng. 15 (1980), for the idea of DKT;
 *         Felippa, A study of optimal membrane triangles with drilling
 *         freedoms, Comp. Meth. Appl. Mech. Eng. 192 (2003), for the numbers
 *         of the linear strain.
 */
#pragma once

#include "runtime/base/vec3.h"

enum { SB_SHELL_DOFS = 18 };

typedef struct sb_shell_section {
    double youngs_modulus; /* Pa */
    double poisson_ratio;
    double thickness_m;
} sb_shell_section;

/* Overwrites `k`, both halves. Degrees of freedom in world axes, corner by
 * corner: displacement x y z (m), rotation x y z (rad). The corners must not
 * be collinear. */
void sb_shell_element(const sb_vec3 corners[3], const sb_shell_section *section,
                      double k[SB_SHELL_DOFS][SB_SHELL_DOFS]);

/* The inertia, kg m^2, of the share `mass_kg` of a triangle in a node of a
 * sheet with masses in the nodes alone: isotropic, mass * max(t^2, area) / 12.
 * That of the sheet alone, mass * t^2 / 12, would make the step of a deformable
 * body four times shorter; the greater one lowers pitches by less than the
 * elements do. */
double sb_lump_inertia(double mass_kg, double thickness_m, double area_m2);
