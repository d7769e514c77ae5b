/* runtime/scene/plan/beyond_part.h -- noise for the modes that are too many.
 *
 * Where a model is cut below max_hz (model/sound/beyond.h), bands of noise take
 * over from its last mode to max_hz or 19.8 kHz, by themselves. They are the
 * sixth octaves about 1 kHz, the same for every body, so that a body that
 * changes its pitch keeps its bands. Power and decay of a band follow from the
 * modes that it replaces,
 *
 *     p = integral P df,    s = p / integral (P / sigma) df
 *
 * over the part of the band above the last mode; sigma is the material's. The
 * filters of neighbouring bands overlap: the powers are chosen so that the sums
 * in each band are right.
 *
 * A force counts by how much the missing modes move where it acts
 * (sb_model_beyond_at), or the last modes where the shape does not say.
 *
 * The missing modes also yield to what presses on the body: together they are a
 * resistance, 1 / (8 sqrt(D rho h)) for a plate. SB_YIELD_MODES silent modes,
 * spaced evenly from the last mode to max_hz and half as wide as their distance,
 * have the same mobility (n / 4M) <phi^2> in the mean. They are so many because
 * their damping must not reach beyond max_hz: a hard striker on a thin sheet
 * chatters there, and comes off sooner where that is damped.
 *
 * In strongly damped bodies some of these modes are heard and there is less
 * noise, or none (heard_part.h).
 *
 * A number of modes that the script gives is a choice and not a lack: then
 * there are bands only if the script wants them (diffuse = true).
 *
 * Thread: as the plan. Memory: the plan's.
 * Source: Cremer, Heckl and Petersson, Structure-Borne Sound, 2005 (mobility of
 *         dense modes).
 */
#ifndef SB_SCENE_PLAN_BEYOND_PART_H
#define SB_SCENE_PLAN_BEYOND_PART_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_diffuse_part sb_diffuse_part;
typedef struct sb_model sb_model;
typedef struct sb_planned sb_planned;

/* Just below the highest band that there is at 44.1 kHz. */
#define SB_BEYOND_MOST_HZ 19800.0

/* Compute the bands of a solved body whose own diffuse part is off. NO_MEMORY.
 */
SB_NODISCARD sb_status sb_planned_fill_beyond(sb_planned *planned,
                                              sb_error *err);

/* What a body does about the modes that it does not have. */
typedef struct sb_beyond_report {
    bool is_cut;     /* modes are missing that the script did not leave out */
    bool has_bands;  /* noise stands for them */
    bool is_off;     /* or would, but for diffuse = false */
    bool is_rough;   /* it is damped too strongly for noise to be right */
    double from_hz;  /* the highest mode */
    double bands_hz; /* upper end of the noise */
    double max_hz;   /* up to which there should be modes */
} sb_beyond_report;
sb_beyond_report sb_planned_beyond(const sb_planned *planned);

/* The same for a model that is in no scene. */
sb_beyond_report sb_beyond_of(const sb_model *model,
                              const sb_diffuse_part *part, bool is_nonlinear);

/* Decay of missing modes at a frequency, 1/s. */
double sb_beyond_sigma(const sb_planned *planned, double freq_hz);

#endif
