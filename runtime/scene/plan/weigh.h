/* runtime/scene/plan/weigh.h -- mode weights of a body at a place.
 *
 * A weight is how strongly a force at a place drives a mode, and how strongly
 * the mode moves that place. It comes from the mode shape, or from the body's
 * texture of weights: a mode for which the texture has a plane takes its value
 * at the (u, v) of the place. A texture describes a force straight into the
 * surface; of another force its component into the surface counts. All code
 * that drives or reads modes at a place uses these weights: a contact with two
 * different sets could gain energy.
 *
 * Thread: as the plan. Memory: the caller's.
 */
#ifndef SB_SCENE_PLAN_WEIGH_H
#define SB_SCENE_PLAN_WEIGH_H

#include "runtime/model/modal_model.h"
#include "runtime/scene/plan/plan.h"

/* As sb_model_weights, for a solved body. */
void sb_planned_weights(const sb_planned *planned, sb_model_point point,
                        const sb_vec3 *direction, double *weights);

/* Where a solved body is struck unless the script says where. */
sb_model_point sb_planned_usual_point(const sb_planned *planned);

/* Prepare a solved body with a texture for the above. `before` (may be NULL) is
 * as in sb_planned_solve. BAD_ARGUMENT: it has no texture coordinates or no
 * modes; NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_peaks(sb_planned *planned,
                                             const sb_planned *before,
                                             sb_error *err);

#endif
