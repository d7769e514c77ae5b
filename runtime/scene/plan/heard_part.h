/* runtime/scene/plan/heard_part.h -- missing modes of strongly damped bodies.
 *
 * A band of noise (dsp/bank/diffuse.h) hears a force through filters that ring on
 * with about 0.7 f per second, and reaches a little into its neighbours. That
 * is right for modes that last longer. Those of woods and plastics, of loss
 * factors of 0.01 and more, do not: noise in their place is 3 to 50 dB too loud
 * once the sound has fallen by some tens of dB, the higher the more.
 *
 * But their resonances are so wide, s / pi, that a few of them fill a band. So
 * where the material damps strongly at max_hz, modes that each stand for their
 * neighbours are heard instead of noise, from the frequency on where
 *
 *     integral pi / (2 s) df  <=  half their number,
 *
 * that is, where one per 2 s / pi is enough for half of them to be dense. Half
 * are spaced like that, half evenly in octaves. Each has the power and mobility
 * of what it stands for, the material's decay, and the shape of a plane wave in
 * a direction of its own, so that places differ as they do with modes. Below
 * that frequency there is noise as elsewhere.
 *
 * Symbols: s sigma_per_s.
 * Thread: as the plan. Memory: the plan's.
 */
#ifndef SB_SCENE_PLAN_HEARD_PART_H
#define SB_SCENE_PLAN_HEARD_PART_H

#include "runtime/scene/plan/plan.h"

/* Up to this loss factor at max_hz noise and modes are equally loud within 2 dB
 * (test_beyond_seam). */
#define SB_HEARD_LOSS 0.01

/* Whether a body of this loss factor at max_hz, whose other parts are as
 * defined, has them. */
bool sb_heard_is_needed(const sb_body_def *def, double loss);

/* The frequency from which on they are heard: `from_hz` or above. */
double sb_heard_from(const sb_planned *planned, double from_hz, double to_hz);

/* Adds them to the silent ones; sets frequency, decay and `weight` as the width
 * of its share in Hz. The caller computes weight and radiation from it. */
void sb_heard_place(sb_planned *planned, double from_hz, double to_hz);

#endif
