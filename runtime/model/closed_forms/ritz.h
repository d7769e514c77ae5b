/* runtime/model/closed_forms/ritz.h -- bending of a rectangle, Ritz's method.
 *
 * The deflection is a sum of products X_i(x) Z_j(z) of ritz_axis.h. With
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
 * Private to runtime/model.   Thread: any.   Memory: sb_ritz_solution_free.
 */
#ifndef SB_MODEL_CLOSED_FORMS_RITZ_H
#define SB_MODEL_CLOSED_FORMS_RITZ_H

#include "runtime/model/closed_forms/ritz_axis.h"

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

#endif
