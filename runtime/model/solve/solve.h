/* runtime/model/solve/solve.h -- from a shape to its vibration, by elements.
 *
 * The shape is cut up (discrete.h), its matrices are assembled (fem.h) for
 * E = 1 and rho = 1, all modes up to a bound are found (eigen_sparse.h), and
 * what they do to the surface is kept (solution.h). A body whose parts can
 * move without being deformed, more than as rigid bodies, is refused with the
 * name of the part: only "springs-literal" may have such mechanisms.
 *
 * Thread: control, workers. Memory: the solution is the caller's to release.
 */
#ifndef SB_MODEL_SOLVE_SOLVE_H
#define SB_MODEL_SOLVE_SOLVE_H

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/shape.h"
#include "runtime/model/solution.h"

/* As many elastic modes as a computed shape is given, unless it asks for fewer:
 * more than can be told apart. */
enum { SB_SOLVE_MODES = 1200 };

/* Spheres, boxes and cylinders are cut into few elements, which do not carry
 * more: a huge soft one has thousands below the limit. */
enum { SB_SOLVE_SOLID_MODES = 120 };

typedef struct sb_solve_def {
    const sb_shape *shape; /* sb_shape_is_computed */
    double poisson_ratio;
    double max_lambda;    /* up to this eigenvalue, for E = 1 and rho = 1 */
    int max_modes;        /* at most this many elastic ones, the lowest */
    sb_progress progress; /* or NULL; stages "mesh", "assembly" and those of
                           * eigen_sparse.h */
    void *context;
} sb_solve_def;

/* NO_MODES when no elastic mode lies below the bound: the sentence gives the
 * bound only as an eigenvalue, so callers say it better. INTERRUPTED. */
SB_NODISCARD sb_status sb_solve(const sb_solve_def *def, sb_solution **out,
                                sb_error *err);

#endif
