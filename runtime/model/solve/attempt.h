/* runtime/model/solve/attempt.h -- one solve with elements of one size.
 *
 * sb_solve (solve.h) makes as many as it needs to see that the modes have
 * converged. First the body is cut up and assembled, then its modes are found.
 *
 * Thread: control, workers. Memory: sb_attempt_free.
 */
#ifndef SB_MODEL_SOLVE_ATTEMPT_H
#define SB_MODEL_SOLVE_ATTEMPT_H

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
    double edge_m; /* of its elements */
    int guess;     /* of the number of modes below the bound */
} sb_attempt;

/* Cuts up and assembles. `def` must live as long. */
SB_NODISCARD sb_status sb_attempt_prepare(sb_attempt *self,
                                          const sb_solve_def *def,
                                          sb_grain grain, sb_error *err);
/* Elements in the shortest wave up to an eigenvalue (need.h). */
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

#endif
