/* runtime/scene/plan/diffuse_part.h -- which modes of a body are heard as noise.
 *
 * A body with a diffuse part has modes below its crossover and bands of noise
 * from there on, two an octave (diffuse.h). What a band is to sound like comes
 * from the modes that it stands for, all of them together and wherever the body
 * is struck:
 *
 *     p = sum g^2 <phi^2> / 2,      s = sum g^2 <phi^2> / sum (g^2 <phi^2> / s_k)
 *
 * <phi^2> being the mean over the surface. So a blow sends out as much energy,
 * over all, as it would by the modes. A band that has none of them is taken to
 * be as full, per Hz, as the nearest that has some, and decays as the material
 * does.
 *
 * Symbols: p power, s sigma_per_s.
 * Thread:  as the plan.
 */
#ifndef SB_SCENE_PLAN_DIFFUSE_PART_H
#define SB_SCENE_PLAN_DIFFUSE_PART_H

#include "runtime/scene/plan/plan.h"

/* How many of its modes, the lowest, a solved body sounds with: all, or those
 * below the crossover, but at least one if it has any. */
int sb_planned_mode_count(const sb_planned *planned);

/* Work out planned->bands from its model, if its diffuse part is on. NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_bands(sb_planned *planned,
                                             sb_error *err);

/* The same while touches add `added_per_s` to the decay of each of the model's
 * modes: what they add, in the mean, to the modes that a band stands for. */
void sb_planned_touched_bands(const sb_planned *planned,
                              const double *added_per_s, sb_diffuse_def *out);

/* Both solved: is nothing to be changed, is it at least a matter of values? */
bool sb_diffuse_part_is_same(const sb_planned *a, const sb_planned *b);
bool sb_diffuse_part_is_alike(const sb_planned *a, const sb_planned *b);

#endif
