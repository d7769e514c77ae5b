/* runtime/scene/plan/diffuse_part.h -- modes of a body that are heard as noise.
 *
 * A body with a diffuse part has modes below its crossover and bands of noise
 * above, two per octave (dsp/bank/diffuse.h). Power and decay of a band follow from
 * the modes that it replaces, all of them together and independent of where
 * the body is struck:
 *
 *     p = sum g^2 <phi^2> / 2,    s = sum g^2 <phi^2> / sum (g^2 <phi^2> / s_k)
 *
 * <phi^2> is the mean over the surface. So a strike radiates as much energy, in
 * the mean, as it would by the modes. A band without modes has the power per Hz
 * of the nearest band that has some, and decays by the material's damping.
 *
 * Symbols: p power, s sigma_per_s.
 * Thread:  as the plan. Memory: the plan's.
 */
#ifndef SB_SCENE_PLAN_DIFFUSE_PART_H
#define SB_SCENE_PLAN_DIFFUSE_PART_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_diffuse_def sb_diffuse_def;
typedef struct sb_planned sb_planned;

/* The number of modes that a solved body's voice has: all of the model and the
 * silent ones behind them (beyond_part.h), or those below the crossover, but at
 * least one if it has any. */
int sb_planned_mode_count(const sb_planned *planned);

/* Compute planned->bands if its diffuse part is on. NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_bands(sb_planned *planned,
                                             sb_error *err);

/* The same while touches add `added_per_s` to the decay of each mode of the
 * model: a band decays faster by the mean over the modes that it replaces. */
void sb_planned_touched_bands(const sb_planned *planned,
                              const double *added_per_s, sb_diffuse_def *out);

/* <phi^2> of every mode of a solved body; false when out of memory. */
bool sb_planned_mean_squares(const sb_planned *planned, double *mean);

/* Seed of the noise of a body with this name. */
uint32_t sb_planned_noise_seed(const char *name);

/* Both must have been solved. Same: nothing changes; alike: only values. */
bool sb_diffuse_part_is_same(const sb_planned *a, const sb_planned *b);
bool sb_diffuse_part_is_alike(const sb_planned *a, const sb_planned *b);

#endif
