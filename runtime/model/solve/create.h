/* runtime/model/solve/create.h -- a model of a shape made of a material.
 *
 * The shape's family (shapes/family.h) decides whether its modes have a closed
 * form or are solved by elements (solve.h).
 *
 * Thread: control, workers; a solve takes up to seconds.
 * Memory: the model belongs to the caller, who releases it.
 */
#ifndef SB_MODEL_SOLVE_CREATE_H
#define SB_MODEL_SOLVE_CREATE_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_material sb_material;
typedef struct sb_model sb_model;
typedef struct sb_model_limits sb_model_limits;
typedef struct sb_shape sb_shape;

/* Compute the modes. `limits` NULL means the default. `material` may be NULL
 * for modes given by hand, a rigid shape and a floor. BAD_ARGUMENT from the
 * checks of shape, material and limits, NO_MODES when none lies below max_hz
 * ("the lowest mode of this bar lies at 28.5 kHz, above the limit of 22 kHz"),
 * NO_CONVERGENCE, NO_MEMORY. A rigid shape or a floor gives a model with no
 * modes, and so does a sphere, box or cylinder without one below max_hz. Free
 * and clamped plates stop at some 1250 modes (clamped at one edge: 580), thick
 * bars where bending theory ends: see plate.c and beam.h. */
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

#endif
