/* SPDX-License-Identifier: MIT */
/* runtime/model/solve/solve.h -- a model of a shape made of a material.
 *
 * The shape is cut up (discrete.h), its matrices are assembled (fem.h) for
 * E = 1 and rho = 1, all modes up to a bound are found (eigen_sparse.h), and
 * their shapes on the surface are kept (solution.h). Where the script gives no
 * number of elements, they are as small as the shortest wave needs (attempt.h),
 * and the solve is repeated with other sizes until what is left of the error
 * can be taken out (trend.h). A body that has mechanisms, that is motions without deformation besides those of rigid
 * bodies, is refused, and the message names the part; only "springs-literal"
 * may have them.
 *
 * Thread: control, workers; a solve takes up to seconds.
 * Memory: models and solutions belong to the caller, who releases them; a model
 * retains its solution.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/stop.h"
#include "runtime/model/sound/finish.h"

#include <stdbool.h>

typedef struct sb_model_limits sb_model_limits;
typedef struct sb_shape sb_shape;

/* --- a model of a shape made of a material --- */

/* Compute the modes. `limits` NULL means the default. `material` may be NULL
 * for modes given by hand, a rigid shape and a floor. BAD_ARGUMENT from the
 * checks of shape, material and limits, NO_MODES when none lies below max_hz
 * ("the lowest mode of this bar lies at 28.5 kHz, above the limit of 22 kHz"),
 * NO_CONVERGENCE, NO_MEMORY. A rigid shape or a floor gives a model with no
 * modes, and so does a sphere, box or cylinder without one below max_hz. Free
 * and clamped plates stop at some 1250 modes (clamped at one edge: 580), thick
 * bars where bending theory ends: see plate.c and bar.c. */
SB_NODISCARD sb_status sb_model_create(const sb_shape *shape,
                                       const sb_material *material,
                                       const sb_model_limits *limits,
                                       sb_model **out, sb_error *err);

/* A sphere, box or cylinder as a rigid body: without modes, even if it has
 * some. BAD_ARGUMENT for other kinds, and from the checks. */
SB_NODISCARD sb_status sb_model_create_rigid(const sb_shape *shape,
                                             const sb_material *material,
                                             sb_model **out, sb_error *err);

/* The same object in another size, or of other stiffness, density or damping:
 * its frequencies scale, and nothing is solved. It keeps exactly the modes it
 * had, in their order, so that ringing modes can be retuned. For elastic shapes
 * (not strings, membranes and modes given by hand); not when Poisson's ratio,
 * the support or the proportions change. The new model retains `model`. */
bool sb_model_can_rescale(const sb_model *model, const sb_shape *shape,
                          const sb_material *material);
SB_NODISCARD sb_status sb_model_rescale(sb_model *model, const sb_shape *shape,
                                        const sb_material *material,
                                        sb_model **out, sb_error *err);

/* --- by elements --- */

/* Default limit of elastic modes: more than a listener can tell apart. */
enum { SB_SOLVE_MODES = 1200 };

/* The limit for spheres, boxes and cylinders. They are cut into few elements,
 * which do not resolve more, while a huge soft one has thousands of modes. */
enum { SB_SOLVE_SOLID_MODES = 120 };

/* Where more modes of a solid would take too long, it has as many as elements
 * with so many unknowns resolve, and so many at least. Rounding makes up to a
 * half more unknowns; a cube of rubber took 20 s of processor time with 36,500,
 * and takes 7 s with 20,600. */
enum { SB_FEWER_UNKNOWNS = 18000, SB_FEWER_LEAST = 24 };

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

/* How the modes of a computed shape are cut off and merged. */
sb_finish_def sb_solved_finish_def(const sb_shape *shape);

/* The largest number of elastic modes to look for. */
int sb_solved_mode_limit(const sb_shape *shape);

/* Solve up to the highest frequency that the shape may have in this material;
 * `progress` may be NULL, `memory_bytes` 0 for the default (solve.h). NO_MODES names the lowest mode: "the lowest mode of
 * this mesh lies at 28.6 kHz, above the limit of 22 kHz". Else as sb_solve. */
SB_NODISCARD sb_status sb_solve_for(const sb_shape *shape,
                                    const sb_material *material,
                                    sb_progress progress, void *context,
                                    double memory_bytes, sb_solution **out,
                                    sb_error *err);

/* Make a model of a solution, finished for this material (sb_solution_finish);
 * `finished` is taken over and left empty, on failure, too. */
SB_NODISCARD sb_status sb_model_from_solution(const sb_shape *shape,
                                              const sb_material *material,
                                              sb_solution *solution,
                                              sb_finished *finished,
                                              sb_model **out, sb_error *err);
