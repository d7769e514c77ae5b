/* SPDX-License-Identifier: MIT */
/* runtime/model/closed_forms/ritz.h -- bending of a rectangle, Ritz's method.
 *
 * Along x = -1 .. 1 the functions of an axis
 *
 *     X_i = (1 + x)^p (1 - x)^q P_i(x),   p, q = 0 at a free end; at a
 *                                         clamped one 2 if X' is 0 there, too,
 *                                         1 if only X is
 *
 * with P_i Jacobi's polynomials of weight (1 + x)^2p (1 - x)^2q (Legendre's
 * when both ends are free) are orthonormal, so that a plate's mass matrix in
 * their products is the identity however many are taken.
 *
 * The deflection is a sum of products X_i(x) Z_j(z). With
 * r = (width / depth)^2 and integrals A bend, B mixed, C slope, the energy is
 *
 *     K = A (x) 1 + a r^2 1 (x) A + nu r (B (x) B' + B' (x) B)
 *         + t r C (x) C,     K c = (k width / 2)^4 c
 *
 * with k the wave number, a = D22 / D11, nu = D12 / D11 and t = 4 D66 / D11; of
 * an isotropic plate a = 1 and t = 2 (1 - nu). The eigenvalues of K range from
 * 10 to about degree^8, and rounding would spoil the lowest. So the inverse
 * problem, scaled by K's diagonal, is solved for its highest eigenvalues, which
 * keeps ten digits and more of every mode.
 *
 * Of a thick plate the three fields w, psi_x and psi_z of mindlin.h are such
 * sums. In units of half the width, with the turns times half the width,
 *
 *     K c = m M c,   m = omega^2 rho h (width / 2)^4 / D11
 *
 * and M is diagonal: 1 for w, rotary for the turns. K + s M is definite, rigid
 * motions included; its inverse, scaled, is solved as above.
 *
 * Private to runtime/model.   Thread: any once made.
 * Memory: sb_ritz_axis_free, sb_ritz_solution_free.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_plate_stiffness sb_plate_stiffness;

typedef struct sb_ritz_axis {
    int count;                 /* functions; P_i has degree i */
    int power_low, power_high; /* p, q */
    double first;              /* P_0 */
    double *off,
        *diag; /* x P_i = off[i+1] P_i+1 + diag[i] P_i + off[i] P_i-1 */
} sb_ritz_axis;

/* Integrals over x of products of functions and their derivatives, count x
 * count each, in one block. */
typedef struct sb_ritz_matrices {
    double *bend;  /* X_i'' X_j'' */
    double *mixed; /* X_i   X_j'' */
    double *slope; /* X_i'  X_j'  */
    double *drift; /* X_i   X_j'  */
} sb_ritz_matrices;

SB_NODISCARD sb_status sb_ritz_axis_init(sb_ritz_axis *axis, int count,
                                         int power_low, int power_high,
                                         sb_error *err);
void sb_ritz_axis_free(sb_ritz_axis *axis);

/* values[count] of the functions at x. */
void sb_ritz_axis_at(const sb_ritz_axis *axis, double x, double *values);

/* Values in out[0 .. count), first derivatives in the next `count`, second ones
 * in the last. */
void sb_ritz_axis_derivatives(const sb_ritz_axis *axis, double x, double *out);

/* Free `bend` to free them all. */
SB_NODISCARD sb_status sb_ritz_axis_matrices(const sb_ritz_axis *axis,
                                             sb_ritz_matrices *out,
                                             sb_error *err);

typedef struct sb_ritz_term {
    short i, j;
} sb_ritz_term;

typedef struct sb_ritz_problem {
    sb_ritz_matrices x, z;
    int x_count, z_count; /* functions along each */
    double ratio;         /* r */
    double poisson_ratio; /* nu */
    double across;        /* a */
    double twist;         /* t */
} sb_ritz_problem;

typedef struct sb_ritz_solution {
    int count;
    double *values;  /* (k width / 2)^2, lowest first */
    double *vectors; /* c, one after the other, each of unit length */
} sb_ritz_solution;

/* The lower half of the modes that these terms can form. No combination of
 * the terms may be a rigid motion. */
SB_NODISCARD sb_status sb_ritz_solve(const sb_ritz_problem *problem,
                                     const sb_ritz_term *terms, int term_count,
                                     sb_ritz_solution *out, sb_error *err);
void sb_ritz_solution_free(sb_ritz_solution *solution);

typedef struct sb_mindlin_problem {
    const sb_ritz_matrices *x, *z;
    int x_count, z_count; /* functions along each */
    double aspect;        /* width / depth */
    double d12, d22, d66; /* over D11 */
    double s1, s2;        /* times (width / 2)^2 / D11 */
    double rotary;        /* over rho h (width / 2)^2 */
    double shift;         /* s: about the lowest m */
} sb_mindlin_problem;

/* The terms of the three fields, one field after the other. */
typedef struct sb_mindlin_terms {
    sb_ritz_term *terms;
    int w_count, x_count, z_count;
} sb_mindlin_terms;

void sb_mindlin_problem_init(sb_mindlin_problem *problem,
                             const sb_plate_stiffness *plate, double width,
                             double depth);

/* The lowest `count` elastic modes or fewer; rigid motions are left out. `values`
 * of the solution are m, its vectors hold all terms and have c' M c = 1. */
SB_NODISCARD sb_status sb_mindlin_solve(const sb_mindlin_problem *problem,
                                        const sb_mindlin_terms *terms,
                                        int count, sb_ritz_solution *out,
                                        sb_error *err);
