/* runtime/model/solve/solve.h -- from a shape to its vibration, by elements.
 *
 * The shape is cut up (discrete.h), its matrices are assembled (fem.h) for
 * E = 1 and rho = 1, all modes up to a bound are found (eigen_sparse.h), and
 * their shapes on the surface are kept (solution.h). Where the script gives no
 * number of elements, they are as small as the shortest wave needs (need.h),
 * and the solve is repeated with other sizes until what is left of the error
 * can be taken out (trend.h). A body that has mechanisms, that is motions without deformation besides those of rigid
 * bodies, is refused, and the message names the part; only "springs-literal"
 * may have them.
 *
 * Thread: control, workers. Memory: the caller releases the solution.
 */
#ifndef SB_MODEL_SOLVE_SOLVE_H
#define SB_MODEL_SOLVE_SOLVE_H

#include "runtime/base/progress.h"
#include "runtime/base/status.h"

typedef struct sb_shape sb_shape;
typedef struct sb_solution sb_solution;

/* Default limit of elastic modes: more than a listener can tell apart. */
enum { SB_SOLVE_MODES = 1200 };

/* The limit for spheres, boxes and cylinders. They are cut into few elements,
 * which do not resolve more, while a huge soft one has thousands of modes. */
enum { SB_SOLVE_SOLID_MODES = 120 };

/* Default limit of memory, bytes. */
#define SB_SOLVE_MEMORY 2e9

/* Extrapolation takes out less than this of a frequency. */
#define SB_SOLVE_EXTRAPOLATED 0.0125

typedef struct sb_solve_def {
    const sb_shape *shape; /* sb_shape_is_computed */
    double poisson_ratio;
    double max_lambda;    /* up to this eigenvalue, for E = 1 and rho = 1 */
    int max_modes;        /* at most this many elastic ones, the lowest */
    double memory_bytes;  /* not more than this; 0: SB_SOLVE_MEMORY */
    sb_progress progress; /* or NULL; stages "mesh", "assembly", those of
                           * eigen_sparse.h, and "coarse": memory does not
                           * allow smaller elements, and modes may be off by
                           * `done` thousandths; `expected` is the limit, MB */
    void *context;
} sb_solve_def;

/* NO_MODES when no elastic mode lies below the bound; the message gives the
 * bound as an eigenvalue, so callers replace it (sb_solve_for). NO_MEMORY when it
 * takes more than memory_bytes; the message says which number of elements fits,
 * and how much memory is needed. INTERRUPTED. */
SB_NODISCARD sb_status sb_solve(const sb_solve_def *def, sb_solution **out,
                                sb_error *err);

#endif
