/* SPDX-License-Identifier: MIT */
/* runtime/model/solve/attempt.h -- one solve with elements of one size.
 *
 * sb_solve (solve.h) makes as many as it needs to see that the modes have
 * converged. First the body is cut up and assembled, then its modes are found.
 *
 * Thread: control, workers. Memory: sb_attempt_free.
 */
#pragma once

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/fem/fem.h"
#include "runtime/model/solution.h"
#include "runtime/model/solve/discrete.h"
#include "runtime/model/solve/solve.h"

typedef struct sb_attempt {
    const sb_solve_def *def;
    sb_grain grain;
    sb_discrete discrete;
    sb_fem fem;
    sb_eigen_result modes;
    int expected, zeros; /* motions without stiffness */
    double began_s;
    double edge_m; /* of its elements: the longest edges of triangles, the
                    * longest sides of the cells that tetrahedra are cut from,
                    * as a root mean square */
    int guess;     /* of the number of modes below the bound */
} sb_attempt;

/* Cuts up and assembles. `def` must live as long. */
SB_NODISCARD sb_status sb_attempt_prepare(sb_attempt *self,
                                          const sb_solve_def *def,
                                          sb_grain grain, sb_error *err);
/* Elements in the shortest wave up to an eigenvalue: of the
 * edge_m of its elements. */
double sb_attempt_per_wave(const sb_attempt *self, double lambda);
/* What finding the modes takes. */
SB_NODISCARD sb_status sb_attempt_cost(const sb_attempt *self,
                                       sb_eigen_cost *out, sb_error *err);
/* Finds the modes. NO_MODES when none lies below the bound. */
SB_NODISCARD sb_status sb_attempt_solve(sb_attempt *self, sb_error *err);
/* The modes on the skin. */
SB_NODISCARD sb_status sb_attempt_keep(const sb_attempt *self,
                                       sb_solution **out, sb_error *err);
void sb_attempt_free(sb_attempt *self);

/* The shortest wavelength of a sheet at an eigenvalue, m: elements must be
 * small compared with it. Bending is the slowest; in a sheet of thickness t at
 * angular frequency w its velocity is
 *
 *     1 / c^2 = 1 / c_b^2 + 1 / c_r^2,   c_b^2 = w t sqrt(E / 12 rho (1 - n^2))
 *
 * with c_b of a thin plate and c_r of waves on the surface of a thick body.
 * That is a few per cent less than Mindlin's theory gives. A solve works with
 * E = 1 and rho = 1; there w^2 is the eigenvalue, l.
 *
 * Symbols: n poisson_ratio, l lambda.
 * Source: R. Mindlin, Influence of Rotatory Inertia and Shear on Flexural
 *         Motions of Isotropic, Elastic Plates, 1951. */
double sb_need_wavelength_m(double thickness_m, double poisson_ratio,
                            double lambda);

/* Elements per wave that the method needs, and the power of the edge with
 * which its errors fall. */
double sb_need_least(sb_method method);
double sb_need_order(sb_method method);
