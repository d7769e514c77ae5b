/* runtime/scene/plan/weigh.h -- how strongly a body's modes answer at a place.
 *
 * By their mode shapes or, where the body has a texture of weights, by that:
 * modes that the texture has a plane for take its weight at the (u, v) of the
 * place. A texture says how a mode answers to a push straight into the surface;
 * along another direction counts what of it goes straight in. Whoever drives a
 * mode or reads it at a place asks here, so that both see the same weights: a
 * contact could gain energy else.
 *
 * Thread: as the plan.
 */
#ifndef SB_SCENE_PLAN_WEIGH_H
#define SB_SCENE_PLAN_WEIGH_H

#include "runtime/scene/plan/plan.h"

/* As sb_model_weights, of a solved body. */
void sb_planned_weights(const sb_planned *planned, sb_model_point point,
                        const sb_vec3 *direction, double *weights);

/* Prepare a solved body with a texture for the above. `before` (may be NULL) is
 * as in sb_planned_solve. BAD_ARGUMENT: it has no texture coordinates or no
 * modes; NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_peaks(sb_planned *planned,
                                             const sb_planned *before,
                                             sb_error *err);

#endif
