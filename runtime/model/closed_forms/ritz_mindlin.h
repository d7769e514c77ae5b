/* runtime/model/closed_forms/ritz_mindlin.h -- thick plates by Ritz's method.
 *
 * The three fields w, psi_x and psi_z of mindlin.h are sums of products of
 * ritz_axis.h. In units of half the width, with the turns times half the width,
 *
 *     K c = m M c,   m = omega^2 rho h (width / 2)^4 / D11
 *
 * and M is diagonal: 1 for w, rotary for the turns. K + s M is definite, rigid
 * motions included; its inverse, scaled, is solved for its highest eigenvalues,
 * as in ritz.h.
 *
 * Private to runtime/model.   Thread: any.   Memory: sb_ritz_solution_free.
 */
#ifndef SB_MODEL_CLOSED_FORMS_RITZ_MINDLIN_H
#define SB_MODEL_CLOSED_FORMS_RITZ_MINDLIN_H

#include "runtime/model/closed_forms/ritz.h"

typedef struct sb_plate_stiffness sb_plate_stiffness;

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

#endif
